//! Growing bounds: 1, 2, 3, 5, 8, 13, … iterations per loop, until a search decides.
//!
//! Small bounds are cheap and most violations need few iterations; Fibonacci numbers grow fast enough that the
//! searches before the last one cost little beside it. A search that is clear of violations ends the series if
//! nothing lies beyond its bounds (a proof), or if nothing that does would come into sight with larger ones.
//! The bound on threads grows only when it is in the way. It begins with a few if a program starts very many.
//!
//! What searches is behind [`Bounded`], so that the series can be tested without an engine.

use braid_engines::ask::{Outcome, Phase};
use braid_solver::{Failure, Stop};
use braid_verdict::{Bound, Bounds, Candidate, LoopName, Reason};

/// The deepest bound that is tried unasked.
pub const DEEPEST: u32 = 144;
/// The most threads that are tried.
const MOST_THREADS: u32 = 1024;

/// A search under bounds.
pub trait Bounded {
    fn search(&mut self, bounds: &Bounds) -> Result<Outcome, Failure>;
}

/// How a part of the series ended.
#[derive(Clone, Debug)]
pub enum Deepened {
    Violation(Box<Candidate>),
    /// There is no violation, and nothing lies beyond the bounds.
    Proved,
    /// There is none within the bounds; what lies beyond will not come into sight with larger ones, or none
    /// are to be tried.
    Open {
        open: Vec<Reason>,
    },
    /// There is none within the bounds so far; larger ones may help.
    Further {
        open: Vec<Reason>,
    },
    /// A limit was reached; what the search before left open.
    Stopped {
        stop: Stop,
        phase: Phase,
        unwind: u32,
        open: Vec<Reason>,
    },
}

/// A series of bounds, and where it stands.
#[derive(Clone, Debug)]
pub struct Deepening {
    bounds: Bounds,
    /// The bound after the next one, unless there is one bound only.
    following: Option<u32>,
    /// What the last search left open.
    open: Vec<Reason>,
}

impl Deepening {
    /// One bound if it is given, a series otherwise.
    pub fn new(fixed: Option<u32>, set: Vec<(LoopName, u32)>) -> Deepening {
        let bounds = Bounds { set, ..Bounds::new(fixed.unwrap_or(1)) };
        let following = if fixed.is_some() { None } else { Some(2) };
        Deepening { bounds, following, open: Vec::new() }
    }

    /// Begins with so few threads; the bound doubles while it is in the way.
    pub fn with_threads(mut self, threads: u32) -> Deepening {
        self.bounds.threads = threads;
        self
    }

    /// The bounds of the search that is next, or that found a violation.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Searches with one bound after the other, up to a bound.
    pub fn go(&mut self, engine: &mut dyn Bounded, up_to: u32) -> Result<Deepened, Failure> {
        while self.following.is_none() || self.bounds.unwind <= up_to {
            let unwind = self.bounds.unwind;
            let outcome = match engine.search(&self.bounds) {
                Err(Failure::Stopped(stop)) => Outcome::Stopped { stop, phase: Phase::Encode },
                other => other?,
            };
            match outcome {
                Outcome::Violation(candidate) => return Ok(Deepened::Violation(candidate)),
                Outcome::Clear { open } if open.is_empty() => return Ok(Deepened::Proved),
                Outcome::Clear { open } => self.open = open,
                Outcome::Stopped { stop, phase } => {
                    return Ok(Deepened::Stopped { stop, phase, unwind, open: self.open.clone() });
                }
            }
            if !self.advance() {
                return Ok(Deepened::Open { open: self.open.clone() });
            }
        }
        Ok(Deepened::Further { open: self.open.clone() })
    }

    /// On to the next bounds; false if there are none, or none that would help.
    fn advance(&mut self) -> bool {
        let Some(following) = self.following else { return false };
        let unwind = self.bounds.unwind;
        let by_loops = self.open.iter().any(|reason| self.grows(reason));
        let by_threads = self.open.iter().any(|reason| reason.raises() == Some(Bound::Threads))
            && self.bounds.threads < MOST_THREADS;
        if by_threads {
            self.bounds.threads *= 2;
        }
        if by_loops {
            self.following = Some(unwind + following);
            self.bounds.unwind = following;
        }
        by_loops || by_threads
    }

    /// Returns true if what was left out comes into sight with a larger bound for all loops. It does not if the user has
    /// bounded this loop.
    fn grows(&self, reason: &Reason) -> bool {
        match reason {
            Reason::Loop { bound, .. } => {
                *bound == self.bounds.unwind || !self.bounds.set.iter().any(|(_, own)| own == bound)
            }
            _ => reason.raises() == Some(Bound::Unwind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_interp::Trace;
    use braid_ir::Loc;
    use braid_props::Check;

    /// Programs that an engine could face, and the bounds it was called with.
    struct Fake {
        says: fn(&Bounds) -> Result<Outcome, Failure>,
        asked: Vec<(u32, u32)>,
    }

    impl Bounded for Fake {
        fn search(&mut self, bounds: &Bounds) -> Result<Outcome, Failure> {
            self.asked.push((bounds.unwind, bounds.threads));
            (self.says)(bounds)
        }
    }

    fn fake(says: fn(&Bounds) -> Result<Outcome, Failure>) -> Fake {
        Fake { says, asked: Vec::new() }
    }

    fn clear(open: Vec<Reason>) -> Result<Outcome, Failure> {
        Ok(Outcome::Clear { open })
    }

    fn loop_left(bound: u32) -> Reason {
        Reason::Loop { function: "f".into(), place: Loc::NONE, bound }
    }

    fn unwinds(fake: &Fake) -> Vec<u32> {
        fake.asked.iter().map(|(unwind, _)| *unwind).collect()
    }

    #[test]
    fn a_loop_of_seven_iterations_is_discharged_at_eight() {
        let mut engine = fake(|b| clear(if b.unwind > 7 { vec![] } else { vec![loop_left(b.unwind)] }));
        let mut series = Deepening::new(None, Vec::new());
        assert!(
            matches!(series.go(&mut engine, 5), Ok(Deepened::Further { open }) if open == [loop_left(5)])
        );
        assert!(matches!(series.go(&mut engine, 100), Ok(Deepened::Proved)));
        assert_eq!(unwinds(&engine), [1, 2, 3, 5, 8]);
    }

    #[test]
    fn a_violation_in_the_fourth_iteration_is_found_at_five() {
        let mut engine = fake(|bounds| match bounds.unwind {
            0..4 => clear(vec![loop_left(bounds.unwind)]),
            _ => Ok(Outcome::Violation(Box::new(Candidate {
                check: Check::Assertion,
                place: None,
                racy: None,
                trace: Trace::default(),
                approximate: None,
            }))),
        });
        let found = Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST);
        assert!(matches!(found, Ok(Deepened::Violation(candidate)) if candidate.check == Check::Assertion));
        assert_eq!(unwinds(&engine), [1, 2, 3, 5]);
    }

    #[test]
    fn a_fixed_bound_is_the_only_one() {
        let mut engine = fake(|bounds| clear(vec![loop_left(bounds.unwind)]));
        let open = Deepening::new(Some(4), Vec::new()).go(&mut engine, 1);
        assert!(matches!(open, Ok(Deepened::Open { open }) if open == [loop_left(4)]));
        assert_eq!(unwinds(&engine), [4]);
    }

    #[test]
    fn bounds_that_do_not_help_are_not_tried() {
        let mut engine = fake(|_| clear(vec![Reason::Unsupported { what: "x".into(), place: Loc::NONE }]));
        let open = Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST);
        assert!(matches!(open, Ok(Deepened::Open { .. })));
        assert_eq!(unwinds(&engine), [1]);
        // The only loop has a bound of its own.
        let mut engine = fake(|_| clear(vec![loop_left(2)]));
        let set = vec![(LoopName::Line { file: None, line: 3 }, 2)];
        assert!(matches!(Deepening::new(None, set).go(&mut engine, DEEPEST), Ok(Deepened::Open { .. })));
        assert_eq!(unwinds(&engine), [1]);
    }

    #[test]
    fn threads_grow_when_they_are_in_the_way() {
        let mut engine = fake(|bounds| match bounds.threads {
            0..200 => clear(vec![Reason::Threads { place: Loc::NONE, bound: bounds.threads }]),
            _ => clear(Vec::new()),
        });
        assert!(matches!(Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST), Ok(Deepened::Proved)));
        assert_eq!(engine.asked, [(1, 64), (1, 128), (1, 256)]);
        let mut engine =
            fake(|bounds| clear(vec![Reason::Threads { place: Loc::NONE, bound: bounds.threads }]));
        let open = Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST);
        assert!(matches!(open, Ok(Deepened::Open { .. })));
        assert_eq!(engine.asked.last(), Some(&(1, MOST_THREADS)));
    }

    #[test]
    fn few_threads_come_first() {
        let mut engine = fake(|bounds| match bounds.threads {
            0..20 => clear(vec![Reason::Threads { place: Loc::NONE, bound: bounds.threads }]),
            _ => clear(Vec::new()),
        });
        let mut series = Deepening::new(None, Vec::new()).with_threads(3);
        assert!(matches!(series.go(&mut engine, DEEPEST), Ok(Deepened::Proved)));
        assert_eq!(engine.asked, [(1, 3), (1, 6), (1, 12), (1, 24)]);
    }

    #[test]
    fn a_limit_ends_it_and_what_was_clear_is_known() {
        let mut engine = fake(|bounds| match bounds.unwind {
            3.. => Err(Failure::Stopped(Stop::Memory)),
            unwind => clear(vec![loop_left(unwind)]),
        });
        match Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST) {
            Ok(Deepened::Stopped { stop, phase, unwind, open }) => {
                assert_eq!((stop, phase, unwind), (Stop::Memory, Phase::Encode, 3));
                assert_eq!(open, [loop_left(2)]);
            }
            other => panic!("{other:?}"),
        }
        let mut engine = fake(|_| Err(Failure::Internal("x".into())));
        assert!(Deepening::new(None, Vec::new()).go(&mut engine, DEEPEST).is_err());
    }
}
