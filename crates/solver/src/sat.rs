//! The SAT solver: CaDiCaL behind an interface that cannot be misused.
//!
//! CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CAV 2024) ends the process when one of
//! its preconditions is broken, and so does a panic inside a callback. This wrapper keeps the
//! preconditions itself: variables are numbered here, the model and the failed assumptions are copied
//! out before anything can invalidate them, callbacks run under a [`Guard`], and a theory may observe
//! only variables that simplification has not touched.
//!
//! Variables need not be frozen to be used again: CaDiCaL restores what it has eliminated when a later
//! clause or assumption mentions it. Only observed variables must be frozen before the first search
//! they exist in, see [`Sat::freeze`].

use crate::adapter::{Adapter, FixedListener};
use crate::answer::{Answer, Failure, Statistics};
use crate::guard::Guard;
use crate::limits::{Limits, Stop, Watch};
use crate::lit::{Clauses, Lit, Var};
use crate::meter::Learned;
use crate::propagator::Propagator;
use braid_base::ticks;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A SAT solver with the clauses it was given.
pub struct Sat {
    cadical: CaDiCal,
    variables: u32,
    clauses: u64,
    solves: u64,
    /// How many variables the last search knew; those may have been eliminated unless frozen.
    searched: u32,
    frozen: Vec<bool>,
    /// The values of the last model, by variable number; empty without one.
    model: Vec<bool>,
    failed: Vec<Lit>,
    theory: Option<Theory>,
    guard: Guard,
}

/// A connected theory: the tables it shares with its adapter.
struct Theory {
    observed: Rc<RefCell<Vec<bool>>>,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

/// What [`Sat::searching`] leaves out: eliminating variables, probing and stable phases.
const LEFT_OUT: [&str; 3] = ["elim", "inprobing", "stabilize"];

impl Sat {
    pub fn new() -> Sat {
        Sat::with(CaDiCal::new())
    }

    /// A solver that searches more and simplifies less. For formulas with a theory: simplification must not touch what
    /// the theory observes, finds little in the rest, and took a third of the time of the families of
    /// `cargo xtask bench families` with more than 200 events.
    pub fn searching() -> Sat {
        let mut cadical = CaDiCal::new();
        for option in LEFT_OUT {
            let known = cadical.set(option, 0);
            debug_assert!(known, "CaDiCaL has no option {option}");
        }
        Sat::with(cadical)
    }

    fn with(cadical: CaDiCal) -> Sat {
        Sat {
            cadical,
            variables: 0,
            clauses: 0,
            solves: 0,
            searched: 0,
            frozen: vec![false],
            model: Vec::new(),
            failed: Vec::new(),
            theory: None,
            guard: Guard::default(),
        }
    }

    /// Searches for a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Result<Answer, Failure> {
        self.model.clear();
        self.failed.clear();
        self.check_guard()?;
        let watch = Watch::new(limits);
        if let Some(stop) = watch.poll() {
            return Ok(Answer::Unknown(stop));
        }
        for lit in assumptions {
            self.cadical.assume(lit.number());
        }
        if let Some(conflicts) = limits.conflicts {
            self.cadical.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        let stopped = Rc::new(Cell::new(None));
        let stopper = Stopper { watch, stopped: Rc::clone(&stopped), guard: self.guard.clone() };
        self.cadical.connect_terminator(stopper);
        let learned = Learned { meter: limits.meter.clone(), ticks: of_conflict(self.variables) };
        self.cadical.connect_learner(learned);
        self.solves += 1;
        self.searched = self.variables;
        let (told, done) = (ticks::total(), self.ticks());
        let status = self.cadical.solve();
        let rest = of_search(self.ticks() - done).saturating_sub(ticks::total().wrapping_sub(told));
        ticks::add(rest);
        self.cadical.disconnect_terminator();
        self.cadical.disconnect_learner();
        self.check_guard()?;
        Ok(self.record(status, assumptions, stopped.get()))
    }

    /// Copies the outcome of a search out of the solver.
    fn record(&mut self, status: Status, assumptions: &[Lit], stopped: Option<Stop>) -> Answer {
        match status {
            Status::SATISFIABLE => {
                self.model = vec![false; self.variables as usize + 1];
                for (number, value) in (0..).zip(&mut self.model).skip(1) {
                    *value = self.cadical.val(number) > 0;
                }
                Answer::Sat
            }
            Status::UNSATISFIABLE => {
                let failed = assumptions.iter().copied().filter(|lit| self.cadical.failed(lit.number()));
                self.failed = failed.collect();
                self.failed.sort();
                self.failed.dedup();
                Answer::Unsat
            }
            Status::UNKNOWN => Answer::Unknown(stopped.unwrap_or(Stop::Conflicts)),
        }
    }

    /// The value of a literal in the last model. Variables made since then are false.
    pub fn value(&self, lit: Lit) -> bool {
        self.model.get(lit.var().number()).copied().unwrap_or(false) != lit.is_negative()
    }

    /// Whether the last search found a model.
    pub fn has_model(&self) -> bool {
        !self.model.is_empty()
    }

    /// Assumptions of the last search that cannot hold together, sorted; not necessarily a minimal set.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// The value a literal has in every model, if the solver knows one.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        match self.cadical.fixed(lit.number()) {
            0 => None,
            sign => Some(sign > 0),
        }
    }

    /// Decides the literal's variable this way first.
    pub fn phase(&mut self, lit: Lit) {
        self.cadical.phase(lit.number());
    }

    /// Keeps a variable from being eliminated, so that a theory can observe it after a search.
    pub fn freeze(&mut self, var: Var) -> Result<(), Failure> {
        let index = var.number();
        if self.frozen[index] {
            return Ok(());
        }
        if index <= self.searched as usize {
            return Err(Failure::Internal(format!("{var:?} was not frozen before a search")));
        }
        self.frozen[index] = true;
        self.cadical.freeze(var.positive().number());
        Ok(())
    }

    /// Connects a theory that knows of no assignments yet; one that was connected before is disconnected.
    /// The caller keeps access to the theory between searches, not during one. A theory cannot be connected
    /// a second time: it would hear of the same assignments again.
    pub fn connect<P: Propagator + 'static>(
        &mut self,
        theory: Rc<RefCell<P>>,
        observed: &[Var],
    ) -> Result<(), Failure> {
        self.disconnect();
        let table = Rc::new(RefCell::new(vec![false; self.frozen.len()]));
        let fixed = Rc::new(RefCell::new(Vec::new()));
        let listener = FixedListener::new(Rc::clone(&fixed));
        let adapter = Adapter::new(theory, Rc::clone(&table), fixed, self.guard.clone());
        self.cadical.connect_fixed_listener(listener);
        self.cadical.connect_external_propagator(adapter);
        self.theory = Some(Theory { observed: table });
        let outcome = observed.iter().try_for_each(|var| self.observe(*var));
        if outcome.is_err() {
            self.disconnect();
        }
        outcome
    }

    /// Lets the connected theory see one more variable.
    pub fn observe(&mut self, var: Var) -> Result<(), Failure> {
        if self.theory.is_none() {
            return Err(Failure::Internal("no theory is connected".to_string()));
        }
        self.freeze(var)?;
        if let Some(theory) = &self.theory {
            let mut observed = theory.observed.borrow_mut();
            if observed.len() <= var.number() {
                observed.resize(var.number() + 1, false);
            }
            observed[var.number()] = true;
        }
        self.cadical.add_observed_var(var.positive().number());
        Ok(())
    }

    /// Disconnects the theory, if there is one. Its clauses stay.
    pub fn disconnect(&mut self) {
        if self.theory.take().is_some() {
            self.cadical.disconnect_external_propagator();
            self.cadical.disconnect_fixed_listener();
        }
    }

    pub fn statistics(&self) -> Statistics {
        let count = |name: &str| u64::try_from(self.cadical.get_statistic_value(name)).unwrap_or(0);
        Statistics {
            variables: u64::from(self.variables),
            clauses: self.clauses,
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
            solves: self.solves,
        }
    }

    /// CaDiCaL's own count of its search: it is known only while no search is going on.
    fn ticks(&self) -> u64 {
        u64::try_from(self.cadical.get_statistic_value("ticks")).unwrap_or(0)
    }

    fn check_guard(&self) -> Result<(), Failure> {
        match self.guard.failure() {
            Some(message) => Err(Failure::Internal(message)),
            None => Ok(()),
        }
    }
}

impl Clauses for Sat {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        self.frozen.push(false);
        Var::new(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        ticks::add(2 + clause.len() as u64);
        for lit in clause {
            self.cadical.add(lit.number());
        }
        self.cadical.add(0);
    }
}

/// Ticks of what the solver does between two calls of its terminate callback, besides conflicts and what a theory
/// hears of. This and [`of_conflict`] are fitted to the families of `cargo xtask bench families` and to pools of workers,
/// where they are right but for a factor of two, mostly.
const SEARCH: u64 = 1024;

/// Ticks of a conflict and the propagation around it. The solver does not tell while it searches; most of it grows with the
/// number of variables, and memory is slower where there are very many.
fn of_conflict(variables: u32) -> u64 {
    let variables = u64::from(variables);
    variables * (LARGE + variables) / LARGE / 6
}

/// Variables of a formula whose clauses are mostly not in a processor's cache.
const LARGE: u64 = 100_000;

/// Ticks of a search in which the solver has counted so many of its own, which are cache lines.
fn of_search(lines: u64) -> u64 {
    lines / 2 * 3
}

/// The terminate callback.
struct Stopper {
    watch: Watch,
    stopped: Rc<Cell<Option<Stop>>>,
    guard: Guard,
}

impl Terminator for Stopper {
    fn terminated(&mut self) -> bool {
        ticks::add(SEARCH);
        let watch = &self.watch;
        let stop = self.guard.run(None, || watch.poll());
        self.stopped.set(self.stopped.get().or(stop));
        stop.is_some() || self.guard.is_broken()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Interrupt;
    use crate::meter::Meter;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Instant;

    fn fresh(sat: &mut Sat, count: usize) -> Vec<Lit> {
        (0..count).map(|_| sat.new_var().positive()).collect()
    }

    /// Pigeons into one hole too few: unsatisfiable, and hard.
    fn pigeons(sat: &mut Sat, holes: usize) {
        let places: Vec<Vec<Lit>> = (0..=holes).map(|_| fresh(sat, holes)).collect();
        for pigeon in &places {
            sat.add_clause(pigeon);
        }
        for (at, first) in places.iter().enumerate() {
            for second in &places[..at] {
                for (one, other) in first.iter().zip(second) {
                    sat.add_clause(&[!*one, !*other]);
                }
            }
        }
    }

    #[test]
    fn models_and_failed_assumptions() {
        let mut sat = Sat::new();
        let [a, b, c, unused] = fresh(&mut sat, 4)[..] else { unreachable!() };
        sat.add_clause(&[!a, b]);
        sat.add_clause(&[!b, !c]);
        let none = Limits::default();
        assert_eq!(sat.solve(&[a], &none), Ok(Answer::Sat));
        assert!(sat.value(a) && sat.value(b) && sat.value(!c) && sat.has_model());
        assert!(!sat.value(unused));
        assert_eq!(sat.solve(&[unused, a, c, a], &none), Ok(Answer::Unsat));
        assert_eq!(sat.failed(), [a, c]);
        assert!(!sat.has_model());
        assert_eq!(sat.solve(&[c], &none), Ok(Answer::Sat));
        assert!(sat.value(!a));
        sat.add_clause(&[a]);
        assert!(sat.value(!a), "the model survives further clauses");
        assert_eq!(sat.solve(&[], &none), Ok(Answer::Sat));
        assert_eq!(sat.fixed(!a), Some(false));
        assert_eq!(sat.fixed(unused), None);
        sat.add_clause(&[c]);
        assert_eq!(sat.solve(&[b], &none), Ok(Answer::Unsat));
        assert_eq!(sat.failed(), []);
        assert_eq!(sat.statistics().variables, 4);
        assert_eq!(sat.statistics().clauses, 4);
        assert_eq!(sat.statistics().solves, 5);
    }

    #[test]
    fn limits_end_a_search() {
        let mut sat = Sat::new();
        pigeons(&mut sat, 10);
        let meter = Arc::new(Meter::default());
        let few = Limits { conflicts: Some(100), meter: Some(Arc::clone(&meter)), ..Limits::default() };
        assert_eq!(sat.solve(&[], &few), Ok(Answer::Unknown(Stop::Conflicts)));
        let used = sat.statistics().conflicts;
        assert!((100..200).contains(&used), "{used} conflicts");
        assert_eq!(meter.conflicts(), used, "the meter shows them");
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(sat.solve(&[], &late), Ok(Answer::Unknown(Stop::Deadline)));
        let tiny = Limits { memory: Some(1), ..Limits::default() };
        assert_eq!(sat.solve(&[], &tiny), Ok(Answer::Unknown(Stop::Memory)));
        let flag = Limits { interrupt: Some(Arc::new(AtomicBool::new(true)).into()), ..Limits::default() };
        assert_eq!(sat.solve(&[], &flag), Ok(Answer::Unknown(Stop::Interrupted)));
    }

    #[test]
    fn a_search_is_interrupted_in_the_middle() {
        let mut sat = Sat::new();
        pigeons(&mut sat, 12);
        let flag = Arc::new(AtomicBool::new(false));
        let setter = Arc::clone(&flag);
        let limits = Limits { interrupt: Some(flag.into()), ..Limits::default() };
        let waker = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            setter.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(sat.solve(&[], &limits), Ok(Answer::Unknown(Stop::Interrupted)));
        waker.join().expect("the waker only sleeps");
    }

    #[test]
    fn equal_budgets_give_equal_runs() {
        let run = || {
            let mut sat = Sat::new();
            pigeons(&mut sat, 9);
            let answer = sat.solve(&[], &Limits { conflicts: Some(500), ..Limits::default() });
            (answer, sat.statistics())
        };
        assert_eq!(run(), run());
    }

    /// The work is estimated on the way; in the end the count of the solver itself is told.
    #[test]
    fn the_work_of_a_search_is_counted() {
        let mut sat = Sat::new();
        pigeons(&mut sat, 9);
        let before = ticks::total();
        let told = Arc::new(AtomicU64::new(0));
        let sum = Arc::clone(&told);
        let count = Interrupt::new(move |units| {
            sum.fetch_add(units, Ordering::Relaxed);
            false
        });
        let limits = Limits { conflicts: Some(2000), interrupt: Some(count), ..Limits::default() };
        assert_eq!(sat.solve(&[], &limits), Ok(Answer::Unknown(Stop::Conflicts)));
        assert!(told.load(Ordering::Relaxed) > 100, "it is told while the search goes on");
        assert!(sat.ticks() > 0 && ticks::total() - before >= of_search(sat.ticks()));
    }

    #[test]
    fn eliminated_variables_cannot_be_observed_by_accident() {
        let mut sat = Sat::new();
        let [a, b] = fresh(&mut sat, 2)[..] else { unreachable!() };
        sat.add_clause(&[a, b]);
        sat.freeze(a.var()).expect("before the first search");
        assert_eq!(sat.solve(&[], &Limits::default()), Ok(Answer::Sat));
        assert_eq!(sat.freeze(a.var()), Ok(()));
        assert!(matches!(sat.freeze(b.var()), Err(Failure::Internal(_))));
        assert!(matches!(sat.observe(a.var()), Err(Failure::Internal(_))), "nothing is connected");
    }
}
