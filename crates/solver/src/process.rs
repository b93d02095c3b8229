//! Any solver that reads SMT-LIB 2, as a child process.
//!
//! Everything is asserted at the outermost level. An assumption gets a Boolean constant that is equal
//! to it, so that `check-sat-assuming` takes it and `get-unsat-assumptions` names it. After each batch
//! of commands the child is asked to echo a word; what it says before that word is a complaint. The
//! child is input, not a friend: what it answers is parsed with care, and its models are evaluated on
//! the original terms like our own.
//!
//! A child that was stopped by a limit, or failed, is killed; the next call starts another one and
//! tells it everything again. Conflict limits mean nothing to other solvers and are not passed on.

use crate::Solver;
use crate::answer::{Answer, Failure, Statistics};
use crate::child::{Child, NoAnswer, quote};
use crate::expand::expand_lets;
use crate::limits::{Limits, Stop, Watch};
use braid_base::{HashMap, HashSet};
use braid_logic::smtlib::{Naming, Printer, read_get_value};
use braid_logic::{Assignment, Evaluator, Node, Sort, SymbolId, Term, Terms, Value};
use std::collections::BTreeSet;

/// A solver with a short name.
struct Known {
    name: &'static str,
    /// How it is started to read commands from its input.
    command: &'static str,
    /// What it calls the logic of arrays and bit-vectors. The standard's name excludes constant arrays
    /// in some.
    arrays: &'static str,
    /// How parts of terms get names: z3 (4.8) takes minutes to read thousands of definitions that build on
    /// each other, cvc5 (1.0) to solve as many equations.
    naming: Naming,
    /// Further options where there are only bits.
    bits: &'static [&'static str],
}

impl Known {
    const fn new(name: &'static str, command: &'static str) -> Known {
        Known { name, command, arrays: "QF_ABV", naming: Naming::Definitions, bits: &[] }
    }
}

const KNOWN: &[Known] = &[
    Known { arrays: "ALL", naming: Naming::Equations, ..Known::new("z3", "z3 -in -smt2") },
    Known {
        arrays: "ALL",
        bits: &["bitblast eager"],
        ..Known::new("cvc5", "cvc5 --incremental --lang=smt2 --arrays-exp")
    },
    Known::new("bitwuzla", "bitwuzla --lang smt2"),
    Known::new("yices", "yices-smt2 --incremental"),
    Known::new("boolector", "boolector --smt2 --incremental"),
    Known::new("mathsat", "mathsat -input=smt2"),
];

/// What terms need of a solver, each including the ones before. A smaller logic lets solvers choose
/// faster methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Needs {
    #[default]
    Bits,
    Arrays,
    Integers,
}

/// The word that ends what the child has to say about a batch of commands.
const MARK: &str = "braid-was-here";
const OPTIONS: [&str; 3] = ["print-success false", "produce-models true", "produce-unsat-assumptions true"];
/// How many values are asked for at once.
const CHUNK: usize = 2000;

/// A solver in another process. All terms must come from one store.
pub struct Process {
    habits: Habits,
    session: Option<Session>,
    assertions: Vec<Term>,
    seen: Seen,
    model: Option<Assignment>,
    failed: Vec<Term>,
    solves: u64,
}

/// How a solver is started and spoken to.
struct Habits {
    command: String,
    /// The name of the logic with arrays.
    arrays: &'static str,
    naming: Naming,
    /// Further options where there are only bits.
    bits: &'static [&'static str],
}

/// What one child has been told.
struct Session {
    child: Child,
    options: Vec<&'static str>,
    logic: &'static str,
    printer: Printer,
    /// The child knows the options and the logic.
    begun: bool,
    asserted: usize,
    /// The numbers of the constants that stand for assumptions.
    assumed: HashMap<Term, usize>,
    /// What it was told to expect.
    ready_for: Needs,
}

/// What occurs in the terms so far.
#[derive(Default)]
struct Seen {
    terms: HashSet<Term>,
    symbols: BTreeSet<SymbolId>,
    needs: Needs,
}

impl Process {
    /// Starts a solver: one of the known names, or a command line.
    pub fn start(solver: &str) -> Result<Process, Failure> {
        let known = KNOWN.iter().find(|known| known.name == solver);
        let habits = match known {
            Some(Known { command, arrays, naming, bits, .. }) => {
                Habits { command: command.to_string(), arrays, naming: *naming, bits }
            }
            None => {
                Habits { command: solver.to_string(), arrays: "ALL", naming: Naming::default(), bits: &[] }
            }
        };
        let session = Some(Session::start(&habits, Needs::Bits)?);
        Ok(Process {
            habits,
            session,
            assertions: Vec::new(),
            seen: Seen::default(),
            model: None,
            failed: Vec::new(),
            solves: 0,
        })
    }

    /// The names that [`Process::start`] knows.
    pub fn known() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|known| known.name)
    }

    fn search(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Result<Answer, NoAnswer> {
        let watch = Watch::new(limits);
        if let Some(stop) = watch.poll() {
            return Err(NoAnswer::Stopped(stop));
        }
        assumptions.iter().for_each(|term| self.seen.add(terms, *term));
        let needs = self.seen.needs;
        let usable = self.session.take().filter(|session| session.ready_for >= needs);
        let started = usable.map_or_else(|| Session::start(&self.habits, needs), Ok);
        let session = self.session.insert(started.map_err(NoAnswer::Failed)?);
        session.begin(limits, &watch)?;
        session.declare(terms, &self.seen.symbols, limits, &watch)?;
        session.tell(terms, &self.assertions, assumptions, limits, &watch)?;
        session.settle(limits, &watch)?;
        match session.check(assumptions, limits, &watch)?.as_str() {
            "sat" => {
                let model = session.model(terms, &self.seen.symbols, limits, &watch)?;
                self.accept_model(terms, assumptions, model).map_err(NoAnswer::Failed)
            }
            "unsat" => {
                self.failed = session.failed(assumptions, limits, &watch)?;
                Ok(Answer::Unsat)
            }
            "unknown" => Ok(Answer::Unknown(Stop::GaveUp)),
            nonsense => Err(NoAnswer::Failed(session.nonsense(nonsense))),
        }
    }

    fn accept_model(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        model: Assignment,
    ) -> Result<Answer, Failure> {
        let mut evaluator = Evaluator::new(terms, &model);
        for term in self.assertions.iter().chain(assumptions) {
            let value = evaluator.value(*term).map_err(|e| Failure::Unsupported(e.to_string()))?;
            if value != Value::Bool(true) {
                let reason = "gave a model that does not satisfy the formula".to_string();
                return Err(Failure::Process { command: self.habits.command.clone(), reason });
            }
        }
        self.model = Some(model);
        Ok(Answer::Sat)
    }
}

impl Solver for Process {
    fn assert(&mut self, terms: &Terms, term: Term) -> Result<(), Failure> {
        self.seen.add(terms, term);
        self.assertions.push(term);
        Ok(())
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Result<Answer, Failure> {
        self.model = None;
        self.failed.clear();
        self.solves += 1;
        let outcome = self.search(terms, assumptions, limits);
        if outcome.is_err() {
            self.session = None;
        }
        match outcome {
            Ok(answer) => Ok(answer),
            Err(NoAnswer::Stopped(stop)) => Ok(Answer::Unknown(stop)),
            Err(NoAnswer::Failed(failure)) => Err(failure),
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Result<Value, Failure> {
        crate::evaluate(terms, term, self.model.as_ref())
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: self.seen.symbols.len() as u64,
            clauses: self.assertions.len() as u64,
            solves: self.solves,
            ..Statistics::default()
        }
    }
}

impl Session {
    fn start(habits: &Habits, needs: Needs) -> Result<Session, Failure> {
        let child = Child::start(&habits.command)?;
        let (logic, further) = match needs {
            Needs::Bits => ("QF_BV", habits.bits),
            Needs::Arrays => (habits.arrays, &[][..]),
            Needs::Integers => ("ALL", &[][..]),
        };
        let options = OPTIONS.iter().chain(further).copied().collect();
        Ok(Session {
            child,
            options,
            logic,
            printer: Printer::with(habits.naming),
            begun: false,
            asserted: 0,
            assumed: HashMap::default(),
            ready_for: needs,
        })
    }

    /// Sets options and logic. Options are wishes: a solver that lacks one may say so and go on.
    fn begin(&mut self, limits: &Limits, watch: &Watch) -> Result<(), NoAnswer> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let mut text: String =
            self.options.iter().map(|option| format!("(set-option :{option})\n")).collect();
        text.push_str(&format!("(echo \"{MARK}\")\n(set-logic {})\n", self.logic));
        self.child.send(&text, limits, watch)?;
        for _ in 0..=self.options.len() {
            let said = self.child.answer(limits, watch)?;
            if said.trim_matches('"') == MARK {
                return Ok(());
            } else if !said.starts_with("(error") && said != "unsupported" {
                return Err(NoAnswer::Failed(self.nonsense(&said)));
            }
        }
        Ok(())
    }

    /// Declares all symbols that will be asked about: those of earlier assumptions may occur in nothing else.
    fn declare(
        &mut self,
        terms: &Terms,
        symbols: &BTreeSet<SymbolId>,
        limits: &Limits,
        watch: &Watch,
    ) -> Result<(), NoAnswer> {
        let mut text = String::new();
        symbols.iter().for_each(|symbol| self.printer.declare(terms, *symbol, &mut text));
        self.child.send(&text, limits, watch)
    }

    /// Sends what the child has not been told.
    fn tell(
        &mut self,
        terms: &Terms,
        assertions: &[Term],
        assumptions: &[Term],
        limits: &Limits,
        watch: &Watch,
    ) -> Result<(), NoAnswer> {
        let new = &assertions[self.asserted..];
        let is_new = |term: &&Term| !self.assumed.contains_key(*term);
        let assumptions: Vec<Term> = assumptions.iter().filter(is_new).copied().collect();
        for term in new.iter().chain(&assumptions) {
            self.printer.count(terms, *term);
            watch.poll().map_or(Ok(()), |stop| Err(NoAnswer::Stopped(stop)))?;
        }
        for assertion in new {
            let text = self.printer.assert(terms, *assertion);
            self.child.send(&text, limits, watch)?;
            watch.poll().map_or(Ok(()), |stop| Err(NoAnswer::Stopped(stop)))?;
        }
        self.asserted = assertions.len();
        for assumption in assumptions {
            let number = self.assumed.len();
            if self.assumed.insert(assumption, number).is_none() {
                let (preamble, expression) = self.printer.expression(terms, assumption);
                let constant =
                    format!("(declare-fun $a{number} () Bool)\n(assert (= $a{number} {expression}))\n");
                self.child.send(&(preamble + &constant), limits, watch)?;
            }
        }
        Ok(())
    }

    /// Waits until everything sent has been understood.
    fn settle(&mut self, limits: &Limits, watch: &Watch) -> Result<(), NoAnswer> {
        let said = self.ask(format!("(echo \"{MARK}\")\n"), limits, watch)?;
        match said.trim_matches('"') == MARK {
            true => Ok(()),
            false => Err(NoAnswer::Failed(self.nonsense(&said))),
        }
    }

    fn ask(&mut self, question: String, limits: &Limits, watch: &Watch) -> Result<String, NoAnswer> {
        self.child.send(&question, limits, watch)?;
        self.child.answer(limits, watch)
    }

    fn check(&mut self, assumptions: &[Term], limits: &Limits, watch: &Watch) -> Result<String, NoAnswer> {
        let names: Vec<String> = assumptions.iter().map(|term| format!("$a{}", self.assumed[term])).collect();
        let question = match names.is_empty() {
            true => "(check-sat)\n".to_string(),
            false => format!("(check-sat-assuming ({}))\n", names.join(" ")),
        };
        self.ask(question, limits, watch)
    }

    /// The values of all symbols that occur.
    fn model(
        &mut self,
        terms: &Terms,
        symbols: &BTreeSet<SymbolId>,
        limits: &Limits,
        watch: &Watch,
    ) -> Result<Assignment, NoAnswer> {
        let mut model = Assignment::new();
        let symbols: Vec<SymbolId> = symbols.iter().copied().collect();
        for chunk in symbols.chunks(CHUNK) {
            let symbol_terms: Vec<Term> = chunk.iter().map(|symbol| terms.symbol_term(*symbol)).collect();
            // All of them are declared, so a name is all there is to print.
            let names: Vec<String> =
                symbol_terms.iter().map(|term| self.printer.expression(terms, *term).1).collect();
            let answer = self.ask(format!("(get-value ({}))\n", names.join(" ")), limits, watch)?;
            let sorts: Vec<Sort> = symbol_terms.iter().map(|term| terms.sort(*term)).collect();
            let values = read_get_value(&expand_lets(&answer), &sorts).map_err(|e| {
                NoAnswer::Failed(
                    self.child.failure(format!("gave a model that cannot be read ({e}): {}", quote(&answer))),
                )
            })?;
            chunk.iter().zip(values).for_each(|(symbol, value)| model.set(*symbol, value));
        }
        Ok(model)
    }

    /// The assumptions the child blames; all of them if it does not say. Asked only where there is a choice:
    /// cvc5 (1.0) takes longer for this than for the answer itself.
    fn failed(
        &mut self,
        assumptions: &[Term],
        limits: &Limits,
        watch: &Watch,
    ) -> Result<Vec<Term>, NoAnswer> {
        if assumptions.len() <= 1 {
            return Ok(assumptions.to_vec());
        }
        let answer = self.ask("(get-unsat-assumptions)\n".to_string(), limits, watch)?;
        let words: HashSet<&str> = answer
            .split(|c: char| c.is_whitespace() || "()|".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        let names: HashMap<String, Term> =
            assumptions.iter().map(|term| (format!("$a{}", self.assumed[term]), *term)).collect();
        if words.iter().all(|word| names.contains_key(*word)) {
            let blamed = |term: &Term| words.contains(format!("$a{}", self.assumed[term]).as_str());
            return Ok(assumptions.iter().copied().filter(blamed).collect());
        }
        Ok(assumptions.to_vec())
    }

    fn nonsense(&self, answer: &str) -> Failure {
        let complaint = answer.strip_prefix("(error").and_then(|rest| rest.strip_suffix(')'));
        self.child.failure(match complaint {
            Some(complaint) => format!("complained: {}", quote(complaint)),
            None => format!("answered nonsense: {}", quote(answer)),
        })
    }
}

impl Seen {
    fn add(&mut self, terms: &Terms, root: Term) {
        let mut pending = vec![root];
        while let Some(term) = pending.pop() {
            if !self.terms.insert(term) {
                continue;
            }
            self.needs = self.needs.max(match terms.sort(term) {
                Sort::Bool | Sort::BitVec(_) => Needs::Bits,
                Sort::Array { .. } => Needs::Arrays,
                Sort::Int => Needs::Integers,
            });
            if let Node::Symbol(symbol) = terms.node(term) {
                self.symbols.insert(symbol);
            }
            pending.extend(terms.node(term).children());
        }
    }
}

#[cfg(test)]
mod tests;
