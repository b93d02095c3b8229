//! Steps: what each operation makes of a path.
//!
//! *Claim*: whatever state an operation leads to from one that the path describes, one of the resulting paths describes it.
//! *Relies on*: `docs/lockset.md` for what a state means, and the modules beside this one. *Proof*: case by case against
//! `crates/interp`; an operation that is not followed stands in the way of everything.

use super::memory::{How, index_form};
use super::registers::Run;
use super::{Invalid, all, only};
use crate::eval;
use crate::range::Range;
use crate::value::Value;
use braid_ir::{BinOp, ChoiceKind, CmpXchg, Expr, Guard, Instr, Op, Operand, Order, RegId, RmwOp, Space, Ty};
use braid_props::{Check, CheckSet};

/// The paths that go on.
pub(super) type Paths<'c, 'a> = Vec<Run<'c, 'a>>;

impl<'c, 'a> Run<'c, 'a> {
    /// Executes an instruction.
    pub fn step(mut self, instr: &'a Instr) -> Result<Paths<'c, 'a>, Invalid> {
        self.instr = instr.id;
        self.loc = instr.loc;
        self.internal = self.function.internal || instr.internal;
        match &instr.op {
            Op::Call { dst, callee, args } => self.call(*dst, callee, args),
            op => {
                let goes_on = self.simple(op)?;
                Ok(if goes_on { vec![self] } else { Vec::new() })
            }
        }
    }

    /// An operation with one outcome. Returns false if the path ends.
    fn simple(&mut self, op: &'a Op) -> Result<bool, Invalid> {
        match op {
            Op::Assign { dst, value } => {
                self.look(value);
                self.assign(*dst, value);
            }
            Op::Load { dst, ty, ptr, access } => {
                let how = how(access.order);
                if access.space == Space::Shadow {
                    self.unhandled("state of the library beside memory");
                    self.set_any(*dst);
                    return Ok(true);
                }
                return self.load_to(*dst, *ty, *ptr, how);
            }
            Op::Store { ty, ptr, value, access } => {
                if access.space == Space::Shadow {
                    self.unhandled("state of the library beside memory");
                    return Ok(true);
                }
                let address = self.address(*ptr);
                let value = self.operand(*value);
                return self.store(&address, value, *ty, how(access.order));
            }
            Op::Rmw { dst, op, ty, ptr, value, order: _ } => return self.rmw(*dst, *op, *ty, *ptr, *value),
            Op::CmpXchg(exchange) => return self.exchange(exchange),
            Op::Fence { order: _ } => {}
            Op::Copy { dst, src, len, shape, overlapping } => {
                return self.copy(*dst, *src, *len, *shape, *overlapping);
            }
            Op::Fill { dst, byte, len, shape } => return self.fill(*dst, *byte, *len, *shape),
            Op::Call { .. } => unreachable!("calls have paths of their own"),
            Op::Assume { cond } => return Ok(self.assume(*cond, true)),
            Op::Assert { check, cond, message: _, about } => {
                return Ok(self.assertion(*check, cond, about.is_some()));
            }
            Op::Alloc { dst, kind, size, align: _, zeroed } => {
                let size = self.operand(*size);
                self.alloc(*dst, *kind, size, *zeroed)?;
            }
            Op::Free { kind, ptr } => {
                let pointer = self.operand(*ptr);
                return self.free(*kind, &pointer);
            }
            Op::LocalLive { local } => self.local_live(*local)?,
            Op::LocalDead { local } => self.local_dead(*local)?,
            Op::Nondet { dst, ty, kind } => {
                let value = self.choice(*kind, *ty);
                self.set(*dst, value);
            }
            Op::Input { dst } => self.set(*dst, Value::number(Range::interval(-1, 255))),
            Op::Output { .. } => {}
            Op::SelfHandle { dst } => self.set_any(*dst),
            Op::SelfNumber { dst } => self.set(*dst, Value::number(Range::interval(1, i32::MAX.into()))),
            Op::Spawn { dst, .. }
            | Op::TryLock { dst, .. }
            | Op::ThreadState { dst, .. }
            | Op::Pair { dst, .. } => {
                self.unhandled("an operation on threads");
                self.set_any(*dst);
            }
            Op::Join { dst, .. } => {
                self.unhandled("an operation on threads");
                dst.iter().for_each(|dst| self.set_any(*dst));
            }
            Op::Detach { .. } | Op::Lock { .. } | Op::Unlock { .. } => {
                self.unhandled("an operation on threads")
            }
            Op::AtomicBegin { when } => {
                if let Some(guard) = when {
                    return self.begin_guarded(guard);
                }
                self.begin_section();
            }
            Op::AtomicEnd => self.end_section()?,
            Op::ExitThread { value } => {
                let value = self.operand(*value);
                self.exit_thread(value)?;
                return Ok(false);
            }
            Op::ExitProgram { .. } | Op::Abort => return Ok(false),
            Op::Unsupported { what } => {
                self.doubt(format!("not supported: {what}"));
                return Ok(false);
            }
            Op::Partial { what, bound: _ } => self.doubt(format!("left out: {what}")),
        }
        Ok(true)
    }

    fn unhandled(&self, what: &str) {
        self.doubt(format!("{what} outside of calls with a known effect"));
    }

    /// The divisor of an expression is not zero.
    pub fn look(&self, expr: &Expr) {
        let Expr::Binary { op, ty: Ty::Int(width), b, .. } = expr else { return };
        let divides = matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem);
        let divisor = self.operand(*b);
        let never =
            divisor.only_numbers().is_some_and(|range| range.eq(Range::point(0), *width) == Some(false));
        if divides && !never {
            self.doubt("the divisor may be 0");
        }
    }

    fn load_to(&mut self, dst: RegId, ty: Ty, ptr: Operand, how: How) -> Result<bool, Invalid> {
        let address = self.address(ptr);
        let index = index_form(self, ptr);
        let Some(value) = self.load(&address, ty, how)? else { return Ok(false) };
        self.set(dst, value);
        let bytes = ty.bytes(self.cx.program.pointer_bytes);
        self.note_loaded(dst, &address, bytes, index);
        Ok(true)
    }

    fn rmw(&mut self, dst: RegId, op: RmwOp, ty: Ty, ptr: Operand, value: Operand) -> Result<bool, Invalid> {
        let address = self.address(ptr);
        let operand = self.operand(value);
        let Some(old) = self.peek(&address, ty) else {
            self.targets(&address.value, ty.bytes(self.cx.program.pointer_bytes), true);
            return Ok(false);
        };
        let new = self.combined(op, ty, &old, &operand);
        let goes_on = self.store(&address, new, ty, How::Atomic)?;
        // What the store has made known to others has other names now.
        let old = self.renamed(old);
        self.set(dst, old);
        Ok(goes_on)
    }

    /// The value that an atomic operation finds; its access is that of the write.
    fn peek(&self, address: &super::memory::Address, ty: Ty) -> Option<Value> {
        let bytes = ty.bytes(self.cx.program.pointer_bytes);
        let mut value = None::<Value>;
        for (object, at) in &address.value.targets {
            if self.cx.is_function(*object) {
                continue;
            }
            let read = self.read(super::cells::Spot::data(*object, *at, bytes));
            value.get_or_insert(Value::NONE).join(&read);
        }
        value.map(|value| self.cut(value, bytes, ty))
    }

    /// Own objects that are no longer own are shared ones in a value.
    fn renamed(&self, mut value: Value) -> Value {
        let own: Vec<_> =
            value.targets.iter().map(|(object, _)| *object).filter(|o| self.cx.is_own(*o)).collect();
        for object in own.into_iter().filter(|object| !self.state.own.contains_key(object)) {
            let shared = self.cx.shared(object);
            if self.state.lost.contains(&object) {
                value.rename(object, shared);
            }
        }
        value
    }

    fn combined(&self, op: RmwOp, ty: Ty, old: &Value, operand: &Value) -> Value {
        let width = self.width(ty);
        let (x, y) = match (op, old.only_numbers(), operand.only_numbers()) {
            (RmwOp::Exchange, ..) => return operand.clone(),
            (_, Some(x), Some(y)) if matches!(ty, Ty::Int(_)) => (x, y),
            _ => return Value::any(width),
        };
        Value::number(match op {
            RmwOp::Exchange => y,
            RmwOp::Add => x.add(y, width),
            RmwOp::Sub => x.sub(y, width),
            RmwOp::And => x.and(y, width),
            RmwOp::Or => x.or(y, width),
            RmwOp::Xor => x.xor(y, width),
            RmwOp::Nand => x.and(y, width).not(width),
        })
    }

    /// Both outcomes are joined: the value is stored, or the place is as it was.
    fn exchange(&mut self, exchange: &CmpXchg) -> Result<bool, Invalid> {
        let CmpXchg { ok, old: dst, ty, ptr, desired, .. } = exchange;
        let address = self.address(*ptr);
        let Some(old) = self.peek(&address, *ty) else {
            self.targets(&address.value, ty.bytes(self.cx.program.pointer_bytes), true);
            return Ok(false);
        };
        let desired = self.operand(*desired);
        let mut stored = old.clone();
        stored.join(&desired);
        let goes_on = self.store(&address, stored, *ty, How::Atomic)?;
        let old = self.renamed(old);
        self.set(*dst, old);
        self.set_any(*ok);
        Ok(goes_on)
    }

    fn assertion(&mut self, check: Check, cond: &Expr, is_about: bool) -> bool {
        self.look(cond);
        let asked = self.cx.question.checks.contains(check);
        let kept = asked || check.is_memory_error() && !is_about;
        if !kept {
            return true;
        }
        let value = eval::value(self.cx.program, self, cond);
        if value.constant() != Some(1) {
            let checks = match check.is_memory_error() {
                true => all(),
                false => only(check),
            };
            self.open(checks, format!("the check for {check} may fail"));
        }
        self.assume_expr(cond)
    }

    fn choice(&self, kind: ChoiceKind, ty: Ty) -> Value {
        let question = self.cx.question;
        let never = match kind {
            ChoiceKind::AllocFail => !question.malloc_may_fail,
            ChoiceKind::CallFail => !question.calls_may_fail,
            ChoiceKind::Spurious => !question.spurious_wakeups,
            ChoiceKind::Value
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Base
            | ChoiceKind::Random => false,
        };
        if never { Value::null() } else { Value::any(self.width(ty)) }
    }

    /// The guard is looked at in the same step in which the section begins; it may never hold.
    fn begin_guarded(&mut self, guard: &'a Guard) -> Result<bool, Invalid> {
        self.open(
            CheckSet::from_iter([Check::Deadlock]),
            "the condition of an atomic section may never hold",
        );
        let outside = (self.instr, self.loc);
        self.begin_section();
        for instr in &guard.instrs {
            (self.instr, self.loc) = (instr.id, instr.loc);
            let goes_on = match &instr.op {
                Op::Assign { .. } | Op::Load { .. } => self.simple(&instr.op)?,
                _ => {
                    self.doubt("a guard that does more than read");
                    true
                }
            };
            if !goes_on {
                return Ok(false);
            }
        }
        (self.instr, self.loc) = outside;
        Ok(self.assume(guard.cond, true))
    }
}

fn how(order: Order) -> How {
    match order {
        Order::Plain => How::Plain,
        Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel | Order::SeqCst => How::Atomic,
    }
}
