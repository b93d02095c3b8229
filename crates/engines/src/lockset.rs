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
use braid_ir::Loc;
use braid_proof::check::{Obligation, Verdict};
use braid_props::{Check, CheckSet};
use braid_solver::Failure;
use braid_verdict::{Bounds, Coverage, Method, Reason};
use search::{Failed, Search as Inference};

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
    bounds: &[],
    options: &[],
    has_formula: false,
    refuses: |_| None,
    start: |task| Ok(Box::new(Lockset { task, counts: Counts::default() })),
};

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

    fn judge(&self, verdict: Verdict) -> Finding {
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
        Finding::Clear(Clear { proved, open, coverage, conclusive: false, text })
    }
}

impl Search for Lockset<'_> {
    fn attempt(&mut self, _: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        let Task { source, question, .. } = self.task;
        let Some(entry) = source.entry else {
            return Ok(self.gap("the program has no entry".to_string(), Loc::NONE));
        };
        let mut search = Inference::new(source, &question);
        let mut steps = 0;
        let found = work.part("invariant", |work| {
            search.run(entry, &mut |more| {
                steps += more;
                work.progress(more / 64, &[("steps", steps)]);
                work.poll().is_ok()
            })
        });
        let result = match found {
            Ok((certificate, verdict)) => {
                if std::env::var("DUMP").is_ok() { 
                    for (id, n) in certificate.instances.enumerated() {
                        let f = &source.functions[n.function];
                        eprintln!("== {id} {} threads {:?}", f.name, n.threads);
                        let show = |what: String, s: &braid_proof::State| {
                            eprintln!("  {what}: regs {:?}\n     forms {:?} loaded {:?} tried {:?}", s.registers, s.forms, s.loaded, s.tried);
                            eprintln!("     known {:?} own {:?} holds {:?}", s.known, s.own, s.holds);
                            eprintln!("     alive {:?} solo {:?} joinable {:?} teams {:?} below {:?} touched {:?} started {:?} ended {:?} lost {:?} made {:?} pristine {}", s.alive, s.solo, s.joinable, s.teams, s.below, s.touched, s.started, s.ended, s.lost, s.made, s.pristine);
                        };
                        show("entry".into(), &n.entry);
                        for (b, s) in n.blocks.enumerated() { if let Some(s) = s { show(format!("{b}"), s); } }
                        if let Some((s, v)) = &n.exit { show(format!("exit {v:?}"), s); }
                    }
                    for (t, x) in certificate.threads.enumerated() { eprintln!("{t} {x:?}"); }
                    for (o, cells) in certificate.memory.enumerated() { for c in cells { eprintln!("{o} {:?} {:?} {} mixed {} {:?}", c.space, c.at, c.bytes, c.mixed, c.value); for a in &c.accesses { eprintln!("     {a:?}"); } } }
                }
                self.counts.instances = certificate.instances.len() as u64;
                self.counts.threads = certificate.threads.len() as u64;
                self.judge(verdict)
            }
            Err(Failed::Interrupted) => {
                let stop = work.poll_all().unwrap_or(braid_solver::Stop::Interrupted);
                work.stopped(stop, "invariant")
            }
            Err(Failed::Stuck(why)) => self.gap(format!("no invariant was found: {why}"), Loc::NONE),
        };
        (self.counts.steps, self.counts.repairs) = (search.steps, search.repairs.into());
        Ok(result)
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
