//! The paths of one iteration: from a copy of a loop's head to the next one, or out of the loop.
//!
//! A register, or a part of a frame object, holds a constant, an address in a frame object, a value made of what others can
//! write (*any* value), a value from before the iteration (*fixed*), or one that is not followed (*unclear*). A branch on any
//! value goes both ways; a branch on a fixed or unclear one may, so that an exit behind it is not known to be one. This is a taint
//! analysis, path by path: the tainted values are those that others can change.

use super::Kinds;
use braid_analysis::Facts;
use braid_analysis::cfg::successors;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_ir::*;
use braid_passes::{Head, LoopHeads};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks that are followed on all paths together.
const MOST: usize = 20_000;

/// Whether a loop can be left with other values in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    None,
    Unknown,
    Open,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Value {
    Const(ConstId),
    /// An address in a frame object.
    Object(LocalId, i64),
    /// An address in a thread's own variable.
    OwnVariable,
    Any,
    Fixed,
    Unclear,
}

/// A path so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Path {
    values: BTreeMap<RegId, Value>,
    /// Parts of frame objects that it has written, by offset and size.
    contents: BTreeMap<(LocalId, i64), (u64, Value)>,
    /// It has written to private memory through a pointer that is not followed.
    wrote_somewhere: bool,
    /// Locks that it has taken,
    locks: Vec<Operand>,
    /// given away,
    given: Vec<Operand>,
    /// and taken back.
    retaken: Vec<Operand>,
    /// Something on it that the text cannot judge.
    obstacle: Option<&'static str>,
    /// It waits for time to pass, or starts a thread.
    goes_on: bool,
    /// A branch may not go this way.
    doubtful: bool,
    /// It has passed the next copy of the head.
    second: bool,
    /// The number of values out of two that it has chosen.
    choices: u32,
    /// Where it went at branches on values from before the iteration.
    decided: BTreeMap<BlockId, BlockId>,
}

impl Path {
    /// Drops what is known of a part of an object.
    fn forget(&mut self, local: LocalId, at: i64, size: u64) {
        self.contents
            .retain(|(other, start), (length, _)| *other != local || !overlap((*start, *length), (at, size)));
    }

    /// Returns true if it has written to a part of an object.
    fn touches(&self, local: LocalId, at: i64, size: u64) -> bool {
        let mut parts = self.contents.iter();
        parts.any(|((other, start), (length, _))| *other == local && overlap((*start, *length), (at, size)))
    }
}

/// Returns true if two ranges of bytes, each a start and a length, have one in common.
fn overlap((a, length): (i64, u64), (b, size): (i64, u64)) -> bool {
    let ends = [(a, length), (b, size)].map(|(start, bytes)| i128::from(start) + i128::from(bytes));
    i128::from(a) < ends[1] && i128::from(b) < ends[0]
}

/// The end of a path in a block.
enum Step {
    On,
    /// The next copy of the head, and the position behind it.
    Round(usize),
    /// The thread or the program ends.
    Out,
    /// Nothing follows.
    Dead,
}

pub struct Paths<'a> {
    program: &'a Program,
    facts: &'a Facts,
    function: &'a Function,
    kinds: &'a Kinds,
    heads: &'a LoopHeads,
    /// The number of the iteration.
    iteration: usize,
    consts: ConstPool,
    /// Blocks from which a later copy of the head, or a cut of the loop, can be reached.
    inside: IndexVec<BlockId, bool>,
    /// Locks are tried somewhere in the program.
    pub tries_locks: bool,
    /// The reason why an iteration that comes round cannot be judged.
    pub obstacle: Option<&'static str>,
    /// Objects whose lives begin in the iteration.
    pub born: BTreeSet<LocalId>,
    /// Private objects from before the iteration that it writes.
    pub written: BTreeSet<LocalId>,
    /// Writes, with whether the object is new in the iteration or one of those.
    pub neutral: HashMap<InstrId, bool>,
    /// Locks that it takes or tries, and those that it holds before, gives away and takes back.
    pub used: HashSet<Operand>,
    pub retaken: HashSet<Operand>,
    /// The first look at what others can write, which the report names, and whether it is the library's.
    pub look: Option<(Loc, bool)>,
    /// The iteration asks whether a thread is alive.
    pub asks_life: bool,
    /// Values out of two that an iteration chooses at most.
    pub choices: u32,
}

impl<'a> Paths<'a> {
    pub fn new(
        program: &'a Program,
        facts: &'a Facts,
        function: &'a Function,
        kinds: &'a Kinds,
        (heads, iteration): (&'a LoopHeads, usize),
    ) -> Paths<'a> {
        let mut inside: IndexVec<BlockId, bool> = function.blocks.iter().map(|_| false).collect();
        // Edges lead forward.
        for (id, block) in function.blocks.enumerated().rev() {
            let later = |instr: &Instr| {
                let mut copies = heads.copies[iteration + 1..].iter();
                copies.any(|head| head.instr == instr.id) || heads.cuts.contains(&instr.id)
            };
            inside[id] = block.instrs.iter().any(later)
                || successors(&block.end.kind).iter().any(|next| inside[*next]);
        }
        Paths {
            program,
            facts,
            function,
            kinds,
            heads,
            iteration,
            consts: program.consts.clone(),
            inside,
            tries_locks: false,
            obstacle: None,
            born: BTreeSet::new(),
            written: BTreeSet::new(),
            neutral: HashMap::default(),
            used: HashSet::default(),
            retaken: HashSet::default(),
            look: None,
            asks_life: false,
            choices: 0,
        }
    }

    /// Follows all paths.
    pub fn follow(&mut self) -> Exit {
        let begins = |block: &Block| block.instrs.iter().position(|instr| instr.id == self.copy(0).instr);
        let start = self.function.blocks.enumerated().find_map(|(id, block)| Some((id, begins(block)? + 1)));
        let Some((block, index)) = start else { return Exit::None };
        let mut ends = Ends::default();
        let mut seen: HashSet<(BlockId, Path)> = HashSet::default();
        let mut open = vec![(block, index, Path::default())];
        while let Some((block, index, mut path)) = open.pop() {
            if seen.len() > MOST {
                self.obstacle = Some("has very many paths");
                return Exit::Unknown;
            }
            match self.block(block, index, &mut path) {
                Step::On => {}
                Step::Dead => continue,
                Step::Round(index) => {
                    self.come_round(&path);
                    if !path.second && !path.goes_on {
                        ends.rounds.push(path.decided.clone());
                    }
                    if self.differs(&path) && !path.second {
                        open.push((block, index, Path { second: true, ..path }));
                    }
                    continue;
                }
                Step::Out => {
                    ends.exits.push((path.decided, path.doubtful));
                    continue;
                }
            }
            for (next, path) in self.ways(block, &path) {
                if !self.inside[next] {
                    if !self.only_aborts(next) {
                        ends.exits.push((path.decided, path.doubtful));
                    }
                } else if seen.insert((next, path.clone())) {
                    open.push((next, 0, path));
                }
            }
        }
        ends.judge()
    }

    /// The copy of the head at which the iteration begins (0), or the next one (1).
    fn copy(&self, index: usize) -> &'a Head {
        &self.heads.copies[self.iteration + index]
    }

    /// Returns true if a path comes to the next copy of the head with other values than at the one before: then the loop may
    /// be left there.
    fn differs(&self, path: &Path) -> bool {
        let pairs = self.copy(0).state.iter().zip(&self.copy(1).state);
        pairs.into_iter().any(|(before, after)| match self.value(path, *after) {
            Value::Fixed => before != after,
            value => value != self.value(&Path::default(), *before),
        })
    }

    fn come_round(&mut self, path: &Path) {
        let kept = (!path.locks.is_empty()).then_some("keeps a lock");
        let given = (!path.given.is_empty()).then_some("gives away a lock");
        let chooses = path.choices > 0 && !self.used.is_empty();
        let chooses = chooses.then_some("chooses values and takes locks");
        if !path.goes_on {
            self.obstacle = self.obstacle.or(path.obstacle).or(kept).or(given).or(chooses);
            self.retaken.extend(&path.retaken);
            self.choices = self.choices.max(path.choices);
        }
    }

    /// Where control goes from the end of a block.
    fn ways(&self, block: BlockId, path: &Path) -> Vec<(BlockId, Path)> {
        let end = &self.function.blocks[block].end.kind;
        let known = end.operand().map_or(Value::Fixed, |operand| self.value(path, operand));
        let targets = successors(end);
        let taken = match (end, known) {
            (TermKind::Branch { then, other, .. }, Value::Const(id)) => {
                self.int(id).map(|bits| if bits & 1 == 1 { *then } else { *other })
            }
            (TermKind::Switch { cases, default, .. }, Value::Const(id)) => self.int(id).map(|bits| {
                cases.iter().find(|(pattern, _)| *pattern == bits).map_or(*default, |(_, to)| *to)
            }),
            _ => None,
        };
        if let Some(to) = taken {
            return vec![(to, path.clone())];
        }
        let forks = targets.len() > 1;
        let doubtful = path.doubtful
            || (forks && matches!(known, Value::Unclear | Value::OwnVariable | Value::Object(..)));
        let way = |to: BlockId| {
            let mut next = Path { doubtful, ..path.clone() };
            if forks && known == Value::Fixed {
                next.decided.insert(block, to);
            }
            (to, next)
        };
        targets.into_iter().map(way).collect()
    }

    fn int(&self, id: ConstId) -> Option<u128> {
        if let Const::Int { bits, .. } = self.consts.get(id) { Some(bits) } else { None }
    }

    fn value(&self, path: &Path, operand: Operand) -> Value {
        match operand {
            Operand::Const(id) => Value::Const(id),
            Operand::Reg(reg) => path.values.get(&reg).copied().unwrap_or(Value::Fixed),
        }
    }

    fn block(&mut self, block: BlockId, index: usize, path: &mut Path) -> Step {
        let function = self.function;
        let code = &function.blocks[block];
        for (at, instr) in code.instrs.iter().enumerate().skip(index) {
            if instr.id == self.copy(1).instr {
                return Step::Round(at + 1);
            }
            if path.second && self.heads.copies.iter().any(|head| head.instr == instr.id) {
                path.doubtful = true;
                return Step::Out;
            }
            match self.instr(instr, path) {
                Step::On => {}
                end => return end,
            }
        }
        match code.end.kind {
            TermKind::Return(_) => Step::Out,
            TermKind::Unreachable => Step::Dead,
            TermKind::Jump(_) | TermKind::Branch { .. } | TermKind::Switch { .. } => Step::On,
        }
    }

    fn instr(&mut self, instr: &Instr, path: &mut Path) -> Step {
        path.goes_on |= self.kinds.ending.contains(&instr.id);
        match &instr.op {
            Op::Assign { dst, value } => {
                let value = self.assigned(path, value);
                path.values.insert(*dst, value);
            }
            Op::Load { dst, ty, ptr, access } => {
                let visible = self.facts.escape.may_be_visible(instr.id) || access.space == Space::Shadow;
                let value = if visible { Value::Any } else { self.loaded(path, *ptr, *ty) };
                if value == Value::Any {
                    self.looks(instr);
                }
                path.values.insert(*dst, value);
            }
            Op::Store { access: Access { space: Space::Shadow, .. }, .. } => {
                // To wait for a semaphore and to post it is a change; other models have locks.
                if !self.kinds.counting.contains(&instr.id) {
                    path.obstacle = path.obstacle.or(Some("uses locks other than plain mutexes"));
                }
            }
            Op::Store { ptr, ty, value, .. } => {
                let visible = self.facts.escape.may_be_visible(instr.id);
                if let Value::Object(local, _) = self.value(path, *ptr)
                    && !visible
                    && !self.born.contains(&local)
                    && self.is_scalar(local)
                {
                    self.written.insert(local);
                }
                let neutral = match self.value(path, *ptr) {
                    Value::Object(local, _) => {
                        self.born.contains(&local) || (!visible && self.written.contains(&local))
                    }
                    Value::Const(_) | Value::OwnVariable => false,
                    Value::Any | Value::Fixed | Value::Unclear => {
                        if !visible {
                            path.obstacle =
                                path.obstacle.or(Some("writes to private memory behind a pointer"));
                        }
                        false
                    }
                };
                self.neutral.entry(instr.id).and_modify(|known| *known &= neutral).or_insert(neutral);
                self.store(path, *ptr, *ty, *value);
            }
            Op::Copy { dst, .. } => {
                self.looks(instr);
                self.copied(path, *dst);
            }
            Op::Fill { dst, .. } => {
                if !self.copied(path, *dst) {
                    path.obstacle = path.obstacle.or(Some("fills memory"));
                }
            }
            Op::CmpXchg(exchange) => {
                self.looks(instr);
                path.values.extend([(exchange.old, Value::Any), (exchange.ok, Value::Any)]);
                path.choices += u32::from(exchange.weak);
            }
            Op::Nondet { dst, ty: Ty::Int(1), .. } => {
                path.values.insert(*dst, Value::Any);
                path.choices += 1;
            }
            Op::Nondet { dst, .. } | Op::Input { dst } => {
                path.values.insert(*dst, Value::Any);
                path.obstacle = path.obstacle.or(Some(CHOOSES));
            }
            Op::Alloc { dst, .. } => {
                path.values.insert(*dst, Value::Any);
                path.obstacle = path.obstacle.or(Some("makes heap blocks"));
            }
            Op::Free { .. } => path.obstacle = path.obstacle.or(Some("frees heap blocks")),
            Op::Spawn { dst, .. } => {
                path.values.insert(*dst, Value::Any);
                path.goes_on = true;
            }
            Op::Detach { .. } => path.goes_on = true,
            Op::Lock { mutex } => {
                if self.tries_locks {
                    path.obstacle = path.obstacle.or(Some("takes locks, which others try"));
                }
                self.used.insert(*mutex);
                match path.given.iter().position(|lock| lock == mutex) {
                    Some(at) => path.retaken.push(path.given.remove(at)),
                    None => path.locks.push(*mutex),
                }
            }
            Op::Unlock { mutex } => match path.locks.iter().rposition(|lock| lock == mutex) {
                Some(at) => _ = path.locks.remove(at),
                None if self.tries_locks => path.obstacle = path.obstacle.or(Some("tries locks")),
                None if matches!(mutex, Operand::Const(_)) => path.given.push(*mutex),
                None => path.obstacle = path.obstacle.or(Some("gives away a lock behind a pointer")),
            },
            Op::LocalLive { local } => {
                self.born.insert(*local);
                path.forget(*local, i64::MIN, u64::MAX);
            }
            Op::AtomicBegin { when } => {
                for inner in when.iter().flat_map(|guard| &guard.instrs) {
                    self.instr(inner, path);
                }
            }
            Op::ThreadState { dst, ask: ThreadAsk::Life, .. } => {
                path.values.insert(*dst, Value::Any);
                self.asks_life = true;
            }
            Op::ExitThread { .. } | Op::ExitProgram { .. } => return Step::Out,
            Op::Abort | Op::Unsupported { .. } | Op::Partial { bound: true, .. } => return Step::Dead,
            Op::TryLock { dst, mutex } => {
                self.looks(instr);
                self.used.insert(*mutex);
                path.values.insert(*dst, Value::Any);
            }
            Op::Rmw { dst, .. } => {
                self.looks(instr);
                path.values.insert(*dst, Value::Any);
            }
            Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::Join { .. }
            | Op::Fence { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Partial { bound: false, .. } => {
                instr.op.destinations(&mut |reg| _ = path.values.insert(reg, Value::Any));
            }
        }
        Step::On
    }

    /// Notes the first look; those of the user's code come before the library's.
    fn looks(&mut self, instr: &Instr) {
        if self.look.is_none_or(|(_, internal)| internal && !instr.internal) {
            self.look = Some((instr.loc, instr.internal));
        }
    }

    /// The value that a load from private memory gives.
    fn loaded(&self, path: &Path, pointer: Operand, ty: Ty) -> Value {
        let (local, at) = match self.value(path, pointer) {
            Value::Object(local, at) => (local, at),
            // Others can reach a global variable, even if none of them writes it.
            Value::Any | Value::Const(_) => return Value::Any,
            Value::OwnVariable | Value::Fixed | Value::Unclear => return Value::Unclear,
        };
        let size = ty.bytes(self.program.pointer_bytes);
        match path.contents.get(&(local, at)) {
            Some((known, value)) if *known == size => *value,
            Some((u64::MAX, value)) => *value,
            _ => match path.contents.get(&(local, i64::MIN)) {
                Some((_, value)) => *value,
                None if path.wrote_somewhere || self.born.contains(&local) => Value::Unclear,
                None if path.touches(local, at, size) => Value::Unclear,
                None => Value::Fixed,
            },
        }
    }

    fn is_scalar(&self, local: LocalId) -> bool {
        matches!(self.program.shapes[self.function.locals[local].shape], Shape::Scalar(_))
    }

    fn store(&self, path: &mut Path, pointer: Operand, ty: Ty, value: Operand) {
        let size = ty.bytes(self.program.pointer_bytes);
        match self.value(path, pointer) {
            Value::Object(local, at) => {
                let value = self.value(path, value);
                path.forget(local, at, size);
                path.contents.insert((local, at), (size, value));
            }
            // A global or a heap block: loads from memory that others see give any value.
            Value::Const(_) | Value::OwnVariable => {}
            Value::Any | Value::Fixed | Value::Unclear => path.wrote_somewhere = true,
        }
    }

    /// A copy to memory. Returns true if that is an object whose life has begun in the iteration.
    fn copied(&self, path: &mut Path, to: Operand) -> bool {
        let Value::Object(local, _) = self.value(path, to) else {
            path.wrote_somewhere = true;
            return false;
        };
        path.forget(local, i64::MIN, u64::MAX);
        path.contents.insert((local, i64::MIN), (u64::MAX, Value::Any));
        self.born.contains(&local)
    }

    /// The value of an expression.
    fn assigned(&mut self, path: &Path, value: &Expr) -> Value {
        match value {
            Expr::LocalAddr(local) => return Value::Object(*local, 0),
            Expr::ThreadLocalAddr(_) => return Value::OwnVariable,
            Expr::PtrAdd { ptr, offset } => match (self.value(path, *ptr), self.value(path, *offset)) {
                (Value::Object(local, at), Value::Const(id)) => {
                    let width = self.program.pointer_bytes * 8;
                    let by = self.int(id).map(|bits| fold::signed(bits, width) as i64);
                    return by.map_or(Value::Unclear, |by| Value::Object(local, at.wrapping_add(by)));
                }
                (Value::OwnVariable, _) => return Value::OwnVariable,
                (Value::Object(..), _) => return Value::Unclear,
                _ => {}
            },
            Expr::Use(operand) => return self.value(path, *operand),
            _ => {}
        }
        let parts: Vec<Value> = value.operands().map(|operand| self.value(path, operand)).collect();
        if parts.contains(&Value::Any) {
            return Value::Any;
        }
        if parts.contains(&Value::Unclear) {
            return Value::Unclear;
        }
        let mut consts = |operand: Operand| match self.value(path, operand) {
            Value::Const(id) => Operand::Const(id),
            Value::Object(..) | Value::OwnVariable | Value::Any | Value::Fixed | Value::Unclear => operand,
        };
        let known = (*value).map_operands(&mut consts);
        match fold::fold(&mut self.consts, self.program.pointer_bytes * 8, &known) {
            Some(Operand::Const(id)) => Value::Const(id),
            Some(Operand::Reg(_)) | None => Value::Fixed,
        }
    }

    /// Returns true if nothing but an abort or the end of what is modelled can follow.
    fn only_aborts(&self, from: BlockId) -> bool {
        let mut open = vec![from];
        let mut seen: HashSet<BlockId> = HashSet::default();
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            let code = &self.function.blocks[block];
            let ends = |instr: &Instr| matches!(instr.op, Op::ExitThread { .. } | Op::ExitProgram { .. });
            let is_dead = |instr: &Instr| matches!(instr.op, Op::Abort | Op::Unsupported { .. });
            // A loop around this one goes on.
            let goes_on = |instr: &Instr| matches!(instr.op, Op::Partial { bound: true, .. });
            if code.instrs.iter().any(|instr| ends(instr) || goes_on(instr)) {
                return false;
            }
            if code.instrs.iter().any(is_dead) || matches!(code.end.kind, TermKind::Unreachable) {
                continue;
            }
            if matches!(code.end.kind, TermKind::Return(_)) {
                return false;
            }
            open.extend(successors(&code.end.kind));
        }
        true
    }
}

const CHOOSES: &str = "chooses values";

/// The ends of all paths of an iteration.
#[derive(Default)]
struct Ends {
    /// Decisions at branches on values from before the iteration, of paths that come round,
    rounds: Vec<BTreeMap<BlockId, BlockId>>,
    /// and of those that leave the loop, with whether they are doubtful.
    exits: Vec<(BTreeMap<BlockId, BlockId>, bool)>,
}

impl Ends {
    /// An iteration that comes round has an exit if a path out of the loop makes no other decisions than its own: then both are
    /// possible with the same values from before the iteration.
    fn judge(&self) -> Exit {
        let verdict = |round: &BTreeMap<BlockId, BlockId>| {
            let agrees = |exit: &BTreeMap<BlockId, BlockId>| {
                exit.iter().all(|(block, to)| round.get(block).is_none_or(|taken| taken == to))
            };
            let follows =
                |exit: &BTreeMap<BlockId, BlockId>| exit.keys().all(|block| round.contains_key(block));
            let mut possible = self.exits.iter().filter(|(exit, _)| agrees(exit)).peekable();
            if possible.peek().is_none() {
                return Exit::None;
            }
            let certain = possible.any(|(exit, doubtful)| follows(exit) && !doubtful);
            if certain { Exit::Open } else { Exit::Unknown }
        };
        let mut verdicts = self.rounds.iter().map(verdict);
        let Some(first) = verdicts.next() else { return Exit::None };
        if verdicts.all(|other| other == first) { first } else { Exit::Unknown }
    }
}
