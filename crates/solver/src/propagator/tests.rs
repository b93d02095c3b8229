//! A small theory, acyclicity of a graph whose edges are literals, against the same demand in plain clauses.

use super::*;
use crate::answer::{Answer, Failure};
use crate::limits::Limits;
use crate::lit::{Clauses, Var};
use crate::sat::Sat;
use crate::testing::Rng;
use std::cell::RefCell;
use std::rc::Rc;

/// How much the theory does by itself.
#[derive(Clone, Copy, Debug)]
struct Habits {
    conflicts_at_once: bool,
    implies: bool,
    decides: bool,
    permanent: bool,
}

#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    literal: Lit,
}

/// The edges whose literals are true form no cycle.
struct Acyclic {
    edges: Vec<Edge>,
    habits: Habits,
    /// Literals that are true, in order, and where each level begins.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// For each implied literal, how long the trail was.
    implied: Vec<(Lit, usize)>,
    explained: usize,
}

impl Acyclic {
    fn new(edges: Vec<Edge>, habits: Habits) -> Acyclic {
        Acyclic { edges, habits, trail: vec![], levels: vec![], implied: vec![], explained: 0 }
    }

    /// The literals of a path over the edges among the first `length` of the trail.
    fn path(&self, from: usize, to: usize, length: usize) -> Option<Vec<Lit>> {
        let mut reached: Vec<(usize, Option<usize>, Option<Lit>)> = vec![(from, None, None)];
        let mut next = 0;
        while let Some(&(node, ..)) = reached.get(next) {
            if node == to {
                let mut path = vec![];
                let mut at = next;
                while let (_, Some(parent), Some(literal)) = reached[at] {
                    path.push(literal);
                    at = parent;
                }
                return Some(path);
            }
            for edge in self.edges.iter().filter(|e| e.from == node) {
                let present = self.trail[..length].contains(&edge.literal);
                if present && !reached.iter().any(|r| r.0 == edge.to) {
                    reached.push((edge.to, Some(next), Some(edge.literal)));
                }
            }
            next += 1;
        }
        None
    }

    fn is_assigned(&self, literal: Lit) -> bool {
        self.trail.contains(&literal) || self.trail.contains(&!literal)
    }

    fn cycle_through(&self, edge: Edge) -> Option<Vec<Lit>> {
        let mut cycle = self.path(edge.to, edge.from, self.trail.len())?;
        cycle.push(edge.literal);
        Some(cycle.into_iter().map(|l| !l).collect())
    }

    fn say(&self, clause: Vec<Lit>, says: &mut Says) {
        if self.habits.permanent {
            says.permanent_clause(clause);
        } else {
            says.clause(clause);
        }
    }
}

impl Propagator for Acyclic {
    fn assign(&mut self, literal: Lit, says: &mut Says) {
        assert!(!self.is_assigned(literal), "assigned once");
        self.trail.push(literal);
        let edge = self.edges.iter().copied().find(|e| e.literal == literal);
        if let Some(edge) = edge.filter(|_| self.habits.conflicts_at_once)
            && let Some(clause) = self.cycle_through(edge)
        {
            self.say(clause, says);
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        assert!(level < self.levels.len(), "levels are opened before they are closed");
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
        let length = self.trail.len();
        self.implied.retain(|(_, at)| *at <= length);
    }

    fn propagate(&mut self, says: &mut Says) {
        if !self.habits.implies {
            return;
        }
        for edge in self.edges.clone() {
            let known = self.is_assigned(edge.literal) || self.implied.iter().any(|i| i.0 == !edge.literal);
            if !known && self.path(edge.to, edge.from, self.trail.len()).is_some() {
                self.implied.push((!edge.literal, self.trail.len()));
                says.imply(!edge.literal);
            }
        }
    }

    fn explain(&mut self, literal: Lit, because: &mut Vec<Lit>) {
        let edge = *self.edges.iter().find(|e| e.literal == !literal).expect("only edges are implied");
        let (_, length) = *self.implied.iter().find(|i| i.0 == literal).expect("it was implied");
        *because = self.path(edge.to, edge.from, length).expect("the path was there");
        self.explained += 1;
    }

    fn check(&mut self, says: &mut Says) {
        assert!(self.edges.iter().all(|e| self.is_assigned(e.literal)), "models are complete");
        for edge in self.edges.iter().filter(|e| self.trail.contains(&e.literal)) {
            if let Some(clause) = self.cycle_through(*edge) {
                return self.say(clause, says);
            }
        }
    }

    fn decide(&mut self) -> Option<Lit> {
        let open = self.edges.iter().find(|e| !self.is_assigned(e.literal))?;
        self.habits.decides.then_some(open.literal)
    }

    fn explanations_are_forgettable(&self) -> bool {
        !self.habits.permanent
    }
}

struct Instance {
    nodes: usize,
    /// The nodes of edge `i`; its literal is variable `i + 1`.
    edges: Vec<(usize, usize)>,
    others: usize,
    clauses: Vec<Vec<i32>>,
}

impl Instance {
    fn random(rng: &mut Rng, nodes: usize, degree: usize) -> Instance {
        let mut edges: Vec<(usize, usize)> = vec![];
        for _ in 0..nodes * degree {
            let edge = (rng.below(nodes), rng.below(nodes));
            // Some parallel edges and loops are welcome.
            if edge.0 != edge.1 || rng.below(4) == 0 {
                edges.push(edge);
            }
        }
        let mut instance = Instance { nodes, edges, others: nodes, clauses: vec![] };
        for _ in 0..nodes * (degree * 3 + rng.below(degree * 2)) {
            let clause = (0..3).map(|_| instance.literal(rng)).collect();
            instance.clauses.push(clause);
        }
        instance
    }

    /// Edges are wanted more often than not, so that cycles matter.
    fn literal(&self, rng: &mut Rng) -> i32 {
        let var = 1 + rng.below(self.edges.len() + self.others) as i32;
        let negative = rng.below(if var as usize <= self.edges.len() { 4 } else { 2 }) == 0;
        if negative { -var } else { var }
    }

    fn variables(&self, sat: &mut Sat) -> Vec<Var> {
        (0..self.edges.len() + self.others).map(|_| sat.new_var()).collect()
    }

    fn add(sat: &mut Sat, clause: &[i32]) {
        let clause: Vec<Lit> = clause.iter().filter_map(|n| Lit::from_number(*n)).collect();
        sat.add_clause(&clause);
    }

    fn with_theory(&self, habits: Habits) -> (Sat, Rc<RefCell<Acyclic>>) {
        let mut sat = Sat::new();
        let vars = self.variables(&mut sat);
        let edges = self.edges.iter().zip(&vars);
        let edges = edges.map(|(&(from, to), var)| Edge { from, to, literal: var.positive() }).collect();
        let theory = Rc::new(RefCell::new(Acyclic::new(edges, habits)));
        sat.connect(Rc::clone(&theory), &vars[..self.edges.len()]).expect("nothing was solved yet");
        self.clauses.iter().for_each(|clause| Self::add(&mut sat, clause));
        (sat, theory)
    }

    /// The same by a total order of the nodes that contains the edges.
    fn with_clauses(&self) -> Sat {
        let mut sat = Sat::new();
        let vars = self.variables(&mut sat);
        self.clauses.iter().for_each(|clause| Self::add(&mut sat, clause));
        let pair: Vec<Vec<Lit>> =
            (0..self.nodes).map(|_| (0..self.nodes).map(|_| sat.new_var().positive()).collect()).collect();
        let before = |a: usize, b: usize| if a < b { pair[a][b] } else { !pair[b][a] };
        for (&(from, to), var) in self.edges.iter().zip(&vars) {
            match from == to {
                true => sat.add_clause(&[var.negative()]),
                false => sat.add_clause(&[var.negative(), before(from, to)]),
            }
        }
        let n = self.nodes;
        for (a, b, c) in (0..n * n * n).map(|i| (i % n, i / n % n, i / n / n)) {
            if a != b && b != c && a != c {
                sat.add_clause(&[!before(a, b), !before(b, c), before(a, c)]);
            }
        }
        sat
    }
}

fn habits(number: usize) -> Habits {
    let bit = |n: usize| number >> n & 1 == 1;
    Habits { conflicts_at_once: bit(0), implies: bit(1), decides: bit(2), permanent: bit(3) }
}

/// Both answer alike, under assumptions and with further clauses. Counts the answers and the explanations.
fn compare(seed: u64, rounds: usize, smallest: usize, degree: usize) -> ([usize; 2], usize) {
    let mut rng = Rng::new(seed);
    let (mut answers, mut explained) = ([0; 2], 0);
    for round in 0..rounds {
        let nodes = smallest + rng.below(6);
        let instance = Instance::random(&mut rng, nodes, degree);
        let (mut theory_sat, theory) = instance.with_theory(habits(round % 16));
        let mut plain = instance.with_clauses();
        for _ in 0..6 {
            let assumptions: Vec<Lit> =
                (0..rng.below(5)).filter_map(|_| Lit::from_number(instance.literal(&mut rng))).collect();
            let expected = plain.solve(&assumptions, &Limits::default()).unwrap();
            // A search that was cut short leaves everything in order.
            let few = Limits { conflicts: Some(2), ..Limits::default() };
            let early = theory_sat.solve(&assumptions, &few).unwrap();
            assert!(early == expected || matches!(early, Answer::Unknown(_)), "seed {seed} round {round}");
            let answer = theory_sat.solve(&assumptions, &Limits::default()).unwrap();
            assert_eq!(answer, expected, "seed {seed} round {round}: {:?}", habits(round % 16));
            answers[usize::from(answer == Answer::Sat)] += 1;
            let clause: Vec<i32> = (0..2).map(|_| instance.literal(&mut rng)).collect();
            Instance::add(&mut theory_sat, &clause);
            Instance::add(&mut plain, &clause);
        }
        explained += theory.borrow().explained;
    }
    (answers, explained)
}

#[test]
fn a_theory_agrees_with_clauses() {
    let (answers, explained) = compare(7, 400, 4, 3);
    assert!(answers.iter().all(|count| *count > 300), "both answers are common: {answers:?}");
    assert!(explained > 300, "explanations were asked for: {explained}");
}

/// Large enough for restarts and simplification between them.
#[test]
#[ignore = "minutes"]
fn a_theory_agrees_with_clauses_on_larger_graphs() {
    for seed in 0..8 {
        let (answers, explained) = compare(seed, 64, 16, 5);
        assert!(answers.iter().all(|count| *count > 20) && explained > 1000, "{answers:?} {explained}");
    }
}

#[test]
fn models_of_a_theory_are_acyclic() {
    let mut rng = Rng::new(11);
    for round in 0..100 {
        let instance = Instance::random(&mut rng, 6, 3);
        let (mut sat, theory) = instance.with_theory(habits(round % 16));
        if sat.solve(&[], &Limits::default()) == Ok(Answer::Sat) {
            let edges = theory.borrow().edges.clone();
            let mut model = Acyclic::new(edges.clone(), habits(0));
            model.trail = edges.iter().map(|e| e.literal).filter(|l| sat.value(*l)).collect();
            let cycle = edges.iter().filter(|e| sat.value(e.literal)).find_map(|e| model.cycle_through(*e));
            assert_eq!(cycle, None);
        }
    }
}

#[test]
fn a_theory_can_be_taken_away_and_grow() {
    let mut sat = Sat::new();
    let vars: Vec<Var> = (0..3).map(|_| sat.new_var()).collect();
    let edge = |i: usize, from, to| Edge { from, to, literal: vars[i].positive() };
    let theory = Rc::new(RefCell::new(Acyclic::new(vec![edge(0, 0, 1), edge(1, 1, 0)], habits(1))));
    sat.freeze(vars[2]).unwrap();
    sat.connect(Rc::clone(&theory), &vars[..2]).unwrap();
    sat.add_clause(&[vars[0].positive()]);
    let wish = [vars[1].positive(), vars[2].positive()];
    assert_eq!(sat.solve(&wish, &Limits::default()), Ok(Answer::Unsat));
    assert_eq!(sat.failed(), [vars[1].positive()]);
    theory.borrow_mut().edges.push(edge(2, 1, 1));
    sat.observe(vars[2]).unwrap();
    assert_eq!(sat.solve(&wish[1..], &Limits::default()), Ok(Answer::Unsat));
    assert_eq!(sat.solve(&[!wish[1]], &Limits::default()), Ok(Answer::Sat));
    let unfrozen = sat.new_var();
    sat.add_clause(&[unfrozen.positive(), vars[2].positive()]);
    assert_eq!(sat.solve(&[], &Limits::default()), Ok(Answer::Sat));
    assert!(sat.connect(Rc::clone(&theory), &[vars[0], unfrozen]).is_err());
    assert!(sat.observe(vars[0]).is_err(), "nothing stays half connected");
    assert_eq!(sat.solve(&[!wish[0]], &Limits::default()), Ok(Answer::Sat));
}

/// A theory that does one wrong thing.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Panics,
    SpeaksOfOthers,
    ImpliesOthers,
    ExplainsByFalse,
    DecidesAssigned,
    PanicsInCheck,
}

struct Misbehaved {
    wrong: Wrong,
    own: Lit,
    foreign: Lit,
    last: Option<Lit>,
}

impl Propagator for Misbehaved {
    fn assign(&mut self, literal: Lit, says: &mut Says) {
        self.last = Some(literal);
        match self.wrong {
            Wrong::Panics => panic!("a bug in a theory"),
            Wrong::SpeaksOfOthers => says.clause(vec![self.foreign]),
            Wrong::ImpliesOthers => says.imply(self.foreign),
            Wrong::ExplainsByFalse => says.imply(!literal),
            Wrong::DecidesAssigned | Wrong::PanicsInCheck => {}
        }
    }
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn explain(&mut self, literal: Lit, because: &mut Vec<Lit>) {
        because.push(literal);
    }
    fn check(&mut self, _: &mut Says) {
        assert!(self.wrong != Wrong::PanicsInCheck, "a bug in a theory");
    }
    fn decide(&mut self) -> Option<Lit> {
        (self.wrong == Wrong::DecidesAssigned).then_some(self.last).flatten()
    }
}

#[test]
fn misbehaviour_is_an_internal_error() {
    let wrongs = [
        (Wrong::Panics, "a bug in a theory"),
        (Wrong::SpeaksOfOthers, "does not observe"),
        (Wrong::ImpliesOthers, "does not observe"),
        (Wrong::ExplainsByFalse, "not true before it"),
        (Wrong::DecidesAssigned, "has a value"),
        (Wrong::PanicsInCheck, "a bug in a theory"),
    ];
    for (wrong, words) in wrongs {
        let mut sat = Sat::new();
        let vars: Vec<Var> = (0..6).map(|_| sat.new_var()).collect();
        let [own, foreign] = [vars[0].positive(), vars[1].positive()];
        let theory = Rc::new(RefCell::new(Misbehaved { wrong, own, foreign, last: None }));
        sat.connect(Rc::clone(&theory), &[vars[0], vars[2], vars[3]]).unwrap();
        sat.add_clause(&[theory.borrow().own, foreign]);
        sat.add_clause(&[vars[2].positive(), vars[3].positive(), vars[4].positive()]);
        let failure = sat.solve(&[own], &Limits::default());
        let Err(Failure::Internal(message)) = failure else { panic!("{words}: {failure:?}") };
        assert!(message.contains(words), "{message}");
        assert!(sat.solve(&[], &Limits::default()).is_err(), "a broken solver stays broken");
    }
}

#[test]
fn a_theory_held_across_a_search_is_an_internal_error() {
    let mut sat = Sat::new();
    let var = sat.new_var();
    let theory = Rc::new(RefCell::new(Acyclic::new(vec![], habits(0))));
    sat.connect(Rc::clone(&theory), &[var]).unwrap();
    let held = theory.borrow_mut();
    assert!(matches!(sat.solve(&[var.positive()], &Limits::default()), Err(Failure::Internal(_))));
    drop(held);
}
