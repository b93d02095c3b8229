//! Forward data flow of sets through a program, with summaries of functions.
//!
//! What a piece of code does to a set is "take some out, put some in" ([`Transfer`]), so a function has
//! one summary for all its callers (Sharir and Pnueli, *Two approaches to interprocedural data flow
//! analysis*, 1981, the functional approach). First the summaries, to a fixpoint; then what each
//! instance is entered with. `May` joins by union, `Must` by intersection.

use crate::bits::Bits;
use crate::calls::CallGraph;
use crate::cfg::successors;
use crate::instances::InstanceId;
use crate::points_to::Pointers;
use braid_base::{Idx, IndexVec};
use braid_ir::*;
use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    May,
    Must,
}

/// `set` becomes `(set - take) | put`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Transfer {
    pub put: Bits,
    pub take: Bits,
}

impl Transfer {
    fn then(&mut self, next: &Transfer) {
        self.put.remove(&next.take);
        self.put.union(&next.put);
        self.take.remove(&next.put);
        self.take.union(&next.take);
    }

    pub fn apply(&self, set: &Bits) -> Bits {
        let mut set = set.clone();
        set.remove(&self.take);
        set.union(&self.put);
        set
    }

    /// Whether anything changed.
    fn merge(&mut self, other: &Transfer, mode: Mode) -> bool {
        let old = self.clone();
        match mode {
            Mode::May => {
                self.put.union(&other.put);
                self.take.intersect(&other.take);
            }
            Mode::Must => {
                self.put.intersect(&other.put);
                self.take.union(&other.take);
            }
        }
        *self != old
    }
}

/// A place where the set may change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Point<'a> {
    /// The beginning of a function.
    Enter,
    Instr(&'a Instr),
    /// The end of a function, after its return.
    Leave,
}

/// What flows, and where.
pub(crate) trait Problem {
    const MODE: Mode;
    /// What happens at a place; `None` if nothing does.
    fn effect(&self, instance: InstanceId, at: Point) -> Option<Transfer>;
    /// Whether the edge between two blocks is never taken.
    fn is_dead(&self, instance: InstanceId, from: BlockId, to: BlockId) -> bool;
}

/// What is known at each place.
pub(crate) struct Solution {
    /// What instances are entered with; `None` if they never are.
    entry: IndexVec<InstanceId, Option<Bits>>,
    /// At the beginning of each block, relative to the entry; `None` if it is never reached.
    blocks: IndexVec<InstanceId, Vec<Option<Transfer>>>,
    summaries: IndexVec<InstanceId, Option<Transfer>>,
}

/// The program that a problem is solved on.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub program: &'a Program,
    pub pointers: &'a Pointers,
    pub calls: &'a CallGraph,
}

impl World<'_> {
    pub fn function(&self, instance: InstanceId) -> &Function {
        &self.program.functions[self.pointers.instances()[instance].func]
    }
}

impl Solution {
    /// From roots, which are entered with nothing.
    pub fn new<P: Problem>(world: World, problem: &P, roots: &[InstanceId]) -> Solution {
        let count = world.pointers.instances().len();
        let mut solution = Solution {
            entry: (0..count).map(|_| None).collect(),
            blocks: (0..count).map(|_| Vec::new()).collect(),
            summaries: (0..count).map(|_| None).collect(),
        };
        let reached = world.calls.reachable(roots.iter().copied());
        solution.summarise(world, problem, &reached);
        solution.enter(world, problem, roots);
        solution
    }

    fn summarise<P: Problem>(&mut self, world: World, problem: &P, reached: &Bits) {
        for component in world.calls.components() {
            if !reached.contains(component[0].index()) {
                continue;
            }
            // Once is enough unless the component is recursive.
            let mut changed = true;
            while changed {
                changed = false;
                for &instance in component {
                    let summary = self.inside(world, problem, instance);
                    changed |= summary != self.summaries[instance];
                    self.summaries[instance] = summary;
                }
                changed &= world.calls.is_recursive(component[0]);
            }
        }
    }

    /// Solves one function; its summary.
    fn inside<P: Problem>(&mut self, world: World, problem: &P, instance: InstanceId) -> Option<Transfer> {
        let function = world.function(instance);
        let mut states: Vec<Option<Transfer>> = vec![None; function.blocks.len()];
        let mut summary: Option<Transfer> = None;
        if let Some(first) = states.first_mut() {
            *first = Some(problem.effect(instance, Point::Enter).unwrap_or_default());
        }
        let order = &world.calls.cfgs[world.pointers.instances()[instance].func].order;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order {
                let Some(state) = states[block.index()].clone() else { continue };
                let body = &function.blocks[block];
                let Some(state) = self.through(world, problem, instance, body, state, &mut |_, _| ()) else {
                    continue;
                };
                if matches!(body.end.kind, TermKind::Return(_)) {
                    let mut state = state;
                    if let Some(effect) = problem.effect(instance, Point::Leave) {
                        state.then(&effect);
                    }
                    merge_into(&mut summary, &state, P::MODE);
                    continue;
                }
                for to in successors(&body.end.kind) {
                    if !problem.is_dead(instance, block, to) {
                        changed |= merge_into(&mut states[to.index()], &state, P::MODE);
                    }
                }
            }
        }
        self.blocks[instance] = states;
        summary
    }

    /// The state after a block; `None` if its end is not reached.
    fn through<P: Problem>(
        &self,
        world: World,
        problem: &P,
        instance: InstanceId,
        block: &Block,
        mut state: Transfer,
        visit: &mut dyn FnMut(InstrId, &Transfer),
    ) -> Option<Transfer> {
        for instr in &block.instrs {
            visit(instr.id, &state);
            if let Some(effect) = problem.effect(instance, Point::Instr(instr)) {
                state.then(&effect);
            }
            match &instr.op {
                Op::Call { .. } => state.then(&self.called(world, P::MODE, instance, instr.id)?),
                Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => {
                    return None;
                }
                Op::Assign { .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CmpXchg(_)
                | Op::Fence { .. }
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::Assume { .. }
                | Op::Assert { .. }
                | Op::Alloc { .. }
                | Op::Free { .. }
                | Op::LocalLive { .. }
                | Op::LocalDead { .. }
                | Op::Nondet { .. }
                | Op::Input { .. }
                | Op::Output { .. }
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
                | Op::Partial { .. } => {}
            }
        }
        visit(block.end.id, &state);
        Some(state)
    }

    /// What a call does; `None` if it never comes back.
    fn called(&self, world: World, mode: Mode, instance: InstanceId, call: InstrId) -> Option<Transfer> {
        let mut result = None;
        for callee in world.pointers.callees(instance, call) {
            if let Some(summary) = &self.summaries[callee] {
                merge_into(&mut result, summary, mode);
            }
        }
        result
    }

    fn enter<P: Problem>(&mut self, world: World, problem: &P, roots: &[InstanceId]) {
        let mut waiting = VecDeque::new();
        let mut queued: IndexVec<InstanceId, bool> = self.entry.iter().map(|_| false).collect();
        for &root in roots {
            self.entry[root] = Some(Bits::default());
            waiting.push_back(root);
        }
        while let Some(instance) = waiting.pop_front() {
            queued[instance] = false;
            let Some(entry) = self.entry[instance].clone() else { continue };
            let mut calls = Vec::new();
            self.visit_instance(world, problem, instance, &mut |instr, state| {
                if world.pointers.callees(instance, instr).next().is_some() {
                    calls.push((instr, state.apply(&entry)));
                }
            });
            for (call, state) in calls {
                for callee in world.pointers.callees(instance, call) {
                    let new = match &mut self.entry[callee] {
                        Some(old) => merge_sets(old, &state, P::MODE),
                        empty @ None => {
                            *empty = Some(state.clone());
                            true
                        }
                    };
                    if new && !std::mem::replace(&mut queued[callee], true) {
                        waiting.push_back(callee);
                    }
                }
            }
        }
    }

    fn visit_instance<P: Problem>(
        &self,
        world: World,
        problem: &P,
        instance: InstanceId,
        visit: &mut dyn FnMut(InstrId, &Transfer),
    ) {
        for (block, state) in world.function(instance).blocks.iter().zip(&self.blocks[instance]) {
            if let Some(state) = state {
                self.through(world, problem, instance, block, state.clone(), visit);
            }
        }
    }

    /// Every reachable instruction and end of a block, with the set before it.
    pub fn visit<P: Problem>(
        &self,
        world: World,
        problem: &P,
        visit: &mut dyn FnMut(InstanceId, InstrId, Bits),
    ) {
        for (instance, entry) in self.entry.enumerated() {
            let Some(entry) = entry else { continue };
            self.visit_instance(world, problem, instance, &mut |instr, state| {
                visit(instance, instr, state.apply(entry));
            });
        }
    }
}

fn merge_into(into: &mut Option<Transfer>, from: &Transfer, mode: Mode) -> bool {
    match into {
        Some(into) => into.merge(from, mode),
        None => {
            *into = Some(from.clone());
            true
        }
    }
}

fn merge_sets(into: &mut Bits, from: &Bits, mode: Mode) -> bool {
    match mode {
        Mode::May => into.union(from),
        Mode::Must => {
            let old = into.clone();
            into.intersect(from);
            *into != old
        }
    }
}
