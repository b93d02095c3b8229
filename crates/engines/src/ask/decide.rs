//! The questions in their order: is a property violated; if not, what stands between that and a proof.
//!
//! A violation that depends on where objects lie, or a heap block that may be lost, is only tried: the interpreter says
//! whether it happens. If there is none, the same formula is asked whether anything that the bounds left out, or that is not
//! supported, can be reached; only if not, there is a proof.

use super::{Formula, Questions, trace};
use braid_base::faults::{Fault, active};
use braid_bounded::{Bounded, Mark, MarkOf, What};
use braid_interp::Reached;
use braid_ir::{FuncId, Loc, Program};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits, Stop};
use braid_verdict::{Candidate, Reason};
use std::time::{Duration, Instant};

/// The reason given where it is not known whether a deadlock is one.
const MAY_SPIN: &str = "a loop that may wait for something outside of the program";
/// Conflicts that the search for what executions come to may take in any case.
const FEW_CONFLICTS: u64 = 100;
/// Questions that it may ask.
const MOST_QUESTIONS: usize = 16;

/// What a search under bounds found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An execution that should violate a property; to be confirmed.
    Violation(Box<Candidate>),
    /// There is none within the bounds. Without open there is none at all, as far as the properties are
    /// concerned that this engine decides.
    Clear { open: Vec<Reason> },
    /// A limit was reached in this phase of the work.
    Stopped { stop: Stop, phase: Phase },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Unwind,
    Encode,
    Solve,
    /// The second search, for what the bounds left out.
    Bounds,
}

/// Violations that are not looked for any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// No others of these properties.
    pub checks: CheckSet,
    /// Data races between these places, each pair ascending.
    pub races: Vec<[Loc; 2]>,
}

/// Time by parts of the work, in the order of their beginning.
#[derive(Clone, Debug, Default)]
pub struct Spent(pub Vec<(&'static str, Duration)>);

impl Spent {
    pub fn add(&mut self, part: &'static str, time: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == part) {
            Some((_, total)) => *total += time,
            None => self.0.push((part, time)),
        }
    }
}

/// Asks the questions of one bounded program.
pub struct Asker<'a> {
    pub terms: &'a mut Terms,
    pub bounded: &'a Bounded,
    pub questions: &'a Questions,
    /// The program that was unwound.
    pub program: &'a Program,
    pub formula: &'a mut dyn Formula,
    pub limits: &'a Limits,
    /// Returns true if the interpreter confirms the candidate, on the program before any pass.
    pub replays: &'a dyn Fn(&Candidate) -> bool,
    pub spent: &'a mut Spent,
}

impl Asker<'_> {
    /// Bool: an obligation of a kind is reached.
    fn reached(&mut self, wanted: &dyn Fn(&What) -> bool) -> Term {
        let list: Vec<Term> = (self.bounded.obligations.iter().zip(&self.questions.obligations))
            .filter(|(obligation, _)| wanted(&obligation.what))
            .map(|(_, term)| *term)
            .collect();
        self.terms.or_all(list)
    }

    /// Bool: a property is violated, wherever objects lie.
    fn violated_anyhow(&mut self) -> Term {
        let violated = self.reached(&|what| matches!(what, What::Violation(_)));
        let races = self.terms.or_all(self.questions.races.iter().map(|race| race.term).collect::<Vec<_>>());
        let stuck =
            self.questions.deadlock.as_ref().map_or_else(|| self.terms.bool(false), |found| found.term);
        self.terms.or_all([violated, races, stuck])
    }

    /// Bool: a property is violated. What depends on where objects lie is not what the program does.
    pub fn violated(&mut self) -> Term {
        let violated = self.violated_anyhow();
        let mut addresses = Vec::new();
        for obligation in self.bounded.obligations.iter().filter(|obligation| obligation.what.is_address()) {
            addresses.push(self.questions.reached(self.terms, obligation));
        }
        let addresses = self.terms.or_all(addresses);
        let fixed = self.terms.not(addresses);
        self.terms.and(violated, fixed)
    }

    /// Violations first; if there are none, what the bounds left out.
    pub fn decide(&mut self, reached: &mut Option<Box<Reached>>) -> Result<Outcome, Failure> {
        let anyhow = self.violated_anyhow();
        let bounds = self.reached(&What::is_bound);
        let is_rest = |what: &What| !matches!(what, What::Violation(_)) && !what.is_bound();
        let rest = self.reached(&is_rest);
        let violated = self.violated();
        let mut open = Vec::new();
        let mut question = violated;
        loop {
            match self.solve("solve", question)? {
                Answer::Sat => {
                    let found = self.candidate()?;
                    let Some(spins) = self.doubtful(&found)? else {
                        return Ok(self.unless_guessed(found));
                    };
                    let end = found.trace.violation.iter().flat_map(|end| &end.at).next();
                    let place = end.map_or(Loc::NONE, |op| op.loc);
                    open.push(Reason::Unsupported { what: MAY_SPIN.to_string(), place });
                    let without = self.terms.not(spins);
                    question = self.terms.and(violated, without);
                }
                Answer::Unsat => break,
                Answer::Unknown(stop) => return Ok(Outcome::Stopped { stop, phase: Phase::Solve }),
            }
        }
        if let Some(found) = self.by_chance(anyhow)? {
            return Ok(Outcome::Violation(Box::new(found)));
        }
        if let Some(found) = self.lost()? {
            return Ok(Outcome::Violation(Box::new(found)));
        }
        for question in [bounds, rest].into_iter().filter(|_| !active(Fault::BoundsNotAsked)) {
            let answer = self.solve("bounds", question)?;
            match answer {
                Answer::Sat => {
                    let (model, _) = self.formula.model(self.terms)?;
                    open.extend(self.left_open(&model));
                }
                Answer::Unsat => {}
                Answer::Unknown(stop) => return Ok(Outcome::Stopped { stop, phase: Phase::Bounds }),
            }
        }
        open.dedup();
        if open.is_empty() {
            let begin = Instant::now();
            *reached = self.comes_to();
            self.spent.add("notes", begin.elapsed());
        }
        Ok(Outcome::Clear { open })
    }

    /// What executions come to, if that can be found out with a tenth of the conflicts that the proof took: one
    /// question for all that is open, and again for what the execution that answers it does not come to.
    fn comes_to(&mut self) -> Option<Box<Reached>> {
        let mut limits = self.limits.clone();
        let begin = self.formula.conflicts();
        let most = FEW_CONFLICTS + begin / 10;
        let mut known = Reached::default();
        let mut unknown: Vec<Mark> = self.bounded.marks.clone();
        for _ in 0..MOST_QUESTIONS {
            unknown.retain(|mark| !self.terms.is_false(mark.guard) && !is_known(&known, mark.of));
            let question = self.terms.or_all(unknown.iter().map(|mark| mark.guard).collect::<Vec<_>>());
            limits.conflicts = Some((begin + most).checked_sub(self.formula.conflicts())?);
            match self.formula.solve(self.terms, question, &limits).ok()? {
                Answer::Unsat => return Some(Box::new(known)),
                Answer::Unknown(_) => return None,
                Answer::Sat => {}
            }
            let (model, _) = self.formula.model(self.terms).ok()?;
            let mut evaluator = Evaluator::new(self.terms, &model);
            for mark in unknown.iter().filter(|mark| evaluator.bool(mark.guard) == Ok(true)) {
                know(&mut known, mark.of);
            }
        }
        None
    }

    /// Asks the solver in a part of the work of this name.
    fn solve(&mut self, part: &'static str, question: Term) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let answer = self.formula.solve(self.terms, question, self.limits);
        self.spent.add(part, begin.elapsed());
        answer
    }

    /// The first violation in the last model.
    pub fn candidate(&mut self) -> Result<Candidate, Failure> {
        let (model, ranks) = self.formula.model(self.terms)?;
        trace::candidate(self.terms, self.bounded, self.questions, (&model, ranks), self.program)
            .map_err(Failure::Internal)
    }

    /// A violation in an execution that depends on where objects lie: it counts if the interpreter, whose
    /// objects lie elsewhere, has it too.
    fn by_chance(&mut self, violated: Term) -> Result<Option<Candidate>, Failure> {
        let mut on_addresses = self.bounded.obligations.iter().zip(&self.questions.obligations);
        let depends = on_addresses.any(|(o, term)| o.what.is_address() && !self.terms.is_false(*term));
        if !depends {
            return Ok(None);
        }
        let answer = self.solve("solve", violated)?;
        if answer != Answer::Sat {
            return Ok(None);
        }
        let found = self.candidate()?;
        Ok((self.replays)(&found).then_some(found))
    }

    /// An execution that ends with a heap block left, if the interpreter finds that it is lost.
    pub fn lost(&mut self) -> Result<Option<Candidate>, Failure> {
        let left = self.reached(&|what| *what == What::MayBeLost);
        if self.terms.is_false(left) || self.solve("solve", left)? != Answer::Sat {
            return Ok(None);
        }
        let found = self.candidate()?;
        Ok((self.replays)(&found).then_some(found))
    }

    /// The violation; or, if it is approximate and does not replay, what is not known exactly.
    fn unless_guessed(&self, found: Candidate) -> Outcome {
        match &found.approximate {
            Some(guess) if !(self.replays)(&found) => {
                let (what, place) = (guess.what.clone(), guess.place);
                Outcome::Clear { open: vec![Reason::Unsupported { what, place }] }
            }
            Some(_) | None => Outcome::Violation(Box::new(found)),
        }
    }

    /// Bool, that a thread spins, if one does in a deadlock that the interpreter does not have: whether a loop spins is
    /// for the interpreter to say, where signals and time may end it.
    fn doubtful(&mut self, found: &Candidate) -> Result<Option<Term>, Failure> {
        let Some(deadlock) = self.questions.deadlock.as_ref().filter(|_| found.check == Check::Deadlock)
        else {
            return Ok(None);
        };
        let spins = deadlock.spins;
        let (model, _) = self.formula.model(self.terms)?;
        let in_use = Evaluator::new(self.terms, &model).bool(spins) == Ok(true);
        Ok((in_use && !(self.replays)(found)).then_some(spins))
    }

    /// What is reached in a model besides violations.
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
                | What::StrayAddresses
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
