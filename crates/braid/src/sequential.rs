//! Sequential programs of `braid seq` and `braid check --schedule-out`: their texts, our own view of them, and the choices
//! of a sequential program that belong to a counterexample.

use crate::args::{CheckArgs, InputArgs};
use crate::backends::replay::Replayer;
use crate::backends::search::{self, Found};
use crate::backends::tool::{Limit, Scratch};
use crate::front::{self, Loaded};
use crate::terminal::errln;
use crate::{exit, files};
use braid_interp::{RoundOrder, ThreadPath, Trace, place_text};
use braid_ir::{FuncId, Loc};
use braid_portfolio::Report;
use braid_props::{Check, CheckSet};
use braid_translate::log::Table;
use braid_translate::{Backend, Options, Translated, Untranslatable, translate};
use braid_verdict::schedule::SequentialEntry;
use braid_verdict::{Bound, Bounds, Counterexample, LoopName};
use std::path::Path;
use std::time::{Duration, Instant};

/// The bounds and properties of a translation.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub unwind: u32,
    pub unwindset: &'a [(LoopName, u32)],
    pub rounds: u32,
    pub checks: CheckSet,
}

/// Translates a program for a back end.
pub fn text_of(loaded: &Loaded, wanted: &Wanted<'_>, backend: Backend) -> Result<Translated, Untranslatable> {
    let program = &loaded.program;
    let bounds = Bounds { set: wanted.unwindset.to_vec(), ..Bounds::new(wanted.unwind) };
    let bound = |func: FuncId, index: u32, place: Loc| {
        bounds.of_loop(program, program.functions[func].name.as_str(), index, place)
    };
    let source = |loc: Loc| {
        let line = loaded.context().line(loc).trim().to_string();
        (!line.is_empty()).then_some(line)
    };
    let options = Options {
        bound: &bound,
        unwind: wanted.unwind,
        rounds: wanted.rounds,
        checks: wanted.checks,
        backend,
        source: &source,
    };
    translate(program, &options)
}

/// The sequential program as our own front end reads it.
pub struct Logged {
    /// With a log of what it executes.
    pub loud: Loaded,
    /// Without.
    pub quiet: Loaded,
    pub table: Table,
}

/// Translates a program for our own interpreter and reads the text, by way of a file of the directory.
pub fn load_logged(loaded: &Loaded, wanted: &Wanted<'_>, directory: &Path) -> Result<Logged, u8> {
    let translated = text_of(loaded, wanted, Backend::Logged).map_err(|refused| {
        errln!("braid: internal error: {refused} for our own interpreter, but for others");
        exit::INTERNAL
    })?;
    let path = directory.join("logged.c");
    files::write(&path, &translated.text)?;
    let input = |defines: Vec<String>| InputArgs {
        files: vec![path.clone()],
        defines,
        bits32: loaded.bits32,
        ..InputArgs::default()
    };
    let loud = front::load(&input(vec!["BRAID_LOG".to_string()]), &[], true)?;
    let quiet = front::load(&input(Vec::new()), &[], true)?;
    Ok(Logged { loud, quiet, table: translated.table })
}

/// Time for finding the choices of a sequential program.
const PATIENCE: Duration = Duration::from_secs(60);

/// The properties whose violation is a failed assertion of the sequential program.
const ASSERTED: [Check; 5] =
    [Check::Assertion, Check::DataRace, Check::Deadlock, Check::LockMisuse, Check::ThreadMisuse];

/// The choices with which the sequential program of the same bounds violates the property of a counterexample. Engines whose
/// bounds are rounds and loops have such a program; where there is none, a note says why.
pub fn choices_of(
    args: &CheckArgs,
    loaded: &Loaded,
    report: &Report,
    counterexample: &Counterexample,
) -> Option<SequentialEntry> {
    let engine = args.engine.filter(|engine| engine.takes(Bound::Rounds) && engine.takes(Bound::Unwind))?;
    let check = counterexample.report().check;
    let phase = report.phases.iter().rev().find(|phase| phase.engine == engine.name);
    let rounds = args.rounds.unwrap_or_else(|| rounds_of(counterexample.trace()));
    let wanted = Wanted {
        unwind: args.unwind.or(phase.map(|phase| phase.bounds.unwind)).unwrap_or(1),
        unwindset: &args.unwindset,
        rounds,
        checks: CheckSet::from_iter([check]),
    };
    let asserted = ASSERTED.contains(&check);
    let ordered = args.schedule_order.as_ref().is_none_or(|order| *order == RoundOrder::Created);
    let found = if !asserted {
        Err(format!("'{check}' is no assertion of that program"))
    } else if !ordered {
        Err("its threads run in the order of creation".to_string())
    } else if !args.unwindset.is_empty() {
        Err("the file has no field for --unwindset".to_string())
    } else {
        let given = args.limits.timeout.map_or(PATIENCE, Duration::from_secs_f64);
        search_choices(loaded, &wanted, given.min(PATIENCE))
    };
    let entry =
        |nondet| SequentialEntry { unwind: wanted.unwind, rounds, property: check.to_string(), nondet };
    found
        .map_err(|problem| {
            errln!("note: --schedule-out: no choices for the program of 'braid seq': {problem}")
        })
        .ok()
        .map(entry)
}

/// Looks for choices, and replays them.
fn search_choices(loaded: &Loaded, wanted: &Wanted<'_>, time: Duration) -> Result<Vec<u32>, String> {
    // A program that cannot be translated has been refused before anything is written.
    text_of(loaded, wanted, Backend::Logged)
        .map_err(|refused| format!("{}: {refused}", place_text(&loaded.program, refused.place)))?;
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    let failed = |code: u8| format!("the text cannot be read (exit code {code})");
    let logged = load_logged(loaded, wanted, scratch.path()).map_err(failed)?;
    let limit = Limit { deadline: Some(Instant::now() + time), ..Limit::default() };
    let choices = match search::find(&logged.quiet, wanted.checks, &limit)? {
        Found::Choices(choices) => choices,
        Found::Nothing => return Err(format!("it violates nothing in {} rounds", wanted.rounds)),
        Found::Undecided(_) => return Err("none were found in time".to_string()),
    };
    let (threads, sequential, table) = (loaded, &logged.loud, &logged.table);
    let replayer = Replayer { threads, sequential, table, checks: wanted.checks, deadline: limit.deadline };
    replayer.follow(&choices).map(|followed| followed.choices)
}

/// The rounds that an execution takes in the order of creation.
fn rounds_of(trace: &Trace) -> u32 {
    let ends = trace.violation.iter().flat_map(|end| &end.at);
    let threads: Vec<&ThreadPath> = trace.steps.iter().chain(ends).map(|op| &op.thread).collect();
    let goes_back = |pair: &&[&ThreadPath]| pair[1] < pair[0];
    1 + threads.windows(2).filter(goes_back).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_base::Symbol;
    use braid_interp::OpRef;
    use braid_ir::InstrId;

    #[test]
    fn a_round_ends_where_an_earlier_thread_runs() {
        let op = |path: &str| OpRef {
            thread: path.parse().expect("a path"),
            function: Symbol::intern("f"),
            instr: InstrId(0),
            occurrence: 0,
            loc: Loc::NONE,
        };
        let rounds = |paths: &[&str]| {
            rounds_of(&Trace { steps: paths.iter().map(|path| op(path)).collect(), ..Trace::default() })
        };
        assert_eq!(rounds(&["main", "main/1", "main/2"]), 1);
        assert_eq!(rounds(&["main", "main/2", "main/1", "main/2", "main"]), 3);
        assert_eq!(rounds(&[]), 1);
    }
}
