//! Propositional variables, literals, and what takes clauses.
//!
//! A literal is a non-zero integer, positive or negative, as in DIMACS and in the SAT solver itself, so no
//! translation is needed anywhere. Numbers are dealt out by whoever takes the clauses; literals of two
//! different takers must not be mixed.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A propositional variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(NonZeroI32);

impl Var {
    /// The variable of this number, which is not 0.
    pub(crate) fn new(number: u32) -> Var {
        let number = i32::try_from(number).expect("fewer than 2^31 variables");
        Var(NonZeroI32::new(number).expect("variables are numbered from 1"))
    }

    /// Its number, from 1.
    pub fn number(self) -> usize {
        self.0.get() as usize
    }

    /// The literal that is true with the variable.
    pub fn positive(self) -> Lit {
        Lit(self.0)
    }

    /// The literal that is true when the variable is false.
    pub fn negative(self) -> Lit {
        !self.positive()
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lit(NonZeroI32);

impl Lit {
    pub fn var(self) -> Var {
        Var(self.0.abs())
    }

    pub fn is_negative(self) -> bool {
        self.0.get() < 0
    }

    /// The literal as DIMACS writes it.
    pub fn number(self) -> i32 {
        self.0.get()
    }

    /// The literal of a DIMACS number; none for 0 and for the number that has no negation.
    pub(crate) fn from_number(number: i32) -> Option<Lit> {
        NonZeroI32::new(number).filter(|n| n.get() != i32::MIN).map(Lit)
    }

    /// This literal, negated if `condition` holds.
    pub fn negate_if(self, condition: bool) -> Lit {
        if condition { !self } else { self }
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// By variable, the positive literal first: literals of one variable are neighbours when sorted.
impl Ord for Lit {
    fn cmp(&self, other: &Lit) -> std::cmp::Ordering {
        (self.var(), self.is_negative()).cmp(&(other.var(), other.is_negative()))
    }
}

impl PartialOrd for Lit {
    fn partial_cmp(&self, other: &Lit) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Takes clauses: the SAT solver, or a list of them for a file.
pub trait Clauses {
    /// A variable not used so far.
    fn new_var(&mut self) -> Var;

    /// Adds the disjunction of the literals.
    fn add_clause(&mut self, clause: &[Lit]);
}

/// Clauses kept as a list.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    variables: u32,
    /// All clauses, each ended by 0.
    numbers: Vec<i32>,
    clauses: usize,
}

impl Cnf {
    pub fn new() -> Cnf {
        Cnf::default()
    }

    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    pub fn len(&self) -> usize {
        self.clauses
    }

    pub fn is_empty(&self) -> bool {
        self.clauses == 0
    }

    /// Each clause as DIMACS numbers.
    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        self.numbers.split_inclusive(|n| *n == 0).map(|clause| &clause[..clause.len() - 1])
    }
}

impl Clauses for Cnf {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.numbers.extend(clause.iter().map(|lit| lit.number()));
        self.numbers.push(0);
        self.clauses += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_a_variable_are_neighbours() {
        let [a, b] = [1, 2].map(|n| Var::new(n).positive());
        let mut lits = vec![!b, a, b, !a];
        lits.sort();
        assert_eq!(lits, [a, !a, b, !b]);
        assert_eq!((!a).var(), a.var());
        assert_eq!(a.negate_if(true), !a);
        assert_eq!(Lit::from_number(0), None);
        assert_eq!(Lit::from_number(i32::MIN), None);
    }

    #[test]
    fn a_list_of_clauses_gives_them_back() {
        let mut cnf = Cnf::new();
        let [a, b] = [(); 2].map(|()| cnf.new_var().positive());
        cnf.add_clause(&[a, !b]);
        cnf.add_clause(&[]);
        cnf.add_clause(&[b]);
        let clauses: Vec<&[i32]> = cnf.clauses().collect();
        assert_eq!(clauses, [&[1, -2][..], &[], &[2]]);
        assert_eq!((cnf.variables(), cnf.len()), (2, 3));
    }
}
