//! Fewer context switches: an execution is easier to follow the longer each thread runs at a time.
//!
//! The steps of a trace are cut into segments, each of one thread. Two kinds of changes are tried, from the
//! last segment on: leave a segment out (what it did may have no part in the violation), or move it to its
//! neighbour of the same thread, before or behind what lies between them. A change is kept if the replay still
//! confirms the same violation at the same place and there are fewer switches, or as many and fewer steps. The
//! number of replays is bounded; what comes out has been replayed like what went in.

use braid_interp::{OpRef, Trace, TraceEnd};
use braid_props::Stands;

/// Replays that one minimisation may take, and the listed steps of all of them together.
const REPLAYS: usize = 60;
const STEPS: usize = 60_000;

/// Changes of the running thread in the execution of a trace: that of the violating operation counts, if it is
/// executed. A thread that stands before a race or in a deadlock does not run.
pub fn switches(trace: &Trace) -> usize {
    let ends = |end: &&TraceEnd| end.check.property().stands == Stands::At;
    let end = trace.violation.iter().filter(ends).flat_map(|end| &end.at);
    let mut threads = trace.steps.iter().chain(end.take(1)).map(|op| &op.thread);
    let Some(mut last) = threads.next() else { return 0 };
    let mut count = 0;
    for thread in threads {
        count += usize::from(thread != last);
        last = thread;
    }
    count
}

/// What a change has to improve.
fn cost(trace: &Trace) -> (usize, usize) {
    (switches(trace), trace.steps.len())
}

/// The best trace that was found. `confirms` replays one and gives all the steps it took, listed or not: by those it
/// is judged.
pub(crate) fn minimise(trace: &Trace, confirms: impl Fn(&Trace) -> Option<Vec<OpRef>>) -> Trace {
    let mut left = REPLAYS.min(STEPS / trace.steps.len().max(1));
    let mut attempt = |candidate: &Trace| {
        left = left.checked_sub(1)?;
        Some(confirms(candidate).map(|steps| Trace { steps, ..candidate.clone() }))
    };
    let Some(Some(mut best)) = attempt(trace) else { return trace.clone() };
    loop {
        let before = cost(&best);
        let mut at = segments(&best.steps).len();
        while at > 0 {
            at -= 1;
            let promising = |candidate: &Trace| cost(candidate) < cost(&best);
            for candidate in changes(&best, at).into_iter().filter(promising).collect::<Vec<_>>() {
                let Some(confirmed) = attempt(&candidate) else { return best };
                if let Some(better) = confirmed.filter(|taken| cost(taken) < cost(&best)) {
                    best = better;
                    at = at.min(segments(&best.steps).len());
                    break;
                }
            }
        }
        if cost(&best) >= before {
            return best;
        }
    }
}

/// The steps, cut where the thread changes.
fn segments(steps: &[OpRef]) -> Vec<&[OpRef]> {
    steps.chunk_by(|a, b| a.thread == b.thread).collect()
}

/// What can be done about the segment at an index.
fn changes(trace: &Trace, at: usize) -> Vec<Trace> {
    let segments = segments(&trace.steps);
    let Some(segment) = segments.get(at) else { return Vec::new() };
    let thread = &segment[0].thread;
    let same = |index: &usize| segments[*index][0].thread == *thread;
    let with = |order: Vec<usize>| {
        let steps = order.into_iter().flat_map(|index| segments[index].iter().cloned()).collect();
        Trace { steps, ..trace.clone() }
    };
    let mut found = Vec::new();
    let without = || (0..segments.len()).filter(|index| *index != at);
    // Only the end of a thread's part can go: what comes later needs what was before.
    if !(at + 1..segments.len()).any(|index| same(&index)) {
        found.push(with(without().collect()));
    }
    if let Some(later) = (at + 1..segments.len()).find(same) {
        let mut order: Vec<usize> = without().collect();
        order.insert(later - 1, at);
        found.push(with(order));
    }
    if let Some(earlier) = (0..at).rev().find(same) {
        let mut order: Vec<usize> = without().collect();
        order.insert(earlier + 1, at);
        found.push(with(order));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_base::Symbol;
    use braid_interp::ThreadPath;
    use braid_ir::{InstrId, Loc};

    /// Letters are threads, numbers come by position.
    fn trace(text: &str) -> Trace {
        let step = |(index, letter): (usize, char)| OpRef {
            thread: ThreadPath::main().child(letter as u32 - 96),
            function: Symbol::intern("f"),
            instr: InstrId(index as u32),
            occurrence: 0,
            loc: Loc::NONE,
        };
        Trace { steps: text.chars().enumerate().map(step).collect(), ..Trace::default() }
    }

    fn text(trace: &Trace) -> String {
        let letter = |op: &OpRef| match op.thread.to_string().as_str() {
            "main/1" => 'a',
            "main/2" => 'b',
            _ => 'c',
        };
        trace.steps.iter().map(letter).collect()
    }

    /// Minimises with a judge of the text.
    fn best(start: &str, fits: impl Fn(&str) -> bool) -> Trace {
        minimise(&trace(start), |candidate| fits(&text(candidate)).then(|| candidate.steps.clone()))
    }

    #[test]
    fn free_threads_run_one_after_the_other() {
        let best = best("ababab", |text| text.len() == 6);
        assert_eq!(switches(&best), 1, "{}", text(&best));
    }

    #[test]
    fn what_is_not_needed_goes() {
        assert_eq!(text(&best("abcabc", |text| text.contains('b'))), "b");
    }

    #[test]
    fn nothing_changes_without_leave() {
        assert_eq!(text(&best("abab", |text| text == "abab")), "abab");
    }

    /// A replay may have to do more than is listed; that counts.
    #[test]
    fn steps_that_come_back_are_no_gain() {
        let stubborn = |_: &Trace| Some(trace("abab").steps);
        assert_eq!(text(&minimise(&trace("abab"), stubborn)), "abab");
    }

    #[test]
    fn replays_are_bounded() {
        let replays = std::cell::Cell::new(0);
        let long: String = "ab".repeat(400);
        let _ = best(&long, |text| {
            replays.set(replays.get() + 1);
            text.len() == 800
        });
        assert!(replays.get() <= STEPS / 800, "{}", replays.get());
    }
}
