//! Programs about locks and condition variables.

use super::scene::{Scene, give, object, ready, take};
use super::{Case, Function};
use braid_models::{Mode, Sync, Wait};
use braid_props::Check;

pub fn acquire(function: &Function, lock: usize, mode: Mode, kind: Sync, wait: Wait) -> Vec<Case> {
    let call = function.call(&[(lock, "o")]);
    let globals = object(kind, "o");
    let (ready, take, give) = (ready(kind, "o"), take(kind, "o"), give(kind, "o"));
    let blocked = if wait == Wait::Blocks { Check::Deadlock } else { Check::Assertion };
    let other = format!("if ({call} == 0) wrong(); else reach_error();");
    let held = Scene::with(globals.clone(), &format!("{ready} {take}"), &[other]);
    let mine = format!("{ready} if ({call} != 0) wrong();");
    let holds = Scene::with(globals.clone(), &mine, std::slice::from_ref(&take));
    let again = format!("{mine} {give} {take} {give}");
    let twice = format!("{ready} {0} {0}", function.statement(&[(lock, "o")]));
    // A read-write lock refuses what can never end well.
    let misused = wait == Wait::Blocks && mode == Mode::Exclusive && kind != Sync::ReadWriteLock;
    let relocked: &[Check] = if misused { &[Check::LockMisuse] } else { &[] };
    vec![
        exclusion(globals.clone(), &ready, &call, mode, kind, wait),
        together(globals.clone(), &ready, &call, &give, mode),
        Case::new("a lock that another thread holds", &held, &[blocked]),
        Case::new("a lock is held after success", &holds, &[Check::Deadlock]),
        Case::new("a free lock", &Scene::alone(globals.clone(), again), &[]),
        Case::new("a lock that the thread itself holds", &Scene::alone(globals, twice), relocked),
    ]
}

/// Two threads, of which at least one writes.
fn exclusion(globals: String, ready: &str, call: &str, mode: Mode, kind: Sync, wait: Wait) -> Case {
    let (take, give) = (take(kind, "o"), give(kind, "o"));
    let writes = format!("if ({call} == 0) {{ x++; {give} }}");
    let reads = format!("if ({call} == 0) {{ y = x; {give} }}");
    let threads = match mode {
        Mode::Exclusive => [writes.clone(), writes],
        Mode::Shared => [reads, format!("{take} x++; {give}")],
    };
    let mut scene = Scene::with(globals, ready, &threads);
    if wait == Wait::Blocks && mode == Mode::Exclusive {
        scene.after = "if (x != 2) wrong();".to_string();
    }
    Case::new("a lock excludes a writer", &scene, &[])
}

/// Two threads that notice each other while they hold the lock.
fn together(globals: String, ready: &str, call: &str, give: &str, mode: Mode) -> Case {
    let thread = format!("if ({call} == 0) {{ if (++inside == 2) reach_error(); --inside; {give} }}");
    let globals = format!("{globals}static _Atomic int inside;\n");
    let scene = Scene::with(globals, ready, &[thread.clone(), thread]);
    let expected: &[Check] = match mode {
        Mode::Exclusive => &[],
        Mode::Shared => &[Check::Assertion],
    };
    Case::new("two threads hold a lock together", &scene, expected)
}

pub fn release(function: &Function, lock: usize, kind: Sync) -> Vec<Case> {
    let call = function.statement(&[(lock, "o")]);
    let globals = object(kind, "o");
    let (ready, take, give) = (ready(kind, "o"), take(kind, "o"), give(kind, "o"));
    let thread = format!("{take} x++; {call}");
    let mut both = Scene::with(globals.clone(), &ready, &[thread.clone(), thread]);
    both.after = "if (x != 2) wrong();".to_string();
    let other = format!("{take} {give}");
    let freed = Scene::with(globals.clone(), &format!("{ready} {take} {call}"), std::slice::from_ref(&other));
    let free = Scene::alone(globals.clone(), format!("{ready} {call}"));
    let foreign = Scene::with(globals.clone(), &format!("{ready} {take}"), std::slice::from_ref(&call));
    let mut cases = vec![
        Case::new("a section ends with the release", &both, &[]),
        Case::new("a lock is free after the release", &freed, &[]),
        Case::new("release of a free lock", &free, &[Check::LockMisuse]),
        Case::new("release by another thread", &foreign, &[Check::LockMisuse]),
    ];
    if kind == Sync::ReadWriteLock {
        let before = format!("{ready} pthread_rwlock_rdlock(o); {call}");
        let scene = Scene::with(globals, &before, &[other]);
        cases.push(Case::new("a reader releases", &scene, &[]));
    }
    cases
}

/// A condition variable `c` and its mutex `m`.
fn pair() -> String {
    object(Sync::ConditionVariable, "c") + &object(Sync::Mutex, "m")
}

/// The first thread waits for a flag with one statement, another sets it with the other.
fn handshake(wait: &str, signal: &str) -> Scene {
    Scene {
        globals: pair() + "static int flag;\n",
        threads: vec![format!("pthread_mutex_lock(m); flag = 1; {signal} x++; pthread_mutex_unlock(m);")],
        middle: format!("pthread_mutex_lock(m); while (!flag) {wait} x++; pthread_mutex_unlock(m);"),
        after: "if (x != 2) wrong();".to_string(),
        ..Scene::default()
    }
}

pub fn wait(function: &Function, cond: usize, mutex: usize, timed: bool) -> Vec<Case> {
    let given = [(cond, "c"), (mutex, "m")];
    let (call, statement) = (function.call(&given), function.statement(&given));
    let lonely = format!("pthread_mutex_lock(m); if ({call} == 0) wrong(); pthread_mutex_unlock(m);");
    let expected: &[Check] = if timed { &[] } else { &[Check::Deadlock] };
    let unlocked = Scene::alone(pair(), statement.clone());
    vec![
        Case::new(
            "the mutex is free during a wait, and held before and after",
            &handshake(&statement, "pthread_cond_signal(c);"),
            &[],
        ),
        Case::new("a wait without a signal", &Scene::alone(pair(), lonely), expected),
        Case::new("a wait without the mutex", &unlocked, &[Check::LockMisuse]),
    ]
}

pub fn signal(function: &Function, cond: usize) -> Vec<Case> {
    let call = function.statement(&[(cond, "c")]);
    let early = format!("{call} pthread_mutex_lock(m); pthread_cond_wait(c, m);");
    vec![
        Case::new("a signal ends a wait", &handshake("pthread_cond_wait(c, m);", &call), &[]),
        Case::new("a signal is not kept", &Scene::alone(pair(), early), &[Check::Deadlock]),
    ]
}
