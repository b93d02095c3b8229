//! Static proofs for any number of threads: what each thread knows of memory, which locks it holds, which threads are alive.
//!
//! The engine looks for an invariant ([`search`]) and gives it to the checker of `braid_proof`, which decides what it proves:
//! the search may be wrong, or find nothing, but cannot make a wrong `SAFE`. What a step does to a state is written once, in the
//! checker; the search asks it what the steps of a draft lack (`braid_proof::check::draft`), joins and widens.
//! `docs/lockset.md` says what an invariant means.
//!
//! Papers: A. Miné, *Relational thread-modular static value analysis by abstract interpretation*, VMCAI 2014, sections 3
//! and 4 (each thread apart, others by what they write); V. Vojdani et al., *Static race detection for device drivers: the
//! Goblint approach*, ASE 2016, sections 3 to 5 (locks held, symbolic locks, unique threads); G. Balakrishnan and T. Reps,
//! *Recency-abstraction for heap-allocated storage*, SAS 2006 (own and shared objects).

mod join;
mod search;
mod shape;

use crate::engine::{Clear, Engine, Finding, Known, Search, Statistics, Task};
use crate::work::Work;
use braid_ir::{FuncId, Loc, Program, Question};
use braid_proof::Certificate;
use braid_proof::check::{Obligation, Verdict};
use braid_props::{Check, CheckSet};
use braid_solver::Failure;
use braid_verdict::{Bounds, Coverage, Method, Reason};
pub use search::Failed;
use search::Search as Inference;

pub static ENGINE: Engine = Engine {
    name: "lockset",
    summary: "Locks held, threads alive, values: proofs for any number of threads; never UNSAFE",
    manual: "\
Executes each thread apart on sets of values, as long as it takes for an invariant: what memory may hold, which locks are \
certainly held, which threads may be alive, which objects no other thread knows of. Two accesses do not race if a lock \
excludes them, if the threads cannot be alive at the same time, if they are atomic, or if they touch elements of their own. \
Every access is shown to be valid. Loops and the number of threads are not bounded.

The invariant is checked by a program of its own before SAFE is said (docs/lockset.md). The engine says SAFE or nothing: a \
gap in the proof is no violation.

Papers: A. Miné, Relational thread-modular static value analysis by abstract interpretation, VMCAI 2014; V. Vojdani et al., \
Static race detection for device drivers: the Goblint approach, ASE 2016; G. Balakrishnan and T. Reps, Recency-abstraction \
for heap-allocated storage, SAS 2006.",
    decides: |check| !matches!(check, Check::Livelock | Check::MemoryLeak | Check::MemoryCleanup),
    proves: true,
    refutes: false,
    certifies: true,
    bounds: &[],
    options: &[],
    has_formula: false,
    refuses: |_| None,
    start: |task| Ok(Box::new(Lockset { task, counts: Counts::default() })),
};

/// States of a block that are told apart, in one attempt after the other.
const STATES: [usize; 2] = [1, 8];
/// An attempt with more states of a block follows one with so many steps at most.
const SHORT: u64 = 1 << 17;

/// Invariants of a program, and what they prove together.
pub struct Proof {
    pub certificates: Vec<Certificate>,
    pub verdict: Verdict,
    /// Instructions that were executed, and gaps that the checker found when a search had ended.
    pub steps: u64,
    pub repairs: u32,
}

/// Looks for invariants that prove what is asked. `poll` is told of the instructions that were executed since it was called last, and
/// says whether to go on.
pub fn prove(
    program: &Program,
    question: &Question,
    entry: FuncId,
    poll: &mut dyn FnMut(u64) -> bool,
) -> Result<Proof, Failed> {
    let mut proof: Option<Proof> = None;
    for states in STATES {
        let mut search = Inference::new(program, question, states);
        let found = search.run(entry, poll);
        let (steps, repairs) = (search.steps, search.repairs);
        match (found, &mut proof) {
            (Ok(verdict), None) => {
                let certificates = vec![search.certificate()];
                proof = Some(Proof { certificates, verdict, steps, repairs });
            }
            (Ok(verdict), Some(proof)) => {
                let more = !verdict.proved.without(proof.verdict.proved).is_empty();
                if !proof.verdict.proved.without(verdict.proved).is_empty() {
                    proof.certificates.extend(more.then(|| search.certificate()));
                } else if more {
                    proof.certificates = vec![search.certificate()];
                }
                proof.verdict = either(&proof.verdict, verdict);
                (proof.steps, proof.repairs) = (proof.steps + steps, proof.repairs + repairs);
            }
            (Err(failed), None) => return Err(failed),
            (Err(_), Some(_)) => break,
        }
        let done = proof.as_ref().is_some_and(|proof| proof.verdict.open.is_empty());
        if done || steps > SHORT {
            break;
        }
    }
    Ok(proof.expect("an attempt fails or proves something"))
}

/// What one of two verdicts says, with the obligations of the second one.
fn either(first: &Verdict, second: Verdict) -> Verdict {
    let proved = first.proved.with(second.proved);
    let open = second.open.into_iter().filter_map(|obligation| {
        let checks = obligation.checks.without(proved);
        (!checks.is_empty()).then_some(Obligation { checks, ..obligation })
    });
    Verdict { proved, open: open.collect() }
}

/// Gaps that are listed for each property.
const MOST_GAPS: usize = 3;

#[derive(Default)]
struct Counts {
    steps: u64,
    instances: u64,
    threads: u64,
    repairs: u64,
}

struct Lockset<'a> {
    task: Task<'a>,
    counts: Counts,
}

impl Lockset<'_> {
    fn checks(&self) -> CheckSet {
        ENGINE.decided(self.task.question.checks)
    }

    /// Nothing is proved, for one reason.
    fn gap(&self, what: String, place: Loc) -> Finding {
        let open = vec![(self.checks(), Reason::Unproved { what, place })];
        Finding::Clear(Clear { open, text: "nothing proved".to_string(), ..Clear::nothing_found() })
    }

    fn judge(&self, Proof { certificates, verdict, .. }: Proof) -> Finding {
        let asked = self.checks();
        let proved = verdict.proved.common(asked);
        let mut open = Vec::new();
        for Obligation { checks, loc, text, .. } in verdict.open {
            let checks = checks.common(asked);
            let listed = |check: Check| {
                open.iter().filter(|(known, _): &&(CheckSet, Reason)| known.contains(check)).count()
                    < MOST_GAPS
            };
            if checks.iter().any(listed) {
                open.push((checks, Reason::Unproved { what: text, place: loc }));
            }
        }
        let undecided = self.task.question.checks.without(asked);
        if !undecided.is_empty() {
            let by = undecided.iter().next().map_or_else(Vec::new, crate::registry::deciding);
            open.push((undecided, Reason::Undecided { checks: undecided, engine: ENGINE.name, by }));
        }
        let coverage = (!proved.is_empty()).then(|| Coverage {
            threads: None,
            attained: false,
            method: Method::invariant(ENGINE.name),
            notes: Vec::new(),
        });
        let text = match proved.iter().count() {
            0 => "nothing proved".to_string(),
            _ if proved == self.task.question.checks => "proved".to_string(),
            _ => format!("proved: {}", proved.list()),
        };
        Finding::Clear(Clear { proved, open, coverage, certificates, conclusive: false, text })
    }
}

impl Search for Lockset<'_> {
    fn attempt(&mut self, _: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        let Task { source, question, .. } = self.task;
        let Some(entry) = source.entry else {
            return Ok(self.gap("the program has no entry".to_string(), Loc::NONE));
        };
        let mut steps = 0;
        let found = work.part("invariant", |work| {
            prove(source, &question, entry, &mut |more| {
                steps += more;
                work.progress(more / 64, &[("steps", steps)]);
                work.poll().is_ok()
            })
        });
        Ok(match found {
            Ok(proof) => {
                let sum =
                    |count: fn(&Certificate) -> usize| proof.certificates.iter().map(count).sum::<usize>();
                self.counts.instances = sum(|one| one.instances.len()) as u64;
                self.counts.threads = sum(|one| one.threads.len()) as u64;
                (self.counts.steps, self.counts.repairs) = (proof.steps, proof.repairs.into());
                self.judge(proof)
            }
            Err(Failed::Interrupted) => {
                let stop = work.poll_all().unwrap_or(braid_solver::Stop::Interrupted);
                work.stopped(stop, "invariant")
            }
            Err(Failed::Stuck(why)) => self.gap(format!("no invariant was found: {why}"), Loc::NONE),
        })
    }

    /// The engine finds no violations.
    fn next(&mut self, _: &Known, _: &mut Work<'_>) -> Result<Finding, Failure> {
        Ok(Finding::Clear(Clear::nothing_found()))
    }

    fn statistics(&self) -> Statistics {
        let Counts { steps, instances, threads, repairs } = self.counts;
        let brief =
            vec![("steps", steps), ("instances", instances), ("threads", threads), ("repairs", repairs)];
        Statistics { brief, ..Statistics::default() }
    }
}
