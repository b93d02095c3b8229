//! The theory against transitivity written as clauses, on random orders.

use super::*;
use braid_solver::{Answer, Clauses, Limits, Sat};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Case {
    /// Length of each chain.
    chains: Vec<usize>,
    /// A fixed edge from this position of the first chain to the beginning of another chain.
    starts: Vec<usize>,
    /// Pairs of vertices with an atom.
    pairs: Vec<(usize, usize)>,
    /// Clauses over the atoms.
    clauses: Vec<Vec<(usize, bool)>>,
}

/// A deterministic pseudo-random generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

fn case(seed: u64) -> Case {
    let mut rng = Rng(seed);
    let chains = (0..2 + rng.below(3)).map(|_| 1 + rng.below(4)).collect();
    let starts = (0..rng.below(3)).map(|_| rng.below(5)).collect();
    let pairs = (0..3 + rng.below(11)).map(|_| (rng.below(12), rng.below(12))).collect();
    let mut clauses = Vec::new();
    for _ in 0..rng.below(30) {
        clauses.push((0..1 + rng.below(3)).map(|_| (rng.below(14), rng.below(2) == 0)).collect());
    }
    Case { chains, starts, pairs, clauses }
}

struct Instance {
    chains: Vec<Vec<Vertex>>,
    fixed: Vec<(Vertex, Vertex)>,
    count: usize,
    pairs: Vec<(Vertex, Vertex)>,
}

impl Case {
    fn instance(&self) -> Instance {
        let mut count = 0;
        let mut chains: Vec<Vec<Vertex>> = Vec::new();
        for length in &self.chains {
            chains.push((count as Vertex..(count + length) as Vertex).collect());
            count += length;
        }
        let mut fixed = Vec::new();
        for (child, position) in self.starts.iter().enumerate() {
            if let (Some(parent), Some(chain)) = (chains[0].get(*position), chains.get(child + 1)) {
                fixed.push((*parent, chain[0]));
            }
        }
        let mut pairs: Vec<(Vertex, Vertex)> = Vec::new();
        for (a, b) in &self.pairs {
            let (a, b) = ((a % count) as Vertex, (b % count) as Vertex);
            if a != b && !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                pairs.push((a, b));
            }
        }
        Instance { chains, fixed, count, pairs }
    }

    fn add_clauses(&self, atoms: &[Lit], sat: &mut Sat) {
        if atoms.is_empty() {
            return;
        }
        for clause in &self.clauses {
            let clause: Vec<Lit> = clause
                .iter()
                .map(|(index, positive)| atoms[index % atoms.len()].negate_if(!positive))
                .collect();
            sat.add_clause(&clause);
        }
    }
}

/// The answer by an order literal for every pair of vertices, with transitivity.
fn by_clauses(case: &Case) -> Answer {
    let instance = case.instance();
    let mut sat = Sat::new();
    let n = instance.count;
    let before: Vec<Vec<Lit>> = (0..n).map(|_| (0..n).map(|_| sat.new_var().positive()).collect()).collect();
    for a in 0..n {
        sat.add_clause(&[!before[a][a]]);
        for b in (0..n).filter(|b| *b != a) {
            sat.add_clause(&[before[a][b], before[b][a]]);
            sat.add_clause(&[!before[a][b], !before[b][a]]);
            for c in 0..n {
                sat.add_clause(&[!before[a][b], !before[b][c], before[a][c]]);
            }
        }
    }
    let steps = instance.chains.iter().flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1])));
    for (a, b) in steps.chain(instance.fixed.iter().copied()) {
        sat.add_clause(&[before[a as usize][b as usize]]);
    }
    let atoms: Vec<Lit> = instance.pairs.iter().map(|(a, b)| before[*a as usize][*b as usize]).collect();
    case.add_clauses(&atoms, &mut sat);
    sat.solve(&[], &Limits::default()).expect("no theory, no failure")
}

/// The answer by the theory, after searches under each single atom as an assumption.
fn by_theory(case: &Case) -> Answer {
    let instance = case.instance();
    let mut sat = Sat::new();
    let atoms: Vec<Lit> = instance.pairs.iter().map(|_| sat.new_var().positive()).collect();
    let list: Vec<(Lit, Vertex, Vertex)> =
        atoms.iter().zip(&instance.pairs).map(|(literal, (a, b))| (*literal, *a, *b)).collect();
    let graph = Graph::new(instance.chains.clone(), &instance.fixed);
    let observed: Vec<Var> = atoms.iter().map(|literal| literal.var()).collect();
    let theory = Rc::new(RefCell::new(Ordering::new(graph, &list)));
    sat.connect(theory, &observed).expect("all variables are new");
    case.add_clauses(&atoms, &mut sat);
    for literal in &atoms {
        // Earlier searches must not influence later ones.
        let _ = sat.solve(&[*literal], &Limits::default()).expect("the theory keeps its contract");
    }
    let answer = sat.solve(&[], &Limits::default()).expect("the theory keeps its contract");
    if answer == Answer::Sat {
        let mut graph = Graph::new(instance.chains, &instance.fixed);
        for (literal, a, b) in list {
            let (from, to) = if sat.value(literal) { (a, b) } else { (b, a) };
            assert!(graph.insert(from, to, literal, &mut |_| {}), "a model has no cycle");
        }
    }
    answer
}

#[test]
fn the_theory_agrees_with_transitivity() {
    let mut satisfiable = 0;
    for seed in 0..2000 {
        let case = case(seed);
        let expected = by_clauses(&case);
        satisfiable += usize::from(expected == Answer::Sat);
        assert_eq!(by_theory(&case), expected, "{case:?}");
    }
    assert!((200..1800).contains(&satisfiable), "{satisfiable} of 2000: both answers are tried");
}
