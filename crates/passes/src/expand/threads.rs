//! Threads: the functions in which they begin, each of its own.
//!
//! When loops are unrolled every `spawn` is executed once at most, so the thread that it starts gets a function of its
//! own, in which its argument is known if it is a constant.

use super::call::Target;
use super::known::{Known, Values};
use super::point::{Frame, Point, Role};
use super::walk::Origin;
use super::{ThreadInstance, Walk, Walker, tidy};
use braid_analysis::InstanceId;
use braid_base::{Idx, IndexVec, Symbol};
use braid_ir::*;
use std::rc::Rc;

/// A thread whose function is to be made.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The function of the source program.
    original: FuncId,
    /// The function of the new program.
    pub func: FuncId,
    instance: Option<InstanceId>,
    argument: Option<Known>,
    /// See [`ThreadInstance::spawns`].
    pub spawns: Vec<InstrId>,
    /// The functions in which the threads begin that lead to it.
    ancestors: Vec<FuncId>,
}

impl Job {
    /// The first thread.
    pub fn first(entry: FuncId, instance: Option<InstanceId>) -> Job {
        Job {
            original: entry,
            func: entry,
            instance,
            argument: None,
            spawns: Vec::new(),
            ancestors: Vec::new(),
        }
    }
}

impl Walker<'_> {
    /// Adds every function in which a thread may begin, for a program in which loops are kept.
    pub(super) fn add_roots(&mut self) {
        let pointers = &self.facts.pointers;
        let mut roots: Vec<FuncId> = Vec::new();
        for (id, instance) in pointers.instances().enumerated() {
            for instr in self.program.functions[instance.func].blocks.iter().flat_map(|block| &block.instrs) {
                let started = pointers.spawned(id, instr.id).map(|id| pointers.instances()[id].func);
                roots.extend(started);
            }
        }
        roots.sort();
        roots.dedup();
        for func in roots {
            // Its instances may differ; what is known of one need not hold in another.
            let instance = match pointers.instances_of(func) {
                [one] => Some(*one),
                _ => None,
            };
            if !self.program.functions[func].blocks.is_empty() && Some(func) != self.program.entry {
                self.jobs.push(Job::first(func, instance));
            }
        }
    }

    /// Makes the function of the thread at hand.
    pub(super) fn root(&mut self) -> Walk {
        let job = self.job.clone();
        let function = &self.program.functions[job.original];
        self.draft = Default::default();
        let at = self.draft.block();
        let names = self.draft.names(job.original, function);
        let mut known: Values = vec![None; function.regs.len()];
        if let (Some(param), Some(argument)) = (function.params.first(), job.argument) {
            known[param.index()] = self.as_parameter(argument, function.regs[*param].ty);
        }
        let params = function.params.iter().map(|param| names.regs[param.index()]).collect();
        let weight = self.weights.fresh();
        let (known, private) = (Rc::new(known), self.thread_locals());
        let point = Point { at, known, private, alive: Default::default(), blocks: Vec::new(), weight };
        self.stack.push(Frame {
            func: job.original,
            function,
            instance: job.instance,
            role: Role::Outermost,
            names,
            site: None,
            weight,
            start: (at, 0),
            pending: function.blocks.iter().map(|_| None).collect(),
            arrived: function.blocks.iter().map(|_| 0).collect(),
            open: Vec::new(),
            dst: None,
            dst_in_caller: None,
            caller: None,
            back: None,
            returns: 0,
        });
        let first = &function.blocks[BlockId(0)];
        let origin = first.instrs.first().map_or((first.end.id, first.end.loc), |i| (i.id, i.loc));
        self.body(point, origin)?;
        self.stack.pop();
        let blocks = self.draft.finish();
        let new = &mut self.out.functions[job.func];
        *new = Function {
            name: new.name,
            params,
            regs: std::mem::take(&mut self.draft.regs),
            locals: std::mem::take(&mut self.draft.locals),
            blocks,
            internal: false,
            ..function.clone()
        };
        let of_function = self.heads.iter_mut().filter(|heads| heads.func == job.func);
        let states = of_function.flat_map(|heads| &mut heads.copies).flat_map(|head| &mut head.state);
        let mut live: Vec<&mut Operand> = states.collect();
        let mut kept = std::mem::take(&mut self.draft.holders);
        for reg in live.iter().filter_map(|operand| operand.reg()) {
            kept[reg] = true;
        }
        let passed = tidy::tidy(new, &kept, self.plan.unroll.is_none(), &mut live);
        let Job { original, func, spawns, .. } = job;
        self.threads.push(ThreadInstance { func, original, spawns, passed });
        Ok(())
    }

    /// The value of a parameter, for a thread that gets this argument.
    fn as_parameter(&mut self, argument: Known, ty: Ty) -> Option<Known> {
        match ty {
            Ty::Ptr => Some(argument),
            Ty::Int(width) => {
                let bits = self.folder().number(argument)?;
                let value = Const::Int { width, bits: braid_ir::fold::cut(bits, width) };
                Some(Known::Const(self.out.consts.intern(value)))
            }
            Ty::F32 | Ty::F64 => None,
        }
    }

    pub(super) fn spawn(
        &mut self,
        mut point: Point,
        origin: Origin,
        dst: RegId,
        func: Operand,
        arg: Operand,
    ) -> Walk<Option<Point>> {
        if self.plan.unroll.is_none() {
            let op = self.copied(&point, &Op::Spawn { dst, func, arg });
            self.emit(point.at, origin, op);
            point.set(dst, None);
            return Ok(Some(point));
        }
        self.dispatch(point, origin, func, &mut |walker, point, target| {
            Ok(walker.spawn_one(point, origin, dst, target, arg))
        })
    }

    fn spawn_one(
        &mut self,
        mut point: Point,
        origin: Origin,
        dst: RegId,
        target: Target,
        arg: Operand,
    ) -> Option<Point> {
        let function = &self.program.functions[target.func];
        if function.blocks.is_empty() {
            let what = format!("a thread in '{}', which has no definition", function.name);
            self.unsupported(point.at, origin, &what);
            return None;
        }
        let mut ancestors = self.job.ancestors.clone();
        ancestors.push(self.job.original);
        let bound = self.plan.recursion;
        let nested = ancestors.iter().filter(|func| **func == target.func).count() as u32;
        if nested > bound {
            let what = format!("threads in '{}' that start one another deeper than {bound}", function.name);
            self.cut(point.at, origin, &what, bound);
            return None;
        }
        let func = self.thread_function(target.func);
        // A private object of this thread is none of the other's.
        let argument = self.known(&point, arg).filter(|known| !matches!(known, Known::Address(_)));
        let new_func = self.constant(Const::Func(func));
        let new_arg = self.operand(&point, arg);
        let new_dst = self.frame().names.regs[dst.index()];
        let op = Op::Spawn { dst: new_dst, func: new_func, arg: new_arg };
        let instr = self.emit(point.at, origin, op);
        point.set(dst, None);
        let mut spawns = self.job.spawns.clone();
        spawns.push(instr);
        let original = target.func;
        self.jobs.push(Job { original, func, instance: target.instance, argument, spawns, ancestors });
        Some(point)
    }

    /// A new function for a thread that begins in the given one.
    fn thread_function(&mut self, original: FuncId) -> FuncId {
        let function = &self.program.functions[original];
        let threads = self.jobs.iter().filter(|job| job.original == original && job.func != original);
        let first = threads.count();
        let taken = |name: &str| self.out.functions.iter().any(|f| f.name.as_str() == name);
        let names = (first..).map(|number| format!("{}_{number}", function.name));
        let name = names.into_iter().find(|name| !taken(name)).expect("names are endless");
        self.out.functions.push(Function {
            name: Symbol::intern(&name),
            regs: IndexVec::new(),
            params: Vec::new(),
            locals: IndexVec::new(),
            blocks: IndexVec::new(),
            ..function.clone()
        })
    }
}
