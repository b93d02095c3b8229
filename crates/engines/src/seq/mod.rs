//! Lazy sequentialisation in bounded rounds: Inverso, Tomasco, Fischer, La Torre, Parlato, *Bounded Model Checking of
//! Multi-threaded C Programs via Lazy Sequentialization*, CAV 2014.
//!
//! The bounded program is executed in rounds. In each round every thread, in a fixed order, executes a segment of its
//! nodes, which may be empty; only the ends of the segments are free ([`schedule`]), and they lie before nodes that
//! do not commute with other threads ([`points`]). So memory is a value at each moment ([`memory`]), and the formula
//! grows with program × rounds, not with pairs of reads and writes. The paper makes a sequential program of this,
//! whose threads are copied into every round; here the terms of a thread occur once, and a round says which accesses
//! happen in it.
//!
//! The questions are asked of the state after the last round: every state that can be reached within K rounds is one,
//! for the segments after it may be empty. So a node may be left out at the end, and every question asks whether a node
//! *happens* ([`schedule::Horizon`]).
//!
//! The fault `seq-join-does-not-wait` lets a join be executed before its thread has ended (`seq mutex_counter.c`).
//!
//! A proof needs that no execution takes more rounds. Of equivalent schedules there is one in which no segment could
//! have been executed a round earlier; if none of those has a step in round K+1, then K rounds are enough. The fault
//! `seq-rounds-not-asked` takes every number of rounds for enough; `seq atomic_two_steps.c` notices.

mod memory;
mod points;
mod schedule;

use crate::Subject;
use crate::ask::addresses::Addresses;
use crate::ask::{self, Asked, Formula, Questions, Ranks, Reads, Settled};
use crate::engine::{Clear, Engine, Finding, Known, Search, SolverChoice, Statistics, Task};
use crate::formula::{self, About, Formulated, Further};
use crate::work::Work;
use braid_analysis::Facts;
use braid_base::faults::active;
use braid_bounded::cells;
use braid_bounded::locks::Locks;
use braid_bounded::prune::prune;
use braid_bounded::{Bounded, Interrupted, Racy, What, initial};
use braid_interp::{Cut, RoundOrder};
use braid_logic::narrow::Narrower;
use braid_logic::{Assignment, Evaluator, Sort, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Embedded, Failure, Limits, Process, Solver};
use braid_verdict::{Bound, Bounds, Reason};
use memory::SharedMemory;
use points::Points;
use schedule::{Horizon, Schedule};

pub static ENGINE: Engine = Engine {
    name: "seq",
    summary: "Rounds in which every thread runs once: a small formula for programs of many threads",
    manual: MANUAL,
    decides: |check| check != Check::Livelock,
    proves: true,
    refutes: true,
    certifies: false,
    bounds: &[Bound::Unwind, Bound::Threads, Bound::Rounds],
    options: &[],
    has_formula: true,
    refuses: |_| None,
    start: |task| Ok(Box::new(Seq::new(task))),
};

const MANUAL: &str = "\
Unwinds the program up to the bounds and executes it in rounds: in each round every thread, in the order of creation, runs \
one segment of its steps, which may be empty (Inverso, Tomasco, Fischer, La Torre, Parlato, Bounded Model Checking of \
Multi-threaded C Programs via Lazy Sequentialization, CAV 2014). Memory between segments is a value, so the formula grows \
with the program times the rounds and not with the interleavings: violations that need few rounds are found among many \
threads. Rounds grow from 1 on, at most up to --rounds; bounds on loops grow as for other engines.

It proves a program only if no execution takes more rounds than it has looked at. It does not decide livelock.";

/// The constraints that leave out equivalent schedules are made for so many conflicts between nodes.
const MOST_CONFLICTS: usize = 20_000;
/// Rounds in the reverse of the order of creation, if those in that order do not suffice. The first one is `main`'s.
const ROUNDS_IN_REVERSE: u32 = 3;
/// Rounds beyond those of the first violation in which others are looked for, unless the user gives a number.
const MORE_ROUNDS: u32 = 2;

/// The engine at work on one program.
struct Seq<'a> {
    task: Task<'a>,
    /// The properties that it looks for.
    checks: CheckSet,
    subject: Option<Subject<'a>>,
    /// The program within the bounds of the last attempt.
    encoded: Option<Formulated<Rounds>>,
    counts: Sizes,
    further: Further,
    /// The rounds in which further violations are looked for.
    most_rounds: u32,
    /// The solver's effort for the last answer.
    effort: braid_solver::Statistics,
}

/// The size of a formula.
#[derive(Clone, Copy, Default)]
struct Sizes {
    threads: usize,
    events: usize,
    cells: usize,
    points: usize,
    rounds: u32,
}

/// The executions of a bounded program within some rounds, in a solver.
struct Rounds {
    choice: SolverChoice,
    schedule: Schedule,
    memory: SharedMemory,
    /// True if schedules that are equivalent to others are left out, so that a proof is possible.
    canonical: bool,
    /// True if data races depend on the step after the last round.
    looks_ahead: bool,
    constraints: Vec<Term>,
    /// The number of constraints that the solver knows.
    asserted: usize,
    /// The rounds that questions are about.
    horizon: u32,
    /// Bools that hold in the executions that questions are about.
    given: Vec<Term>,
    solver: Option<Box<dyn Solver>>,
}

impl<'a> Seq<'a> {
    fn new(task: Task<'a>) -> Seq<'a> {
        Seq {
            task,
            checks: ENGINE.decided(task.question.checks),
            subject: None,
            encoded: None,
            counts: Sizes::default(),
            further: Further::default(),
            most_rounds: 0,
            effort: braid_solver::Statistics::default(),
        }
    }

    /// Looks for a violation in more and more rounds, up to the last one. If the order of threads is the engine's choice
    /// and the rounds do not suffice, the reverse order follows: threads that have to run in descending order take one
    /// round in it, and as many rounds as threads in the order of creation.
    fn look_in_orders(
        &self,
        encoded: &mut Formulated<Rounds>,
        asked: &Asked,
        bounds: &Bounds,
        work: &mut Work,
    ) -> Result<Finding, Failure> {
        // Where loops are cut, larger bounds on them are worth more than very many rounds.
        let is_cut = |o: &braid_bounded::Obligation| o.what.is_bound() && !encoded.terms.is_false(o.reached);
        let cut = encoded.bounded.obligations.iter().any(is_cut);
        let last = bounds.rounds.or(cut.then_some(bounds.unwind + 2));
        let finding = self.deepen(encoded, asked, bounds, last, work)?;
        let runs_out = |reason: &Reason| matches!(reason, Reason::Cut(Cut::Rounds(_)));
        let may_choose = bounds.round_order.is_none();
        match &finding {
            Finding::Clear(clear) if may_choose && clear.open.iter().any(|(_, reason)| runs_out(reason)) => {}
            Finding::Clear(_) | Finding::Violation(_) | Finding::Stopped { .. } => return Ok(finding),
        }
        let Formulated { terms, bounded, formula, .. } = encoded;
        let choice = formula.choice.clone();
        let reversed = work.part("encode", |work| {
            Rounds::new(terms, bounded, &RoundOrder::Reversed, choice, &|| work.poll().is_err())
        });
        let Ok(reversed) = reversed else { return Ok(finding) };
        let created = std::mem::replace(formula, reversed);
        match self.deepen(encoded, asked, bounds, Some(ROUNDS_IN_REVERSE), work)? {
            found @ Finding::Violation(_) => Ok(found),
            Finding::Clear(_) | Finding::Stopped { .. } => {
                encoded.formula = created;
                Ok(finding)
            }
        }
    }

    /// Looks for a violation in more and more rounds.
    fn deepen(
        &self,
        encoded: &mut Formulated<Rounds>,
        asked: &Asked,
        bounds: &Bounds,
        last: Option<u32>,
        work: &mut Work,
    ) -> Result<Finding, Failure> {
        let about =
            About { subject: self.subject.as_ref().expect("an attempt has made it"), checks: self.checks };
        // A formula that is written to a file is that of all rounds asked for. It covers those of fewer rounds.
        let mut rounds = self.task.setup.dump.as_ref().and(bounds.rounds).unwrap_or(1);
        loop {
            if self.look(encoded, asked, rounds, work).is_err() {
                return Ok(*formula::stopped(work, None, "encoding"));
            }
            let constraints = encoded.formula.all_constraints();
            encoded.dump(about, &self.task, constraints, work)?;
            let mut open = Vec::new();
            let found = encoded.asking(about, work, |asker| asker.violation(&mut open))?;
            if let Some(found) = found {
                return Ok(found);
            }
            let beyond = match self.goes_beyond(encoded, rounds, work) {
                Ok(beyond) => beyond?,
                Err(Interrupted) => return Ok(*formula::stopped(work, None, "encoding")),
            };
            let complete = match beyond {
                Answer::Unsat => true,
                Answer::Sat => false,
                Answer::Unknown(stop) => return Ok(work.stopped(stop, "looking beyond the rounds")),
            };
            let complete = complete || active("seq-rounds-not-asked");
            if !complete && last.is_none_or(|last| rounds < last) {
                rounds += 1;
                continue;
            }
            if let Some(stopped) = encoded.asking(about, work, |asker| asker.gaps(&mut open))? {
                return Ok(stopped);
            }
            if !complete {
                open.push(Reason::Cut(Cut::Rounds(rounds)));
            }
            let mut clear = encoded.asking(about, work, |asker| asker.clear(open));
            if clear.open.is_empty() {
                let all = encoded.formula.all_done(&mut encoded.terms, &encoded.bounded);
                encoded.formula.given.push(all);
                clear.coverage = Some(encoded.coverage(about, &ENGINE, bounds.unwind, work));
                encoded.formula.given.pop();
            }
            return Ok(Finding::Clear(clear));
        }
    }

    /// Looks for a violation that is not known, in a few more rounds than the first one needed.
    fn further_violation(
        &self,
        encoded: &mut Formulated<Rounds>,
        about: About,
        further: &mut Further,
        known: &Known,
        work: &mut Work,
    ) -> Result<Finding, Failure> {
        let asked = self.asked(about.subject, about.subject.facts.settled());
        loop {
            let rounds = encoded.formula.horizon + 1;
            match encoded.next(about, further, known, work)? {
                Finding::Clear(_) if rounds <= self.most_rounds => {}
                found => return Ok(found),
            }
            if self.look(encoded, &asked, rounds, work).is_err() {
                return Ok(Finding::Clear(Clear::nothing_found()));
            }
        }
    }

    fn asked<'s>(&self, subject: &'s Subject, facts: &'s Facts) -> Asked<'s> {
        Asked {
            program: &subject.program,
            facts,
            race_on: self.task.question.race_on,
            relock_ends: self.checks.contains(Check::LockMisuse),
        }
    }

    /// Encodes so many rounds, and makes the questions about them.
    fn look(
        &self,
        encoded: &mut Formulated<Rounds>,
        asked: &Asked,
        rounds: u32,
        work: &mut Work,
    ) -> Result<(), Interrupted> {
        let Formulated { terms, bounded, questions, formula } = encoded;
        work.part("encode", |work| {
            let interrupt = || work.poll().is_err();
            formula.extend(terms, bounded, rounds + u32::from(formula.looks_ahead), &interrupt)?;
            *questions = formula.questions(terms, bounded, asked, rounds, &interrupt)?;
            let proved = Known { checks: work.proved(), races: Vec::new() };
            questions.leave_out(terms, bounded, &proved);
            Ok(())
        })
    }

    /// Asks whether an execution takes more rounds.
    fn goes_beyond(
        &self,
        encoded: &mut Formulated<Rounds>,
        rounds: u32,
        work: &mut Work,
    ) -> Result<Result<Answer, Failure>, Interrupted> {
        let Formulated { terms, bounded, formula, .. } = encoded;
        if !formula.canonical {
            return Ok(Ok(Answer::Sat));
        }
        work.part("encode", |work| formula.extend(terms, bounded, rounds + 1, &|| work.poll().is_err()))?;
        let question = formula.steps_in(terms, bounded, rounds + 1);
        let given = std::mem::replace(&mut formula.given, ends_later(terms, rounds + 1));
        let answer = work.part("rounds", |work| formula.solve(terms, question, work.limits()));
        formula.given = given;
        Ok(answer)
    }
}

impl Rounds {
    /// The formula of no rounds.
    fn new(
        terms: &mut Terms,
        bounded: &mut Bounded,
        order: &RoundOrder,
        choice: SolverChoice,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<Rounds, Interrupted> {
        let known = prune(terms, bounded, interrupt)?;
        let groups = cells::divide(terms, bounded);
        let locks = Locks::find(terms, bounded, &groups);
        let order = schedule::round_order(bounded, order);
        let points = Points::find(terms, bounded, &order, &groups, &locks, interrupt)?;
        let conflicts: usize = points.conflicts.iter().map(Vec::len).sum();
        let asks = |what: &What| matches!(what, What::LoadedAddresses | What::TornPointers);
        let sources = bounded.obligations.iter().any(|o| asks(&o.what) && !terms.is_false(o.reached));
        let narrower = Narrower::new(known.ranges(terms));
        let schedule = Schedule::new(bounded, points, order);
        let needs_step = |racy: Racy| racy.section || racy.exchanges;
        let begins_late = bounded.threads.ids().any(|thread| schedule.begins_late(bounded, thread));
        let mut memory = SharedMemory::new(terms, bounded, &schedule, &groups, narrower, sources, interrupt)?;
        let mut constraints = bounded.constraints.clone();
        constraints.extend(known.facts(terms));
        constraints.append(&mut memory.settled);
        Ok(Rounds {
            choice,
            schedule,
            memory,
            canonical: conflicts <= MOST_CONFLICTS,
            looks_ahead: bounded
                .accesses
                .iter()
                .any(|a| a.racy.is_some_and(|r| begins_late || needs_step(r))),
            constraints,
            asserted: 0,
            horizon: 0,
            given: Vec::new(),
            solver: None,
        })
    }

    /// Encodes rounds up to this one.
    fn extend(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        rounds: u32,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        while self.schedule.rounds < rounds {
            self.schedule.add_round(terms, bounded, &mut self.constraints);
            let round = self.schedule.rounds;
            self.memory.add_round(terms, bounded, &self.schedule, &mut self.constraints, interrupt)?;
            self.joins(terms, bounded, round);
            let here = horizon(terms, round);
            self.memory.probe(terms, bounded, here, &mut self.constraints);
            if self.canonical {
                // The step that a data race asks about needs no reason: it follows at once.
                let asked = match self.looks_ahead {
                    true => horizon(terms, round - 1),
                    false => terms.bool(false),
                };
                for point in self.schedule.points().of_thread.iter().flatten().copied().collect::<Vec<_>>() {
                    let late = self.schedule.is_late_for_a_reason(terms, bounded, point, round);
                    self.constraints.push(terms.or(asked, late));
                }
                self.constraints.extend(self.schedule.ends_early(terms, bounded, round));
            }
        }
        Ok(())
    }

    /// A join that is executed in the round follows the end of the thread whose handle it has.
    fn joins(&mut self, terms: &mut Terms, bounded: &Bounded, round: u32) {
        for join in &bounded.joins {
            let thread = bounded.nodes[join.node].thread;
            let within = self.schedule.within(terms, bounded, join.node, round);
            let executed = terms.and(within, join.guard);
            if terms.is_false(executed) {
                continue;
            }
            let mut ended = Vec::new();
            for id in self.schedule.order.iter().copied().filter(|id| *id != thread) {
                let joined = &bounded.threads[id];
                let handle = bounded.layout.address(terms, joined.handle, 0);
                let fits = terms.eq(join.handle, handle);
                let result = terms.eq(join.result, joined.result);
                let over = self.schedule.ended_by(terms, bounded, id, schedule::Turn { round, thread });
                let over = if active("seq-join-does-not-wait") { terms.bool(true) } else { over };
                ended.push(terms.and_all([fits, joined.finished, result, over]));
            }
            let some = terms.or_all(ended);
            self.constraints.push(terms.implies(executed, some));
        }
    }

    /// The questions about executions of so many rounds.
    fn questions(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        asked: &Asked,
        rounds: u32,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<Questions, Interrupted> {
        (self.horizon, self.given) = (rounds, vec![horizon(terms, rounds)]);
        self.given.extend(ends_later(terms, rounds));
        // The step after the last round, which a data race asks about, may depend on addresses, too.
        let ahead = self.looks_ahead && !active("seq-step-ahead-settled");
        let settled = self.settled(terms, bounded, rounds + u32::from(ahead));
        let reads = Reads { settled, approximate: self.memory.approximate, interrupt };
        let mut order = Horizon { schedule: &self.schedule, rounds };
        ask::questions(terms, bounded, asked, reads, &mut order, &mut self.constraints)
    }

    /// The conditions under which reads within so many rounds use addresses as numbers, or something else as pointers.
    fn settled(&self, terms: &mut Terms, bounded: &Bounded, rounds: u32) -> Settled {
        let mut addresses = Addresses::new(true);
        for (read, writes) in self.memory.sources() {
            let access = &bounded.accesses[read.access];
            let done = self.schedule.done(terms, bounded, access.node, rounds);
            let executed = terms.and(done, access.guard);
            let number = memory::number_of(terms, read);
            let is_from = |terms: &mut Terms, write: u32| {
                let from = terms.bits(memory::SOURCE, u128::from(write));
                let is_it = terms.eq(number, from);
                terms.and(executed, is_it)
            };
            for (write, cell) in writes {
                let taken = is_from(terms, write);
                addresses.taken(terms, bounded, read, cell, taken);
            }
            let taken = is_from(terms, 0);
            let wrong = initial::makes_number(terms, bounded, read);
            let wrong = terms.and(taken, wrong);
            addresses.first(terms, bounded, read, taken, wrong);
        }
        addresses.settle(terms, bounded)
    }

    /// Bool: a thread does something in the round.
    fn steps_in(&self, terms: &mut Terms, bounded: &Bounded, round: u32) -> Term {
        let points = self.schedule.points().of_thread.iter().flatten();
        let steps: Vec<Term> =
            points.map(|point| self.schedule.within(terms, bounded, *point, round)).collect();
        terms.or_all(steps)
    }

    /// Bool: all threads have come as far as they can.
    fn all_done(&self, terms: &mut Terms, bounded: &Bounded) -> Term {
        let last = self.schedule.points().of_thread.iter().filter_map(|points| points.last());
        let done: Vec<Term> =
            last.map(|point| self.schedule.done(terms, bounded, *point, self.horizon)).collect();
        terms.and_all(done)
    }

    /// All constraints of the formula, with the rounds that questions are about.
    fn all_constraints(&self) -> Vec<Term> {
        self.constraints.iter().chain(&self.given).copied().collect()
    }
}

/// Bools: the execution does not end before the round.
fn ends_later(terms: &mut Terms, round: u32) -> Vec<Term> {
    let earlier: Vec<Term> = (0..round).map(|round| horizon(terms, round)).collect();
    earlier.into_iter().map(|ends| terms.not(ends)).collect()
}

/// Bool: the execution ends with the round.
fn horizon(terms: &mut Terms, round: u32) -> Term {
    terms.symbol(&format!("h{round}"), Sort::Bool)
}

impl Formula for Rounds {
    fn solve(&mut self, terms: &mut Terms, question: Term, limits: &Limits) -> Result<Answer, Failure> {
        if terms.is_false(question) {
            return Ok(Answer::Unsat);
        }
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(match &self.choice {
                SolverChoice::Embedded => Box::new(Embedded::new()),
                SolverChoice::Process(command) => Box::new(Process::start(command)?),
            }),
        };
        for term in &self.constraints[self.asserted..] {
            solver.assert(terms, *term)?;
        }
        self.asserted = self.constraints.len();
        let assumptions: Vec<Term> = self.given.iter().copied().chain([question]).collect();
        solver.solve(terms, &assumptions, limits)
    }

    fn model(&mut self, terms: &Terms) -> Result<(Assignment, Ranks), Failure> {
        let model = formula::model(self.solver.as_mut(), terms)?;
        let ranks = self.schedule.ranks(terms, self.horizon, &mut Evaluator::new(terms, &model));
        Ok((model, ranks))
    }

    fn conflicts(&self) -> u64 {
        self.solver.as_ref().map_or(0, |solver| solver.statistics().conflicts)
    }
}

impl Search for Seq<'_> {
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        self.encoded = None;
        (self.counts, self.effort) = (Sizes::default(), Default::default());
        self.further = Further::default();
        let task = self.task;
        if self.subject.is_none() {
            self.subject = Some(work.part("analysis", |_| Subject::new(task.source, task.question)));
        }
        let subject = self.subject.as_ref().expect("it was just made");
        let about = About { subject, checks: self.checks };
        let (mut terms, mut bounded, facts) = match formula::unwind(task, about, bounds, work) {
            Ok(unwound) => unwound,
            Err(stopped) => return Ok(*stopped),
        };
        let choice = task.setup.solver.clone();
        let order = bounds.round_order.clone().unwrap_or_default();
        let formula = work.part("encode", |work| {
            Rounds::new(&mut terms, &mut bounded, &order, choice, &|| work.poll().is_err())
        });
        let Ok(formula) = formula else { return Ok(*formula::stopped(work, None, "encoding")) };
        let asked = self.asked(subject, facts);
        let questions = Questions::none(&mut terms);
        let mut encoded = Formulated { terms, bounded, questions, formula };
        let finding = self.look_in_orders(&mut encoded, &asked, bounds, work);
        self.most_rounds = bounds.rounds.unwrap_or(encoded.formula.horizon + MORE_ROUNDS);
        self.counts = Sizes {
            threads: encoded.threads(),
            events: encoded.bounded.accesses.len(),
            cells: encoded.formula.memory.cells,
            points: encoded.formula.schedule.switch_points(),
            rounds: encoded.formula.horizon,
        };
        self.encoded = Some(encoded);
        self.note_effort();
        finding
    }

    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure> {
        let mut further = std::mem::take(&mut self.further);
        let (Some(mut encoded), Some(subject)) = (self.encoded.take(), &self.subject) else {
            return Ok(Finding::Clear(Clear::nothing_found()));
        };
        // Only the embedded solver counts conflicts, which the budget needs.
        if encoded.formula.choice != SolverChoice::Embedded {
            let formula = &mut encoded.formula;
            (formula.choice, formula.solver, formula.asserted) = (SolverChoice::Embedded, None, 0);
        }
        let about = About { subject, checks: self.checks };
        let found = self.further_violation(&mut encoded, about, &mut further, known, work);
        (self.encoded, self.further) = (Some(encoded), further);
        self.note_effort();
        found
    }

    fn statistics(&self) -> Statistics {
        let Sizes { threads, events, cells, points, rounds } = self.counts;
        let sizes = [("threads", threads), ("events", events), ("cells", cells), ("switch points", points)];
        let mut sizes: Vec<(&'static str, u64)> =
            sizes.iter().map(|(name, count)| (*name, *count as u64)).collect();
        sizes.push(("rounds", u64::from(rounds)));
        Statistics { groups: vec![sizes, formula::effort(&self.effort)], ..Statistics::default() }
    }
}

impl Seq<'_> {
    fn note_effort(&mut self) {
        let solver = self.encoded.as_ref().and_then(|encoded| encoded.formula.solver.as_ref());
        self.effort = solver.map_or_else(Default::default, |solver| solver.statistics());
    }
}
