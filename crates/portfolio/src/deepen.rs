//! Growing bounds: 1, 2, 3, 5, 8, 13, … iterations per loop, until a search decides.
//!
//! Small bounds are cheap and most violations need few iterations; Fibonacci numbers grow fast enough that the
//! searches before the last one cost little beside it. A search that is clear of violations ends the series if
//! nothing lies beyond its bounds (a proof), or if nothing that does would come into sight with larger ones
//! ([`Reason::raises`]). The bound on threads grows only when it is in the way.

use braid_verdict::{Bound, Bounds, Reason};

/// The deepest bound on loops that is tried unasked.
pub const DEEPEST: u32 = 144;
/// The most threads that are tried.
const MOST_THREADS: u32 = 1024;

/// A series of bounds, and where it stands.
#[derive(Clone, Debug)]
pub struct Deepening {
    bounds: Bounds,
    /// The bound on loops after the next one.
    following: u32,
}

impl Deepening {
    /// A series that begins with these bounds.
    pub fn new(bounds: Bounds) -> Deepening {
        let following = bounds.unwind + 1;
        Deepening { bounds, following }
    }

    /// The bounds of the search that is next.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Goes on to the next bounds after a search that left this open; the bound on loops grows only with `loops`. Returns
    /// false if none would help.
    pub fn advance<'r>(&mut self, loops: bool, open: impl Iterator<Item = &'r Reason> + Clone) -> bool {
        let unwind = self.bounds.unwind;
        let by_loops = loops && open.clone().any(|reason| self.grows(reason));
        let threads = |reason: &Reason| (reason.raises() == Some(Bound::Threads)).then(|| reason.bound())?;
        let threads = open.filter_map(threads).max().filter(|threads| *threads < MOST_THREADS);
        if let Some(threads) = threads {
            self.bounds.threads = Some(2 * threads);
        }
        if by_loops {
            self.bounds.unwind = self.following;
            self.following += unwind;
        }
        by_loops || threads.is_some()
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
    use braid_ir::Loc;
    use braid_verdict::LoopName;

    /// The bounds on loops and threads that are tried for a program of which a search leaves this open.
    fn tried(begin: Bounds, open: fn(&Bounds) -> Vec<Reason>) -> Vec<(u32, Option<u32>)> {
        tried_with(true, begin, open)
    }

    fn tried_with(loops: bool, begin: Bounds, open: fn(&Bounds) -> Vec<Reason>) -> Vec<(u32, Option<u32>)> {
        let mut series = Deepening::new(begin);
        let mut tried = Vec::new();
        while series.bounds().unwind <= DEEPEST {
            tried.push((series.bounds().unwind, series.bounds().threads));
            let open = open(series.bounds());
            if open.is_empty() || !series.advance(loops, open.iter()) {
                break;
            }
        }
        tried
    }

    fn unwinds(begin: Bounds, open: fn(&Bounds) -> Vec<Reason>) -> Vec<u32> {
        tried(begin, open).into_iter().map(|(unwind, _)| unwind).collect()
    }

    fn loop_left(bound: u32) -> Reason {
        Reason::Loop { function: "f".into(), place: Loc::NONE, bound }
    }

    fn threads_left(bounds: &Bounds) -> Reason {
        Reason::Threads { place: Loc::NONE, bound: bounds.threads.unwrap_or(64) }
    }

    #[test]
    fn a_loop_of_seven_iterations_is_discharged_at_eight() {
        let open = |b: &Bounds| if b.unwind > 7 { vec![] } else { vec![loop_left(b.unwind)] };
        assert_eq!(unwinds(Bounds::new(1), open), [1, 2, 3, 5, 8]);
    }

    #[test]
    fn a_loop_without_end_is_left_at_the_deepest_bound() {
        let all = unwinds(Bounds::new(1), |b| vec![loop_left(b.unwind)]);
        assert_eq!(all.last(), Some(&DEEPEST));
    }

    #[test]
    fn bounds_that_do_not_help_are_not_tried() {
        let unsupported = |_: &Bounds| vec![Reason::Unsupported { what: "x".into(), place: Loc::NONE }];
        assert_eq!(unwinds(Bounds::new(1), unsupported), [1]);
        // The only loop has a bound of its own.
        let set = vec![(LoopName::Line { file: None, line: 3 }, 2)];
        assert_eq!(unwinds(Bounds { set, ..Bounds::new(1) }, |_| vec![loop_left(2)]), [1]);
    }

    #[test]
    fn threads_grow_when_they_are_in_the_way() {
        let few = |b: &Bounds| match b.threads {
            Some(200..) => vec![],
            _ => vec![threads_left(b)],
        };
        assert_eq!(tried(Bounds::new(1), few), [(1, None), (1, Some(128)), (1, Some(256))]);
        let all = tried(Bounds::new(1), |b| vec![threads_left(b)]);
        assert_eq!(all.last(), Some(&(1, Some(MOST_THREADS))));
    }

    #[test]
    fn few_threads_come_first() {
        let few = |b: &Bounds| match b.threads {
            Some(0..20) => vec![threads_left(b)],
            _ => vec![],
        };
        let begin = Bounds { threads: Some(3), ..Bounds::new(1) };
        let all = [(1, Some(3)), (1, Some(6)), (1, Some(12)), (1, Some(24))];
        assert_eq!(tried(begin.clone(), few), all);
        // A bound on loops that the user fixes stays.
        let both = |b: &Bounds| match b.threads {
            Some(0..20) => vec![threads_left(b), loop_left(b.unwind)],
            _ => vec![loop_left(b.unwind)],
        };
        assert_eq!(tried_with(false, begin, both), all);
    }
}
