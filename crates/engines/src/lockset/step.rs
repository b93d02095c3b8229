//! Executes the instructions of a block on a state.

use super::access::{Spot, Visit};
use super::join::bound_value;
use super::solver::Solver;
use braid_base::IndexVec;
use braid_ir::{
    AllocKind, BinOp, BlockId, Callee, CastOp, ChoiceKind, Expr, FuncId, Function, Instr, InstrId, LocalId,
    Op, Operand, Order, Program, RegId, ShapeId, TermKind, Terminator, Ty,
};
use braid_proof::eval::{self, Definitions, Registers};
use braid_proof::{
    Bound, Form, InstanceId, Kind, Loaded, LockName, Object, ObjectId, Place, Range, Space, State, Value,
};
use braid_symex::step::leaves::leaves;
use std::rc::Rc;

/// Leaves of a copy that are copied one by one.
const MOST_LEAVES: usize = 256;

pub struct Step<'s, 'a> {
    pub solver: &'s mut Solver<'a>,
    pub instance: InstanceId,
    pub function: &'a Function,
    pub state: State,
    pub definitions: Definitions,
    pub instr: InstrId,
}

/// The registers of a state.
pub struct View<'v> {
    pub program: &'v Program,
    pub function: &'v Function,
    pub state: &'v mut State,
    locals: &'v IndexVec<LocalId, Value>,
}

impl Registers for View<'_> {
    fn get(&self, reg: RegId) -> Value {
        get(self.program, self.function, self.state, reg)
    }

    fn refine(&mut self, reg: RegId, value: Value) {
        if let Some(Loaded::Place(key)) = self.state.loaded.get(&reg).copied()
            && self.state.known.contains_key(&key)
        {
            let known = Rc::make_mut(&mut self.state.known);
            known.get_mut(&key).expect("the entry is there").value = value.clone();
        }
        self.state.registers.insert(reg, value);
    }

    fn local(&self, local: LocalId) -> Value {
        self.locals[local].clone()
    }

    fn size(&self, _: ObjectId) -> Option<Range> {
        None
    }
}

fn get(program: &Program, function: &Function, state: &State, reg: RegId) -> Value {
    let known = state.registers.get(&reg).cloned();
    known.unwrap_or_else(|| Value::any(eval::width(program, function.regs[reg].ty)))
}

impl<'s, 'a> Step<'s, 'a> {
    pub fn new(solver: &'s mut Solver<'a>, instance: InstanceId, state: State) -> Step<'s, 'a> {
        let function = &solver.program.functions[solver.instances[instance].function];
        Step { solver, instance, function, state, definitions: Definitions::default(), instr: InstrId(0) }
    }

    /// Executes a block. The states in which its successors are entered.
    pub fn block(mut self, block: BlockId) -> Vec<(BlockId, State)> {
        let block = &self.function.blocks[block];
        for instr in &block.instrs {
            self.instr = instr.id;
            if !self.execute(instr) {
                return Vec::new();
            }
        }
        self.instr = block.end.id;
        self.leave(&block.end)
    }

    fn leave(&mut self, end: &Terminator) -> Vec<(BlockId, State)> {
        match &end.kind {
            TermKind::Jump(to) => vec![(*to, std::mem::take(&mut self.state))],
            TermKind::Branch { cond, then, other, .. } => {
                let sides = [(*then, true), (*other, false)];
                sides.into_iter().filter_map(|(to, holds)| Some((to, self.assumed(*cond, holds)?))).collect()
            }
            TermKind::Switch { ty, value, cases, default } => {
                let mut next = Vec::new();
                let before = self.state.clone();
                for (bits, to) in cases {
                    self.state = before.clone();
                    if self.assume_value(*ty, *value, (true, *bits)) {
                        next.push((*to, std::mem::take(&mut self.state)));
                    }
                }
                self.state = before;
                if cases.iter().all(|(bits, _)| self.assume_value(*ty, *value, (false, *bits))) {
                    next.push((*default, std::mem::take(&mut self.state)));
                }
                next
            }
            TermKind::Return(value) => {
                let value = value.map_or(Value::NONE, |value| self.value(value));
                self.return_from(value);
                Vec::new()
            }
            TermKind::Unreachable => Vec::new(),
        }
    }

    fn assumed(&self, cond: Operand, holds: bool) -> Option<State> {
        let mut state = self.state.clone();
        let locals = self.locals();
        let (program, function) = (self.solver.program, self.function);
        let mut view = View { program, function, state: &mut state, locals: &locals };
        eval::assume(program, function, &mut view, &self.definitions, cond, holds).then_some(())?;
        resolve_tries(program, function, &mut state);
        Some(state)
    }

    fn assume_value(&mut self, ty: Ty, value: Operand, what: (bool, u128)) -> bool {
        let locals = self.locals();
        let (program, function) = (self.solver.program, self.function);
        let mut view = View { program, function, state: &mut self.state, locals: &locals };
        let possible = eval::assume_value(program, &mut view, &self.definitions, ty, value, what);
        resolve_tries(program, function, &mut self.state);
        possible
    }

    /// The addresses of the locals.
    fn locals(&self) -> IndexVec<LocalId, Value> {
        let ids = self.function.locals.enumerated().map(|(id, _)| id);
        ids.map(|local| self.local(local)).collect()
    }

    fn local(&self, local: LocalId) -> Value {
        let Some(own) = self.solver.objects.find(Place::Local(self.instance, local)) else {
            return Value::NONE;
        };
        let mut value = Value::NONE;
        let lives = self.state.own.contains_key(&own);
        if lives {
            value.join(&Value::address(own, 0));
        }
        if !lives || self.state.lost.contains(&own) {
            value.join(&Value::address(self.solver.objects.shared(own), 0));
        }
        value
    }

    pub fn value(&self, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => get(self.solver.program, self.function, &self.state, reg),
            Operand::Const(id) => eval::constant(self.solver.program, self.solver.program.consts.get(id)),
        }
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        let locals = match expr {
            Expr::LocalAddr(_) => self.locals(),
            _ => IndexVec::new(),
        };
        let (program, function) = (self.solver.program, self.function);
        let view = View { program, function, state: &mut self.state, locals: &locals };
        eval::value(program, &view, expr)
    }

    /// Gives a register a value.
    pub fn set(&mut self, reg: RegId, value: Value) {
        self.kill(reg);
        self.definitions.set(reg, None);
        self.put(reg, value);
    }

    fn put(&mut self, reg: RegId, value: Value) {
        let any = Value::any(eval::width(self.solver.program, self.function.regs[reg].ty));
        match value == any {
            true => _ = self.state.registers.remove(&reg),
            false => _ = self.state.registers.insert(reg, value),
        }
    }

    /// Forgets what is said in terms of a register's old value.
    fn kill(&mut self, reg: RegId) {
        fix_bounds(&mut self.state, |of| of == reg);
        let state = &mut self.state;
        state.forms.retain(|of, form| *of != reg && form.base != reg);
        state.loaded.retain(|of, loaded| {
            *of != reg && !matches!(loaded, Loaded::Element(_, form, _) if form.base == reg)
        });
        state.tried.retain(|of, (name, _)| *of != reg && !is_relative_to(*name, reg));
        let (kept, lost): (Vec<_>, Vec<_>) = std::mem::take(&mut state.holds)
            .into_iter()
            .partition(|hold| !hold.name.is_some_and(|name| is_relative_to(name, reg)));
        state.holds = kept;
        for hold in lost {
            super::join::add_hold(&mut state.holds, braid_proof::Hold { name: None, certain: false, ..hold });
        }
        state.teams.retain(|_, team| {
            [team.lo, team.hi].iter().all(|bound| !matches!(bound, Bound::Register(of, _) if *of == reg))
        });
        state.below.retain(|_, below| below.register != reg);
    }

    fn assign(&mut self, dst: RegId, expr: &Expr) {
        let value = self.evaluate(expr);
        if let Some(by) = self.increment(dst, expr) {
            self.shift(dst, by);
            self.definitions.set(dst, None);
            self.put(dst, value);
            return;
        }
        let form = self.form_of(expr).filter(|form| form.base != dst);
        let loaded = match expr {
            Expr::Use(Operand::Reg(from)) if *from != dst => self.state.loaded.get(from).copied(),
            _ => None,
        };
        let tried = match expr {
            Expr::Use(Operand::Reg(from)) if *from != dst => self.state.tried.get(from).copied(),
            _ => None,
        };
        self.kill(dst);
        self.definitions.set(dst, Some(expr));
        self.put(dst, value);
        if let Some(form) = form {
            self.state.forms.insert(dst, form);
        }
        if let Some(loaded) = loaded {
            self.state.loaded.insert(dst, loaded);
        }
        if let Some(tried) = tried {
            self.state.tried.insert(dst, tried);
        }
    }

    /// The constant that is added to a register, if the assignment does that without wrapping.
    fn increment(&self, dst: RegId, expr: &Expr) -> Option<i64> {
        let Expr::Binary { op: op @ (BinOp::Add | BinOp::Sub), ty: Ty::Int(w), a: Operand::Reg(a), b } =
            *expr
        else {
            return None;
        };
        let by = self.value(b).constant()?;
        if a != dst || !matches!(b, Operand::Const(_)) {
            return None;
        }
        let by = if op == BinOp::Add { by } else { -by };
        let (lo, hi) = self.value(Operand::Reg(a)).only_numbers()?.signed(w);
        let fits = |value: i128| value >= i128::MIN >> (128 - w) && value <= i128::MAX >> (128 - w);
        (fits(lo + by) && fits(hi + by)).then(|| i64::try_from(by).ok()).flatten()
    }

    /// A register has grown by a constant: what is said in terms of it moves along.
    fn shift(&mut self, reg: RegId, by: i64) {
        let state = &mut self.state;
        state.forms.remove(&reg);
        state.loaded.remove(&reg);
        state.tried.retain(|of, (name, _)| *of != reg && !is_relative_to(*name, reg));
        for form in state.forms.values_mut().filter(|form| form.base == reg) {
            form.offset = form.offset.saturating_sub(form.scale.saturating_mul(by));
        }
        for loaded in state.loaded.values_mut() {
            if let Loaded::Element(_, form, _) = loaded
                && form.base == reg
            {
                form.offset = form.offset.saturating_sub(form.scale.saturating_mul(by));
            }
        }
        for team in state.teams.values_mut() {
            for bound in [&mut team.lo, &mut team.hi] {
                if let Bound::Register(of, offset) = bound
                    && *of == reg
                {
                    *offset = offset.saturating_sub(by);
                }
            }
        }
        for below in state.below.values_mut().filter(|below| below.register == reg) {
            below.offset = below.offset.saturating_sub(below.scale.saturating_mul(by));
        }
    }

    /// The linear function of a register that an operand is; the offset alone for a constant.
    fn linear(&self, operand: Operand) -> Option<(Option<RegId>, i64, i64)> {
        match operand {
            Operand::Reg(reg) => match self.state.forms.get(&reg) {
                // Chains of pointers stay chains, so that each link can name locks.
                Some(form) if self.function.regs[reg].ty != Ty::Ptr => {
                    Some((Some(form.base), form.scale, form.offset))
                }
                _ => Some((Some(reg), 1, 0)),
            },
            Operand::Const(_) => Some((None, 0, i64::try_from(self.value(operand).constant()?).ok()?)),
        }
    }

    /// The bounds of an operand, read as signed.
    fn hull(&self, operand: Operand, w: u8) -> Option<(i128, i128)> {
        Some(self.value(operand).only_numbers()?.signed(w))
    }

    fn form_of(&self, expr: &Expr) -> Option<Form> {
        let make =
            |(base, scale, offset): (Option<RegId>, i64, i64)| Some(Form { base: base?, scale, offset });
        let within = |lo: i128, hi: i128, w: u8| {
            (lo >= i128::MIN >> (128 - w) && hi <= i128::MAX >> (128 - w)).then_some(())
        };
        match *expr {
            Expr::Use(a) => make(self.linear(a)?),
            Expr::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, a, .. } => {
                // A number that is an address has no linear form of its own but its pointer's.
                make(self.linear(a)?)
            }
            Expr::Cast { op: CastOp::Sext, a, .. } => make(self.linear(a)?),
            Expr::Cast { op: CastOp::Zext, from: Ty::Int(w), a, .. } => {
                (self.hull(a, w)?.0 >= 0).then_some(())?;
                make(self.linear(a)?)
            }
            Expr::Cast { op: CastOp::Trunc, from: Ty::Int(f), to: Ty::Int(t), a } => {
                let (lo, hi) = self.hull(a, f)?;
                within(lo, hi, t)?;
                make(self.linear(a)?)
            }
            Expr::Binary { op, ty: Ty::Int(w), a, b } => {
                let ((a_lo, a_hi), (b_lo, b_hi)) = (self.hull(a, w)?, self.hull(b, w)?);
                let (x, y) = (self.linear(a)?, self.linear(b)?);
                match op {
                    BinOp::Add => {
                        within(a_lo + b_lo, a_hi + b_hi, w)?;
                        match (x, y) {
                            ((base, s, k), (None, _, c)) | ((None, _, c), (base, s, k)) => {
                                make((base, s, k.checked_add(c)?))
                            }
                            _ => None,
                        }
                    }
                    BinOp::Sub => {
                        within(a_lo - b_hi, a_hi - b_lo, w)?;
                        match y {
                            (None, _, c) => make((x.0, x.1, x.2.checked_sub(c)?)),
                            _ => None,
                        }
                    }
                    BinOp::Mul => {
                        let corners = [
                            a_lo.checked_mul(b_lo)?,
                            a_lo.checked_mul(b_hi)?,
                            a_hi.checked_mul(b_lo)?,
                            a_hi.checked_mul(b_hi)?,
                        ];
                        within(*corners.iter().min()?, *corners.iter().max()?, w)?;
                        match (x, y) {
                            ((base, s, k), (None, _, c)) | ((None, _, c), (base, s, k)) => {
                                make((base, s.checked_mul(c)?, k.checked_mul(c)?))
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            Expr::PtrAdd { ptr, offset } => match (self.linear(offset)?, ptr) {
                ((None, _, c), Operand::Reg(base)) => Some(Form { base, scale: 1, offset: c }),
                ((base, s, k), _) => {
                    let value = self.value(ptr);
                    let [(_, at)] = value.targets.as_slice() else { return None };
                    value.numbers.is_none().then_some(())?;
                    let start = i64::try_from(at.single()?).ok()?;
                    make((base, s, k.checked_add(start)?))
                }
            },
            _ => None,
        }
    }

    /// All registers that an address is a constant distance from, the nearest first.
    pub fn bases(&self, pointer: Operand) -> Vec<(RegId, i64)> {
        let mut found = Vec::new();
        let (mut reg, mut distance) = match pointer {
            Operand::Reg(reg) => (reg, 0i64),
            Operand::Const(_) => return found,
        };
        loop {
            found.push((reg, distance));
            match self.state.forms.get(&reg) {
                Some(form) if form.scale == 1 && self.function.regs[form.base].ty == Ty::Ptr => {
                    distance = distance.saturating_add(form.offset);
                    reg = form.base;
                }
                _ => return found,
            }
            if found.len() > 32 {
                return found;
            }
        }
    }

    /// An address as a linear function of a register that holds a number, or of the first pointer of the chain.
    pub fn address_form(&self, pointer: Operand) -> Option<Form> {
        let (last, distance) = self.bases(pointer).pop()?;
        match self.state.forms.get(&last) {
            Some(form) => Some(Form { offset: form.offset.checked_add(distance)?, ..*form }),
            None => Some(Form { base: last, scale: 1, offset: distance }),
        }
    }

    /// The address of an access as a linear function of the argument with which the thread was started.
    fn own_form(&self, pointer: Operand) -> Option<(i64, i64)> {
        let instance = &self.solver.instances[self.instance];
        let [thread] = instance.threads.iter().copied().collect::<Vec<_>>()[..] else { return None };
        (self.solver.threads.list[thread].root == self.instance).then_some(())?;
        let param = *self.function.params.first()?;
        let mut form = self.address_form(pointer)?;
        // Numbers are flattened; a pointer turned into a number is one more link.
        while form.base != param {
            let next = self.state.forms.get(&form.base)?;
            form = Form {
                base: next.base,
                scale: form.scale.checked_mul(next.scale)?,
                offset: form.scale.checked_mul(next.offset)?.checked_add(form.offset)?,
            };
        }
        Some((form.scale, form.offset))
    }

    /// Executes an instruction. Returns false if nothing follows it.
    fn execute(&mut self, instr: &Instr) -> bool {
        match &instr.op {
            Op::Assign { dst, value } => self.assign(*dst, value),
            Op::Load { dst, ty, ptr, access } => {
                let atomic = access.order != Order::Plain;
                let value = self.load(*ptr, *ty, atomic);
                self.set(*dst, value);
                self.note_loaded(*dst, *ptr, *ty);
            }
            Op::Store { ty, ptr, value, access } => {
                let value = self.value(*value);
                self.store(*ptr, *ty, value, access.order != Order::Plain);
            }
            Op::Rmw { dst, op, ty, ptr, value, .. } => {
                let old = self.load(*ptr, *ty, true);
                let operand = self.value(*value);
                let new = self.modified(*op, *ty, &old, &operand);
                self.store(*ptr, *ty, new, true);
                self.set(*dst, old);
            }
            Op::CmpXchg(c) => {
                let old = self.load(c.ptr, c.ty, true);
                let desired = self.value(c.desired);
                let mut after = old.clone();
                after.join(&desired);
                self.store(c.ptr, c.ty, after, true);
                self.set(c.old, old);
                self.set(c.ok, Value::any(1));
            }
            Op::Fence { .. } | Op::Output { .. } => {}
            Op::Copy { dst, src, len, shape, .. } => self.copy(*dst, *src, *len, *shape),
            Op::Fill { dst, byte, len, shape } => self.fill(*dst, *byte, *len, *shape),
            Op::Call { dst, callee, args } => return self.call(*dst, *callee, args),
            Op::Assume { cond } => match self.assumed(*cond, true) {
                Some(state) => self.state = state,
                None => return false,
            },
            Op::Assert { .. } => {}
            Op::Alloc { dst, size, zeroed, kind, .. } => {
                let _ = kind;
                let size = self.value(*size).only_numbers().and_then(|range| {
                    let (lo, hi) = range.unsigned(8 * self.solver.program.pointer_bytes)?;
                    Range::new(lo, hi, u64::from(lo != hi))
                });
                let size = size.unwrap_or(Range::interval(0, i64::MAX.into()));
                let place = Place::Block(self.instance, instr.id);
                let own = self.solver.make(self.instance, &mut self.state, place, size, *zeroed);
                self.set(*dst, Value::address(own, 0));
            }
            Op::Free { kind, ptr } => self.free(*kind, *ptr),
            Op::LocalLive { local } => {
                let size = Range::point(self.function.locals[*local].size.into());
                let place = Place::Local(self.instance, *local);
                self.solver.make(self.instance, &mut self.state, place, size, false);
            }
            Op::LocalDead { local } => self.end_local(*local),
            Op::Nondet { dst, ty, kind } => {
                let question = &self.solver.question;
                let certain = match kind {
                    ChoiceKind::AllocFail => !question.malloc_may_fail,
                    ChoiceKind::CallFail => !question.calls_may_fail,
                    ChoiceKind::Spurious => !question.spurious_wakeups,
                    ChoiceKind::Base => true,
                    ChoiceKind::Value
                    | ChoiceKind::Uninit
                    | ChoiceKind::Clock
                    | ChoiceKind::Timeout
                    | ChoiceKind::Wake
                    | ChoiceKind::WeakFail
                    | ChoiceKind::Random => false,
                };
                let width = eval::width(self.solver.program, *ty);
                self.set(*dst, if certain { Value::null() } else { Value::any(width) });
            }
            Op::Input { dst } => self.set(*dst, Value::number(Range::interval(-1, 255))),
            Op::AtomicBegin { when } => {
                if let Some(guard) = when {
                    for inner in &guard.instrs {
                        self.execute(inner);
                    }
                }
                self.begin_section();
                if let Some(guard) = when {
                    match self.assumed(guard.cond, true) {
                        Some(state) => self.state = state,
                        None => return false,
                    }
                }
            }
            Op::AtomicEnd => self.end_section(),
            Op::SelfHandle { dst } => self.set(*dst, Value::any(8 * self.solver.program.pointer_bytes)),
            Op::SelfNumber { dst } => self.set(*dst, Value::any(32)),
            // A text without an effect that works on threads or locks is not looked into: the checker says so.
            Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. } => return false,
            Op::ExitThread { value } => {
                let value = self.value(*value);
                self.end_thread(value);
                return false;
            }
            Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => return false,
            Op::Partial { .. } => {}
        }
        true
    }

    fn modified(&mut self, op: braid_ir::RmwOp, ty: Ty, old: &Value, operand: &Value) -> Value {
        let w = eval::width(self.solver.program, ty);
        let (Some(a), Some(b)) = (old.only_numbers(), operand.only_numbers()) else {
            return match op {
                braid_ir::RmwOp::Exchange => operand.clone(),
                _ => {
                    let mut all = old.clone();
                    all.join(operand);
                    super::memory::mix(&all)
                }
            };
        };
        Value::number(match op {
            braid_ir::RmwOp::Exchange => b,
            braid_ir::RmwOp::Add => a.add(b, w),
            braid_ir::RmwOp::Sub => a.sub(b, w),
            braid_ir::RmwOp::And => a.and(b, w),
            braid_ir::RmwOp::Or => a.or(b, w),
            braid_ir::RmwOp::Xor => a.xor(b, w),
            _ => Range::full(w),
        })
    }

    pub fn visit<'v>(
        &self,
        kind: Kind,
        atomic: bool,
        bases: &'v [(RegId, i64)],
        own: Option<(i64, i64)>,
    ) -> Visit<'v> {
        Visit { instance: self.instance, instr: self.instr, kind, atomic, bases, own }
    }

    /// The value that an access reads.
    pub fn load(&mut self, ptr: Operand, ty: Ty, atomic: bool) -> Value {
        let bytes = ty.bytes(self.solver.program.pointer_bytes);
        let (bases, own) = (self.bases(ptr), self.own_form(ptr));
        let visit = self.visit(Kind::Read, atomic, &bases, own);
        let mut value = Value::NONE;
        for (object, at) in self.value(ptr).targets {
            if eval::as_function(self.solver.program, object).is_none() {
                value.join(&self.solver.read(&mut self.state, Spot::data(object, at, bytes), &visit));
            }
        }
        self.cut(value, ty)
    }

    /// A value that was read, as one of the type.
    fn cut(&self, value: Value, ty: Ty) -> Value {
        let w = eval::width(self.solver.program, ty);
        let narrow =
            ty.bytes(self.solver.program.pointer_bytes) < u64::from(self.solver.program.pointer_bytes);
        let has_address = !value.targets.is_empty() || !value.handles.is_empty();
        if value.is_none() || (narrow && has_address) {
            return Value::any(w);
        }
        Value { numbers: value.numbers.map(|range| range.normal(w)), ..value }
    }

    /// Notes where a register was loaded from.
    fn note_loaded(&mut self, dst: RegId, ptr: Operand, ty: Ty) {
        let bytes = ty.bytes(self.solver.program.pointer_bytes);
        let value = self.value(ptr);
        let [(object, at)] = value.targets.as_slice() else { return };
        if value.numbers.is_some() {
            return;
        }
        let form = self
            .address_form(ptr)
            .filter(|form| form.base != dst && self.function.regs[form.base].ty != Ty::Ptr);
        let key = super::access::place(*object, Space::Data, *at, bytes);
        if let Some(form) = form {
            self.state.loaded.insert(dst, Loaded::Element(*object, form, bytes));
        } else if let Some(key) = key.filter(|key| self.state.known.contains_key(key)) {
            self.state.loaded.insert(dst, Loaded::Place(key));
        }
    }

    pub fn store(&mut self, ptr: Operand, ty: Ty, value: Value, atomic: bool) {
        let bytes = ty.bytes(self.solver.program.pointer_bytes);
        let (bases, own) = (self.bases(ptr), self.own_form(ptr));
        let visit = self.visit(Kind::Write, atomic, &bases, own);
        let target = self.value(ptr);
        self.store_at(&target, bytes, value, &visit);
    }

    /// Writes a value through a pointer.
    pub fn store_at(&mut self, target: &Value, bytes: u64, value: Value, visit: &Visit) {
        let mut target = target.clone();
        let all_own = target.targets.iter().all(|(object, _)| self.solver.objects.is_own(*object));
        let value = match all_own {
            true => value,
            false => {
                let leaked = self.solver.leak(self.instance, &mut self.state, &value);
                // The object that is written to may have become shared by this.
                for (object, _) in target.clone().targets {
                    if self.solver.objects.is_own(object) && !self.state.own.contains_key(&object) {
                        target.rename(object, self.solver.objects.shared(object));
                    }
                }
                leaked
            }
        };
        let exact = match target.targets.as_slice() {
            [(object, at)] => {
                let single = self.solver.objects.is_own(*object) || self.solver.exact(*object, *at).is_some();
                super::access::place(*object, Space::Data, *at, bytes).filter(|_| single)
            }
            _ => None,
        };
        for (object, at) in &target.targets {
            if eval::as_function(self.solver.program, *object).is_some() {
                continue;
            }
            self.solver.disturb(&mut self.state, *object, *at, bytes, visit);
            match exact {
                Some(key) => self.solver.write_exactly(&mut self.state, key, &value, visit),
                None => {
                    let state = &mut self.state;
                    self.solver.write_somewhere(state, Spot::data(*object, *at, bytes), &value, visit);
                }
            }
        }
    }

    /// The one place that a pointer points to, if it does.
    fn only_place(&self, value: &Value) -> Option<(ObjectId, i64)> {
        let [(object, at)] = value.targets.as_slice() else { return None };
        let offset = i64::try_from(at.single()?).ok()?;
        let single = self.solver.objects.is_own(*object)
            || self.solver.objects.is_single(self.solver.program, *object);
        (value.numbers.is_none() && single).then_some((*object, offset))
    }

    fn copy(&mut self, dst: Operand, src: Operand, len: Operand, shape: ShapeId) {
        let (to, from) = (self.value(dst), self.value(src));
        let length = self.value(len).constant().and_then(|len| u64::try_from(len).ok());
        if length == Some(0) {
            return;
        }
        let parts = length.filter(|len| *len < 4096).map(|len| leaves(self.solver.program, shape, len));
        let read = self.visit(Kind::Read, false, &[], None);
        let write = self.visit(Kind::Write, false, &[], None);
        match (self.only_place(&to), self.only_place(&from), parts) {
            (Some((target, at)), Some((source, start)), Some(parts)) if parts.len() <= MOST_LEAVES => {
                for part in parts.iter().filter(|part| part.len > 0) {
                    let place = |start: i64| Range::point(i128::from(start) + i128::from(part.start));
                    let value =
                        self.solver.read(&mut self.state, Spot::data(source, place(start), part.len), &read);
                    let value = self.whole(value, part.len);
                    let target = Value { targets: vec![(target, place(at))], ..Value::NONE };
                    self.store_at(&target, part.len, value, &write);
                }
            }
            _ => {
                let mut value = Value::any(64);
                for (object, at) in region(&from, self.most(len)) {
                    if eval::as_function(self.solver.program, object).is_none() {
                        value.join(&self.solver.read(&mut self.state, Spot::data(object, at, 1), &read));
                    }
                }
                self.store_region(&to, len, super::memory::mix(&value), &write);
            }
        }
    }

    /// A value of so many bytes that was read; parts of addresses are numbers.
    fn whole(&self, value: Value, bytes: u64) -> Value {
        let bits = (8 * bytes).clamp(8, 128) as u8;
        let has_address = !value.targets.is_empty() || !value.handles.is_empty();
        if value.is_none() || (has_address && bytes < u64::from(self.solver.program.pointer_bytes)) {
            return Value::any(bits);
        }
        Value { numbers: value.numbers.map(|range| range.normal(bits)), ..value }
    }

    /// The greatest length that an operand may be.
    fn most(&self, len: Operand) -> i128 {
        let bits = 8 * self.solver.program.pointer_bytes;
        let range = self.value(len).only_numbers().and_then(|range| range.unsigned(bits));
        range.map_or(i64::MAX.into(), |(_, hi)| hi.min(i64::MAX.into()))
    }

    fn store_region(&mut self, to: &Value, len: Operand, value: Value, visit: &Visit) {
        let most = self.most(len);
        let target = Value { targets: region(to, most), ..Value::NONE };
        self.store_at(&target, 1, value, visit);
    }

    fn fill(&mut self, dst: Operand, byte: Operand, len: Operand, shape: ShapeId) {
        let to = self.value(dst);
        let length = self.value(len).constant().and_then(|len| u64::try_from(len).ok());
        if length == Some(0) {
            return;
        }
        let zero = self.value(byte).constant() == Some(0);
        let parts = length.filter(|len| *len < 4096).map(|len| leaves(self.solver.program, shape, len));
        let write = self.visit(Kind::Write, false, &[], None);
        match (self.only_place(&to), parts) {
            (Some((target, at)), Some(parts)) if parts.len() <= MOST_LEAVES => {
                for part in parts.iter().filter(|part| part.len > 0) {
                    let value = match (zero, part.len) {
                        (true, _) => Value::null(),
                        (false, 1) => self.value(byte),
                        (false, len) => Value::any((8 * len).clamp(8, 128) as u8),
                    };
                    let place = Range::point(i128::from(at) + i128::from(part.start));
                    let target = Value { targets: vec![(target, place)], ..Value::NONE };
                    self.store_at(&target, part.len, value, &write);
                }
                if zero {
                    self.zero_lives(target, at, length.unwrap_or(0), &write);
                }
            }
            _ => self.store_region(&to, len, if zero { Value::null() } else { Value::any(8) }, &write),
        }
    }

    /// Synchronisation objects in bytes that are zero now are as new.
    fn zero_lives(&mut self, object: ObjectId, at: i64, bytes: u64, visit: &Visit) {
        let zero = Value::number(Range::point(braid_proof::life::ZERO));
        let end = i128::from(at) + i128::from(bytes);
        let keys: Vec<_> = super::access::entries_of(&self.state.known, object, Space::Sync)
            .map(|(key, _)| *key)
            .filter(|key| key.offset >= at && i128::from(key.offset) + i128::from(key.bytes) <= end)
            .collect();
        for key in keys {
            self.solver.write_exactly(&mut self.state, key, &zero, visit);
        }
        if let Some(own) = self.state.own.get_mut(&object)
            && self.solver.objects.get(object).and_then(|object: &Object| object.size)
                == Some(Range::point(end))
            && at == 0
        {
            own.sync = zero;
        }
    }

    fn free(&mut self, kind: AllocKind, ptr: Operand) {
        let _ = kind;
        let visit = self.visit(Kind::End, false, &[], None);
        for (object, _) in self.value(ptr).targets {
            self.solver.end(&mut self.state, object, &visit);
        }
    }

    fn end_local(&mut self, local: LocalId) {
        let visit = self.visit(Kind::End, false, &[], None);
        for (object, _) in self.local(local).targets {
            self.solver.end(&mut self.state, object, &visit);
        }
    }

    /// The locals end; a thread that returns from its first function ends, too.
    fn return_from(&mut self, value: Value) {
        let root = self.roots();
        if !root.is_empty() {
            self.end_thread(value);
            return;
        }
        let ends_program = Some(self.function_id()) == self.solver.program.main
            && self.solver.instances[self.instance].threads.contains(&super::threads::MAIN);
        if !ends_program {
            for (local, _) in self.function.locals.enumerated() {
                self.end_local(local);
            }
        }
        let state = std::mem::take(&mut self.state);
        self.solver.leave(self.instance, state, &value);
    }

    pub fn function_id(&self) -> FuncId {
        self.solver.instances[self.instance].function
    }

    fn begin_section(&mut self) {
        super::join::add_hold(&mut self.state.holds, super::calls::section_hold());
    }

    pub fn in_section(&self) -> bool {
        self.state.holds.iter().any(|hold| hold.name == Some(LockName::Section))
    }

    pub fn end_section(&mut self) {
        self.state.holds.retain(|hold| hold.name != Some(LockName::Section));
        let mut state = std::mem::take(&mut self.state);
        self.solver.settle(self.instance, &mut state);
        self.state = state;
    }

    /// Enters a function that is one section as a whole, or a callee of any kind.
    pub fn call(&mut self, dst: Option<RegId>, callee: Callee, args: &[Operand]) -> bool {
        let targets: Vec<FuncId> = match callee {
            Callee::Direct(id) => vec![id],
            Callee::Pointer(pointer) => {
                let value = self.value(pointer);
                value
                    .targets
                    .iter()
                    .filter_map(|(object, _)| eval::as_function(self.solver.program, *object))
                    .collect()
            }
        };
        let before = (self.state.clone(), self.definitions.clone());
        let mut after: Option<(State, Option<Value>)> = None;
        for target in targets {
            (self.state, self.definitions) = before.clone();
            let result = match self.solver.effect(target) {
                Some(effect) => self.apply(effect, dst, args, target),
                None => self.enter(dst, args, target),
            };
            if !result {
                continue;
            }
            let value = dst.map(|dst| self.value(Operand::Reg(dst)));
            let state = std::mem::take(&mut self.state);
            after = Some(match after {
                None => (state, value),
                Some((known, old)) => {
                    let joined = self.solver.join(self.instance, &known, &state, None);
                    (joined, old)
                }
            });
        }
        if let Some(dst) = dst {
            self.definitions.set(dst, None);
        }
        match after {
            Some((state, _)) => {
                self.state = state;
                true
            }
            None => false,
        }
    }
}

fn is_relative_to(name: LockName, reg: RegId) -> bool {
    matches!(name, LockName::Relative(of, _) if of == reg)
}

/// The bytes behind a pointer, as places of one byte.
fn region(pointer: &Value, most: i128) -> Vec<(ObjectId, Range)> {
    let last = Range::interval(0, (most - 1).max(0));
    pointer.targets.iter().map(|(object, at)| (*object, at.plus(last))).collect()
}

/// Bounds of teams that mention such registers become numbers where the registers are.
pub fn fix_bounds(state: &mut State, chosen: impl Fn(RegId) -> bool) {
    let mut fixed = Vec::new();
    for (thread, team) in &state.teams {
        let fix = |bound: Bound| match bound {
            Bound::Register(reg, _) if chosen(reg) => bound_value(state, bound).map_or(bound, Bound::Const),
            Bound::Register(..) | Bound::Const(_) | Bound::Outer(..) => bound,
        };
        fixed.push((*thread, braid_proof::Team { lo: fix(team.lo), hi: fix(team.hi), ..*team }));
    }
    state.teams = fixed.into_iter().collect();
}

/// Locks that were tried are held, or not, once the result is known.
fn resolve_tries(program: &Program, function: &Function, state: &mut State) {
    let results: Vec<_> = state.tried.iter().map(|(reg, tried)| (*reg, *tried)).collect();
    for (reg, (name, mode)) in results {
        let value = get(program, function, state, reg);
        let Some(range) = value.only_numbers() else { continue };
        let position = state.holds.iter().position(|hold| hold.name == Some(name) && hold.mode == mode);
        if value.constant() == Some(0) {
            if let Some(position) = position {
                state.holds[position].certain = true;
                state.holds.sort();
            }
            state.tried.remove(&reg);
        } else if !range.contains(0) {
            if let Some(position) = position
                && !state.holds[position].certain
            {
                state.holds.remove(position);
            }
            state.tried.remove(&reg);
        }
    }
}
