//! Programs about the life of objects, semaphores, barriers and `pthread_once`.

use super::scene::{Scene, give, object, set_up, take, use_of};
use super::{Case, Function, POINTER_BYTES};
use braid_models::{Sync, Wait};
use braid_props::Check;

/// The arguments of a call that initialises an object: a barrier takes one thread.
fn initialising(object: usize, name: &str, kind: Sync) -> Vec<(usize, &str)> {
    let mut given = vec![(object, name)];
    if kind == Sync::Barrier {
        given.push((2, "1"));
    }
    given
}

/// An object in memory that the program has not written to.
fn allocated(bytes: u64, rest: &str) -> Scene {
    Scene::alone(String::new(), format!("int *o = malloc({bytes}); {rest}"))
}

pub fn init(function: &Function, at: usize, kind: Sync, attribute: Option<usize>) -> Vec<Case> {
    let given = initialising(at, "o", kind);
    let (call, used, size) = (function.succeeds(&given), use_of(kind, "o"), kind.size(POINTER_BYTES));
    let fixed = |main: String| Scene::alone(object(kind, "o"), main);
    let zero: &[Check] = if kind.works_as_zero() { &[] } else { &[Check::LockMisuse] };
    let mut cases = vec![
        Case::new("an object on the heap", &allocated(size, &format!("{call} {used}")), &[]),
        Case::new("use before initialisation", &allocated(size, &used), &[Check::LockMisuse]),
        Case::new("an object of this size", &allocated(size - 4, &call), &[Check::OutOfBounds]),
        Case::new("a static object", &fixed(format!("{call} {used}")), &[]),
        Case::new("a static object that nobody initialises", &fixed(used.clone()), zero),
    ];
    if is_lock(kind) {
        let held = fixed(format!("{call} {} {call}", take(kind, "o")));
        cases.push(Case::new("a lock that is held", &held, &[Check::LockMisuse]));
    }
    if let Some(attribute) = attribute {
        cases.extend(kinds(function, at, kind, attribute));
    }
    if let Some(offset) = kind.kind_offset(POINTER_BYTES) {
        let main = format!("o[{}] = 1; {}", offset / 4, twice(kind));
        cases.push(Case::new("a static object of another kind", &fixed(main), &[]));
    }
    cases
}

/// Returns true if threads hold such objects.
fn is_lock(kind: Sync) -> bool {
    !give(kind, "o").is_empty()
}

/// Takes a lock twice and gives it back; another object is used twice.
fn twice(kind: Sync) -> String {
    let (take, give) = (take(kind, "o"), give(kind, "o"));
    format!("{take} {take} {give} {give}")
}

/// The default kind, and another one: a recursive mutex.
fn kinds(function: &Function, at: usize, kind: Sync, attribute: usize) -> Vec<Case> {
    let globals = object(kind, "o") + "static int attributes[14] = {1};\n";
    let chosen = if kind == Sync::PlainMutex { "1" } else { "attributes" };
    let initialise = |chosen| function.succeeds(&[(at, "o"), (attribute, chosen)]);
    let main = |chosen| format!("{} {}", initialise(chosen), twice(kind));
    // A writer that takes a read-write lock again is refused, and gives it back once too often.
    let (default, other): (&[Check], &[Check]) = match kind {
        Sync::Mutex | Sync::PlainMutex => (&[Check::LockMisuse], &[]),
        Sync::ReadWriteLock => (&[Check::LockMisuse], &[Check::LockMisuse]),
        Sync::SpinLock | Sync::ConditionVariable | Sync::Semaphore | Sync::Barrier | Sync::Once => (&[], &[]),
    };
    vec![
        Case::new("the default kind", &Scene::alone(globals.clone(), main("0")), default),
        Case::new("a kind by attribute", &Scene::alone(globals, main(chosen)), other),
    ]
}

pub fn destroy(function: &Function, at: usize, kind: Sync) -> Vec<Case> {
    let call = function.statement(&[(at, "o")]);
    let (set_up, used) = (set_up(kind, "o"), use_of(kind, "o"));
    let scene = |main: String| Scene::alone(object(kind, "o"), main);
    let mut cases = vec![
        Case::new("the end of a life", &scene(format!("{set_up} {used} {call}")), &[]),
        Case::new("use after the end", &scene(format!("{set_up} {call} {used}")), &[Check::LockMisuse]),
        Case::new("destroyed twice", &scene(format!("{set_up} {call} {call}")), &[Check::LockMisuse]),
        Case::new("another life", &scene(format!("{set_up} {call} {set_up} {used} {call}")), &[]),
    ];
    if is_lock(kind) {
        let held = scene(format!("{set_up} {} {call}", take(kind, "o")));
        cases.push(Case::new("a lock that is held", &held, &[Check::LockMisuse]));
    }
    cases
}

fn semaphore() -> String {
    object(Sync::Semaphore, "s")
}

pub fn semaphore_wait(function: &Function, at: usize, wait: Wait) -> Vec<Case> {
    let call = function.call(&[(at, "s")]);
    let posts = "x = 1; sem_post(s);".to_string();
    let mut ordered = Scene::with(semaphore(), "", &[posts]);
    ordered.middle = format!("if ({call} == 0) y = x;");
    let thread = format!("if ({call} == 0) {{ x++; sem_post(s); }}");
    let both = Scene::with(semaphore(), "sem_init(s, 0, 1);", &[thread.clone(), thread]);
    let blocked = if wait == Wait::Blocks { Check::Deadlock } else { Check::Assertion };
    let empty = format!("if ({call} == 0) wrong(); else reach_error();");
    let last = format!("sem_init(s, 0, 1); if ({call} != 0) wrong(); {empty}");
    vec![
        Case::new("a post orders memory", &ordered, &[]),
        Case::new("one thread at a time", &both, &[]),
        Case::new("value 0", &Scene::alone(semaphore(), empty), &[blocked]),
        Case::new("value 1 can be taken once", &Scene::alone(semaphore(), last), &[blocked]),
    ]
}

pub fn semaphore_post(function: &Function, at: usize) -> Vec<Case> {
    let call = function.succeeds(&[(at, "s")]);
    let mut ordered = Scene::with(semaphore(), "", &[format!("x = 1; {call}")]);
    ordered.middle = "sem_wait(s); if (x != 1) wrong();".to_string();
    let once = format!("{call} sem_wait(s); sem_wait(s);");
    vec![
        Case::new("a post lets one go on", &ordered, &[]),
        Case::new("a post adds one", &Scene::alone(semaphore(), once), &[Check::Deadlock]),
    ]
}

pub fn semaphore_value(function: &Function, at: usize, value: usize) -> Vec<Case> {
    let call = function.succeeds(&[(at, "s"), (value, "&y")]);
    let main =
        format!("sem_init(s, 0, 3); {call} if (y != 3) wrong(); sem_wait(s); {call} if (y != 2) wrong();");
    vec![Case::new("the value", &Scene::alone(semaphore(), main), &[])]
}

pub fn barrier_wait(function: &Function, at: usize) -> Vec<Case> {
    let call = function.statement(&[(at, "b")]);
    let globals = object(Sync::Barrier, "b") + "static int a[3];\n";
    let comes = |i: usize| {
        let (one, other) = ((i + 1) % 3, (i + 2) % 3);
        format!("a[{i}] = 1; {call} if (!a[{one}] || !a[{other}]) wrong();")
    };
    let mut all = Scene::with(globals.clone(), "pthread_barrier_init(b, 0, 3);", &[comes(0), comes(1)]);
    all.middle = comes(2);
    let few = Scene::with(globals, "pthread_barrier_init(b, 0, 3);", &[call.clone(), call.clone()]);
    vec![
        Case::new("nobody leaves before all have come", &all, &[]),
        Case::new("too few threads", &few, &[Check::Deadlock]),
    ]
}

pub fn once(function: &Function, control: usize, routine: usize) -> Vec<Case> {
    let call = function.statement(&[(control, "o"), (routine, "count")]);
    let globals = object(Sync::Once, "o") + "static void count(void) { x++; }\n";
    let thread = format!("{call} if (x != 1) wrong();");
    let scene = Scene::with(globals, "", &[thread.clone(), thread]);
    vec![Case::new("the routine has run once when a call returns", &scene, &[])]
}
