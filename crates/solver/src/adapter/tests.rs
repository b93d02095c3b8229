//! The adapter driven by hand, in ways the SAT solver rarely or never does.

use super::*;
use crate::lit::Var;
use crate::testing::Rng;

/// Keeps what it is told; implies the negation of the next variable for each multiple of five; wants a
/// clause for each multiple of seven.
#[derive(Default)]
struct Recorder {
    trail: Vec<Lit>,
    levels: Vec<usize>,
}

impl Propagator for Recorder {
    fn assign(&mut self, literal: Lit, says: &mut Says) {
        assert!(!self.trail.contains(&literal) && !self.trail.contains(&!literal));
        self.trail.push(literal);
        if literal.var().number().is_multiple_of(5) {
            says.imply(lit(literal.var().number() + 1, true));
        }
        if literal.var().number().is_multiple_of(7) {
            says.clause(vec![!literal]);
        }
    }
    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }
    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
    }
    fn explain(&mut self, literal: Lit, because: &mut Vec<Lit>) {
        let cause = lit(literal.var().number() - 1, false);
        because.push(if self.trail.contains(&cause) { cause } else { !cause });
    }
}

const VARIABLES: usize = 60;

fn lit(number: usize, negative: bool) -> Lit {
    Var::new(number as u32).positive().negate_if(negative)
}

/// The solver's side: a plain stack of levels.
struct Driver {
    adapter: Adapter<Recorder>,
    theory: Rc<RefCell<Recorder>>,
    guard: Guard,
    levels: Vec<Vec<Lit>>,
}

impl Driver {
    fn new() -> Driver {
        let theory = Rc::new(RefCell::new(Recorder::default()));
        let (observed, guard) = (Rc::new(RefCell::new(vec![true; VARIABLES + 2])), Guard::default());
        let adapter = Adapter::new(Rc::clone(&theory), observed, Rc::default(), guard.clone());
        Driver { adapter, theory, guard, levels: vec![vec![]] }
    }

    fn assigned(&self) -> Vec<Lit> {
        self.levels.concat()
    }

    fn assign(&mut self, literals: &[Lit]) {
        let numbers: Vec<i32> = literals.iter().map(|l| l.number()).collect();
        self.adapter.notify_assignment(&numbers);
        let known = self.assigned();
        let new = literals.iter().filter(|l| !known.contains(l));
        self.levels.last_mut().unwrap().extend(new);
    }

    fn open(&mut self) {
        self.adapter.notify_new_decision_level();
        self.levels.push(vec![]);
    }

    fn backtrack(&mut self, level: usize) {
        self.adapter.notify_backtrack(level);
        self.levels.truncate(level + 1);
    }

    /// The clause on offer, if there is one.
    fn clause(&mut self) -> Option<Vec<i32>> {
        let mut forgettable = false;
        if !self.adapter.cb_has_external_clause(&mut forgettable) {
            return None;
        }
        let numbers = std::iter::from_fn(|| Some(self.adapter.cb_add_external_clause_lit()));
        Some(numbers.take_while(|n| *n != 0).collect())
    }

    /// Some literals that are open, and some repeated ones.
    fn random_literals(&self, rng: &mut Rng) -> Vec<Lit> {
        let known = self.assigned();
        let mut chosen: Vec<Lit> = vec![];
        for _ in 0..rng.below(4) {
            let literal = lit(1 + rng.below(VARIABLES), rng.below(2) == 0);
            if !known.contains(&!literal) && !chosen.contains(&!literal) && !chosen.contains(&literal) {
                chosen.push(literal);
            }
        }
        chosen
    }
}

#[test]
fn the_theory_sees_a_plain_stack() {
    let (mut implied, mut clauses) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut driver = Driver::new();
        for _ in 0..80 {
            match rng.below(8) {
                0..=1 => driver.open(),
                2 if driver.levels.len() > 1 => driver.backtrack(rng.below(driver.levels.len() - 1)),
                3..=5 => driver.assign(&driver.random_literals(&mut rng)),
                _ => {
                    // Until nothing is left to take: then the theory knows everything.
                    while let Some(clause) = driver.clause() {
                        clauses += 1;
                        assert!(clause.len() == 1 && clause[0] % 7 == 0);
                    }
                    while let number @ (..=-1 | 1..) = driver.adapter.cb_propagate() {
                        implied += 1;
                        let literal = Lit::from_number(number).unwrap();
                        assert!(!driver.assigned().contains(&literal));
                        if !driver.assigned().contains(&!literal) {
                            driver.assign(&[literal]);
                        }
                        while driver.clause().is_some() {}
                    }
                    assert_eq!(driver.theory.borrow().trail, driver.assigned(), "seed {seed}");
                    assert_eq!(driver.theory.borrow().levels.len() + 1, driver.levels.len());
                    // Whatever follows from what is assigned has been said.
                    for literal in driver.assigned().iter().filter(|l| l.var().number() % 5 == 0) {
                        let follows = lit(literal.var().number() + 1, true);
                        assert!(driver.adapter.value(follows).is_some(), "seed {seed}: {follows:?}");
                    }
                }
            }
            assert_eq!(driver.guard.failure(), None);
        }
    }
    assert!(implied > 1000 && clauses > 500, "{implied} {clauses}");
}

#[test]
fn what_was_said_is_forgotten_with_its_cause() {
    let mut driver = Driver::new();
    driver.open();
    driver.assign(&[lit(7, false)]);
    assert_eq!(driver.adapter.cb_propagate(), 0, "a clause comes first");
    driver.backtrack(0);
    assert_eq!(driver.clause(), None);
    driver.open();
    driver.assign(&[lit(5, false)]);
    driver.open();
    assert_eq!(driver.adapter.cb_propagate(), -6);
    driver.assign(&[lit(6, true)]);
    driver.backtrack(1);
    assert_eq!(driver.adapter.cb_propagate(), -6, "its cause is still there");
    driver.backtrack(0);
    assert_eq!(driver.adapter.cb_propagate(), 0);
}

#[test]
fn backtracking_twice_between_questions_undoes_the_lower() {
    let mut driver = Driver::new();
    driver.open();
    driver.assign(&[lit(1, false)]);
    driver.open();
    driver.assign(&[lit(2, false)]);
    assert_eq!(driver.adapter.cb_propagate(), 0);
    driver.backtrack(0);
    driver.open();
    driver.assign(&[lit(3, false)]);
    driver.open();
    driver.backtrack(1);
    assert_eq!(driver.adapter.cb_propagate(), 0);
    assert_eq!(driver.theory.borrow().trail, [lit(3, false)]);
}

#[test]
fn reasons_are_clauses_with_their_literal() {
    let mut driver = Driver::new();
    driver.open();
    driver.assign(&[lit(5, true)]);
    assert_eq!(driver.adapter.cb_propagate(), -6);
    let numbers = std::iter::from_fn(|| Some(driver.adapter.cb_add_reason_clause_lit(-6)));
    let mut clause: Vec<i32> = numbers.take_while(|n| *n != 0).collect();
    clause.sort_unstable();
    assert_eq!(clause, [-6, 5]);
    assert_eq!(driver.guard.failure(), None);
    // A reason that came after what it explains.
    let mut driver = Driver::new();
    driver.assign(&[lit(6, true), lit(5, false)]);
    assert_eq!(driver.adapter.cb_propagate(), 0);
    assert_eq!(driver.adapter.cb_add_reason_clause_lit(-6), -6);
    assert!(driver.guard.failure().is_some_and(|text| text.contains("not true before it")));
}

/// Literals fixed during simplification are never notified; the final check brings them.
#[test]
fn a_model_brings_what_was_never_notified() {
    let mut driver = Driver::new();
    driver.assign(&[lit(1, false)]);
    assert!(driver.adapter.cb_check_found_model(&[1, -2, 3]));
    assert_eq!(driver.theory.borrow().trail, [lit(1, false), lit(2, true), lit(3, false)]);
    assert!(!driver.adapter.cb_check_found_model(&[1, -2, 3, 10, 11]), "11 contradicts what follows from 10");
    let mut clause = driver.clause().unwrap();
    clause.sort_unstable();
    assert_eq!(clause, [-11, -10]);
}
