//! One instruction.

use crate::exec::{Step, Unwinder};
use crate::state::{State, plain};
use braid_base::Idx;
use braid_bounded::*;
use braid_ir::*;
use braid_props::Check;
use braid_symex::{Question, Taint, Unevaluated, Value, bit, truth};

impl Unwinder<'_> {
    pub fn operand(&mut self, state: &State, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => match state.regs[reg.index()] {
                Some(value) => value,
                None => self.zero(reg),
            },
            Operand::Const(id) => {
                let objects = &self.out.objects;
                let number = |c: Const| objects.of_const(c).unwrap_or(0);
                let constant = self.program.consts.get(id);
                self.strays |= matches!(constant, Const::Global(_, offset) if offset < 0);
                braid_symex::constant(self.terms, self.layout, &number, constant)
            }
        }
    }

    /// Registers are zero before they are set.
    fn zero(&mut self, reg: RegId) -> Value {
        let func = self.stack.last().expect("registers belong to a function").func;
        let width = self.program.functions[func].regs[reg].ty.bits(self.program.pointer_bytes);
        plain(self.terms.bits(width, 0))
    }

    pub fn set(&mut self, state: &mut State, reg: RegId, value: Value) {
        state.regs[reg.index()] = Some(value);
    }

    pub fn instruction(&mut self, state: &mut State, instr: &Instr) -> Step {
        if !matches!(instr.op, Op::Assign { value: Expr::Use(_) | Expr::Cast { .. }, .. }) {
            self.note(state, instr.id, instr.loc);
        }
        if self.ends_trial(state, instr) {
            state.guard = self.terms.bool(false);
            return Ok(());
        }
        self.racy = self.racy_of(state, &instr.op);
        let done = self.operation(state, instr);
        self.racy = None;
        done
    }

    /// How accesses of the operation count for data races.
    fn racy_of(&self, state: &State, op: &Op) -> Option<Racy> {
        let section = state.section.is_some_and(|section| section.node.is_some());
        if !self.options.checks.contains(Check::DataRace)
            || self.is_trial(state)
            || (section && !self.options.races_in_sections)
        {
            return None;
        }
        let (atomic, extent, frees) = match op {
            Op::Load { access, .. } | Op::Store { access, .. } => {
                (access.order != Order::Plain, access.extent, false)
            }
            Op::Rmw { .. } | Op::CmpXchg(_) => (true, (0, 0), false),
            Op::Copy { .. } | Op::Fill { .. } => (false, (0, 0), false),
            Op::Free { .. } => (false, (0, 0), true),
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Output { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => return None,
        };
        let internal = self.stack.last().is_some_and(|frame| self.program.functions[frame.func].internal);
        Some(Racy { log: self.log, atomic, section, frees, exchanges: false, internal, extent })
    }

    /// Returns true if a word that is read is a thread's handle, as far as it is no plain number: such a word is as
    /// whole as a pointer, though its type is that of a number.
    fn reads_handle(&self, dst: RegId, ty: Ty, space: Space) -> bool {
        let word = matches!(ty, Ty::Int(_))
            && ty.bytes(self.program.pointer_bytes) == u64::from(self.program.pointer_bytes);
        let Some(instance) = self.stack.last().and_then(|frame| frame.instance) else { return false };
        if !word || space != Space::Memory {
            return false;
        }
        let set = self.facts.pointers.in_instance(instance, Operand::Reg(dst));
        !set.handles.is_empty() && set.targets.is_empty() && !set.may_be_exposed
    }

    fn operation(&mut self, state: &mut State, instr: &Instr) -> Step {
        let loc = instr.loc;
        match &instr.op {
            Op::Assign { dst, value } => {
                if let Some(value) = self.expr(state, value, loc) {
                    self.set(state, *dst, value);
                }
            }
            Op::Load { dst, ty, ptr, access } => {
                let pointer = *ty == Ty::Ptr || self.reads_handle(*dst, *ty, access.space);
                if let Some(value) = self.load(state, *ptr, *ty, access.space, pointer, loc) {
                    self.set(state, *dst, value);
                }
            }
            Op::Store { ty, ptr, value, access } => {
                let value = self.operand(state, *value);
                self.store(state, *ptr, *ty, value, access.space, loc);
            }
            Op::Rmw { dst, op, ty, ptr, value, order: _ } => {
                self.rmw(state, *dst, *op, *ty, *ptr, *value, loc)
            }
            Op::CmpXchg(exchange) => self.cmpxchg(state, exchange, loc),
            Op::Fence { order: _ } | Op::Output { .. } => {}
            Op::Copy { dst, src, len, shape, overlapping } => {
                self.copy(state, *dst, *src, *len, *shape, *overlapping, instr)
            }
            Op::Fill { dst, byte, len, shape } => self.fill(state, *dst, *byte, *len, *shape, instr),
            Op::Call { .. } => unreachable!("calls are control flow"),
            Op::Assume { cond } => {
                let cond = self.operand(state, *cond);
                self.depends(state, cond, loc);
                let cond = truth(self.terms, cond.term);
                let wanted = self.options.executed.contains(&instr.id);
                if wanted {
                    self.mark(state, MarkOf::Executed(instr.id));
                }
                self.require(state, cond, None, loc);
                if wanted {
                    self.mark(state, MarkOf::Passed(instr.id));
                }
            }
            Op::Assert { check, cond, message: _, about: _ } => {
                if self.options.executed.contains(&instr.id) {
                    self.mark(state, MarkOf::Executed(instr.id));
                }
                self.assertion(state, *check, cond, loc);
            }
            Op::Alloc { dst, kind, size, align, zeroed } => {
                self.alloc(state, *dst, *kind, *size, *align, *zeroed, instr)
            }
            Op::Free { kind, ptr } => self.free(state, *kind, *ptr, loc),
            Op::LocalLive { local } => self.local_live(state, *local),
            Op::LocalDead { local } => {
                if let Some(pointer) = state.locals[local.index()] {
                    let always = self.terms.bool(true);
                    self.kill(state, pointer, always);
                }
            }
            Op::Nondet { dst, ty, kind } => {
                let value = self.nondet(*ty, *kind);
                self.set(state, *dst, value);
            }
            Op::Input { dst } => {
                let value = self.choice(ChoiceOf::Input, Ty::Int(32));
                let byte = self.terms.bits(32, 255);
                let end = self.terms.bits(32, u128::MAX);
                let is_byte = self.terms.ule(value.term, byte);
                let is_end = self.terms.eq(value.term, end);
                let fits = self.terms.or(is_byte, is_end);
                self.out.constraints.push(fits);
                self.set(state, *dst, value);
            }
            Op::Spawn { dst, func, arg } => self.spawn(state, instr, *dst, *func, *arg)?,
            Op::Join { dst, handle } => self.join(state, *dst, *handle, loc),
            Op::Detach { handle } => self.detach(state, *handle, loc),
            Op::Pair { dst, word, mutex } => {
                if let Some(value) = self.pair(state, *word, *mutex, loc) {
                    self.set(state, *dst, value);
                }
            }
            Op::ThreadState { dst, ask, handle } => {
                if let Some(value) = self.thread_state(state, *ask, *handle, loc) {
                    self.set(state, *dst, value);
                }
            }
            Op::Lock { mutex } => self.lock(state, *mutex, loc),
            Op::TryLock { dst, mutex } => {
                if let Some(taken) = self.try_lock(state, *mutex, loc) {
                    self.set(state, *dst, taken);
                }
            }
            Op::Unlock { mutex } => self.unlock(state, *mutex, loc),
            Op::AtomicBegin { when } => self.atomic_begin(state, when.as_deref())?,
            Op::AtomicEnd => self.leave_section(state),
            Op::SelfHandle { dst } => {
                let handle = self.out.threads[self.thread].handle;
                let term = self.layout.address(self.terms, handle, 0);
                self.set(state, *dst, Value { term, taint: Taint::Address });
            }
            Op::SelfNumber { dst } => {
                let number = self.terms.bits(32, self.own_number());
                self.set(state, *dst, plain(number));
            }
            Op::ExitThread { value } => self.exit_thread(state, *value, loc),
            Op::ExitProgram { code } => {
                let code = self.operand(state, *code);
                self.depends(state, code, loc);
                self.program_finishes(state.clone(), loc);
                state.guard = self.terms.bool(false);
            }
            Op::Abort => {
                self.program_ends(state.clone(), false);
                state.guard = self.terms.bool(false);
            }
            Op::Unsupported { what } => self.unsupported(state, what.as_str(), loc),
            Op::Partial { what, bound } => self.partial(state, what.as_str(), *bound, loc),
        }
        Ok(())
    }

    /// A mutex's owner: the number of the thread plus one.
    pub fn own_number(&self) -> u128 {
        Bounded::number_of(self.thread).into()
    }

    fn nondet(&mut self, ty: Ty, kind: ChoiceKind) -> Value {
        let impossible = match kind {
            ChoiceKind::AllocFail => !self.options.malloc_may_fail,
            ChoiceKind::Spurious => !self.options.spurious_wakeups,
            ChoiceKind::CallFail => !self.options.calls_may_fail,
            ChoiceKind::Value
            | ChoiceKind::Random
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Base => false,
        };
        if impossible {
            let width = ty.bits(self.program.pointer_bytes);
            return plain(self.terms.bits(width, 0));
        }
        let value = self.choice(ChoiceOf::Kind(kind), ty);
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
            self.out.constraints.push(fits);
        }
        value
    }

    /// A pure expression; none if the path ends here.
    pub fn expr(&mut self, state: &mut State, expr: &Expr, loc: Loc) -> Option<Value> {
        let values = self.operands(state, expr);
        let mut lookup = |_: &mut braid_logic::Terms, operand: Operand| {
            let found = values.iter().find(|(known, _)| *known == operand);
            found.map(|(_, value)| *value).expect("every operand of the expression was looked up")
        };
        let objects = &self.out.objects;
        let align = |number: u32| objects.get(number).map_or(1, |object| object.align);
        match braid_symex::expr(self.terms, self.layout, &align, &mut lookup, expr) {
            Ok(result) => {
                if let Some(defined) = result.defined {
                    let undefined = self.terms.not(defined);
                    self.check(state, Check::DivisionByZero, undefined, loc);
                }
                let has = |taint| values.iter().any(|(_, value)| value.taint == taint);
                if result.value.taint == Taint::Address && has(Taint::Address) && has(Taint::Loaded) {
                    // An offset that others computed, from addresses perhaps.
                    let always = self.terms.bool(true);
                    self.on_addresses(state, always, What::LoadedAddresses, loc);
                }
                if result.value.taint == Taint::Address && !self.strays {
                    self.strays = self.may_stray(expr, &values);
                }
                let made = matches!(expr, Expr::Cast { op: CastOp::IntToPtr, .. });
                if made {
                    self.becomes_pointer(state, result.value.taint, loc);
                }
                if let Some(question) = result.asks {
                    self.question(state, question, expr, loc);
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

    /// Whether an expression may move an address to before its object.
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

    pub fn operands(&mut self, state: &State, expr: &Expr) -> Vec<(Operand, Value)> {
        let list: Vec<Operand> = match *expr {
            Expr::Use(a) | Expr::Unary { a, .. } | Expr::Cast { a, .. } | Expr::ObjectSize(a) => vec![a],
            Expr::Binary { a, b, .. }
            | Expr::Compare { a, b, .. }
            | Expr::Fits { a, b, .. }
            | Expr::PtrDiff { a, b }
            | Expr::Math { a, b, .. } => vec![a, b],
            Expr::Select { cond, then, other, .. } => vec![cond, then, other],
            Expr::PtrAdd { ptr, offset } => vec![ptr, offset],
            Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => Vec::new(),
        };
        list.into_iter().map(|operand| (operand, self.operand(state, operand))).collect()
    }

    /// Expressions that need to know the memory.
    fn contextual(&mut self, state: &mut State, expr: &Expr, loc: Loc) -> Option<Value> {
        match *expr {
            Expr::LocalAddr(local) => {
                let null = self.pointer_bits(0);
                let term = state.locals[local.index()].unwrap_or(null);
                Some(Value { term, taint: Taint::Address })
            }
            Expr::ThreadLocalAddr(global) => {
                let number = self.thread_locals[self.thread].get(&global).copied().unwrap_or(0);
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

    fn object_size(&mut self, state: &mut State, pointer: Operand, loc: Loc) -> Option<Value> {
        let pointer = self.operand(state, pointer).term;
        let list = match self.layout.constant(self.terms, pointer) {
            Some((number, _)) => vec![number],
            None => match self.layout.candidates(self.terms, pointer) {
                Some(list) => list,
                None if !state.multi => self.out.objects.iter().map(|(number, _)| number).collect(),
                None => {
                    self.unsupported(state, "the size of an object behind a pointer from shared memory", loc);
                    return None;
                }
            },
        };
        let mut result = self.pointer_bits(0);
        for number in list {
            let Some(object) = self.out.objects.get(number) else { continue };
            let size = object.size;
            if self.is_life_seen(state, number) {
                self.unsupported(state, "the size of an object that another thread may free", loc);
                return None;
            }
            let zero = self.pointer_bits(0);
            let inside = self.is_inside(number, pointer, zero);
            let zone = self.layout.is_in(self.terms, pointer, number);
            let alive = state.memory.alive(self.terms, number);
            let here = self.terms.and(zone, inside);
            let here = self.terms.and(here, alive);
            let offset = self.layout.offset_of(self.terms, pointer);
            let rest = self.terms.bv_sub(size, offset);
            result = self.terms.ite(here, rest, result);
        }
        Some(plain(result))
    }

    fn assertion(&mut self, state: &mut State, check: Check, cond: &Expr, loc: Loc) {
        // What is not checked is not there, but for accesses that mean nothing.
        if !self.options.checks.contains(check) && !check.is_memory_error() {
            return;
        }
        let Some(value) = self.expr(state, cond, loc) else { return };
        self.depends(state, value, loc);
        let holds = truth(self.terms, value.term);
        let violated = self.terms.not(holds);
        self.check(state, check, violated, loc);
    }

    #[allow(clippy::too_many_arguments)]
    fn rmw(
        &mut self,
        state: &mut State,
        dst: RegId,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
        loc: Loc,
    ) {
        let operand = self.operand(state, value);
        let at = self.at(state, ptr);
        let bytes = ty.bytes(self.program.pointer_bytes) as u32;
        let len = self.pointer_bits(bytes.into());
        let Some(reach) = self.reach(state, at, len, true, Space::Memory, loc) else { return };
        let pointer = ty == Ty::Ptr;
        let Some(old) = self.read(state, at, &reach, bytes, Space::Memory, pointer, loc) else { return };
        let old = self.typed(old, ty);
        if matches!(
            (old.taint, operand.taint),
            (Taint::Address, Taint::Loaded) | (Taint::Loaded, Taint::Address)
        ) {
            // An offset that others computed, from addresses perhaps.
            self.becomes_pointer(state, Taint::Loaded, loc);
        }
        let new = braid_symex::rmw(self.terms, self.layout, op, ty, old, operand);
        self.strays |= new.taint == Taint::Address && op != RmwOp::Exchange;
        let new = self.as_bytes(new, bytes);
        self.write(state, at, &reach, bytes, Space::Memory, new, loc);
        self.set(state, dst, old);
    }

    fn cmpxchg(&mut self, state: &mut State, c: &CmpXchg, loc: Loc) {
        let (expected, desired) = (self.operand(state, c.expected), self.operand(state, c.desired));
        let at = self.at(state, c.ptr);
        let bytes = c.ty.bytes(self.program.pointer_bytes) as u32;
        let len = self.pointer_bits(bytes.into());
        let Some(reach) = self.reach(state, at, len, true, Space::Memory, loc) else { return };
        let pointer = c.ty == Ty::Ptr;
        let Some(old) = self.read(state, at, &reach, bytes, Space::Memory, pointer, loc) else { return };
        let old = self.typed(old, c.ty);
        let equal = self.terms.eq(old.term, expected.term);
        let addresses = |taint| matches!(taint, Taint::Address | Taint::Mixed);
        if addresses(old.taint) || addresses(expected.taint) {
            let question = Question::Compare { equality: true, a: old, b: expected };
            let expr = Expr::Compare { op: CmpOp::Eq, ty: c.ty, a: c.expected, b: c.expected };
            if self.terms.width(old.term) == self.layout.pointer_bits {
                self.exchange_question(state, question, expr, loc);
            }
        }
        let alike = Value { term: bit(self.terms, equal), taint: exchanged(old.taint, expected.taint) };
        self.depends(state, alike, loc);
        let mut stored = equal;
        if c.weak {
            let fails = self.nondet(Ty::BOOL, ChoiceKind::WeakFail);
            let fails = truth(self.terms, fails.term);
            let succeeds = self.terms.not(fails);
            stored = self.terms.and(stored, succeeds);
        }
        let before = state.guard;
        state.guard = self.terms.and(before, stored);
        let memory = state.memory.clone();
        let desired = self.as_bytes(desired, bytes);
        self.racy = self.racy.map(|racy| Racy { exchanges: true, ..racy });
        self.write(state, at, &reach, bytes, Space::Memory, desired, loc);
        // On the other path memory is as it was.
        state.memory =
            braid_symex::memory::Memory::merge(self.terms, &self.out.objects, stored, &state.memory, &memory);
        state.guard = before;
        self.set(state, c.old, old);
        let ok = bit(self.terms, stored);
        self.set(state, c.ok, plain(ok));
    }

    /// The value read has no operand of its own.
    fn exchange_question(&mut self, state: &mut State, question: Question, expr: Expr, loc: Loc) {
        let unknown = Expr::Use(match expr {
            Expr::Compare { a, .. } => a,
            _ => return,
        });
        self.question(state, question, &unknown, loc);
    }
}

/// What the outcome of an exchange owes to addresses, if these were compared: between whole ones that is asked apart.
fn exchanged(old: Taint, expected: Taint) -> Taint {
    match (old, expected) {
        (Taint::Mixed, _) | (_, Taint::Mixed) => Taint::Mixed,
        (Taint::Loaded, _) | (_, Taint::Loaded) => Taint::Loaded,
        (Taint::None | Taint::Address, Taint::None | Taint::Address) => Taint::None,
    }
}
