//! Programs about the memory that calls touch: another thread touches it at the same time.

use super::scene::{Scene, object, ready, set_up, take};
use super::{Case, Function, POINTER_BYTES, output};
use braid_models::{Access, Effect, Extent, Sync};
use braid_props::Check;

/// What makes a single call legitimate.
#[derive(Default)]
struct Context {
    globals: String,
    before: String,
    given: Vec<(usize, &'static str)>,
    /// What the calling thread does first.
    first: String,
}

/// An object `o` that is ready.
fn at(position: usize, kind: Sync) -> Context {
    let (globals, before) = (object(kind, "o"), ready(kind, "o"));
    Context { globals, before, given: vec![(position, "o")], ..Context::default() }
}

/// A thread `h` that does nothing.
fn with_thread(handle: usize) -> Context {
    Context {
        globals: "static unsigned long h;\n".to_string(),
        before: "pthread_create(&h, 0, rest, 0);".to_string(),
        given: vec![(handle, "h")],
        ..Context::default()
    }
}

fn context(effect: Effect) -> Context {
    match effect {
        // The time is looked at if the lock is not free.
        Effect::Acquire { lock, object, .. } => {
            let mut context = at(lock, object);
            context.before += &take(object, "o");
            context
        }
        Effect::Release { lock, object } => Context { first: take(object, "o"), ..at(lock, object) },
        Effect::Wait { cond, mutex, timed: _ } => {
            let mut context = at(cond, Sync::ConditionVariable);
            context.globals += &object(Sync::Mutex, "m");
            context.given.push((mutex, "m"));
            context.first = take(Sync::Mutex, "m");
            context
        }
        Effect::Signal { cond } => at(cond, Sync::ConditionVariable),
        Effect::Init { object: position, kind, .. } => {
            let mut context = at(position, kind);
            context.before = String::new();
            context.given.extend((kind == Sync::Barrier).then_some((2, "1")));
            context
        }
        Effect::Destroy { object: position, kind } => {
            Context { before: set_up(kind, "o"), ..at(position, kind) }
        }
        Effect::SemaphoreWait { semaphore, wait: _ } => {
            Context { before: "sem_post(o);".to_string(), ..at(semaphore, Sync::Semaphore) }
        }
        Effect::SemaphorePost { semaphore } | Effect::SemaphoreValue { semaphore, value: _ } => {
            at(semaphore, Sync::Semaphore)
        }
        Effect::BarrierWait { barrier } => at(barrier, Sync::Barrier),
        Effect::Once { control, routine } => {
            let mut context = at(control, Sync::Once);
            context.given.push((routine, "idle"));
            context
        }
        Effect::Start { handle, attribute: _, routine, argument } => Context {
            // The attributes of a thread count where the program detaches threads.
            before: "if (shared[63]) pthread_detach(0);".to_string(),
            given: vec![(handle, "&place"), (routine, "(void *)rest"), (argument, "0")],
            globals: "static unsigned long place;\n".to_string(),
            ..Context::default()
        },
        Effect::Join { handle, result: _ } | Effect::Detach { handle } => with_thread(handle),
        Effect::ExitThread { value: _ } | Effect::Print { .. } | Effect::Nothing => Context::default(),
    }
}

/// The arguments that are no plain memory to a call.
fn others(effect: Effect) -> Vec<usize> {
    match effect {
        Effect::Acquire { lock, .. } | Effect::Release { lock, .. } => vec![lock],
        Effect::Wait { cond, mutex, timed: _ } => vec![cond, mutex],
        Effect::Signal { cond } => vec![cond],
        Effect::Init { object, .. } | Effect::Destroy { object, kind: _ } => vec![object],
        Effect::SemaphoreWait { semaphore, wait: _ }
        | Effect::SemaphorePost { semaphore }
        | Effect::SemaphoreValue { semaphore, value: _ } => vec![semaphore],
        Effect::BarrierWait { barrier } => vec![barrier],
        Effect::Once { control, routine } => vec![control, routine],
        Effect::Start { routine, .. } => vec![routine],
        Effect::Join { .. } | Effect::Detach { .. } | Effect::ExitThread { .. } | Effect::Nothing => {
            Vec::new()
        }
        Effect::Print { stream, text } => stream.into_iter().chain(output::positions(text)).collect(),
    }
}

/// A program for each pointer that a call gets besides its objects: its memory is touched as the accesses say.
pub fn accesses(function: &Function, effect: Effect, accesses: &[Access]) -> Vec<Case> {
    let others = others(effect);
    let positions =
        (0..function.parameters.len()).filter(|at| function.is_pointer(*at) && !others.contains(at));
    let mut cases = Vec::new();
    for position in positions {
        let access = accesses.iter().find(|access| access.argument == position);
        cases.extend(touches(function, effect, position, access));
    }
    cases
}

fn touches(function: &Function, effect: Effect, position: usize, access: Option<&Access>) -> Vec<Case> {
    let scene = |touch: String| {
        let Context { globals, before, mut given, first } = context(effect);
        given.retain(|(at, _)| *at != position);
        given.push((position, "(void *)shared"));
        let call = format!("{first} {}", function.statement(&given));
        Scene::with(globals, &before, &[call, touch])
    };
    let (writes, reads) = (|at: u64| format!("shared[{at}] = 0;"), |at: u64| format!("y = shared[{at}];"));
    let Some(access) = access else {
        return vec![
            Case::new(&format!("argument {position} is not read"), &scene(writes(0)), &[]),
            Case::new(&format!("argument {position} is not written"), &scene(reads(0)), &[]),
        ];
    };
    let end = access.extent.bytes(POINTER_BYTES);
    let shared: &[Check] = if access.writes { &[Check::DataRace] } else { &[] };
    let touched = |what: &str, touch: String, expected: &[Check]| {
        Case::new(&format!("argument {position} {what}"), &scene(touch), expected)
    };
    let mut cases = vec![
        touched("is touched to its end", writes(end - 1), &[Check::DataRace]),
        touched("and another reader", reads(end - 1), shared),
        touched("has an end", writes(end), &[]),
    ];
    // Some calls look at the nanoseconds only.
    if access.extent != Extent::Time {
        cases.push(touched("is touched", writes(0), &[Check::DataRace]));
    }
    cases
}
