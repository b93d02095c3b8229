//! Which descendants of a thread may be alive at each of its points.

use super::{Presence, Start, ThreadId, Threads};
use crate::bits::Bits;
use crate::constants::Constants;
use crate::defs::definitions;
use crate::flow::{Mode, Point, Problem, Solution, Transfer, World};
use crate::instances::InstanceId;
use crate::objects::Object;
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::*;

/// Fills in what threads overlap and what is alive where.
pub(super) fn find(threads: &mut Threads, world: World, constants: &Constants) {
    let mut left: IndexVec<ThreadId, Bits> = threads.list.ids().map(|id| threads.family(id)).collect();
    let mut interned: HashMap<Bits, u32> = HashMap::default();
    let mut before: Vec<Bits> = vec![Bits::default(); threads.starts.len()];
    threads.overlap = threads.list.iter().map(|_| Bits::default()).collect();
    let own = OwnHandles::new(world.program);
    let (starts, exits) = (starts_by_place(threads), exits(world.program));
    // Children have higher numbers; what they leave behind is known when their joins are looked at.
    for thread in threads.list.ids().rev() {
        let problem = Alive { threads, world, constants, thread, left: &left, own: &own };
        let roots = &threads.list[thread].roots;
        let solution = Solution::new(world, &problem, roots);
        let mut points: Vec<(InstanceId, InstrId, Bits)> = Vec::new();
        solution.visit(world, &problem, &mut |instance, instr, set| points.push((instance, instr, set)));
        left[thread] = at_end(world, &exits, roots, &points);
        for (instance, instr, set) in points {
            for index in starts.get(&(thread, instance, instr)).into_iter().flatten() {
                before[*index].union(&set);
            }
            let next = threads.sets.len() as u32;
            let id = *interned.entry(set.clone()).or_insert(next);
            if id == next {
                threads.sets.push(set);
            }
            let presence: Presence = (thread, id);
            threads.points.entry((instance, instr)).or_default().push(presence);
            let instances = threads.by_instr.entry(instr).or_default();
            if !instances.contains(&instance) {
                instances.push(instance);
            }
        }
    }
    find_overlaps(threads, &before);
}

/// The starts of threads at each place, by position.
fn starts_by_place(threads: &Threads) -> HashMap<(ThreadId, InstanceId, InstrId), Vec<usize>> {
    let mut found: HashMap<_, Vec<usize>> = HashMap::default();
    for (index, start) in threads.starts.iter().enumerate() {
        found.entry((start.parent, start.from, start.instr)).or_default().push(index);
    }
    found
}

/// The instructions that end the thread that executes them, ascending.
fn exits(program: &Program) -> Vec<InstrId> {
    let instrs = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.instrs);
    let exits = instrs.filter(|instr| matches!(instr.op, Op::ExitThread { .. }));
    let mut found: Vec<InstrId> = exits.map(|instr| instr.id).collect();
    found.sort();
    found
}

/// What may be alive when the thread ends.
fn at_end(
    world: World,
    exits: &[InstrId],
    roots: &[InstanceId],
    points: &[(InstanceId, InstrId, Bits)],
) -> Bits {
    let mut ends = Vec::new();
    for &root in roots {
        let returns = world.function(root).blocks.iter().map(|block| &block.end);
        ends.extend(returns.filter(|end| matches!(end.kind, TermKind::Return(_))).map(|end| end.id));
    }
    ends.sort();
    let mut left = Bits::default();
    for (_, instr, set) in points {
        if ends.binary_search(instr).is_ok() || exits.binary_search(instr).is_ok() {
            left.union(set);
        }
    }
    left
}

fn find_overlaps(threads: &mut Threads, before: &[Bits]) {
    for (start, alive) in threads.starts.iter().zip(before) {
        for new in threads.family(start.child).iter() {
            for old in alive.iter() {
                threads.overlap[ThreadId::from_usize(new)].insert(old);
                threads.overlap[ThreadId::from_usize(old)].insert(new);
            }
        }
    }
}

struct Alive<'a> {
    threads: &'a Threads,
    world: World<'a>,
    constants: &'a Constants,
    thread: ThreadId,
    /// What each thread may leave alive at its end; at first everything.
    left: &'a IndexVec<ThreadId, Bits>,
    own: &'a OwnHandles,
}

impl Problem for Alive<'_> {
    const MODE: Mode = Mode::May;

    fn effect(&self, instance: InstanceId, at: Point) -> Option<Transfer> {
        let Point::Instr(instr) = at else { return None };
        if let Op::Spawn { .. } = &instr.op {
            let starts = self.threads.starts.iter();
            let here = |start: &&Start| {
                start.parent == self.thread && (start.from, start.instr) == (instance, instr.id)
            };
            let mut put = Bits::default();
            starts.filter(here).for_each(|start| _ = put.union(&self.threads.family(start.child)));
            return Some(Transfer { put, take: Bits::default() });
        }
        let Op::Join { handle, .. } = &instr.op else { return None };
        let child = self.certain(instance, *handle)?;
        let mut take = self.threads.family(child);
        take.remove(&self.left[child]);
        Some(Transfer { put: Bits::default(), take })
    }

    fn is_dead(&self, instance: InstanceId, from: BlockId, to: BlockId) -> bool {
        self.constants.is_dead(instance, from, to) || self.is_other_thread(instance, from, to)
    }
}

impl Alive<'_> {
    /// The one thread whose handle the value certainly is.
    fn certain(&self, instance: InstanceId, handle: Operand) -> Option<ThreadId> {
        let pointers = self.world.pointers;
        let set = pointers.in_instance(instance, handle);
        let address = set.may_be_exposed && !pointers.exposed().targets.is_empty();
        if set.may_be_unknown || address || !set.targets.is_empty() || pointers.handles_compared {
            return None;
        }
        let [handle] = set.handles.as_slice() else { return None };
        let Object::Handle(from, instr) = self.world.pointers.object(*handle) else { return None };
        let mut threads = self.threads.starts.iter().filter(|s| (s.from, s.instr) == (from, instr));
        let (Some(start), None) = (threads.next(), threads.next()) else { return None };
        (!self.threads.list[start.child].many).then_some(start.child)
    }

    /// Whether the edge is taken only if a handle of another thread is the running thread's own.
    fn is_other_thread(&self, instance: InstanceId, from: BlockId, to: BlockId) -> bool {
        let func = self.world.pointers.instances()[instance].func;
        let Some(asked) = self.own.of(func, from) else { return false };
        let foreign = self.certain(instance, asked.handle).is_some_and(|thread| thread != self.thread);
        to == asked.equal && foreign
    }
}

/// A branch on whether a handle is the running thread's own.
#[derive(Clone, Copy, Debug)]
struct Asked {
    handle: Operand,
    /// Where to if it is.
    equal: BlockId,
}

/// All such branches.
struct OwnHandles {
    branches: HashMap<(FuncId, BlockId), Asked>,
}

impl OwnHandles {
    fn new(program: &Program) -> OwnHandles {
        let mut branches = HashMap::default();
        for (func, function) in program.functions.enumerated() {
            let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
            if !instrs.any(|instr| matches!(instr.op, Op::SelfHandle { .. })) {
                continue;
            }
            let definitions = definitions(function);
            for (id, block) in function.blocks.enumerated() {
                if let Some(asked) = asked(&definitions, &block.end.kind) {
                    branches.insert((func, id), asked);
                }
            }
        }
        OwnHandles { branches }
    }

    fn of(&self, func: FuncId, block: BlockId) -> Option<Asked> {
        self.branches.get(&(func, block)).copied()
    }
}

fn asked(definitions: &[Option<&Op>], end: &TermKind) -> Option<Asked> {
    let TermKind::Branch { cond: Operand::Reg(cond), then, other } = end else { return None };
    let Some(Op::Assign { value: Expr::Compare { op, a, b, .. }, .. }) = definitions[cond.index()] else {
        return None;
    };
    let equal = match op {
        CmpOp::Eq => *then,
        CmpOp::Ne => *other,
        _ => return None,
    };
    let own = |operand: &Operand| {
        let Operand::Reg(reg) = operand else { return false };
        matches!(definitions[reg.index()], Some(Op::SelfHandle { .. }))
    };
    let handle = match (own(a), own(b)) {
        (true, _) => *b,
        (false, true) => *a,
        (false, false) => return None,
    };
    (then != other).then_some(Asked { handle, equal })
}
