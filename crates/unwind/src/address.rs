//! Results that must not depend on where objects lie in memory.
//!
//! Base addresses are constants here, but the program may not notice: comparing pointers is fixed only
//! within one object, with null, or (for equality) between bytes of live objects. Everything else is an
//! obligation: if it is reached, there is no proof.

use crate::access::Targets;
use crate::bounded::What;
use crate::exec::Unwinder;
use crate::object::Kind;
use crate::query::{Ask, Query};
use crate::state::State;
use braid_base::faults::{Fault, active};
use braid_ir::{Expr, Loc, Operand};
use braid_logic::{Sort, Term};
use braid_symex::Question;

/// Nothing lies in the first so many bytes of the address space, nor in the last.
const PAGE: u128 = 4096;

impl Unwinder<'_> {
    /// Whether a result is the same for all base addresses.
    pub fn question(&mut self, state: &mut State, question: Question, expr: &Expr, loc: Loc) {
        let (a, b) = match question {
            Question::Compare { a, b, .. } | Question::SameObject { a, b } => (a, b),
            Question::Stays { from, to } => (from, to),
            Question::Number { a } => (a, a),
        };
        let (of_a, of_b) = (self.layout.object_of(self.terms, a), self.layout.object_of(self.terms, b));
        let mut fixed = self.terms.eq(of_a, of_b);
        if let Question::Number { .. } = question {
            fixed = self.is_no_address(of_a);
        }
        if let Question::Compare { equality, .. } = question {
            for pointer in [a, b] {
                let no_address = self.is_near_null(pointer);
                fixed = self.terms.or(fixed, no_address);
            }
            if equality && !self.terms.is_true(fixed) {
                let operands = match *expr {
                    Expr::Compare { a, b, .. } | Expr::PtrDiff { a, b } | Expr::Binary { a, b, .. } => {
                        Some((a, b))
                    }
                    _ => None,
                };
                let a_inside = self.strictly_inside(state, operands.map(|pair| pair.0), a);
                let b_inside = self.strictly_inside(state, operands.map(|pair| pair.1), b);
                let both = self.terms.and(a_inside, b_inside);
                self.thread_ids(state, fixed, &[a, b], loc);
                fixed = self.terms.or(fixed, both);
            }
        }
        let open = self.terms.not(fixed);
        let reached = self.terms.and(state.guard, open);
        let place = self.site(loc);
        if !active(Fault::AddressesForgotten) {
            self.obligation(state, reached, What::Addresses, place);
        }
        if let Question::Stays { .. } = question {
            // The term points into another object; nothing follows from it.
            state.guard = self.terms.and(state.guard, fixed);
        }
    }

    /// Bool: what has this object's number is a plain one, small or negative.
    fn is_no_address(&mut self, object: Term) -> Term {
        let width = self.terms.width(object);
        let (null, last) = (self.terms.bits(width, 0), self.terms.bits(width, u128::MAX));
        let (is_null, is_last) = (self.terms.eq(object, null), self.terms.eq(object, last));
        self.terms.or(is_null, is_last)
    }

    /// Bool: no object is ever there, nor just before.
    fn is_near_null(&mut self, pointer: Term) -> Term {
        let page = self.pointer_bits(PAGE);
        let shifted = self.terms.bv_add(pointer, page);
        let end = self.pointer_bits(2 * PAGE);
        self.terms.ult(shifted, end)
    }

    /// Ids of threads that have been joined may be given again.
    fn thread_ids(&mut self, state: &State, fixed: Term, pointers: &[Term], loc: Loc) {
        let mut threads = Some(Vec::new());
        for pointer in pointers {
            match (self.layout.candidates(self.terms, *pointer), &mut threads) {
                (Some(list), Some(threads)) => {
                    threads.extend(list.iter().filter_map(
                        |number| match self.out.objects.get(*number)?.kind {
                            Kind::Thread(thread) => Some(thread),
                            _ => None,
                        },
                    ));
                }
                _ => threads = None,
            }
        }
        if threads.as_ref().is_none_or(|threads| threads.len() > 1) {
            let open = self.terms.not(fixed);
            let reached = self.terms.and(state.guard, open);
            let place = self.site(loc);
            self.obligation(state, reached, What::ThreadIds(threads.map(Into::into)), place);
        }
    }

    /// Bool: a byte of a live object is there. False where that is not known.
    pub fn strictly_inside(&mut self, state: &mut State, operand: Option<Operand>, pointer: Term) -> Term {
        let one = self.pointer_bits(1);
        let known = self.layout.candidates(self.terms, pointer);
        let open = known.is_none() && state.multi;
        let list = match (known, operand) {
            (Some(list), _) => list,
            (None, Some(operand)) => self.existing(operand),
            (None, None) => self.out.objects.iter().map(|(number, _)| number).collect(),
        };
        if !open {
            return self.inside_one_of(state, &list, pointer);
        }
        // Others may end the lives of all but the thread's own objects: ask at the end, as for an access.
        let own: Vec<u32> = list.into_iter().filter(|number| !self.is_life_noticed(state, *number)).collect();
        let inside = self.inside_one_of(state, &own, pointer);
        let zones: Vec<(u32, Term)> =
            own.iter().map(|number| (*number, self.layout.is_in(self.terms, pointer, *number))).collect();
        let node = self.node(state);
        let targets = Targets { known: Vec::new(), places: None };
        let life = self.life_of(state, node, pointer, &zones, targets);
        let [null, outside, dead] = ["null", "out", "dead"].map(|name| self.terms.fresh(name, Sort::Bool));
        self.queries.push(Query {
            ask: Ask::Inside,
            pointer,
            len: one,
            known: own,
            places: None,
            life,
            null,
            outside,
            dead,
        });
        let wrong = self.terms.or_all([null, outside, dead]);
        let right = self.terms.not(wrong);
        self.terms.or(inside, right)
    }

    /// The same for a pointer to one of these objects.
    fn inside_one_of(&mut self, state: &State, list: &[u32], pointer: Term) -> Term {
        let zones: Vec<(u32, Term)> =
            list.iter().map(|number| (*number, self.layout.is_in(self.terms, pointer, *number))).collect();
        let known: Vec<u32> =
            list.iter().copied().filter(|number| self.is_life_noticed(state, *number)).collect();
        let life = (!known.is_empty()).then(|| {
            let node = self.node(state);
            let targets = Targets { known: known.clone(), places: Some([].into()) };
            self.life_of(state, node, pointer, &zones, targets)
        });
        let mut inside = Vec::new();
        for (number, zone) in zones {
            let alive = match life {
                Some(life) if known.contains(&number) => life,
                _ => state.memory.alive(self.terms, number),
            };
            let fits = self.is_strictly_inside(number, pointer);
            let here = self.terms.and(zone, alive);
            inside.push(self.terms.and(here, fits));
        }
        self.terms.or_all(inside)
    }

    /// Bool: the pointer is to a byte of the object, or to the start of an empty one.
    pub fn is_strictly_inside(&mut self, number: u32, pointer: Term) -> Term {
        if self.out.objects.get(number).is_some_and(|object| object.room == 0) {
            let start = self.layout.address(self.terms, number, 0);
            return self.terms.eq(pointer, start);
        }
        let one = self.pointer_bits(1);
        self.is_inside(number, pointer, one)
    }
}
