//! What a proof says little about: assumptions that no execution passes, assertions that none reaches, threads that none
//! starts, and threads that `main` does not wait for.
//!
//! An assertion is *reached* if its condition is evaluated. Most of them are a branch to a call that fails, which no
//! execution of a safe program makes; so for one that fails without a condition, it is the branches before it that count
//! ([`Ways::deciding`]), or, where it opens its function, the calls of that function.

use braid_base::{HashMap, HashSet, Idx};
use braid_interp::Reached;
use braid_ir::{BlockId, Callee, Const, Expr, FuncId, InstrId, Loc, Op, Operand, Program, TermKind};
use braid_props::{Check, CheckSet};

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoteKind {
    AssumeNeverHolds,
    AssertionNotReached,
    ThreadNeverStarted,
    ThreadLeftRunning,
    NeverEnds,
}

impl NoteKind {
    /// One word for programs.
    pub fn id(self) -> &'static str {
        match self {
            NoteKind::AssumeNeverHolds => "assume-never-holds",
            NoteKind::AssertionNotReached => "assertion-not-reached",
            NoteKind::ThreadNeverStarted => "thread-never-started",
            NoteKind::ThreadLeftRunning => "thread-left-running",
            NoteKind::NeverEnds => "never-ends",
        }
    }
}

/// Something that a person who reads `SAFE` should know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Note {
    pub place: Loc,
    pub kind: NoteKind,
    pub text: String,
}

impl Note {
    /// The note to a program of which no execution ends: each goes on for ever, or stops at an assumption.
    pub fn never_ends(program: &Program) -> Note {
        let place = program.main.map_or(Loc::NONE, |main| program.functions[main].loc);
        Note { place, kind: NoteKind::NeverEnds, text: "no execution ends".to_string() }
    }
}

/// The notes to a proof of a program, whose executions come to what `reached` says, in the order of their places.
pub fn notes(program: &Program, checks: CheckSet, reached: &Reached) -> Vec<Note> {
    let ways = Ways::new(program, reached);
    let mut all = Vec::new();
    for (id, function) in program.functions.enumerated().filter(|(_, function)| !function.internal) {
        for (block, body) in function.blocks.enumerated() {
            for instr in &body.instrs {
                let note = match &instr.op {
                    Op::Assume { .. } => assume(reached, instr.id),
                    Op::Assert { check: Check::Assertion, cond, .. } if checks.contains(Check::Assertion) => {
                        let fails = is_false(program, cond);
                        let seen = reached.executed.contains(&instr.id)
                            || fails && ways.comes_to(At { function: id, block, place: instr.loc });
                        (!seen).then(|| {
                            (NoteKind::AssertionNotReached, "no execution reaches this assertion".to_string())
                        })
                    }
                    Op::Call { callee: Callee::Direct(called), args, .. } => {
                        ways.start(*called, args).map(|name| {
                            (
                                NoteKind::ThreadNeverStarted,
                                format!("no execution starts a thread in '{name}'"),
                            )
                        })
                    }
                    _ => None,
                };
                all.extend(note.map(|(kind, text)| Note { place: instr.loc, kind, text }));
            }
        }
    }
    if reached.left_running {
        let main = program.main.map_or(Loc::NONE, |main| program.functions[main].loc);
        let text = "'main' may return while other threads run, which ends them";
        all.push(Note { place: main, kind: NoteKind::ThreadLeftRunning, text: text.to_string() });
    }
    all.sort();
    all.dedup_by(|one, other| {
        (one.place.file, one.place.line, one.kind) == (other.place.file, other.place.line, other.kind)
    });
    all
}

fn assume(reached: &Reached, instr: InstrId) -> Option<(NoteKind, String)> {
    let stops = reached.executed.contains(&instr) && !reached.passed.contains(&instr);
    stops.then(|| (NoteKind::AssumeNeverHolds, "no execution passes this assumption".to_string()))
}

fn is_false(program: &Program, cond: &Expr) -> bool {
    let Expr::Use(Operand::Const(id)) = cond else { return false };
    matches!(program.consts.get(*id), Const::Int { bits: 0, .. })
}

/// What has to be known of executions before notes can be made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Landmarks {
    /// Ends of blocks, assumptions and assertions.
    pub instrs: HashSet<InstrId>,
    /// Functions in which threads may begin.
    pub functions: HashSet<FuncId>,
}

impl Landmarks {
    pub fn new(program: &Program, checks: CheckSet) -> Landmarks {
        let nothing = Reached::default();
        let ways = Ways::new(program, &nothing);
        let mut found = Landmarks::default();
        for (id, function) in program.functions.enumerated().filter(|(_, function)| !function.internal) {
            for (block, body) in function.blocks.enumerated() {
                for instr in &body.instrs {
                    match &instr.op {
                        Op::Assume { .. } => {
                            found.instrs.insert(instr.id);
                        }
                        Op::Assert { check: Check::Assertion, .. } if checks.contains(Check::Assertion) => {
                            found.instrs.insert(instr.id);
                            let at = At { function: id, block, place: instr.loc };
                            ways.decided(at, &mut HashSet::default(), &mut |end| {
                                found.instrs.insert(end);
                                false
                            });
                        }
                        Op::Call { callee: Callee::Direct(called), args, .. } => {
                            found.functions.extend(ways.begins(*called, args));
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }
}

/// A place in a block, at which an assertion fails or a function is called.
#[derive(Clone, Copy)]
struct At {
    function: FuncId,
    block: BlockId,
    place: Loc,
}

/// How executions come to blocks and functions.
struct Ways<'a> {
    program: &'a Program,
    reached: &'a Reached,
    /// For each function the direct calls of it.
    callers: HashMap<FuncId, Vec<At>>,
    /// Functions whose address is taken: they may be called from anywhere.
    addressed: HashSet<FuncId>,
    /// Functions of the library that start threads.
    starters: HashSet<FuncId>,
}

impl<'a> Ways<'a> {
    fn new(program: &'a Program, reached: &'a Reached) -> Ways<'a> {
        let mut callers: HashMap<FuncId, Vec<At>> = HashMap::default();
        let mut starters = HashSet::default();
        let mut addressed = HashSet::default();
        let mut take = |operand: &Operand| {
            if let Operand::Const(id) = operand
                && let Const::Func(function) = program.consts.get(*id)
            {
                addressed.insert(function);
            }
        };
        for (id, function) in program.functions.enumerated() {
            for (block, body) in function.blocks.enumerated() {
                for instr in &body.instrs {
                    match &instr.op {
                        Op::Call { callee, args, .. } => {
                            args.iter().for_each(&mut take);
                            match callee {
                                Callee::Direct(called) => {
                                    let at = At { function: id, block, place: instr.loc };
                                    callers.entry(*called).or_default().push(at);
                                }
                                Callee::Pointer(pointer) => take(pointer),
                            }
                        }
                        Op::Assign { value: Expr::Use(operand), .. } => take(operand),
                        Op::Store { value, .. } => take(value),
                        Op::Spawn { .. } if function.internal => {
                            starters.insert(id);
                        }
                        _ => {}
                    }
                }
            }
        }
        Ways { program, reached, callers, addressed, starters }
    }

    /// Returns true if an execution evaluates what decides whether the block is entered.
    fn comes_to(&self, at: At) -> bool {
        self.decided(at, &mut HashSet::default(), &mut |end| self.reached.executed.contains(&end))
    }

    /// Returns true if one of the ends of blocks that decide whether the block is entered `is_executed`, or if it may
    /// be entered from anywhere.
    fn decided(
        &self,
        at: At,
        seen: &mut HashSet<FuncId>,
        is_executed: &mut dyn FnMut(InstrId) -> bool,
    ) -> bool {
        let At { function, block, .. } = at;
        if self.deciding(at).into_iter().any(&mut *is_executed) {
            return true;
        }
        if block.index() != 0 || !seen.insert(function) {
            return false;
        }
        let begins = Some(function) == self.program.main || Some(function) == self.program.entry;
        let elsewhere = self.addressed.contains(&function) || self.reached.started.contains(&function);
        let calls = self.callers.get(&function).map_or(&[][..], Vec::as_slice);
        begins || elsewhere || calls.iter().any(|call| self.decided(*call, seen, is_executed))
    }

    /// The ends of blocks that decide whether the block is entered.
    ///
    /// These are the blocks that lead to it, and those that evaluate the first operands of `&&` and `||` in the same
    /// condition: they branch to a block of the condition, or past what it guards. An `if` around an assertion looks
    /// alike, but is written before it, while an assertion's own condition is written inside of it. Where the failing
    /// call stands after its condition (`if (a && b) fail();`), an `if` around it cannot be told from an operand, and
    /// counts as one: a note may be missing then, but it is never wrong.
    fn deciding(&self, at: At) -> Vec<InstrId> {
        let blocks = &self.program.functions[at.function].blocks;
        let mut found: Vec<BlockId> = blocks
            .enumerated()
            .filter(|(_, body)| leads_to(&body.end.kind, at.block))
            .map(|(id, _)| id)
            .collect();
        let branches = |id: BlockId| {
            if let TermKind::Branch { then, other, .. } = blocks[id].end.kind {
                Some([then, other])
            } else {
                None
            }
        };
        let inside =
            found.iter().any(|id| branches(*id).is_some() && is_within(blocks[*id].end.loc, at.place));
        let past: HashSet<BlockId> =
            found.iter().filter_map(|id| branches(*id)).flatten().filter(|to| *to != at.block).collect();
        loop {
            let own = |to: &BlockId| *to == at.block || found.contains(to);
            let is_operand = |id: &BlockId| {
                let Some(targets) = branches(*id) else { return false };
                !found.contains(id)
                    && (!inside || is_within(blocks[*id].end.loc, at.place))
                    && targets.iter().any(own)
                    && targets.iter().all(|to| own(to) || past.contains(to))
            };
            let more: Vec<BlockId> = blocks.ids().filter(is_operand).collect();
            if more.is_empty() {
                return found.into_iter().map(|id| blocks[id].end.id).collect();
            }
            found.extend(more);
        }
    }

    /// The function that a call would start a thread in, if none ever begins there.
    fn start(&self, called: FuncId, args: &[Operand]) -> Option<&'a str> {
        let begins = self.begins(called, args).filter(|function| !self.reached.started.contains(function))?;
        Some(self.program.functions[begins].name.as_str())
    }

    /// The function of the program in which a thread begins that the call starts, if it starts one.
    fn begins(&self, called: FuncId, args: &[Operand]) -> Option<FuncId> {
        if !self.starters.contains(&called) {
            return None;
        }
        args.iter().find_map(|arg| {
            let Operand::Const(id) = arg else { return None };
            let Const::Func(function) = self.program.consts.get(*id) else { return None };
            (!self.program.functions[function].internal).then_some(function)
        })
    }
}

/// Returns true if a part of an assertion's condition may be written there, given the place where the assertion begins. In
/// an assertion of several lines, parts on later lines have no column.
fn is_within(part: Loc, assertion: Loc) -> bool {
    let is_later = (part.line, part.column) >= (assertion.line, assertion.column);
    part.file == assertion.file && (is_later || (part.line == assertion.line && part.column == 0))
}

fn leads_to(end: &TermKind, block: BlockId) -> bool {
    match end {
        TermKind::Jump(to) => *to == block,
        TermKind::Branch { then, other, .. } => *then == block || *other == block,
        TermKind::Switch { cases, default, .. } => {
            *default == block || cases.iter().any(|(_, to)| *to == block)
        }
        TermKind::Return(_) | TermKind::Unreachable => false,
    }
}
