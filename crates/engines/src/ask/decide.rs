//! The questions in their order: is a property violated, and if not, what forbids a proof.
//!
//! A violation that depends on the addresses of objects, or a heap block that may be leaked, is a candidate that
//! counts only if the interpreter replays it. If there is no violation, the same formula is asked whether a gap can
//! be reached: an unwinding assertion (Clarke, Kroening, Lerda, TACAS 2004), an operation that is not supported, a
//! dependence on addresses. Only if all these answers are negative is there a proof. The fault `bounds-not-asked`
//! skips this; `check unwind` notices.

use super::confused::NUMBERS;
use super::{Formula, Questions, trace};
use crate::engine::{Clear, Finding, Known};
use crate::work::Work;
use braid_base::faults::active;
use braid_bounded::initial::UNWRITTEN_WAIT;
use braid_bounded::{Bounded, MarkOf, What};
use braid_interp::Reached;
use braid_ir::{FuncId, Loc, Program};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits};
use braid_verdict::{Candidate, Reason};
use std::time::Instant;

/// The reason for `UNKNOWN` if a deadlock depends on a loop that may not spin for ever.
const MAY_SPIN: &str = "a loop that may wait for something outside of the program";
/// The number of conflicts that the coverage search may always take.
const FEW_CONFLICTS: u64 = 100;
/// The largest number of questions of the coverage search.
const MOST_QUESTIONS: usize = 16;

/// Asks the questions of one bounded program.
pub struct Asker<'a, 'w> {
    pub terms: &'a mut Terms,
    pub bounded: &'a Bounded,
    pub questions: &'a Questions,
    /// The program that was unwound.
    pub program: &'a Program,
    pub formula: &'a mut dyn Formula,
    /// The properties that the engine looks for.
    pub checks: CheckSet,
    pub work: &'a mut Work<'w>,
}

impl Asker<'_, '_> {
    /// Bool: an obligation of a kind is reached.
    fn reached(&mut self, wanted: &dyn Fn(&What) -> bool) -> Term {
        let list: Vec<Term> = (self.bounded.obligations.iter().zip(&self.questions.obligations))
            .filter(|(obligation, _)| wanted(&obligation.what))
            .map(|(_, term)| *term)
            .collect();
        self.terms.or_all(list)
    }

    /// Bool: a property is violated, whether the violation depends on addresses or not.
    fn violated_anyhow(&mut self) -> Term {
        let violated = self.reached(&|what| matches!(what, What::Violation(_)));
        let races = self.terms.or_all(self.questions.races.iter().map(|race| race.term).collect::<Vec<_>>());
        let stuck =
            self.questions.deadlock.as_ref().map_or_else(|| self.terms.bool(false), |found| found.term);
        self.terms.or_all([violated, races, stuck])
    }

    /// Bool: a property is violated, in an execution that does not depend on the addresses of objects.
    pub fn violated(&mut self) -> Term {
        let violated = self.violated_anyhow();
        let addresses = self.reached(&What::is_address);
        let fixed = self.terms.not(addresses);
        self.terms.and(violated, fixed)
    }

    /// Asks for violations first; if there are none, for gaps. If there are neither, the properties are proved.
    pub fn decide(&mut self) -> Result<Finding, Failure> {
        let mut open = Vec::new();
        if let Some(finding) = self.violation(&mut open)? {
            return Ok(finding);
        }
        if let Some(stopped) = self.gaps(&mut open)? {
            return Ok(stopped);
        }
        Ok(Finding::Clear(self.clear(open)))
    }

    /// Asks for violations. Without one, the reasons why it is not sure that there is none are added to `open`.
    pub fn violation(&mut self, open: &mut Vec<Reason>) -> Result<Option<Finding>, Failure> {
        let anyhow = self.violated_anyhow();
        let violated = self.violated();
        let mut question = violated;
        loop {
            match self.solve("solve", question)? {
                Answer::Sat => {
                    let found = self.first_candidate()?;
                    let end = found.trace.violation.iter().flat_map(|end| &end.at).next();
                    let place = end.map_or(Loc::NONE, |op| op.loc);
                    let Some((doubtful, what)) = self.doubt(&found)? else {
                        return self.work.convict(found).map(Some);
                    };
                    if let Some(finding) = self.work.try_convict(found) {
                        return Ok(Some(finding));
                    }
                    open.push(Reason::Unsupported { what: what.to_string(), place });
                    let without = self.terms.not(doubtful);
                    question = self.terms.and(question, without);
                }
                Answer::Unsat => break,
                Answer::Unknown(stop) => return Ok(Some(self.work.stopped(stop, "solving"))),
            }
        }
        if let Some(finding) = self.address_dependent(anyhow)? {
            return Ok(Some(finding));
        }
        self.lost()
    }

    /// Asks for gaps: bounds that are reached, and all else that stands in the way of a proof. Its reasons are added to
    /// `open`; the result is the limit that was reached, if one was.
    pub fn gaps(&mut self, open: &mut Vec<Reason>) -> Result<Option<Finding>, Failure> {
        let bounds = self.reached(&What::is_bound);
        let is_rest = |what: &What| !matches!(what, What::Violation(_)) && !what.is_bound();
        let rest = self.reached(&is_rest);
        for question in [bounds, rest].into_iter().filter(|_| !active("bounds-not-asked")) {
            match self.solve("bounds", question)? {
                Answer::Sat => {
                    let (model, _) = self.formula.model(self.terms)?;
                    open.extend(self.left_open(&model));
                }
                Answer::Unsat => {}
                Answer::Unknown(stop) => {
                    return Ok(Some(self.work.stopped(stop, "looking beyond the bounds")));
                }
            }
        }
        open.dedup();
        Ok(None)
    }

    /// There is no violation within the bounds; if nothing is open, there is none at all.
    pub fn clear(&self, open: Vec<Reason>) -> Clear {
        let (proved, text) = match open.len() {
            0 => (self.checks, "clear".to_string()),
            count => (CheckSet::EMPTY, format!("clear, with {count} open")),
        };
        let open = open.into_iter().map(|reason| (self.checks, reason)).collect();
        Clear { proved, open, text, ..Clear::nothing_found() }
    }

    /// A further violation, or nothing if none is found within the limits, or if the interpreter does not confirm the
    /// candidate. The violation of the candidate is added to `tried` in any case, unless it is a heap block that may be
    /// leaked, so that the caller can leave it out of the next question.
    pub fn next(&mut self, limits: &Limits, tried: &mut Known) -> Result<Option<Finding>, Failure> {
        let question = self.violated();
        if self.formula.solve(self.terms, question, limits)? != Answer::Sat {
            let leak = self.checks.contains(Check::MemoryLeak) && !tried.checks.contains(Check::MemoryLeak);
            return if leak { self.lost() } else { Ok(None) };
        }
        let found = self.candidate()?;
        tried.add(found.check, found.racy);
        // Only the interpreter can tell whether a thread spins, or waits with every value of uninitialised memory.
        let certain = found.approximate.is_none() && found.check != Check::Deadlock;
        if certain { self.work.convict(found).map(Some) } else { Ok(self.work.try_convict(found)) }
    }

    /// The marks that executions reach, and the threads of the largest execution, each if it can be found with a tenth of
    /// the conflicts that the proof took.
    pub fn coverage(&mut self) -> (Option<Box<Reached>>, Option<usize>) {
        let begin = Instant::now();
        let reached = self.reached_marks();
        let threads = self.most_threads();
        self.work.add_part("notes", begin.elapsed());
        (reached, threads)
    }

    /// One question asks for any mark that is not known to be reachable; it is repeated for those that the answering
    /// execution does not reach.
    fn reached_marks(&mut self) -> Option<Box<Reached>> {
        let last = self.affordable();
        let mut known = Reached::default();
        let mut left = self.questions.left_running;
        let marks = self.bounded.marks.iter().map(|mark| mark.of);
        let mut unknown: Vec<(MarkOf, Term)> = marks.zip(self.questions.marks.iter().copied()).collect();
        for _ in 0..MOST_QUESTIONS {
            unknown.retain(|(mark, reached)| !self.terms.is_false(*reached) && !is_known(&known, *mark));
            let guards: Vec<Term> = unknown.iter().map(|(_, reached)| *reached).chain([left]).collect();
            let question = self.terms.or_all(guards);
            let Some(model) = self.example(question, last)? else { return Some(Box::new(known)) };
            let mut evaluator = Evaluator::new(self.terms, &model);
            for (mark, _) in unknown.iter().filter(|(_, reached)| evaluator.bool(*reached) == Ok(true)) {
                know(&mut known, *mark);
            }
            if evaluator.bool(left) == Ok(true) {
                known.left_running = true;
                left = self.terms.bool(false);
            }
        }
        None
    }

    /// The threads of the largest execution, the first included. The first question is for an execution that starts all
    /// threads, which mostly exists; the others are for one that starts more than any that is known.
    fn most_threads(&mut self) -> Option<usize> {
        let last = self.affordable();
        let started = &self.questions.started;
        let mut known = started.iter().filter(|start| self.terms.is_true(**start)).count();
        let mut question = self.terms.and_all(started.iter().copied());
        if known == started.len() {
            return Some(known + 1);
        }
        for asked in 0..MOST_QUESTIONS {
            match self.example(question, last)? {
                Some(model) => {
                    let mut evaluator = Evaluator::new(self.terms, &model);
                    known = started.iter().filter(|start| evaluator.bool(**start) == Ok(true)).count();
                }
                None if asked == 0 => {}
                None => return Some(known + 1),
            }
            if known == started.len() {
                return Some(known + 1);
            }
            question = more_than(self.terms, started, known);
        }
        None
    }

    /// The number of conflicts up to which a part of the coverage search may go.
    fn affordable(&self) -> u64 {
        let begin = self.formula.conflicts();
        begin + FEW_CONFLICTS + begin / 10
    }

    /// An execution in which the term holds, or none; nothing if that is not known after so many conflicts.
    fn example(&mut self, question: Term, last: u64) -> Option<Option<Assignment>> {
        let conflicts = Some(last.checked_sub(self.formula.conflicts())?);
        let limits = Limits { conflicts, ..self.work.limits().clone() };
        match self.formula.solve(self.terms, question, &limits).ok()? {
            Answer::Unsat => Some(None),
            Answer::Unknown(_) => None,
            Answer::Sat => Some(Some(self.formula.model(self.terms).ok()?.0)),
        }
    }

    /// Asks the solver, and adds the time to the part of this name.
    fn solve(&mut self, part: &'static str, question: Term) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let answer = self.formula.solve(self.terms, question, self.work.limits());
        self.work.add_part(part, begin.elapsed());
        answer
    }

    /// The first violation in the last model.
    fn candidate(&mut self) -> Result<Candidate, Failure> {
        let (model, ranks) = self.formula.model(self.terms)?;
        trace::candidate(self.terms, self.bounded, self.questions, (&model, ranks), self.program)
            .map_err(Failure::Internal)
    }

    /// The first violation in the last model, without the places of its data race, so that the replay may show any
    /// race.
    fn first_candidate(&mut self) -> Result<Candidate, Failure> {
        Ok(Candidate { racy: None, ..self.candidate()? })
    }

    /// A violation in an execution that depends on the addresses of objects. It counts if the interpreter, whose
    /// objects have other addresses, replays it.
    fn address_dependent(&mut self, violated: Term) -> Result<Option<Finding>, Failure> {
        let mut on_addresses = self.bounded.obligations.iter().zip(&self.questions.obligations);
        let depends = on_addresses.any(|(o, term)| o.what.is_address() && !self.terms.is_false(*term));
        if !depends {
            return Ok(None);
        }
        let answer = self.solve("solve", violated)?;
        if answer != Answer::Sat {
            return Ok(None);
        }
        let found = self.first_candidate()?;
        Ok(self.work.try_convict(found))
    }

    /// An execution that ends with a heap block left, if the interpreter finds that the block is leaked.
    fn lost(&mut self) -> Result<Option<Finding>, Failure> {
        let left = self.reached(&|what| *what == What::MayBeLost);
        if self.terms.is_false(left) || self.solve("solve", left)? != Answer::Sat {
            return Ok(None);
        }
        let found = self.first_candidate()?;
        Ok(self.work.try_convict(found))
    }

    /// A condition that holds in the deadlock found and for which only the interpreter can tell whether the threads wait
    /// for ever, with the reason: signals and time may end a loop, a thread waits for a condition that depends on
    /// uninitialised memory only if it does with every value, and numbers of threads are not those of the interpreter.
    fn doubt(&mut self, found: &Candidate) -> Result<Option<(Term, &'static str)>, Failure> {
        let Some(deadlock) = self.questions.deadlock.as_ref().filter(|_| found.check == Check::Deadlock)
        else {
            return Ok(None);
        };
        let unwritten = deadlock.on_unwritten(self.terms, self.bounded);
        let numbers = deadlock.on_numbers(self.terms, self.bounded);
        let (model, _) = self.formula.model(self.terms)?;
        let mut evaluator = Evaluator::new(self.terms, &model);
        let doubts = [(deadlock.spins, MAY_SPIN), (unwritten, UNWRITTEN_WAIT), (numbers, NUMBERS)];
        Ok(doubts.into_iter().find(|(doubtful, _)| evaluator.bool(*doubtful) == Ok(true)))
    }

    /// The reasons that a model gives why there is no proof.
    fn left_open(&self, model: &Assignment) -> Vec<Reason> {
        let mut evaluator = Evaluator::new(self.terms, model);
        let mut open: Vec<Reason> = Vec::new();
        for (obligation, term) in self.bounded.obligations.iter().zip(&self.questions.obligations) {
            if evaluator.bool(*term) != Ok(true) {
                continue;
            }
            let looks = self
                .questions
                .looks_at_address(&obligation.what, &mut |term| evaluator.bool(term) == Ok(true));
            let place = looks.map_or(obligation.place, |access| trace::place_of(self.bounded, access));
            let name = |func: FuncId| self.program.functions[func].name.to_string();
            let reason = match &obligation.what {
                What::Violation(_) => continue,
                What::Loop { function, bound } => {
                    Reason::Loop { function: name(*function), place, bound: *bound }
                }
                What::Recursion { function, bound } => {
                    Reason::Recursion { function: name(*function), place, bound: *bound }
                }
                What::Threads { bound } => Reason::Threads { place, bound: *bound },
                What::Unsupported(what) => Reason::Unsupported { what: what.clone(), place },
                What::Partial { what, bound } => {
                    Reason::Omission { what: what.clone(), bound: *bound, place }
                }
                What::Invalid(check) => Reason::Invalid { message: check.to_string(), place },
                What::Addresses
                | What::LoadedAddresses
                | What::TornPointers
                | What::OutOfObject
                | What::Refused { .. }
                | What::ThreadIds { .. } => Reason::Addresses { place },
                What::MayBeLost => Reason::MayBeLost { place },
            };
            if !open.contains(&reason) {
                open.push(reason);
            }
        }
        open
    }
}

/// Bool: more than so many of these hold.
fn more_than(terms: &mut Terms, all: &[Term], count: usize) -> Term {
    let width = usize::BITS - all.len().leading_zeros();
    let [zero, one] = [0, 1].map(|value| terms.bits(width, value));
    let mut sum = zero;
    for term in all {
        let value = terms.ite(*term, one, zero);
        sum = terms.bv_add(sum, value);
    }
    let count = terms.bits(width, count as u128);
    terms.ult(count, sum)
}

fn know(known: &mut Reached, mark: MarkOf) {
    match mark {
        MarkOf::Executed(instr) => known.executed.insert(instr),
        MarkOf::Passed(instr) => known.passed.insert(instr),
        MarkOf::Entered(function) => known.started.insert(function),
    };
}

fn is_known(known: &Reached, mark: MarkOf) -> bool {
    match mark {
        MarkOf::Executed(instr) => known.executed.contains(&instr),
        MarkOf::Passed(instr) => known.passed.contains(&instr),
        MarkOf::Entered(function) => known.started.contains(&function),
    }
}
