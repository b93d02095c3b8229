//! Whether a loop can be left, for the values that its thread has.
//!
//! A loop has an exit if, with any values in memory, control can come from its head to a way out. A branch may go both
//! ways, unless the values that its condition can have in the loop are known: a parameter that stays what it is decides
//! once and for all, so `while (!done || more);` has an exit only if `more` is zero, and a server that would stop after
//! one request has one only if it was told so.
//!
//! The values of a register are its value before the loop, if that lives at the head, and what assignments in the loop
//! make of other registers whose values are known. All else (memory, results of calls, a register that depends on itself)
//! may be anything. Without a state to look at, the value of a register that the loop does not set is one, but not
//! known: no way out is taken because of it.
//!
//! The unwinder decides the same by itself (`unwind/exits`), over terms: the judge shares no code with the encoders.

use crate::eval::Eval;
use crate::image::{Code, Image};
use crate::loops::Loops;
use crate::state::{Frame, State};
use crate::value::{Prov, Value};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet};
use braid_ir::*;

/// So many values of a register are told apart.
const FEW: usize = 16;

/// The frame in which a loop runs.
pub(crate) struct Here<'a> {
    state: &'a State,
    thread: usize,
    frame: &'a Frame,
}

impl<'a> Here<'a> {
    /// The frame of a thread with so many frames below it.
    pub fn new(state: &'a State, thread: usize, depth: usize) -> Here<'a> {
        let at = &state.threads[thread];
        Here { state, thread, frame: at.callers.get(depth).unwrap_or(&at.frame) }
    }

    fn regs(&self) -> &'a [Value] {
        &self.state.threads[self.thread].regs[self.frame.regs..]
    }
}

/// The values a register can have in a loop.
#[derive(Clone, Debug)]
enum Values {
    Any,
    /// One that is not known.
    Fixed,
    Few(Vec<Value>),
}

impl Values {
    fn add(&mut self, other: Values) {
        let (Values::Few(list), Values::Few(more)) = (&mut *self, other) else {
            *self = Values::Any;
            return;
        };
        for value in more {
            if !list.contains(&value) {
                list.push(value);
            }
        }
        if list.len() > FEW {
            *self = Values::Any;
        }
    }
}

/// A loop in which ways out are looked for.
pub(crate) struct Exits<'a, 'p> {
    loops: &'a Loops,
    image: &'a Image<'p>,
    members: &'a HashSet<u32>,
    head: u32,
    here: Option<&'a Here<'a>>,
    /// The expressions that set a register; `None` for something else than an assignment.
    sets: HashMap<RegId, Vec<Option<&'p Expr>>>,
    /// Known values; those of a register that is being looked at may be anything.
    known: HashMap<RegId, Values>,
}

impl<'a, 'p> Exits<'a, 'p> {
    pub fn new(
        loops: &'a Loops,
        image: &'a Image<'p>,
        members: &'a HashSet<u32>,
        head: u32,
        here: Option<&'a Here<'a>>,
    ) -> Exits<'a, 'p> {
        let mut sets: HashMap<RegId, Vec<Option<&Expr>>> = HashMap::default();
        for op in members.iter().filter_map(|pc| image.ops[*pc as usize]) {
            let value = if let Op::Assign { value, .. } = op { Some(value) } else { None };
            op.destinations(&mut |reg| sets.entry(reg).or_default().push(value));
        }
        Exits { loops, image, members, head, here, sets, known: HashMap::default() }
    }

    /// Returns true if control can come from the head to a way out: a branch that leads out, or a call in which the user's
    /// code may end the thread or the program.
    pub fn are_reached(&mut self) -> bool {
        let mut seen = HashSet::default();
        let mut waiting = vec![self.head];
        while let Some(pc) = waiting.pop() {
            if !seen.insert(pc) {
                continue;
            }
            if self.loops.may_leave_in_call(self.image, pc) {
                return true;
            }
            for (to, fixed) in self.next(pc) {
                if self.members.contains(&to) {
                    waiting.push(to);
                } else if !fixed && !self.loops.only_aborts(self.image, to) {
                    return true;
                }
            }
        }
        false
    }

    /// The instructions that may follow, and whether that hangs on one value that is not known.
    fn next(&mut self, pc: u32) -> Vec<(u32, bool)> {
        let image = self.image;
        let (operand, edges): (Operand, Vec<(Option<u128>, u32)>) = match &image.code[pc as usize] {
            Code::Branch { cond, then, other } => (*cond, vec![(Some(1), *then), (None, *other)]),
            Code::Switch { value, cases, default } => {
                let cases = cases.iter().map(|(value, to)| (Some(*value), *to));
                (*value, cases.chain([(None, *default)]).collect())
            }
            Code::Assign { .. }
            | Code::Hot(_)
            | Code::Load { .. }
            | Code::Store { .. }
            | Code::Jump(_)
            | Code::Return(_)
            | Code::Unreachable
            | Code::Other(_) => {
                return self.loops.next(image, pc).into_iter().map(|to| (to, false)).collect();
            }
        };
        let values = if active("loop-values-unknown") { Values::Any } else { self.operand(operand) };
        let chosen: Vec<Option<u128>> = match values {
            Values::Few(list) if list.iter().all(|value| value.prov == Prov::None) => {
                let known = |value: &Value| edges.iter().any(|(case, _)| *case == Some(value.bits));
                list.iter().map(|value| known(value).then_some(value.bits)).collect()
            }
            Values::Few(_) | Values::Any => return edges.into_iter().map(|(_, to)| (to, false)).collect(),
            Values::Fixed => return edges.into_iter().map(|(_, to)| (to, true)).collect(),
        };
        edges.into_iter().filter(|(case, _)| chosen.contains(case)).map(|(_, to)| (to, false)).collect()
    }

    fn operand(&mut self, operand: Operand) -> Values {
        match operand {
            Operand::Const(id) => Values::Few(vec![self.image.consts[id.0 as usize]]),
            Operand::Reg(reg) => self.values(reg),
        }
    }

    fn values(&mut self, reg: RegId) -> Values {
        if let Some(values) = self.known.get(&reg) {
            return values.clone();
        }
        self.known.insert(reg, Values::Any);
        let sets = self.sets.get(&reg).cloned().unwrap_or_default();
        let mut values = match self.here {
            _ if sets.contains(&None) => Values::Any,
            None if sets.is_empty() => Values::Fixed,
            None if self.image.live().is_live(self.head, reg.0 as usize) => Values::Any,
            Some(here) if self.is_kept(here, reg, !sets.is_empty()) => {
                Values::Few(vec![here.regs()[reg.0 as usize]])
            }
            None | Some(_) => Values::Few(Vec::new()),
        };
        for expr in sets.into_iter().flatten() {
            if matches!(values, Values::Any) {
                break;
            }
            let more = self.expr(expr);
            match &values {
                Values::Few(list) if !list.is_empty() && active("loop-keeps-first-values") => {}
                Values::Few(list) if list.is_empty() => values = more,
                Values::Few(_) | Values::Fixed | Values::Any => values.add(more),
            }
        }
        self.known.insert(reg, values.clone());
        values
    }

    /// Returns true if the value that the register has now may be read at the head of the loop.
    fn is_kept(&self, here: &Here, reg: RegId, set: bool) -> bool {
        if !set {
            return true;
        }
        let live = |pc: u32| self.image.live().is_live(pc, reg.0 as usize);
        live(here.frame.pc) && live(self.head)
    }

    /// The values of an expression, for all values of its operands.
    fn expr(&mut self, expr: &Expr) -> Values {
        if matches!(expr, Expr::ObjectSize(_)) {
            return Values::Any;
        }
        let mut regs = Vec::new();
        for operand in expr.operands() {
            if let Operand::Reg(reg) = operand
                && !regs.contains(&reg)
            {
                regs.push(reg);
            }
        }
        let mut lists = Vec::new();
        let mut fixed = self.here.is_none() && matches!(expr, Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_));
        for reg in regs {
            match self.values(reg) {
                Values::Any => return Values::Any,
                Values::Fixed => fixed = true,
                Values::Few(list) => lists.push((reg, list)),
            }
        }
        let count: usize = lists.iter().map(|(_, list)| list.len()).product();
        let Some(here) = self.here.filter(|_| !fixed) else {
            return if count == 1 { Values::Fixed } else { Values::Any };
        };
        if count > FEW {
            return Values::Any;
        }
        let at = &here.state.threads[here.thread];
        let mut regs = here.regs().to_vec();
        let mut found = Values::Few(Vec::new());
        for number in 0..count {
            let mut rest = number;
            for (reg, list) in &lists {
                regs[reg.0 as usize] = list[rest % list.len()];
                rest /= list.len();
            }
            let eval = Eval {
                image: self.image,
                memory: &here.state.memory,
                frame: here.frame,
                regs: &regs,
                locals: &at.locals,
                thread_locals: &at.thread_locals,
            };
            // A division by zero ends the path.
            if let Ok(value) = eval.expr(expr) {
                found.add(Values::Few(vec![value]));
            }
        }
        found
    }
}
