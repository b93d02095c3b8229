//! Results that must not depend on where objects lie in memory.
//!
//! Base addresses are constants here, but the program may not notice: comparing pointers is fixed only
//! within one object, with null, or (for equality) between bytes of live objects. Everything else is an
//! obligation: if it is reached, there is no proof. An address before its object may be anything, null too; so
//! where addresses are moved that way at all, it is asked whether one is compared with null.

use crate::access::Targets;
use crate::exec::Unwinder;
use crate::query::{Ask, Query};
use crate::state::State;
use braid_base::faults::active;
use braid_bounded::What;
use braid_ir::{Expr, Loc, Operand};
use braid_logic::{Sort, Term};
use braid_symex::ObjectNo;
use braid_symex::object::Kind;
use braid_symex::{Question, Taint, Value};

/// Nothing lies in the first so many bytes of the address space, nor in the last.
const PAGE: u128 = 4096;

/// The operands of a comparison, which the analyses know; none for values that are no operands.
type Pair = Option<(Operand, Operand)>;

/// The two operands that an expression compares.
pub(crate) fn compared_operands(expr: &Expr) -> Pair {
    match *expr {
        Expr::Compare { a, b, .. } | Expr::PtrDiff { a, b } | Expr::Binary { a, b, .. } => Some((a, b)),
        Expr::Use(_)
        | Expr::Unary { .. }
        | Expr::Fits { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::PtrAdd { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => None,
    }
}

impl Unwinder<'_> {
    /// Whether a result is the same for all base addresses.
    pub fn question(&mut self, state: &mut State, question: Question, operands: Pair, loc: Loc) {
        let fixed = match question {
            Question::Compare { equality, a, b } => {
                return self.compared(state, equality, [a, b], operands, loc);
            }
            Question::SameObject { a, b } => {
                let (one, certain) = (self.is_one_object(a, b), self.are_no_strays(a, b));
                self.terms.and(one, certain)
            }
            Question::Stays { from: a, to: b } => self.is_one_object(a, b),
            Question::Numbers { a, b } => self.are_numbers(a, b),
        };
        self.unless_fixed(state, fixed, What::Addresses, loc);
        if let Question::Stays { .. } = question {
            // The term points into another object; nothing follows from it.
            state.guard = self.terms.and(state.guard, fixed);
        }
    }

    fn unless_fixed(&mut self, state: &State, fixed: Term, what: What, loc: Loc) {
        if !active("addresses-forgotten") {
            let open = self.terms.not(fixed);
            self.on_addresses(state, open, what, loc);
        }
    }

    fn is_one_object(&mut self, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.layout.object_of(self.terms, a), self.layout.object_of(self.terms, b));
        self.terms.eq(of_a, of_b)
    }

    /// Bool: neither pointer is an arbitrary number where an object may lie.
    fn are_no_strays(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| self.is_stray(Value { term, taint: Taint::Address }));
        let some = self.terms.or(a, b);
        self.terms.not(some)
    }

    /// Bool: both are plain numbers, small or negative.
    fn are_numbers(&mut self, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.layout.object_of(self.terms, a), self.layout.object_of(self.terms, b));
        let a = self.layout.is_no_address(self.terms, of_a);
        let b = self.layout.is_no_address(self.terms, of_b);
        self.terms.and(a, b)
    }

    /// A comparison: fixed within one object, of two numbers, of an address with what is near null, and (for equality)
    /// between bytes of live objects. A number is no address, though its term may look like one.
    fn compared(&mut self, state: &mut State, equality: bool, [a, b]: [Value; 2], operands: Pair, loc: Loc) {
        let numbers = self.are_numbers(a.term, b.term);
        let addresses = !a.taint.is_plain() && !b.taint.is_plain();
        let mut fixed = numbers;
        if addresses {
            let one = self.is_one_object(a.term, b.term);
            fixed = self.terms.or(fixed, one);
        }
        let (mut near, mut certain) = (Vec::new(), Vec::new());
        for (side, other) in [(a, b), (b, a)] {
            if addresses || side.taint.is_plain() {
                let null = self.is_near_null(side.term);
                let behind = self.layout.is_behind_start(self.terms, other.term);
                near.push(null);
                certain.push(self.terms.and(null, behind));
            }
        }
        let (near, certain) = (self.terms.or_all(near), self.terms.or_all(certain));
        let known = if addresses { self.are_no_strays(a.term, b.term) } else { self.terms.bool(true) };
        fixed = self.terms.and(fixed, known);
        let mut open = self.terms.or(fixed, near);
        if equality && addresses && !self.terms.is_true(open) {
            let a_inside = self.strictly_inside(state, operands.map(|pair| pair.0), a.term);
            let b_inside = self.strictly_inside(state, operands.map(|pair| pair.1), b.term);
            let both = self.terms.and_all([a_inside, b_inside, known]);
            self.thread_ids(state, open, &[a.term, b.term], loc);
            fixed = self.terms.or(fixed, both);
            open = self.terms.or(fixed, near);
        }
        self.unless_fixed(state, open, What::Addresses, loc);
        let far = self.terms.not(near);
        let sure = self.terms.or_all([fixed, far, certain]);
        self.unless_fixed(state, sure, What::OutOfObject, loc);
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
            let is_own = |pointer: &Term| self.thread_of(*pointer) == Some(self.thread);
            let running = pointers.iter().any(is_own).then_some(self.thread);
            let threads = threads.map(Into::into);
            self.on_addresses(state, open, What::ThreadIds { threads, running }, loc);
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
        let own: Vec<ObjectNo> =
            list.into_iter().filter(|number| !self.is_life_noticed(state, *number)).collect();
        let inside = self.inside_one_of(state, &own, pointer);
        let zones: Vec<(ObjectNo, Term)> =
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
    fn inside_one_of(&mut self, state: &State, list: &[ObjectNo], pointer: Term) -> Term {
        let zones: Vec<(ObjectNo, Term)> =
            list.iter().map(|number| (*number, self.layout.is_in(self.terms, pointer, *number))).collect();
        let known: Vec<ObjectNo> =
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
    pub fn is_strictly_inside(&mut self, number: ObjectNo, pointer: Term) -> Term {
        if self.out.objects.get(number).is_some_and(|object| object.room == 0) {
            let start = self.layout.address(self.terms, number, 0);
            return self.terms.eq(pointer, start);
        }
        let one = self.pointer_bits(1);
        self.is_inside(number, pointer, one)
    }
}
