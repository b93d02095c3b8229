//! The search for the invariant: instances of functions are executed on sets of states until nothing changes.
//!
//! An instance is a function with the chain of calls that leads to it, as long as there are few for a function; further
//! calls, and recursive ones, share one. Each is executed block by block; states are joined where paths meet and widened at the heads of
//! loops. A change of shared memory wakes the instances that have looked at it.

use super::memory::{Contents, Memory};
use super::objects::Objects;
use super::step::{Step, fix_bounds};
use super::threads::{MAIN, Threads};
use braid_analysis::{Bits, Cfg, liveness};
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::{BlockId, Const, Expr, FuncId, InstrId, Op, Operand, Program, Question};
use braid_models::{Effect, effect};
use braid_proof::InstanceId;
use braid_proof::certificate::{Certificate, VERSION};
use braid_proof::{Bound, State, ThreadId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Contexts of a function that are told apart.
const MOST_CONTEXTS: usize = 16;
/// Contexts of all functions, and more for each function.
const MOST_INSTANCES: usize = 3000;
/// Visits of the head of a loop, and of the entry of an instance, before states are widened.
const VISITS: u32 = 3;
const ENTRIES: u32 = 12;

/// What does not change about a function.
pub struct Shape {
    rank: IndexVec<BlockId, usize>,
    heads: BTreeSet<BlockId>,
    pub live: IndexVec<BlockId, Bits>,
    /// Numbers that values of loops are widened to, ascending.
    pub thresholds: Vec<i128>,
}

pub struct Instance {
    pub function: FuncId,
    /// The instance that calls it; none for roots and for those that calls share.
    parent: Option<InstanceId>,
    pub threads: BTreeSet<ThreadId>,
    pub entry: Option<State>,
    entries: u32,
    pub blocks: IndexVec<BlockId, Option<State>>,
    visits: IndexVec<BlockId, u32>,
    pub exit: Option<(State, Value)>,
    callers: BTreeSet<InstanceId>,
    /// It may be entered again before it is left.
    pub recursive: bool,
}

pub struct Solver<'a> {
    pub program: &'a Program,
    pub question: Question,
    pub objects: Objects,
    pub memory: Memory,
    pub threads: Threads,
    pub instances: IndexVec<InstanceId, Instance>,
    pub calls: BTreeMap<(InstanceId, InstrId, FuncId), InstanceId>,
    pub starts: BTreeMap<(InstanceId, InstrId, FuncId), ThreadId>,
    /// The instance that further calls of a function share.
    shared: HashMap<FuncId, InstanceId>,
    contexts: HashMap<FuncId, usize>,
    shapes: HashMap<FuncId, Rc<Shape>>,
    effects: HashMap<FuncId, Option<Effect>>,
    queue: BTreeSet<InstanceId>,
    /// Places of static variables that were known whenever a first thread was started.
    pub pristine: Option<BTreeSet<braid_proof::Key>>,
}

/// The reason why the search has ended early.
pub struct Interrupted;

impl<'a> Solver<'a> {
    pub fn new(program: &'a Program, question: Question) -> Solver<'a> {
        Solver {
            program,
            question,
            objects: Objects::new(program),
            memory: Memory::default(),
            threads: Threads::default(),
            instances: IndexVec::new(),
            calls: BTreeMap::new(),
            starts: BTreeMap::new(),
            shared: HashMap::default(),
            contexts: HashMap::default(),
            shapes: HashMap::default(),
            effects: HashMap::default(),
            queue: BTreeSet::new(),
            pristine: None,
        }
    }

    /// Looks for the invariant. `poll` is asked between instances whether to go on.
    pub fn solve(&mut self, entry: FuncId, poll: &mut dyn FnMut(u64) -> bool) -> Result<(), Interrupted> {
        let root = self.new_instance(entry, None);
        self.threads.add(root);
        self.instances[root].threads.insert(MAIN);
        self.instances[root].entry = Some(State { pristine: true, ..State::default() });
        self.queue.insert(root);
        while let Some(instance) = self.queue.pop_last() {
            let steps = self.run(instance);
            if !poll(steps) {
                return Err(Interrupted);
            }
            let woken = std::mem::take(&mut self.memory.woken);
            self.queue.extend(woken);
            if std::mem::take(&mut self.threads.changed) {
                self.threads.close();
                self.threads.changed = false;
                self.queue.extend((0..self.instances.len()).map(InstanceId::from_usize));
            }
        }
        Ok(())
    }

    pub fn effect(&mut self, function: FuncId) -> Option<Effect> {
        let program = self.program;
        *self.effects.entry(function).or_insert_with(|| {
            let function = &program.functions[function];
            if function.internal || function.blocks.is_empty() {
                effect(function.name.as_str())
            } else {
                None
            }
        })
    }

    pub fn shape(&mut self, function: FuncId) -> Rc<Shape> {
        let program = self.program;
        self.shapes.entry(function).or_insert_with(|| Rc::new(Shape::new(program, function))).clone()
    }

    pub fn new_instance(&mut self, function: FuncId, parent: Option<InstanceId>) -> InstanceId {
        let blocks = &self.program.functions[function].blocks;
        self.instances.push(Instance {
            function,
            parent,
            threads: BTreeSet::new(),
            entry: None,
            entries: 0,
            blocks: blocks.iter().map(|_| None).collect(),
            visits: blocks.iter().map(|_| 0).collect(),
            exit: None,
            callers: BTreeSet::new(),
            recursive: false,
        })
    }

    /// The instance that a call enters.
    pub fn callee(&mut self, from: InstanceId, instr: InstrId, function: FuncId) -> InstanceId {
        let callee = match self.calls.get(&(from, instr, function)) {
            Some(known) => *known,
            None => {
                let callee = self.choose_callee(from, function);
                self.calls.insert((from, instr, function), callee);
                callee
            }
        };
        let threads = self.instances[from].threads.clone();
        let known = &mut self.instances[callee];
        known.callers.insert(from);
        if !threads.is_subset(&known.threads) {
            known.threads.extend(threads);
            self.queue.insert(callee);
        }
        callee
    }

    fn choose_callee(&mut self, from: InstanceId, function: FuncId) -> InstanceId {
        let mut above = Some(from);
        while let Some(id) = above {
            if self.instances[id].function == function {
                self.instances[id].recursive = true;
                self.queue.insert(id);
                return id;
            }
            above = self.instances[id].parent;
        }
        let count = self.contexts.entry(function).or_default();
        let few =
            *count < MOST_CONTEXTS && self.instances.len() < MOST_INSTANCES + self.program.functions.len();
        if few {
            *count += 1;
            return self.new_instance(function, Some(from));
        }
        if let Some(shared) = self.shared.get(&function) {
            return *shared;
        }
        let shared = self.new_instance(function, Some(from));
        self.instances[shared].recursive = true;
        self.shared.insert(function, shared);
        shared
    }

    /// Joins a state into the entry of an instance.
    pub fn enter(&mut self, instance: InstanceId, state: State) {
        let old = self.instances[instance].entry.take();
        let entries = self.instances[instance].entries;
        let widen = entries > ENTRIES;
        let shape = self.shape(self.instances[instance].function);
        let (joined, changed) = match old {
            None => (state, true),
            Some(old) => {
                let joined = self.join(instance, &old, &state, widen.then_some(&shape.thresholds));
                let changed = joined != old;
                (joined, changed)
            }
        };
        let known = &mut self.instances[instance];
        known.entry = Some(joined);
        if changed {
            known.entries += 1;
            self.queue.insert(instance);
        }
    }

    /// Executes an instance until its states stay. The result is the number of instructions.
    fn run(&mut self, instance: InstanceId) -> u64 {
        let function = self.instances[instance].function;
        let shape = self.shape(function);
        let Some(entry) = self.instances[instance].entry.clone() else { return 0 };
        self.arrive(instance, BlockId(0), entry, &shape);
        let reached = self.instances[instance].blocks.enumerated().filter(|(_, state)| state.is_some());
        let mut waiting: BTreeSet<(usize, BlockId)> =
            reached.map(|(block, _)| (shape.rank[block], block)).collect();
        let before = self.instances[instance].exit.clone();
        let mut steps = 0;
        while let Some((_, block)) = waiting.pop_first() {
            let state = self.instances[instance].blocks[block].clone().expect("the block is reached");
            steps += 1 + self.program.functions[function].blocks[block].instrs.len() as u64;
            for (next, state) in Step::new(self, instance, state).block(block) {
                if self.arrive(instance, next, state, &shape) {
                    waiting.insert((shape.rank[next], next));
                }
            }
        }
        if self.instances[instance].exit != before {
            let callers = self.instances[instance].callers.clone();
            self.queue.extend(callers);
        }
        steps
    }

    /// Joins a state into that of the beginning of a block. Returns true if that has changed.
    fn arrive(&mut self, instance: InstanceId, block: BlockId, mut state: State, shape: &Shape) -> bool {
        let live = &shape.live[block];
        fix_bounds(&mut state, |reg| !live.contains(reg.index()));
        self.disband(&mut state);
        state.registers.retain(|reg, _| live.contains(reg.index()));
        let Some(old) = self.instances[instance].blocks[block].take() else {
            self.instances[instance].blocks[block] = Some(state);
            return true;
        };
        let visits = self.instances[instance].visits[block];
        let widen = shape.heads.contains(&block) && visits > VISITS;
        let joined = self.join(instance, &old, &state, widen.then_some(&shape.thresholds));
        let changed = joined != old;
        self.instances[instance].visits[block] += u32::from(changed);
        self.instances[instance].blocks[block] = Some(joined);
        changed
    }

    /// Threads of a team without members are not alive.
    fn disband(&mut self, state: &mut State) {
        let empty: Vec<ThreadId> = state
            .teams
            .iter()
            .filter(|(_, team)| team.lo == team.hi && matches!(team.lo, Bound::Const(_)))
            .map(|(thread, _)| *thread)
            .collect();
        for thread in empty {
            self.gone(state, thread);
        }
    }

    /// All threads of a kind that the running thread has started have been joined.
    pub fn gone(&mut self, state: &mut State, thread: ThreadId) {
        let others: Vec<ThreadId> = state.started.iter().copied().filter(|other| *other != thread).collect();
        let list = &self.threads.list;
        let elsewhere =
            |t: &ThreadId| others.iter().any(|other| other == t || list[*other].descendants.contains(t));
        let facts = &list[thread];
        state.alive.remove(&thread);
        state.alive.retain(|t| !facts.descendants.contains(t) || facts.left.contains(t) || elsewhere(t));
        state.teams.remove(&thread);
        state.joinable.remove(&thread);
        state.solo.remove(&thread);
        state.below.remove(&thread);
    }

    /// Joins a state into that in which an instance is left.
    pub fn leave(&mut self, instance: InstanceId, state: State, value: &Value) {
        let joined = match self.instances[instance].exit.take() {
            None => (state, value.clone()),
            Some((old, mut known)) => {
                known.join(value);
                (self.join(instance, &old, &state, None), known)
            }
        };
        self.instances[instance].exit = Some(joined);
    }
}

impl Solver<'_> {
    /// The invariant that was found.
    pub fn certificate(self) -> Certificate {
        let instances = self.instances.into_iter().map(|instance| braid_proof::Instance {
            function: instance.function,
            threads: instance.threads,
            entry: instance.entry.unwrap_or_default(),
            blocks: instance.blocks,
            exit: instance.exit,
        });
        let cells = |contents: Contents| contents.cells.into_iter().map(|entry| entry.cell).collect();
        Certificate {
            version: VERSION,
            objects: self.objects.list,
            instances: instances.collect(),
            calls: self.calls.into_iter().map(|((from, at, to), callee)| (from, at, to, callee)).collect(),
            starts: self.starts.into_iter().map(|((from, at, to), thread)| (from, at, to, thread)).collect(),
            threads: self.threads.list,
            memory: self.memory.objects.into_iter().map(cells).collect(),
        }
    }
}

impl Shape {
    fn new(program: &Program, id: FuncId) -> Shape {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        let mut rank: IndexVec<BlockId, usize> = function.blocks.iter().map(|_| usize::MAX).collect();
        for (position, block) in cfg.order.iter().enumerate() {
            rank[*block] = position;
        }
        let heads = cfg.loops.iter().map(|l| l.header).chain(cfg.irreducible.iter().copied()).collect();
        Shape { rank, heads, live: liveness::at_entry(function), thresholds: thresholds(program, id) }
    }
}

/// The constants that the function compares with, and their neighbours.
fn thresholds(program: &Program, id: FuncId) -> Vec<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let mut add = |operand: Operand| {
        if let Operand::Const(id) = operand
            && let Const::Int { width, bits } = program.consts.get(id)
        {
            let value = braid_ir::fold::signed(bits, width);
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    };
    for block in &program.functions[id].blocks {
        for instr in &block.instrs {
            match &instr.op {
                Op::Assign { value: Expr::Compare { a, b, .. }, .. } => {
                    [*a, *b].into_iter().for_each(&mut add)
                }
                Op::Assert { cond: Expr::Compare { a, b, .. }, .. } => {
                    [*a, *b].into_iter().for_each(&mut add)
                }
                _ => {}
            }
        }
    }
    found.into_iter().collect()
}
