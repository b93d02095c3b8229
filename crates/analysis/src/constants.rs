//! Integers that certainly have one of a few values, hence branches that are never taken.
//!
//! Flow-insensitive: a register has all values any of its assignments gives it, in one instance of its
//! function; a piece of memory its first value and all that is stored there. It is enough for what
//! library models decide by: the kind of a mutex, whether an argument is null. [`Constants::ordered`] leaves
//! out stores that no execution can do before the load (a mutex is destroyed after its last use).
//!
//! An under-approximation of what cannot happen: an edge called dead is never taken.

mod eval;
mod memory;
#[cfg(test)]
mod tests;

use crate::Options;
use crate::accesses::Accesses;
use crate::calls::CallGraph;
use crate::flow::World;
use crate::instances::InstanceId;
use crate::points_to::Pointers;
use crate::threads::Threads;
use braid_base::{Idx, IndexVec};
use braid_ir::*;
pub(crate) use eval::{Value, expression};
use memory::Memory;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Constants {
    /// By register.
    registers: IndexVec<InstanceId, Vec<Value>>,
    returns: IndexVec<InstanceId, Value>,
    /// By block: where a decided branch goes.
    taken: IndexVec<InstanceId, Vec<Option<BlockId>>>,
}

impl Constants {
    pub fn new(program: &Program, pointers: &Pointers, accesses: &Accesses, options: Options) -> Constants {
        let memory = Memory::new(program, pointers, accesses, &|_, _| true);
        Solver::new(program, pointers, memory, options).solve()
    }

    /// With what is known of the order of things.
    pub fn ordered(
        program: &Program,
        pointers: &Pointers,
        accesses: &Accesses,
        calls: &CallGraph,
        threads: &Threads,
        options: Options,
    ) -> Constants {
        let world = World { program, pointers, calls };
        let later = memory::Later::new(world, threads);
        let memory = Memory::new(program, pointers, accesses, &|store, load| later.may_follow(store, load));
        Solver::new(program, pointers, memory, options).solve()
    }

    /// Whether control never goes from one block to the other.
    pub fn is_dead(&self, instance: InstanceId, from: BlockId, to: BlockId) -> bool {
        self.taken[instance][from.index()].is_some_and(|taken| taken != to)
    }

    /// The values a register may have, if they are few; empty if it is never set.
    pub fn of(&self, instance: InstanceId, reg: RegId) -> Option<&[u128]> {
        self.registers[instance][reg.index()].few()
    }
}

struct Solver<'a> {
    program: &'a Program,
    pointers: &'a Pointers,
    memory: Memory,
    values: Constants,
    waiting: VecDeque<InstanceId>,
    queued: IndexVec<InstanceId, bool>,
    /// See [`Options::one_use`].
    one_use: bool,
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program, pointers: &'a Pointers, memory: Memory, options: Options) -> Solver<'a> {
        let instances = pointers.instances();
        let function = |id: &crate::instances::Instance| &program.functions[id.func];
        let values = Constants {
            registers: instances.iter().map(|i| vec![Value::NONE; function(i).regs.len()]).collect(),
            returns: instances.iter().map(|_| Value::NONE).collect(),
            taken: instances.iter().map(|i| vec![None; function(i).blocks.len()]).collect(),
        };
        let queued = instances.iter().map(|_| true).collect();
        let waiting = instances.ids().collect();
        Solver { program, pointers, memory, values, waiting, queued, one_use: options.one_use }
    }

    fn solve(mut self) -> Constants {
        // Threads begin with an argument that comes through memory or a pointer.
        let entry = self.program.entry.iter().flat_map(|entry| self.pointers.instances_of(*entry));
        for root in self.pointers.spawns.iter().map(|edge| edge.target).chain(entry.copied()) {
            let function = &self.program.functions[self.pointers.instances()[root].func];
            for param in &function.params {
                self.values.registers[root][param.index()] = Value::Any;
            }
        }
        while let Some(instance) = self.waiting.pop_front() {
            self.queued[instance] = false;
            while self.pass(instance) {}
        }
        self.decide();
        self.values
    }

    fn wake(&mut self, instance: InstanceId) {
        if !std::mem::replace(&mut self.queued[instance], true) {
            self.waiting.push_back(instance);
        }
    }

    /// Executes everything once; whether a register changed.
    fn pass(&mut self, instance: InstanceId) -> bool {
        let program = self.program;
        let function = &program.functions[self.pointers.instances()[instance].func];
        let mut changed = false;
        for block in &function.blocks {
            for instr in &block.instrs {
                changed |= self.instruction(instance, instr);
            }
            if let TermKind::Return(Some(value)) = block.end.kind {
                let value = self.operand(instance, value);
                if self.values.returns[instance].join(&value) {
                    let calls: Vec<InstanceId> = self.memory.callers(instance).to_vec();
                    calls.into_iter().for_each(|caller| self.wake(caller));
                }
            }
        }
        if changed {
            let readers: Vec<InstanceId> = self.memory.readers(instance).to_vec();
            readers.into_iter().for_each(|reader| self.wake(reader));
        }
        changed
    }

    fn operand(&self, instance: InstanceId, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.values.registers[instance][reg.index()].clone(),
            Operand::Const(id) => Value::constant(self.program.consts.get(id)),
        }
    }

    fn set(&mut self, instance: InstanceId, reg: RegId, value: &Value) -> bool {
        self.values.registers[instance][reg.index()].join(value)
    }

    fn instruction(&mut self, at: InstanceId, instr: &Instr) -> bool {
        match &instr.op {
            Op::Assign { dst, value } => {
                let pointer_bytes = self.program.pointer_bytes;
                let value = eval::expression(value, pointer_bytes, &|operand| self.operand(at, operand));
                self.set(at, *dst, &value)
            }
            Op::Load { dst, .. } => {
                let value = self.load(at, instr.id);
                self.set(at, *dst, &value)
            }
            Op::Call { dst, callee: _, args } => self.call(at, instr.id, *dst, args),
            Op::CmpXchg(c) => self.set(at, c.ok, &Value::Any) | self.set(at, c.old, &Value::Any),
            Op::Join { dst: Some(dst), .. }
            | Op::Rmw { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Nondet { dst, .. }
            | Op::Input { dst }
            | Op::Spawn { dst, .. }
            | Op::TryLock { dst, .. }
            | Op::SelfHandle { dst }
            | Op::SelfNumber { dst } => self.set(at, *dst, &Value::Any),
            Op::ThreadState { dst, .. } if self.one_use => {
                let joinable = Const::Int { width: 32, bits: ThreadState::Joinable as u128 };
                self.set(at, *dst, &Value::constant(joinable))
            }
            Op::Pair { dst, .. } if self.one_use => {
                self.set(at, *dst, &Value::constant(Const::Int { width: 1, bits: 0 }))
            }
            Op::ThreadState { dst, .. } | Op::Pair { dst, .. } => self.set(at, *dst, &Value::Any),
            Op::AtomicBegin { when } => {
                let mut changed = false;
                for instr in when.iter().flat_map(|guard| &guard.instrs) {
                    changed |= self.instruction(at, instr);
                    if let Op::Load { dst, .. } = &instr.op {
                        changed |= self.set(at, *dst, &Value::Any);
                    }
                }
                changed
            }
            Op::Join { dst: None, .. }
            | Op::Store { .. }
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Free { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::Detach { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::AtomicEnd
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => false,
        }
    }

    fn load(&self, at: InstanceId, instr: InstrId) -> Value {
        let Some((first, stores)) = self.memory.sources(at, instr) else { return Value::Any };
        let mut value = first.clone();
        for (instance, operand) in stores {
            value.join(&self.operand(*instance, *operand));
        }
        value
    }

    fn call(&mut self, at: InstanceId, call: InstrId, dst: Option<RegId>, args: &[Operand]) -> bool {
        let args: Vec<Value> = args.iter().map(|arg| self.operand(at, *arg)).collect();
        let callees: Vec<InstanceId> = self.pointers.callees(at, call).collect();
        let mut changed = false;
        for callee in callees {
            let function = &self.program.functions[self.pointers.instances()[callee].func];
            let mut new = false;
            for (index, param) in function.params.iter().enumerate() {
                let ty = function.regs[*param].ty;
                let value =
                    args.get(index).map_or(Value::Any, |value| value.cut(ty, self.program.pointer_bytes));
                new |= self.set(callee, *param, &value);
            }
            if new {
                self.wake(callee);
            }
            if let Some(dst) = dst {
                let returned = self.values.returns[callee].clone();
                let ty = self.program.functions[self.pointers.instances()[at].func].regs[dst].ty;
                let returned = if function.ret.is_none() { Value::Any } else { returned };
                changed |= self.set(at, dst, &returned.cut(ty, self.program.pointer_bytes));
            }
        }
        changed
    }

    fn decide(&mut self) {
        for (id, instance) in self.pointers.instances().enumerated() {
            for (block, body) in self.program.functions[instance.func].blocks.enumerated() {
                let TermKind::Branch { cond, then, other } = body.end.kind else { continue };
                let taken = match self.operand(id, cond).few() {
                    Some([0]) => Some(other),
                    Some([_]) => Some(then),
                    _ => None,
                };
                self.values.taken[id][block.index()] = taken;
            }
        }
    }
}
