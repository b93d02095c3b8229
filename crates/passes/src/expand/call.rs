//! Calls: the body of the callee is copied in place.

use super::draft::Names;
use super::known::{Known, Values};
use super::point::{Frame, Point, Role};
use super::walk::Origin;
use super::{Refused, Walk, Walker};
use braid_analysis::InstanceId;
use braid_analysis::objects::{BlockKind, Object};
use braid_base::faults::active;
use braid_base::{Idx, Symbol};
use braid_ir::*;
use braid_props::Check;
use std::rc::Rc;

/// Activations of a recursive function whose depth is known beforehand.
const FIXED_DEPTH: u32 = 200;

/// Goes on with one function that a pointer leads to.
type Then<'t, W> = &'t mut dyn FnMut(&mut W, Point, Target) -> Walk<Option<Point>>;

/// A function that a pointer may lead to.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub func: FuncId,
    pub instance: Option<InstanceId>,
}

/// The functions behind a pointer.
pub(super) enum Behind {
    One(Target),
    /// It is constant and leads to no function.
    Nothing,
    /// One of these, or no function; with `open` it may lead to memory that is gone, which is another defect.
    Some {
        targets: Vec<Target>,
        open: bool,
    },
}

impl Walker<'_> {
    pub(super) fn call(
        &mut self,
        point: Point,
        origin: Origin,
        dst: Option<RegId>,
        callee: Callee,
        args: &[Operand],
    ) -> Walk<Option<Point>> {
        let pointer = match callee {
            Callee::Direct(func) => {
                let target = self.target(func, origin.0);
                return self.call_one(point, origin, dst, target, args);
            }
            Callee::Pointer(pointer) => pointer,
        };
        self.dispatch(point, origin, pointer, &mut |walker, point, target| {
            walker.call_one(point, origin, dst, target, args)
        })
    }

    fn target(&self, func: FuncId, instr: InstrId) -> Target {
        let instances = self.facts.pointers.instances();
        let instance = self.instances(instr).into_iter().find(|id| instances[*id].func == func);
        Target { func, instance }
    }

    /// The functions that a pointer may lead to at an instruction.
    fn behind(&self, point: &Point, pointer: Operand, instr: InstrId) -> Behind {
        match self.known(point, pointer) {
            Some(Known::Const(id)) => match self.out.consts.get(id) {
                Const::Func(func) => return Behind::One(self.target(func, instr)),
                Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) => {
                    return Behind::Nothing;
                }
            },
            Some(Known::Number(_) | Known::Address(_)) => return Behind::Nothing,
            None => {}
        }
        let (pointers, frame) = (&self.facts.pointers, self.frame());
        let mut targets: Vec<Target> = Vec::new();
        for id in self.instances(instr) {
            let func = pointers.instances()[id].func;
            if targets.iter().all(|target| target.func != func) {
                targets.push(Target { func, instance: Some(id) });
            }
        }
        let set = match frame.instance {
            Some(instance) => pointers.in_instance(instance, pointer).clone(),
            None => pointers.points_to(frame.func, pointer),
        };
        // A number that is no address of those is where no function is.
        let may_be_dead = |object| matches!(pointers.object(object), Object::Local(..) | Object::Block(..));
        let open = set.targets.iter().any(|(object, _)| may_be_dead(*object));
        Behind::Some { targets, open }
    }

    /// Goes on with each function that a pointer may lead to, and behind that with all of them together.
    pub(super) fn dispatch(
        &mut self,
        mut point: Point,
        origin: Origin,
        pointer: Operand,
        then: Then<Self>,
    ) -> Walk<Option<Point>> {
        let (targets, open) = match self.behind(&point, pointer, origin.0) {
            Behind::One(target) => return then(self, point, target),
            Behind::Nothing => {
                self.no_function(point.at, origin);
                return Ok(None);
            }
            Behind::Some { targets, open } => (targets, open),
        };
        if targets.is_empty() && self.frame().instance.is_none() {
            return Err(Refused::UnknownFunction { place: self.frame().place(origin.1) });
        }
        let value = self.operand(&point, pointer);
        let mut back = None;
        for target in targets {
            let address = self.out.consts.intern(Const::Func(target.func));
            let mut taken = self.branch_if(&mut point, origin, value, Operand::Const(address));
            if let Operand::Reg(reg) = pointer {
                taken.set(reg, Some(Known::Const(address)));
            }
            if let Some(after) = then(self, taken, target)? {
                self.join(&mut back, origin, after);
            }
        }
        if open {
            let null = self.constant(Const::Null);
            let is_null = self.branch_if(&mut point, origin, value, null);
            self.no_function(is_null.at, origin);
            self.unsupported(point.at, origin, "a call through a pointer that is not known");
        } else {
            self.no_function(point.at, origin);
        }
        Ok(back)
    }

    /// Branches on whether two pointers are the same. The point goes on where they are not; the other is returned.
    fn branch_if(&mut self, point: &mut Point, origin: Origin, a: Operand, b: Operand) -> Point {
        let dst = self.draft.temp(Ty::BOOL);
        let value = Expr::Compare { op: CmpOp::Eq, ty: Ty::Ptr, a, b };
        self.emit(point.at, origin, Op::Assign { dst, value });
        let from = point.at;
        let (then, other) = (self.draft.block(), self.draft.block());
        self.end(from, origin, TermKind::Branch { cond: Operand::Reg(dst), then, other });
        let weight = self.weights.split(&mut point.weight);
        point.at = other;
        Point { at: then, weight, ..point.clone() }
    }

    /// Reports a call through a pointer that leads to no function.
    fn no_function(&mut self, at: BlockId, origin: Origin) {
        let cond = Expr::Use(self.constant(Const::Int { width: 1, bits: 0 }));
        let message = Some(Symbol::intern("call through a null pointer"));
        self.emit(at, origin, Op::Assert { check: Check::NullDeref, cond, message, about: None });
        self.end(at, origin, TermKind::Unreachable);
    }

    pub(super) fn unsupported(&mut self, at: BlockId, origin: Origin, what: &str) {
        self.emit(at, origin, Op::Unsupported { what: Symbol::intern(what) });
        self.end(at, origin, TermKind::Unreachable);
    }

    fn call_one(
        &mut self,
        mut point: Point,
        origin: Origin,
        dst: Option<RegId>,
        target: Target,
        args: &[Operand],
    ) -> Walk<Option<Point>> {
        let function = &self.program.functions[target.func];
        if function.blocks.is_empty() {
            let what = format!("call of '{}', which has no definition", function.name);
            self.unsupported(point.at, origin, &what);
            return Ok(None);
        }
        if (self.plan.keep)(target.func) {
            let op = Op::Call { dst, callee: Callee::Direct(target.func), args: args.to_vec() };
            let op = self.copied(&point, &op);
            self.emit(point.at, origin, op);
            dst.iter().for_each(|dst| point.set(*dst, None));
            Rc::make_mut(&mut point.private).forget(|_| vec![None]);
            return Ok(Some(point));
        }
        if self.is_too_deep(&point, target.func) {
            let bound = self.plan.recursion;
            let what = format!("recursion of '{}' deeper than {bound}", function.name);
            self.cut(point.at, origin, &what, bound);
            return Ok(None);
        }
        self.enter(point, origin, dst, target, args)
    }

    /// Returns true if a call goes deeper into recursion than it may. A call that is certain to come when the activation
    /// around it begins does not count.
    fn is_too_deep(&self, point: &Point, func: FuncId) -> bool {
        let open = self.stack.iter().filter(|frame| frame.func == func).map(|frame| frame.weight);
        let weights: Vec<_> = open.chain([point.weight]).collect();
        let counted = weights.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32;
        let bound = self.plan.recursion;
        counted > bound || weights.len() as u32 > FIXED_DEPTH.max(bound + 1)
    }

    fn enter(
        &mut self,
        mut point: Point,
        origin: Origin,
        dst: Option<RegId>,
        target: Target,
        args: &[Operand],
    ) -> Walk<Option<Point>> {
        let function = &self.program.functions[target.func];
        let caller = self.frame();
        let site = match (function.internal, caller.function.internal) {
            (false, _) => None,
            (true, true) => caller.site,
            (true, false) => Some(origin.1),
        };
        let lasting = self.job.spawns.is_empty()
            && self.stack.len() == 1
            && Some(caller.func) == self.program.entry
            && Some(target.func) == self.program.main;
        let dst_in_new = dst.map(|dst| (caller.names.regs[dst.index()], caller.function.regs[dst].ty));
        self.growing.push((caller.place(origin.1), self.made));
        if function.atomic && !active("inlined-function-not-atomic") {
            self.emit(point.at, origin, Op::AtomicBegin { when: None });
        }
        let names = self.draft.names(target.func, function);
        let start = (point.at, self.draft.blocks[point.at].instrs.len());
        let known = self.pass_arguments(&point, origin, function, &names, args);
        let caller = point.clone();
        point = Point { known: Rc::new(known), alive: Default::default(), blocks: Vec::new(), ..point };
        let frame = Frame {
            func: target.func,
            function,
            instance: target.instance,
            role: if lasting { Role::Lasting } else { Role::Called },
            names,
            site,
            weight: point.weight,
            start,
            pending: function.blocks.iter().map(|_| None).collect(),
            arrived: function.blocks.iter().map(|_| 0).collect(),
            open: Vec::new(),
            dst: dst_in_new,
            dst_in_caller: dst,
            caller: Some(caller),
            back: None,
            returns: 0,
        };
        self.stack.push(frame);
        self.body(point, origin)?;
        let frame = self.stack.pop().expect("it was pushed above");
        self.growing.pop();
        if !lasting {
            self.draft.release(target.func, frame.names);
        }
        Ok(frame.back)
    }

    /// Sets the parameters of an activation that is about to begin; what is known of its registers then.
    fn pass_arguments(
        &mut self,
        point: &Point,
        origin: Origin,
        function: &Function,
        names: &Names,
        args: &[Operand],
    ) -> Values {
        let mut known: Values = vec![None; function.regs.len()];
        for (index, param) in function.params.iter().enumerate() {
            let (dst, ty) = (names.regs[param.index()], function.regs[*param].ty);
            known[param.index()] = match args.get(index) {
                Some(arg) => {
                    let from = self.operand_ty(*arg);
                    let value = (self.operand(point, *arg), self.known(point, *arg));
                    self.assign_as(point.at, origin, value, from, (dst, ty))
                }
                None => {
                    self.emit(point.at, origin, Op::Nondet { dst, ty, kind: ChoiceKind::Uninit });
                    None
                }
            };
        }
        known
    }

    /// Copies the body of the activation that has just begun.
    pub(super) fn body(&mut self, point: Point, origin: Origin) -> Walk {
        let (func, function) = (self.frame().func, self.frame().function);
        for reg in self.holders(func, self.frame().instance).iter() {
            let new = self.frame().names.regs[*reg];
            self.draft.holders[new] = true;
        }
        self.go(point, origin, BlockId(0))?;
        let order = self.orders.entry(func).or_insert_with(|| Rc::new(braid_analysis::wto::order(function)));
        let order = Rc::clone(order);
        self.elements(&order)
    }

    /// The registers of a function that may hold the address of a heap block.
    fn holders(&mut self, func: FuncId, instance: Option<InstanceId>) -> Rc<Vec<usize>> {
        if let Some(known) = self.known_holders.get(&(func, instance)) {
            return Rc::clone(known);
        }
        let pointers = &self.facts.pointers;
        let is_block =
            |(object, _): &(_, _)| matches!(pointers.object(*object), Object::Block(_, _, BlockKind::Heap));
        let exposed = pointers.exposed().targets.iter().any(is_block);
        let holds = |reg: &usize| {
            let operand = Operand::Reg(RegId::from_usize(*reg));
            let set = match instance {
                Some(instance) => pointers.in_instance(instance, operand).clone(),
                None => pointers.points_to(func, operand),
            };
            set.targets.iter().any(is_block) || exposed && (set.may_be_exposed || set.may_be_unknown)
        };
        let list: Rc<Vec<usize>> =
            Rc::new((0..self.program.functions[func].regs.len()).filter(holds).collect());
        self.known_holders.insert((func, instance), Rc::clone(&list));
        list
    }

    fn operand_ty(&self, operand: Operand) -> Ty {
        match operand {
            Operand::Reg(reg) => self.frame().function.regs[reg].ty,
            Operand::Const(id) => match self.out.consts.get(id) {
                Const::Int { width, .. } => Ty::Int(width),
                Const::F32(_) => Ty::F32,
                Const::F64(_) => Ty::F64,
                Const::Null | Const::Global(..) | Const::Func(_) => Ty::Ptr,
            },
        }
    }

    /// Sets a register to a value of another type: bits are cut or zero-extended. What is known of it then.
    pub(super) fn assign_as(
        &mut self,
        at: BlockId,
        origin: Origin,
        (mut value, mut known): (Operand, Option<Known>),
        mut from: Ty,
        (dst, to): (RegId, Ty),
    ) -> Option<Known> {
        while from != to {
            let (op, next) = self.cast_towards(from, to);
            let expr = Expr::Cast { op, from, to: next, a: value };
            let lookup = |operand: Operand| if operand == value { known } else { None };
            let (expr, result) = self.folder().value(&expr, expr, &lookup);
            let temp = self.draft.temp(next);
            self.emit(at, origin, Op::Assign { dst: temp, value: expr });
            (value, known, from) = (Operand::Reg(temp), result, next);
            if let Some(Known::Const(id)) = known {
                value = Operand::Const(id);
            }
        }
        self.emit(at, origin, Op::Assign { dst, value: Expr::Use(value) });
        known
    }

    /// The next cast on the way from one type to another, over integers.
    fn cast_towards(&self, from: Ty, to: Ty) -> (CastOp, Ty) {
        let (bits, pointer) = (to.bits(self.program.pointer_bytes) as u8, self.program.pointer_bytes * 8);
        match from {
            Ty::F32 => (CastOp::Bits, Ty::Int(32)),
            Ty::F64 => (CastOp::Bits, Ty::Int(64)),
            Ty::Ptr => (CastOp::PtrToInt, Ty::Int(pointer)),
            Ty::Int(width) if width > bits => (CastOp::Trunc, Ty::Int(bits)),
            Ty::Int(width) if width < bits => (CastOp::Zext, Ty::Int(bits)),
            Ty::Int(width) => match to {
                Ty::Ptr => (CastOp::IntToPtr, Ty::Ptr),
                Ty::F32 | Ty::F64 => (CastOp::Bits, to),
                Ty::Int(_) => unreachable!("an integer of {width} bits is what is wanted"),
            },
        }
    }
}
