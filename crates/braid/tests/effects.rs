//! The effects that rows state against the texts of the library: programs made from each effect are explored exhaustively.
//!
//! `BRAID_ONLY=NAME` takes one function.

use braid_models::{Access, Effect, Extent, Mode, Sync, Text, Wait, accesses, effects};
use braid_testkit::effects::{Case, cases, judge};
use braid_testkit::harness;

/// The programs that do not behave as the effects say, and the number of all.
fn problems(asked: &[Case]) -> Vec<String> {
    let mut wrong = Vec::new();
    let _ = harness::in_parallel(
        asked.len(),
        None,
        |index| judge(&asked[index]),
        |_, result| {
            wrong.extend(result.err());
            Ok::<(), ()>(())
        },
    );
    wrong
}

#[test]
fn texts_do_what_effects_say() {
    let only = std::env::var("BRAID_ONLY").ok();
    let mut asked = Vec::new();
    for (name, effect) in effects().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let made = cases(name, effect, accesses(name)).unwrap_or_else(|error| panic!("{error}"));
        assert!(!made.is_empty(), "no program for {name}");
        asked.extend(made.into_iter().map(|case| Case { title: format!("{name}: {}", case.title), ..case }));
    }
    let wrong = problems(&asked);
    assert!(wrong.is_empty(), "{} of {} programs:\n{}", wrong.len(), asked.len(), wrong.join("\n"));
}

#[test]
fn wrong_effects_are_noticed() {
    let acquire = |object, mode, wait| Effect::Acquire { lock: 0, mode, object, wait };
    let init = |kind| Effect::Init { object: 0, kind, attribute: None };
    let lies = [
        ("pthread_rwlock_rdlock", acquire(Sync::ReadWriteLock, Mode::Exclusive, Wait::Blocks)),
        ("pthread_rwlock_wrlock", acquire(Sync::ReadWriteLock, Mode::Shared, Wait::Blocks)),
        ("pthread_mutex_lock", acquire(Sync::Mutex, Mode::Exclusive, Wait::Tries)),
        ("pthread_mutex_trylock", acquire(Sync::Mutex, Mode::Exclusive, Wait::Blocks)),
        ("pthread_mutex_unlock", Effect::Nothing),
        ("pthread_mutex_unlock", Effect::Release { lock: 0, object: Sync::SpinLock }),
        ("pthread_cond_wait", Effect::Wait { cond: 0, mutex: 1, timed: true }),
        ("pthread_cond_wait", Effect::Wait { cond: 1, mutex: 0, timed: false }),
        ("pthread_cond_timedwait", Effect::Wait { cond: 0, mutex: 1, timed: false }),
        ("pthread_cond_signal", Effect::SemaphorePost { semaphore: 0 }),
        ("pthread_spin_init", init(Sync::Mutex)),
        ("sem_init", init(Sync::SpinLock)),
        ("sem_destroy", Effect::Destroy { object: 0, kind: Sync::Mutex }),
        ("sem_trywait", Effect::SemaphoreWait { semaphore: 0, wait: Wait::Blocks }),
        ("sem_post", Effect::SemaphoreWait { semaphore: 0, wait: Wait::Tries }),
        ("pthread_create", Effect::Start { handle: 0, attribute: Some(1), routine: 3, argument: 2 }),
        ("pthread_detach", Effect::Join { handle: 0, result: None }),
        ("pthread_join", Effect::Detach { handle: 0 }),
        ("pthread_self", Effect::ExitThread { value: 0 }),
        ("puts", Effect::Print { stream: None, text: Text::Nothing }),
        ("fprintf", Effect::Print { stream: Some(0), text: Text::Format { format: 2, arguments: 3 } }),
        ("fwrite", Effect::Print { stream: Some(3), text: Text::String(0) }),
    ];
    for (name, lie) in lies {
        let noticed = cases(name, lie, accesses(name)).map_or(true, |made| !problems(&made).is_empty());
        assert!(noticed, "{name} passes for {lie:?}");
    }
}

#[test]
fn wrong_accesses_are_noticed() {
    let access = |argument, writes, extent| Access { argument, writes, extent };
    let lies: [(&str, &[Access]); 5] = [
        ("nanosleep", &[]),
        ("nanosleep", &[access(0, true, Extent::Time)]),
        ("nanosleep", &[access(0, false, Extent::Word), access(1, true, Extent::Time)]),
        ("sem_getvalue", &[access(1, false, Extent::Int)]),
        ("pthread_join", &[access(1, true, Extent::Int)]),
    ];
    for (name, lie) in lies {
        let effect = braid_models::effect(name).expect("the row has an effect");
        let noticed = cases(name, effect, lie).is_ok_and(|made| !problems(&made).is_empty());
        assert!(noticed, "{name} passes for {lie:?}");
    }
}
