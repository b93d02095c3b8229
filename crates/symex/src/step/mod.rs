//! The meaning of one instruction over symbolic values, written once for all engines.
//!
//! [`step`] executes an instruction of a path: it computes values, reads and writes memory that only the path knows, says
//! what is wrong with an access, and leaves everything else to a [`World`]. Paths do not fork here: what ends a path
//! narrows its guard. Calls and starts of threads are control flow, which belongs to the engine.
//!
//! * [`access`]: loads, stores, read-modify-write; which objects a pointer may reach, and what is wrong with it.
//! * [`bulk`]: `copy` and `fill`, with [`leaves`].
//! * [`heap`]: lives of objects.
//! * [`address`]: results that must not depend on where objects lie.
//! * [`sync`]: locks and atomic sections.
//!
//! The interpreter has a meaning of its own for every instruction and shares no code with this.

pub mod access;
pub mod address;
mod bulk;
mod check;
mod heap;
pub mod leaves;
mod sync;
pub mod world;

#[cfg(test)]
mod tests;

pub use world::{
    Access, At, ChoiceOf, Code, Death, Elsewhere, Hazard, LockUse, Piece, Purpose, Reach, Resolved, Touch,
    Wait, World,
};

use crate::{Layout, ObjectNo, State, Taint, Unevaluated, Value, truth};
use address::compared_operands;
use braid_base::Idx;
use braid_ir::*;
use braid_logic::{Term, Terms};
use braid_props::Check;

/// Executes an instruction. A path whose guard is false afterwards has ended.
pub fn step<W: World>(terms: &mut Terms, world: &mut W, state: &mut State<W::Path>, instr: &Instr) {
    Step::new(terms, world).instruction(state, instr);
}

/// An instruction in execution.
pub struct Step<'a, W> {
    pub terms: &'a mut Terms,
    pub world: &'a mut W,
    layout: Layout,
}

impl<'a, W: World> Step<'a, W> {
    pub fn new(terms: &'a mut Terms, world: &'a mut W) -> Step<'a, W> {
        let layout = world.layout();
        Step { terms, world, layout }
    }

    fn pointer_bits(&mut self, value: u128) -> Term {
        self.terms.bits(self.layout.pointer_bits, value)
    }

    fn pointer_bytes(&self) -> u8 {
        self.world.program().pointer_bytes
    }

    pub fn operand(&mut self, state: &State<W::Path>, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => match state.regs[reg.index()] {
                Some(value) => value,
                None => self.zero(reg),
            },
            Operand::Const(id) => {
                let constant = self.world.program().consts.get(id);
                *self.world.strays() |= matches!(constant, Const::Global(_, offset) if offset < 0);
                let objects = self.world.objects();
                let number = |c: Const| objects.of_const(c).unwrap_or(ObjectNo::NONE);
                crate::constant(self.terms, self.layout, &number, constant)
            }
        }
    }

    /// Registers are zero before they are set.
    fn zero(&mut self, reg: RegId) -> Value {
        let ty = self.world.program().functions[self.world.code().func].regs[reg].ty;
        Value::plain(self.terms.bits(ty.bits(self.pointer_bytes()), 0))
    }

    /// One instruction, with all that the world wants to know of it.
    fn instruction(&mut self, state: &mut State<W::Path>, instr: &Instr) {
        if self.world.begin(self.terms, state, instr) {
            self.operation(state, instr);
        } else {
            state.guard = self.terms.bool(false);
        }
        self.world.end();
    }

    /// Returns true if a word that is read is a thread's handle, as far as it is no plain number: such a word is as
    /// whole as a pointer, though its type is that of a number.
    fn reads_handle(&self, dst: RegId, ty: Ty, space: Space) -> bool {
        let bytes = self.pointer_bytes();
        let word = matches!(ty, Ty::Int(_)) && ty.bytes(bytes) == u64::from(bytes);
        let Some(instance) = self.world.code().instance else { return false };
        if !word || space != Space::Memory {
            return false;
        }
        let set = self.world.facts().pointers.in_instance(instance, Operand::Reg(dst));
        !set.handles.is_empty() && set.targets.is_empty() && !set.may_be_exposed
    }

    fn operation(&mut self, state: &mut State<W::Path>, instr: &Instr) {
        let loc = instr.loc;
        match &instr.op {
            Op::Assign { dst, value } => {
                if let Some(value) = self.expr(state, value, loc) {
                    set(state, *dst, value);
                }
            }
            Op::Load { dst, ty, ptr, access } => {
                let pointer = *ty == Ty::Ptr || self.reads_handle(*dst, *ty, access.space);
                let access = self.access(state, *ptr, *ty, access.space, false, loc);
                if let Some(value) = self.load(state, &access, *ty, pointer) {
                    set(state, *dst, value);
                }
            }
            Op::Store { ty, ptr, value, access } => {
                let value = self.operand(state, *value);
                let access = self.access(state, *ptr, *ty, access.space, true, loc);
                self.store(state, &access, *ty, value);
            }
            Op::Rmw { dst, op, ty, ptr, value, order: _ } => {
                let operand = self.operand(state, *value);
                let access = self.access(state, *ptr, *ty, Space::Memory, true, loc);
                if let Some(old) = self.rmw(state, &access, *op, *ty, operand) {
                    set(state, *dst, old);
                }
            }
            Op::CmpXchg(exchange) => self.cmpxchg(state, exchange, loc),
            Op::Fence { order: _ } | Op::Output { .. } => {}
            Op::Copy { dst, src, len, shape, overlapping } => {
                let copy = bulk::Copied { dst: *dst, src: *src, overlapping: *overlapping };
                self.copy(state, copy, *len, *shape, instr)
            }
            Op::Fill { dst, byte, len, shape } => {
                let fill = bulk::Filled { dst: *dst, byte: *byte, shape: *shape };
                self.fill(state, fill, *len, instr)
            }
            Op::Call { .. } => unreachable!("calls are control flow"),
            Op::Assume { cond } => {
                let cond = self.operand(state, *cond);
                self.depends(state, cond, loc);
                let cond = truth(self.terms, cond.term);
                self.world.mark(self.terms, state, instr.id, false);
                self.world.require(self.terms, state, cond, None, loc);
                self.world.mark(self.terms, state, instr.id, true);
            }
            Op::Assert { check, cond, message: _, about: _ } => {
                self.world.mark(self.terms, state, instr.id, false);
                self.assertion(state, *check, cond, loc);
            }
            Op::Alloc { dst, kind, size, align, zeroed } => {
                let (size, align) = (self.operand(state, *size), self.operand(state, *align));
                let wanted = heap::Wanted { kind: *kind, size, align, zeroed: *zeroed };
                if let Some(pointer) = self.alloc(state, wanted, instr) {
                    set(state, *dst, pointer);
                }
            }
            Op::Free { kind, ptr } => self.free(state, *kind, *ptr, loc),
            Op::LocalLive { local } => self.local_live(state, *local, loc),
            Op::LocalDead { local } => {
                if let Some(pointer) = state.locals[local.index()] {
                    let always = self.terms.bool(true);
                    self.end_life(state, pointer, always, loc);
                }
            }
            Op::Nondet { dst, ty, kind } => {
                let value = self.nondet(*ty, *kind);
                set(state, *dst, value);
            }
            Op::Input { dst } => {
                let value = self.world.choose(self.terms, ChoiceOf::Input, Ty::Int(32));
                let byte = self.terms.bits(32, 255);
                let end = self.terms.bits(32, u128::MAX);
                let is_byte = self.terms.ule(value.term, byte);
                let is_end = self.terms.eq(value.term, end);
                let fits = self.terms.or(is_byte, is_end);
                self.world.constrain(fits);
                set(state, *dst, value);
            }
            Op::Pair { dst, word, mutex } => {
                if let Some(value) = self.pair(state, *word, *mutex, loc) {
                    set(state, *dst, value);
                }
            }
            Op::Lock { mutex } => self.lock(state, *mutex, loc),
            Op::TryLock { dst, mutex } => {
                if let Some(taken) = self.try_lock(state, *mutex, loc) {
                    set(state, *dst, taken);
                }
            }
            Op::Unlock { mutex } => self.unlock(state, *mutex, loc),
            Op::AtomicBegin { when } => self.atomic_begin(state, when.as_deref()),
            Op::AtomicEnd => self.world.leave(self.terms, state),
            Op::SelfHandle { dst } => {
                let term = self.layout.address(self.terms, self.world.self_handle(), 0);
                set(state, *dst, Value { term, taint: Taint::Address });
            }
            Op::SelfNumber { dst } => {
                let number = self.self_number();
                set(state, *dst, Value::plain(number));
            }
            Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort => self.world.synchronise(self.terms, state, instr),
            Op::Unsupported { what } => self.unsupported(state, what.as_str(), loc),
            Op::Partial { what, bound } => self.partial(state, what.as_str(), *bound, loc),
        }
    }

    fn nondet(&mut self, ty: Ty, kind: ChoiceKind) -> Value {
        if !self.world.is_possible(kind) {
            let width = ty.bits(self.pointer_bytes());
            return Value::plain(self.terms.bits(width, 0));
        }
        let value = self.world.choose(self.terms, ChoiceOf::Kind(kind), ty);
        // The interpreter answers these with a bit.
        if matches!(
            kind,
            ChoiceKind::Timeout
                | ChoiceKind::AllocFail
                | ChoiceKind::CallFail
                | ChoiceKind::Spurious
                | ChoiceKind::WeakFail
                | ChoiceKind::Base
        ) {
            let one = self.terms.bits(self.terms.width(value.term), 1);
            let fits = self.terms.ule(value.term, one);
            self.world.constrain(fits);
        }
        value
    }

    /// A pure expression; none if the path ends here.
    pub fn expr(&mut self, state: &mut State<W::Path>, expr: &Expr, loc: Loc) -> Option<Value> {
        let values = self.operands(state, expr);
        let mut lookup = |_: &mut Terms, operand: Operand| {
            let found = values.iter().find(|(known, _)| *known == operand);
            found.map(|(_, value)| *value).expect("every operand of the expression was looked up")
        };
        let objects = self.world.objects();
        let align = |number: ObjectNo| objects.get(number).map_or(1, |object| object.align);
        match crate::expr(self.terms, self.layout, &align, &mut lookup, expr) {
            Ok(result) => {
                if let Some(defined) = result.defined {
                    let undefined = self.terms.not(defined);
                    self.check(state, Check::DivisionByZero, undefined, loc);
                }
                let has = |taint| values.iter().any(|(_, value)| value.taint == taint);
                if result.value.taint == Taint::Address && has(Taint::Address) && has(Taint::Loaded) {
                    // An offset that others computed, from addresses perhaps.
                    let always = self.terms.bool(true);
                    self.on_addresses(state, always, Hazard::LoadedAddresses, loc);
                }
                if result.value.taint == Taint::Address && !*self.world.strays() {
                    *self.world.strays() = self.may_stray(expr, &values);
                }
                let made = matches!(expr, Expr::Cast { op: CastOp::IntToPtr, .. });
                if made {
                    self.becomes_pointer(state, result.value.taint, loc);
                }
                if let Some(question) = result.asks {
                    self.question(state, question, compared_operands(expr), loc);
                }
                let value = result.value;
                let taint = match value.taint {
                    Taint::Loaded if made => Taint::Address,
                    taint => taint,
                };
                Some(Value { taint, ..value })
            }
            Err(Unevaluated::Approximate(name)) => {
                let what = format!("the value of {name}, which is not exact");
                self.unsupported(state, &what, loc);
                None
            }
            Err(Unevaluated::Context) => self.contextual(state, expr, loc),
        }
    }

    /// Returns true if an expression may move an address to before its object.
    fn may_stray(&self, expr: &Expr, values: &[(Operand, Value)]) -> bool {
        let moves_ahead =
            |value: &Value| !value.taint.is_plain() || self.terms.rough_range(value.term).smin() >= 0;
        match expr {
            Expr::PtrAdd { .. } | Expr::Binary { op: BinOp::Add, .. } => {
                !values.iter().all(|(_, value)| moves_ahead(value))
            }
            Expr::Binary { op: BinOp::And, .. }
            | Expr::Use(_)
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::LocalAddr(_)
            | Expr::ThreadLocalAddr(_) => false,
            Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Compare { .. }
            | Expr::Fits { .. }
            | Expr::PtrDiff { .. }
            | Expr::ObjectSize(_)
            | Expr::Math { .. } => true,
        }
    }

    fn operands(&mut self, state: &State<W::Path>, expr: &Expr) -> Vec<(Operand, Value)> {
        expr.operands().map(|operand| (operand, self.operand(state, operand))).collect()
    }

    /// Expressions that need to know the memory.
    fn contextual(&mut self, state: &mut State<W::Path>, expr: &Expr, loc: Loc) -> Option<Value> {
        match *expr {
            Expr::LocalAddr(local) => {
                let null = self.pointer_bits(0);
                let term = state.locals[local.index()].unwrap_or(null);
                Some(Value { term, taint: Taint::Address })
            }
            Expr::ThreadLocalAddr(global) => {
                let number = self.world.thread_local(global);
                Some(Value { term: self.layout.address(self.terms, number, 0), taint: Taint::Address })
            }
            Expr::ObjectSize(pointer) => self.object_size(state, pointer, loc),
            Expr::Use(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Fits { .. }
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::PtrAdd { .. }
            | Expr::PtrDiff { .. }
            | Expr::Math { .. } => unreachable!("symex knows these without context"),
        }
    }

    fn object_size(&mut self, state: &mut State<W::Path>, pointer: Operand, loc: Loc) -> Option<Value> {
        let pointer = self.operand(state, pointer).term;
        let list = match self.layout.constant(self.terms, pointer) {
            Some((number, _)) => vec![number],
            None => match self.layout.candidates(self.terms, pointer) {
                Some(list) => list,
                None if self.world.is_alone(state) => {
                    self.world.objects().iter().map(|(number, _)| number).collect()
                }
                None => {
                    self.unsupported(state, "the size of an object behind a pointer from shared memory", loc);
                    return None;
                }
            },
        };
        let mut result = self.pointer_bits(0);
        for number in list {
            let Some(object) = self.world.objects().get(number) else { continue };
            let size = object.size;
            if !self.world.owns_life(state, number) {
                self.unsupported(state, "the size of an object that another thread may free", loc);
                return None;
            }
            let zero = self.pointer_bits(0);
            let inside = access::is_inside(self.terms, self.world.objects(), number, pointer, zero);
            let zone = self.layout.is_in(self.terms, pointer, number);
            let alive = state.memory.alive(self.terms, number);
            let here = self.terms.and(zone, inside);
            let here = self.terms.and(here, alive);
            let offset = self.layout.offset_of(self.terms, pointer);
            let rest = self.terms.bv_sub(size, offset);
            result = self.terms.ite(here, rest, result);
        }
        Some(Value::plain(result))
    }

    fn assertion(&mut self, state: &mut State<W::Path>, check: Check, cond: &Expr, loc: Loc) {
        // An assertion that is not checked is not there, unless the access after it would mean nothing.
        if !self.world.checks(check) && !check.is_memory_error() {
            return;
        }
        let Some(value) = self.expr(state, cond, loc) else { return };
        self.depends(state, value, loc);
        let holds = truth(self.terms, value.term);
        let violated = self.terms.not(holds);
        self.check(state, check, violated, loc);
    }
}

fn set<P>(state: &mut State<P>, reg: RegId, value: Value) {
    state.regs[reg.index()] = Some(value);
}
