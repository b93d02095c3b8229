//! The judge: a candidate becomes a counterexample by being replayed, and in no other way.
//!
//! What was confirmed is then made easier to follow ([`crate::minimise`]: every change is replayed too) and
//! replayed once more under observation, which gives the story that all renderings tell.

use crate::minimise::minimise;
use crate::open::{self, OPEN_NUMBERS, Open};
use crate::story::{self, Material, Story};
use braid_interp::watch::Moment;
use braid_interp::{
    Image, Limits, Machine, Mismatch, OpRef, Options, Outcome, Report, Resource, RunEnv, SetupError, Trace,
};
use braid_ir::Loc;
use braid_props::Check;
use std::fmt;
use std::time::Duration;

/// What an engine believes to be an execution that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub check: Check,
    /// Where the violation stands, if the engine knows.
    pub place: Option<Loc>,
    /// Of a data race the places of both accesses, ascending, if the engine knows.
    pub racy: Option<[Loc; 2]>,
    pub trace: Trace,
    /// Set if the execution may be none of the program's. A candidate without it that does not replay is a defect of
    /// ours; with it, the verdict is `UNKNOWN` for this reason.
    pub approximate: Option<Approximate>,
}

/// Something that an engine does not know exactly, and where the program needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approximate {
    pub what: String,
    pub place: Loc,
}

impl Candidate {
    /// What the interpreter reported, and the execution in which it did.
    pub fn new(report: &Report, trace: Trace) -> Candidate {
        let (check, place, racy) = (report.check, Some(report.place), report.racy_places());
        Candidate { check, place, racy, trace, approximate: None }
    }
}

/// An execution that was replayed to its violation. Only [`confirm`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    report: Report,
    trace: Trace,
    story: Story,
    open: Option<Open>,
    /// Behaviour on the way that the library models allow beyond the real functions.
    allowed: Vec<&'static str>,
}

impl Counterexample {
    /// The assumptions that it makes itself, see [`crate::open`]: that random numbers are arbitrary, and what else the library
    /// models allow on the way beyond the real functions.
    pub fn assumptions(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.open.map(|_| OPEN_NUMBERS).into_iter().chain(self.allowed.iter().copied())
    }

    pub(crate) fn open(&self) -> Option<Open> {
        self.open
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What happened, step by step, and why it is wrong.
    pub fn story(&self) -> &Story {
        &self.story
    }
}

/// Why a candidate is none: the engine and the interpreter disagree, which is a defect of one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    Setup(SetupError),
    /// The program cannot follow the trace.
    Mismatch(Box<Mismatch>),
    /// The trace was followed, but the violation is not there; with how the execution ended, if it did.
    NotReached {
        check: Check,
        outcome: Option<Box<Outcome>>,
    },
    /// The replay used up its time.
    Timeout,
    /// The violation is there, but only with a value that the real function may not give.
    Over {
        function: String,
        place: Loc,
    },
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconfirmed::Setup(error) => write!(f, "the replay cannot start: {error}"),
            Unconfirmed::Mismatch(mismatch) => {
                write!(f, "the replay does not follow the schedule: {mismatch}")
            }
            Unconfirmed::NotReached { check, outcome: Some(outcome) } => {
                write!(f, "the replay does not show the {check} violation but ends with {outcome:?}")
            }
            Unconfirmed::NotReached { check, outcome: None } => {
                write!(f, "the replay does not show the {check} violation: the program goes on")
            }
            Unconfirmed::Over { function, .. } => {
                write!(f, "the violation depends on a value that the real '{function}' may not give")
            }
            Unconfirmed::Timeout => f.write_str("the replay reached the time limit"),
        }
    }
}

impl std::error::Error for Unconfirmed {}

/// Replays the candidate on the IR before any pass, within the limits of the options.
pub fn confirm(image: &Image, options: Options, candidate: Candidate) -> Result<Counterexample, Unconfirmed> {
    let Candidate { check, place, racy, .. } = candidate;
    let judge = Judge { image, options, check, place, racy };
    let (report, taken) = judge.replay(&candidate.trace)?;
    // From here on the violation is a fact, and it is this one that the story is about.
    let judge = Judge { place: Some(report.place), racy: report.racy_places(), ..judge };
    let brief = judge.briefly(taken.len());
    let same = |trace: &Trace| {
        let (other, steps) = brief.replay(trace).ok()?;
        (other.message == report.message && other.path == report.path).then_some(steps)
    };
    // The way to a livelock is a shortest one, and its tour has to come back to where it began.
    let easier =
        if check == Check::Livelock { candidate.trace.clone() } else { minimise(&candidate.trace, same) };
    match judge.observe(easier) {
        Ok(counterexample) => Ok(counterexample),
        // Memory may run out.
        Err(_) => judge.observe(candidate.trace),
    }
}

/// Whether it is an access where nothing is.
fn is_wild(check: Check) -> bool {
    matches!(check, Check::NullDeref | Check::OutOfBounds | Check::UseAfterFree)
}

/// Time that is kept for the replay under observation.
const LAST: Duration = Duration::from_millis(200);

/// Visible steps that a replay may take beyond twice those of the first one.
const PATIENCE: u64 = 50;

/// Replays traces that should end in one violation.
struct Judge<'a> {
    image: &'a Image<'a>,
    options: Options,
    check: Check,
    place: Option<Loc>,
    racy: Option<[Loc; 2]>,
}

impl Judge<'_> {
    fn fits(&self, report: &Report) -> bool {
        // Of a block that is not freed it is first told that it is lost, if it is.
        let lost = self.check == Check::MemoryCleanup && report.check == Check::MemoryLeak;
        // Which object a wild pointer misses depends on where they lie.
        let wild = is_wild(self.check) && is_wild(report.check);
        (report.check == self.check || lost || wild)
            && self.place.is_none_or(|place| place == report.place)
            && self.racy.is_none_or(|places| report.racy_places() == Some(places))
    }

    /// The same judge with little patience: a change that leaves a thread waiting in a loop is no improvement.
    fn briefly(&self, steps: usize) -> Judge<'_> {
        // The machine counts so many at every visible step of a replay.
        let polled = Machine::STEPS_PER_LOOK * (2 * steps as u64 + PATIENCE);
        let deadline = self.options.limits.deadline.and_then(|deadline| deadline.checked_sub(LAST));
        let limits = Limits { steps: Some(polled), deadline, ..self.options.limits };
        Judge { options: Options { limits, ..self.options }, ..*self }
    }

    fn machine(&self) -> Result<Machine<'_>, Unconfirmed> {
        Machine::new(self.image, self.options).map_err(Unconfirmed::Setup)
    }

    /// The violation, if the trace leads there, and all visible steps on the way.
    fn replay(&self, trace: &Trace) -> Result<(Report, Vec<OpRef>), Unconfirmed> {
        let mut env = silence();
        let mut machine = self.machine()?;
        let (outcome, recorded) =
            machine.replay_to_violation(&mut env, trace).map_err(Unconfirmed::Mismatch)?;
        let report = match recorded.into_iter().find(|report| self.fits(report)) {
            Some(report) => report,
            None => self.outcome(outcome)?,
        };
        Ok((report, machine.steps_replayed(trace.violation.as_ref())))
    }

    fn outcome(&self, outcome: Option<Outcome>) -> Result<Report, Unconfirmed> {
        match outcome {
            Some(Outcome::Violation(report)) if self.fits(&report) => Ok(*report),
            Some(Outcome::ResourceLimit { resource: Resource::Timeout, .. }) => Err(Unconfirmed::Timeout),
            outcome => Err(Unconfirmed::NotReached { check: self.check, outcome: outcome.map(Box::new) }),
        }
    }

    /// Replays under observation. A violation that was confirmed within the time limit stays confirmed: one more replay of
    /// the same steps comes to its end, and has no limit of its own.
    fn observe(&self, trace: Trace) -> Result<Counterexample, Unconfirmed> {
        let mut env = silence();
        let limits = Limits { deadline: None, ..self.options.limits };
        let machine = Machine::new(self.image, Options { limits, ..self.options });
        let replayed = machine.map_err(Unconfirmed::Setup)?.watch_to_violation(&mut env, &trace);
        let replayed = replayed.map_err(Unconfirmed::Mismatch)?;
        let found = replayed.recorded.into_iter().find(|(report, _)| self.fits(report));
        let (report, moment): (Report, Moment) = match found {
            Some(found) => found,
            None => (self.outcome(replayed.outcome)?, replayed.last),
        };
        let story = story::build(&Material {
            program: self.image.program,
            report: &report,
            trace: &trace,
            seen: &replayed.seen,
            moment: &moment,
            threads: &replayed.threads,
        });
        let open = open::find(self.image.program, &replayed.seen);
        let allowed = open::allowed(self.image.program, &replayed.seen);
        Ok(Counterexample { report, trace, story, open, allowed })
    }
}

/// No input, and nobody listens.
fn silence() -> RunEnv<std::io::Empty, std::io::Sink, std::io::Sink> {
    RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_interp::{ExploreOptions, explore};
    use braid_props::CheckSet;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    /// Main starts a thread that writes what main reads, and expects to be first.
    const TEXT: &str = "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
        fn &t(%0) -> ptr {\nreg %0 ptr\nb0:\nstore i32 @x, 1:i32 seq_cst @ 0:1:1\nret null @ 0:2:1\n}\n\
        fn &main() {\nreg %0 ptr, %1 i32, %2 i1\nb0:\n%0 = spawn &t, null @ 0:3:1\n\
        %1 = load i32 @x seq_cst @ 0:4:1\n%2 = eq i32 %1, 0:i32\nassert assertion, %2 @ 0:5:1\nexit 0:i32\nunreachable\n}\n";

    /// A violation that was confirmed in time is not lost when the time is up while it is being described.
    #[test]
    fn the_last_replay_has_no_time_limit() {
        let program = braid_ir::parse::parse(TEXT).expect("a program");
        let checks: CheckSet = [Check::Assertion].into_iter().collect();
        let image = Image::new(&program, checks).expect("an image");
        let machine = Options { question: braid_ir::Question::about(checks), ..Options::default() };
        let options = ExploreOptions { machine, ..ExploreOptions::default() };
        let explored = explore(&image, &options, &AtomicBool::new(false), &mut |_| {}).expect("a search");
        let found = explored.violations.first().expect("a violation");
        let limits = Limits { deadline: Some(Instant::now()), ..machine.limits };
        let options = Options { limits, ..machine };
        let judge = Judge { image: &image, options, check: Check::Assertion, place: None, racy: None };
        assert_eq!(judge.replay(&found.trace).err(), Some(Unconfirmed::Timeout));
        assert!(judge.observe(found.trace.clone()).is_ok());
    }
}
