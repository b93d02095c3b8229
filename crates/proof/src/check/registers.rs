//! The registers of a path: their values, what is said in terms of them, and what branches say of them.

use super::context::Context;
use super::draft::Gap;
use super::flow::Flow;
use super::forms;
use super::{Invalid, Leaves, Missing, all};
use crate::eval::{self, Definitions, Registers};
use crate::range::Range;
use crate::state::{InstanceId, Loaded, State};
use crate::value::{ObjectId, Value};
use braid_ir::{BlockId, CastOp, CmpOp, Const, Expr, Function, InstrId, Loc, LocalId, Operand, RegId, Ty};
use braid_props::CheckSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A path through a block, up to an instruction.
#[derive(Clone)]
pub(super) struct Run<'c, 'a> {
    pub cx: &'c Context<'a>,
    pub instance: InstanceId,
    pub function: &'a Function,
    pub block: BlockId,
    pub instr: InstrId,
    pub loc: Loc,
    /// The instruction belongs to the library.
    pub internal: bool,
    pub state: State,
    pub definitions: Definitions,
    /// Frame objects that may be alive.
    pub open: BTreeSet<LocalId>,
}

/// A register that no function has, for conditions that are in none.
const CONDITION: RegId = RegId(u32::MAX);

impl<'c, 'a> Run<'c, 'a> {
    pub fn new(cx: &'c Context<'a>, instance: InstanceId, block: BlockId, state: State) -> Run<'c, 'a> {
        let function = cx.function_of(instance);
        let end = &function.blocks[block].end;
        Run {
            cx,
            instance,
            function,
            block,
            instr: end.id,
            loc: end.loc,
            internal: function.internal,
            state,
            definitions: Definitions::default(),
            open: cx.flow_of(instance).open[block].clone(),
        }
    }

    pub fn flow(&self) -> &'c Flow {
        self.cx.flow_of(self.instance)
    }

    /// A condition that does not follow stands in the way of these properties.
    pub fn open(&self, checks: CheckSet, text: impl Into<String>) {
        self.cx.open(checks, self.loc, Some(self.instr), text.into());
    }

    /// The same, for all properties.
    pub fn doubt(&self, text: impl Into<String>) {
        self.open(all(), text);
    }

    /// The step leaves the invariant.
    pub fn leaves<T>(
        &self,
        part: impl Into<String>,
        computed: &dyn std::fmt::Debug,
        claimed: &dyn std::fmt::Debug,
    ) -> Result<T, Invalid> {
        self.lacks(Missing::Other, part, computed, claimed)
    }

    /// The step leaves the invariant, which lacks this.
    pub fn lacks<T>(
        &self,
        missing: Missing,
        part: impl Into<String>,
        computed: &dyn std::fmt::Debug,
        claimed: &dyn std::fmt::Debug,
    ) -> Result<T, Invalid> {
        if let Some(gaps) = self.cx.gaps {
            let Run { instance, instr, .. } = *self;
            gaps.borrow_mut().list.push(Gap { instance, instr, missing });
            return Err(Invalid::Malformed(String::new()));
        }
        Err(Invalid::Step(Box::new(Leaves {
            instance: self.instance,
            function: self.function.name.to_string(),
            block: self.block,
            instr: self.instr,
            loc: self.loc,
            part: part.into(),
            computed: format!("{computed:?}"),
            claimed: format!("{claimed:?}"),
            missing,
        })))
    }

    /// The same for what the path goes on without in a draft.
    pub fn needs(
        &self,
        missing: Missing,
        part: impl Into<String>,
        computed: &dyn std::fmt::Debug,
        claimed: &dyn std::fmt::Debug,
    ) -> Result<(), Invalid> {
        let lacks = self.lacks(missing, part, computed, claimed);
        if self.cx.gaps.is_some() { Ok(()) } else { lacks }
    }

    pub fn width(&self, ty: Ty) -> u8 {
        eval::width(self.cx.program, ty)
    }

    pub fn operand(&self, operand: Operand) -> Value {
        eval::operand(self.cx.program, self, operand)
    }

    /// The type of an operand, as far as it has one.
    pub fn type_of(&self, operand: Operand) -> Ty {
        match operand {
            Operand::Reg(reg) => self.function.regs[reg].ty,
            Operand::Const(id) => match self.cx.program.consts.get(id) {
                Const::Int { width, .. } => Ty::Int(width),
                Const::F32(_) => Ty::F32,
                Const::F64(_) => Ty::F64,
                Const::Null | Const::Global(..) | Const::Func(_) => Ty::Ptr,
            },
        }
    }

    /// A register gets the value of an expression.
    pub fn assign(&mut self, dst: RegId, expr: &Expr) {
        let value = eval::value(self.cx.program, self, expr);
        let is_one = |object: ObjectId| match self.cx.is_own(object) {
            true => self.state.own.contains_key(&object),
            false => self.cx.single(object),
        };
        let form = forms::of(self.cx.program, &self.state, self, (expr, &value), &is_one);
        let loaded = match expr {
            Expr::Use(Operand::Reg(from)) => self.state.loaded.get(from).copied(),
            _ => None,
        };
        let tried = match expr {
            Expr::Use(Operand::Reg(from)) => self.state.tried.get(from).copied(),
            _ => None,
        };
        let old = forms::linear(&self.state, dst);
        let grows = form.filter(|new| {
            let alike = (new.base, new.scale, new.object) == (old.base, old.scale, old.object);
            alike && dst != CONDITION
        });
        match grows.and_then(|new| new.offset.checked_sub(old.offset)) {
            Some(by) => {
                forms::shift(&mut self.state, dst, by);
                self.state.loaded.remove(&dst);
                self.state.tried.remove(&dst);
            }
            None => {
                forms::drop_register(&mut self.state, dst);
                if let Some(form) = form.filter(|form| form.base != dst) {
                    self.state.forms.insert(dst, form);
                }
            }
        }
        let moved = |loaded: &Loaded| match loaded {
            Loaded::Place(_) => true,
            Loaded::Element(_, form, _) => form.base != dst,
        };
        if let Some(loaded) = loaded.filter(moved) {
            self.state.loaded.insert(dst, loaded);
        }
        let names_it = |name: &crate::state::LockName| matches!(name, crate::state::LockName::Relative(reg, _) if *reg == dst);
        if let Some(tried) = tried.filter(|(name, _)| !names_it(name)) {
            self.state.tried.insert(dst, tried);
        }
        self.state.registers.insert(dst, value);
        self.definitions.set(dst, Some(expr));
    }

    /// A register gets a value that is no expression's.
    pub fn set(&mut self, dst: RegId, value: Value) {
        forms::drop_register(&mut self.state, dst);
        self.state.registers.insert(dst, value);
        self.definitions.set(dst, None);
    }

    pub fn set_any(&mut self, dst: RegId) {
        self.set(dst, Value::any(self.width(self.function.regs[dst].ty)));
    }

    /// Goes on where a condition has this truth. Returns false if it never has.
    pub fn assume(&mut self, condition: Operand, holds: bool) -> bool {
        if self.compares_beyond(condition) {
            return true;
        }
        let definitions = std::mem::take(&mut self.definitions);
        let (program, function) = (self.cx.program, self.function);
        let possible = eval::assume(program, function, self, &definitions, condition, holds);
        self.definitions = definitions;
        let other = self.other_than_zero(condition, holds);
        self.settle_tried(other);
        self.disband();
        possible
    }

    /// The same for an expression that is in no register.
    pub fn assume_expr(&mut self, condition: &Expr) -> bool {
        if let Expr::Use(operand) = condition {
            return self.assume(*operand, true);
        }
        let value = eval::value(self.cx.program, self, condition);
        if value.constant() == Some(0) {
            return false;
        }
        let mut definitions = self.definitions.clone();
        definitions.set(CONDITION, Some(condition));
        if self.reads_beyond(condition) || condition.operands().any(|operand| self.compares_beyond(operand)) {
            return true;
        }
        let program = self.cx.program;
        let operand = Operand::Reg(CONDITION);
        let possible = eval::assume_value(program, self, &definitions, Ty::BOOL, operand, (true, 1));
        self.settle_tried(None);
        self.disband();
        possible
    }

    /// Goes on where a value is this pattern, or is not. Returns false if it never is.
    pub fn assume_pattern(&mut self, ty: Ty, read: Operand, (equal, bits): (bool, u128)) -> bool {
        if self.compares_beyond(read) {
            return true;
        }
        let definitions = std::mem::take(&mut self.definitions);
        let program = self.cx.program;
        let possible = eval::assume_value(program, self, &definitions, ty, read, (equal, bits));
        self.definitions = definitions;
        self.settle_tried(None);
        self.disband();
        possible
    }

    /// The register that is not zero where the condition has this truth, if it is one.
    fn other_than_zero(&self, condition: Operand, holds: bool) -> Option<RegId> {
        let (mut reg, mut holds) = (condition.reg()?, holds);
        for _ in 0..8 {
            let is_zero = |operand: Operand| self.operand(operand).constant() == Some(0);
            match self.definitions.get(reg) {
                Some(Expr::Compare { op: op @ (CmpOp::Eq | CmpOp::Ne), a: Operand::Reg(a), b, .. })
                    if is_zero(b) =>
                {
                    holds = (op == CmpOp::Ne) == holds;
                    reg = a;
                }
                Some(
                    Expr::Use(Operand::Reg(a)) | Expr::Cast { op: CastOp::Zext, a: Operand::Reg(a), .. },
                ) => {
                    reg = a;
                }
                Some(_) | None => break,
            }
        }
        holds.then_some(reg)
    }

    /// Returns true if the condition compares addresses of different objects that may be equal all the same.
    fn compares_beyond(&self, condition: Operand) -> bool {
        let mut next: Vec<(Operand, u32)> = vec![(condition, 0)];
        while let Some((operand, depth)) = next.pop() {
            let expr = operand.reg().and_then(|reg| self.definitions.get(reg));
            let Some(expr) = expr.filter(|_| depth < 9) else { continue };
            if self.reads_beyond(&expr) {
                return true;
            }
            next.extend(expr.operands().map(|operand| (operand, depth + 1)));
        }
        false
    }

    fn reads_beyond(&self, expr: &Expr) -> bool {
        let Expr::Compare { a, b, .. } = *expr else { return false };
        let (a, b) = (self.operand(a), self.operand(b));
        let same = matches!(
            (a.targets.as_slice(), b.targets.as_slice()),
            ([(x, _)], [(y, _)]) if x == y && self.is_one(*x)
        );
        let addresses = !a.targets.is_empty() && !b.targets.is_empty();
        addresses && !same && (self.is_loose(&a) || self.is_loose(&b))
    }

    /// Returns true if another object may have such an address: it lies outside of its object, or that may have ended.
    fn is_loose(&self, value: &Value) -> bool {
        value.targets.iter().any(|(object, at)| {
            let inside = at.lo() >= 0 && at.hi() < self.cx.least_size(*object);
            let is_code = self.cx.is_function(*object) && at.single() == Some(0);
            !(inside || is_code) || self.dead(*object).is_some()
        })
    }
}

impl Registers for Run<'_, '_> {
    fn get(&self, reg: RegId) -> Value {
        match self.state.registers.get(&reg) {
            Some(value) => value.clone(),
            None if reg == CONDITION => Value::any(1),
            None => Value::any(self.width(self.function.regs[reg].ty)),
        }
    }

    fn refine(&mut self, reg: RegId, value: Value) {
        if reg != CONDITION {
            self.refine_memory(reg, &value);
            self.state.registers.insert(reg, value);
        }
    }

    /// The own object if there is one that other threads do not know of, else one of the shared ones.
    fn local(&self, local: LocalId) -> Value {
        let Some(own) = self.cx.place(crate::certificate::Place::Local(self.instance, local)) else {
            return Value::any(self.cx.pointer_bits());
        };
        let object = if self.state.own.contains_key(&own) { own } else { self.cx.shared(own) };
        Value::address(object, 0)
    }

    fn size(&self, object: ObjectId) -> Option<Range> {
        self.cx.size(object)
    }

    fn is_one(&self, object: ObjectId) -> bool {
        self.cx.is_own(object) || self.cx.single(object)
    }
}

impl Run<'_, '_> {
    /// The place that a register was loaded from has what the register is found to have.
    fn refine_memory(&mut self, reg: RegId, value: &Value) {
        let Some(Loaded::Place(key)) = self.state.loaded.get(&reg).copied() else { return };
        let width = self.width(self.function.regs[reg].ty);
        if u64::from(width) != 8 * key.bytes || !self.state.known.contains_key(&key) {
            return;
        }
        if let Some(known) = Arc::make_mut(&mut self.state.known).get_mut(&key)
            && known.value.includes(value)
        {
            known.value = value.clone();
        }
    }
}
