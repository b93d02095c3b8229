//! Effects of library functions against the texts of their rows.
//!
//! An effect makes small programs ([`cases`]) that call the function as the effect says and violate certain properties if the
//! effect is true. Each is explored exhaustively ([`judge`]); a program that violates others shows that the effect is wrong.
//! The programs need no headers: functions are declared as the texts define them.

mod function;
mod locks;
mod memory;
mod objects;
mod output;
mod scene;
mod threads;

pub use function::Function;

use crate::frontend;
use braid_interp::{Cut, ExploreOptions, Image, Limits, Options, explore};
use braid_ir::Question;
use braid_models::{Access, Effect};
use braid_props::{Check, CheckSet};
use scene::Scene;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Time for a program.
const CAP: Duration = Duration::from_secs(20);

/// The objects of the programs are those of this target.
const POINTER_BYTES: u8 = 8;

/// A program and what it violates if the effect it was made from is true.
pub struct Case {
    pub title: String,
    pub text: String,
    pub expected: Vec<Check>,
    /// Library calls may fail.
    pub calls_may_fail: bool,
}

impl Case {
    fn new(title: &str, scene: &Scene, expected: &[Check]) -> Case {
        Case {
            title: title.to_string(),
            text: scene.text(),
            expected: expected.to_vec(),
            calls_may_fail: false,
        }
    }
}

/// The programs for a function. The error says why the function cannot have such an effect.
pub fn cases(name: &str, effect: Effect, accesses: &[Access]) -> Result<Vec<Case>, String> {
    let function = Function::find(name)?;
    function.has_positions(&roles(effect), accesses)?;
    let mut all = match effect {
        Effect::Acquire { lock, mode, object, wait } => locks::acquire(&function, lock, mode, object, wait),
        Effect::Release { lock, object } => locks::release(&function, lock, object),
        Effect::Wait { cond, mutex, timed } => locks::wait(&function, cond, mutex, timed),
        Effect::Signal { cond } => locks::signal(&function, cond),
        Effect::Init { object, kind, attribute } => objects::init(&function, object, kind, attribute),
        Effect::Destroy { object, kind } => objects::destroy(&function, object, kind),
        Effect::SemaphoreWait { semaphore, wait } => objects::semaphore_wait(&function, semaphore, wait),
        Effect::SemaphorePost { semaphore } => objects::semaphore_post(&function, semaphore),
        Effect::SemaphoreValue { semaphore, value } => objects::semaphore_value(&function, semaphore, value),
        Effect::BarrierWait { barrier } => objects::barrier_wait(&function, barrier),
        Effect::Once { control, routine } => objects::once(&function, control, routine),
        Effect::Start { handle, attribute, routine, argument } => {
            threads::start(&function, handle, attribute, routine, argument)
        }
        Effect::Join { handle, result } => threads::join(&function, handle, result),
        Effect::Detach { handle } => threads::detach(&function, handle),
        Effect::ExitThread { value } => threads::exit(&function, value),
        Effect::Print { stream, text } => output::print(&function, stream, text)?,
        Effect::Nothing => output::nothing(&function, accesses),
    };
    all.extend(memory::accesses(&function, effect, accesses));
    Ok(all)
}

/// The positions of arguments that an effect names.
fn roles(effect: Effect) -> Vec<usize> {
    match effect {
        Effect::Acquire { lock, .. } | Effect::Release { lock, .. } => vec![lock],
        Effect::Wait { cond, mutex, timed: _ } => vec![cond, mutex],
        Effect::Signal { cond } => vec![cond],
        Effect::Init { object, kind: _, attribute } => [object].into_iter().chain(attribute).collect(),
        Effect::Destroy { object, kind: _ } => vec![object],
        Effect::SemaphoreWait { semaphore, wait: _ } | Effect::SemaphorePost { semaphore } => vec![semaphore],
        Effect::SemaphoreValue { semaphore, value } => vec![semaphore, value],
        Effect::BarrierWait { barrier } => vec![barrier],
        Effect::Once { control, routine } => vec![control, routine],
        Effect::Start { handle, attribute, routine, argument } => {
            [handle, routine, argument].into_iter().chain(attribute).collect()
        }
        Effect::Join { handle, result } => [handle].into_iter().chain(result).collect(),
        Effect::Detach { handle } => vec![handle],
        Effect::ExitThread { value } => vec![value],
        Effect::Print { stream, text } => stream.into_iter().chain(output::positions(text)).collect(),
        Effect::Nothing => Vec::new(),
    }
}

/// The properties that the programs are about.
fn asked() -> CheckSet {
    use Check::{Assertion, DataRace, Deadlock, LockMisuse, NullDeref, OutOfBounds, ThreadMisuse};
    [Assertion, DataRace, Deadlock, LockMisuse, NullDeref, OutOfBounds, ThreadMisuse].into_iter().collect()
}

/// Explores a program. The error says what it violates besides, or instead.
pub fn judge(case: &Case) -> Result<(), String> {
    let found = frontend::on_large_stack(|| violations(case)).unwrap_or_else(Err);
    let found = found.map_err(|error| format!("{}: {error}\n{}", case.title, case.text))?;
    let expected: BTreeSet<Check> = case.expected.iter().copied().collect();
    if found == expected {
        return Ok(());
    }
    Err(format!("{}: {found:?} is violated, not {expected:?}\n{}", case.title, case.text))
}

/// The properties that a program violates.
fn violations(case: &Case) -> Result<BTreeSet<Check>, String> {
    let compiled = frontend::compile("effect.c", case.text.as_str().into());
    let program = compiled.program.ok_or_else(|| compiled.errors.join("\n"))?;
    let limits = Limits { deadline: Some(Instant::now() + CAP), memory: 1 << 30, ..Limits::default() };
    let question = Question { calls_may_fail: case.calls_may_fail, ..Question::about(asked()) };
    let machine = Options { question, limits, ..Options::default() };
    let options = ExploreOptions { machine, ..ExploreOptions::default() };
    let image = Image::new(&program, asked()).map_err(|error| error.to_string())?;
    let found = explore(&image, &options, &AtomicBool::new(false), &mut |_| ());
    let found = found.map_err(|error| error.to_string())?;
    // Memory that was never written to may hold more values than are tried.
    if let Some(cut) = found.cuts.iter().find(|cut| !matches!(cut, Cut::Values(_))) {
        return Err(cut.to_string());
    }
    if let Some((what, _)) = found.unsupported.first() {
        return Err(format!("unsupported: {what}"));
    }
    Ok(found.violations.iter().map(|violation| violation.report.check).collect())
}
