//! Loops in which threads may spin: deadlocks in which a thread goes round instead of blocking.
//!
//! A thread *spins* in a state if, run alone, an iteration of its loop comes back to the head with the same live registers
//! and has changed no memory, and if the loop could be left with other values in memory (docs/guide.md, deadlock). A loop that
//! is unrolled without a cut ends, so only loops that are cut count. The pass marks the copies of their heads
//! ([`braid_passes::LoopHeads`]); the text saves the live registers at a copy, and compares them at the next one when the
//! thread is tried after the last round ([`crate::driver`]).
//!
//! Two questions are decided here, by following all paths of an iteration ([`paths`]): whether the loop has an exit that
//! depends on memory, and whether the text can tell that an iteration changes nothing. An iteration that chooses values has to come
//! round with each of them; one that gives away a lock and takes it back counts if nobody waits for the lock. Programs that the text
//! cannot judge are refused.
//!
//! *Claim*: a thread that stands at a copy of a head, and comes to the next copy alone, with the same registers and without
//! a write of another value, does so for ever. *Relies on*: without choices, the state of a thread and memory determine
//! what it does; live registers of the source that are constants in a copy are compared by the pass's values. *Proof*: the next
//! iteration begins in the same state. *Fault*: `translated-spin-registers` and its neighbours in docs/faults.md.

mod paths;

use crate::Untranslatable;
use braid_analysis::Facts;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet};
use braid_ir::*;
use braid_passes::{Expanded, Head, LoopHeads};
use paths::{Exit, Paths};
use std::collections::BTreeSet;

/// So many values out of two are tried one after the other.
const MOST_CHOICES: u32 = 3;

/// A copy of a head in the text.
#[derive(Clone, Debug)]
pub struct Lap {
    /// The number of the loop, for names.
    pub number: usize,
    /// Live registers, if the iteration that begins here may spin.
    pub saved: Option<Vec<Operand>>,
    /// Pairs of live registers at the copy before and here, if the iteration that ends here may have spun.
    pub compared: Option<Vec<(Operand, Operand)>>,
    pub place: Loc,
}

/// The loops of the unrolled program in which threads may spin.
#[derive(Default)]
pub struct Laps {
    /// By the instruction that marks the copy of a head.
    pub marks: HashMap<InstrId, Lap>,
    /// Functions of threads that may spin.
    pub funcs: HashSet<FuncId>,
    /// Writes in iterations, with whether in each of them the object is new or compared like a register.
    pub neutral: HashMap<InstrId, bool>,
    /// Objects of the frame that an iteration writes and that were there before: they are compared like registers.
    pub carried: HashMap<(FuncId, usize), BTreeSet<LocalId>>,
    /// The number of values out of two that an iteration of a loop chooses at most: it spins if it comes round with all of them.
    pub choices: HashMap<usize, u32>,
    /// Locks that iterations of a thread's loops take or try,
    uses: HashMap<FuncId, HashSet<Operand>>,
    /// and those that they give away and take back.
    gives: HashMap<FuncId, HashSet<Operand>>,
    pub kinds: Kinds,
}

impl Laps {
    /// Returns true if an iteration of the thread's gives away a lock that the thread holds, and takes it back.
    pub fn gives(&self, func: FuncId, lock: Operand) -> bool {
        self.gives.get(&func).is_some_and(|locks| locks.contains(&lock))
    }

    /// Returns true if some thread gives away a lock for a part of an iteration.
    pub fn some_give(&self) -> bool {
        self.gives.values().any(|locks| !locks.is_empty())
    }

    /// Returns true if a thread gives away several locks, or one that another thread that may spin uses or may use.
    fn is_noticed(&self) -> bool {
        let is_known = |lock: &Operand| matches!(lock, Operand::Const(_));
        self.gives.iter().any(|(func, given)| {
            let mut others = self.uses.iter().filter(|(other, _)| *other != func);
            let notices =
                |used: &HashSet<Operand>| used.iter().any(|lock| given.contains(lock) || !is_known(lock));
            given.len() > 1 || (!given.is_empty() && others.any(|(_, used)| notices(used)))
        })
    }
}

/// Instructions that matter to iterations.
#[derive(Default)]
pub struct Kinds {
    /// An iteration with one of them does not spin: waits that end when time has passed, reads of what a signal handler may write,
    /// and waits at a condition variable, which another thread has to end every time.
    pub ending: HashSet<InstrId>,
    /// Operations of synchronisation objects that are no locks: to wait for a semaphore and to post it is a change.
    counting: HashSet<InstrId>,
}

/// Finds the loops in which threads may spin.
pub fn find(expanded: &Expanded, kinds: Kinds, facts: &Facts) -> Result<Laps, Untranslatable> {
    let mut laps = Laps::default();
    let tries =
        expanded.program.functions.iter().flat_map(instrs).any(|i| matches!(i.op, Op::TryLock { .. }));
    for (number, heads) in expanded.heads.iter().enumerate() {
        add_loop(&mut laps, &Unrolled { expanded, facts, kinds: &kinds, tries }, (number, heads))?;
    }
    laps.kinds = kinds;
    refuse_nested_choices(&laps, expanded)?;
    if laps.is_noticed() {
        let what = "a deadlock of loops that may spin and notice that a lock is given away".to_string();
        let place = expanded.heads.first().map_or(Loc::NONE, |heads| heads.place);
        return Err(Untranslatable { what, place });
    }
    Ok(laps)
}

/// Two loops of a thread that choose values may be nested, and then the values of one are tried while the other goes on.
fn refuse_nested_choices(laps: &Laps, expanded: &Expanded) -> Result<(), Untranslatable> {
    let mut places: HashMap<FuncId, Loc> = HashMap::default();
    for (number, heads) in expanded.heads.iter().enumerate() {
        if laps.choices.get(&number).is_none_or(|choices| *choices == 0) {
            continue;
        }
        if *places.entry(heads.func).or_insert(heads.place) != heads.place {
            let what = "a deadlock of loops that may spin and choose values".to_string();
            return Err(Untranslatable { what, place: heads.place });
        }
    }
    Ok(())
}

/// The unrolled program and what is known about it.
struct Unrolled<'a> {
    expanded: &'a Expanded,
    facts: &'a Facts,
    kinds: &'a Kinds,
    /// Locks are tried somewhere.
    tries: bool,
}

fn add_loop(
    laps: &mut Laps,
    Unrolled { expanded, facts, kinds, tries }: &Unrolled,
    (number, heads): (usize, &LoopHeads),
) -> Result<(), Untranslatable> {
    let function = &expanded.program.functions[heads.func];
    for (iteration, pair) in heads.copies.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        let Some(compared) = compared(from, to) else { continue };
        let mut paths = Paths::new(&expanded.program, facts, function, kinds, (heads, iteration));
        paths.tries_locks = *tries;
        let exit = paths.follow();
        let refuse = |what: String| Untranslatable { what, place: heads.place };
        match (paths.obstacle, exit) {
            (_, Exit::None) if active("translated-spin-exits") => {}
            (_, Exit::None) if !paths.asks_life => continue,
            (_, Exit::None) => {
                let what = "a deadlock of a loop that may spin and asks whether a thread is alive";
                return Err(refuse(what.to_string()));
            }
            (Some(what), _) => return Err(refuse(format!("a deadlock of a loop that may spin and {what}"))),
            (None, Exit::Unknown) => {
                let what = "a deadlock of a loop that may spin, whose exits depend on its own values";
                return Err(refuse(what.to_string()));
            }
            (None, Exit::Open) => {}
        }
        laps.uses.entry(heads.func).or_default().extend(&paths.used);
        laps.gives.entry(heads.func).or_default().extend(&paths.retaken);
        for (instr, neutral) in &paths.neutral {
            let known = laps.neutral.entry(*instr).or_insert(true);
            *known &= *neutral;
        }
        laps.carried.entry((heads.func, number)).or_default().extend(&paths.written);
        let choices = laps.choices.entry(number).or_default();
        *choices = paths.choices.max(*choices);
        if *choices > MOST_CHOICES {
            let what = "a deadlock of a loop that may spin and chooses many values";
            return Err(refuse(what.to_string()));
        }
        laps.funcs.insert(heads.func);
        let place = paths.look.map_or(heads.place, |(place, _)| place);
        let mark = |laps: &mut Laps, head: &Head| -> InstrId {
            laps.marks.entry(head.instr).or_insert(Lap { number, saved: None, compared: None, place });
            head.instr
        };
        let (first, second) = (mark(laps, from), mark(laps, to));
        laps.marks.entry(first).and_modify(|lap| lap.saved = Some(from.state.clone()));
        laps.marks.entry(second).and_modify(|lap| lap.compared = Some(compared));
    }
    Ok(())
}

/// The live registers at two copies of a head, unless they differ for sure. Constants that are equal need no comparison.
fn compared(from: &Head, to: &Head) -> Option<Vec<(Operand, Operand)>> {
    let mut pairs = Vec::new();
    for (before, after) in from.state.iter().zip(&to.state) {
        match (before, after) {
            (Operand::Const(a), Operand::Const(b)) if a == b => {}
            (Operand::Const(_), Operand::Const(_)) => return None,
            _ => pairs.push((*before, *after)),
        }
    }
    Some(pairs)
}

/// The instructions of the unrolled program that matter to iterations. `model` tells the library model that one comes from.
pub fn kinds<'a>(source: &Program, expanded: &Expanded, model: &dyn Fn(InstrId) -> &'a str) -> Kinds {
    let timed: HashSet<InstrId> = source
        .functions
        .iter()
        .filter(|function| function.timed)
        .flat_map(instrs)
        .map(|instr| instr.id)
        .collect();
    let handlers = source.handler_writes();
    let is_signal = |instr: &Instr| {
        let Op::Load { ptr: Operand::Const(id), .. } = instr.op else { return false };
        matches!(expanded.program.consts.get(id), Const::Global(global, _) if handlers.may_write(global))
    };
    let is_condition = |instr: &Instr| matches!(instr.op, Op::Pair { .. });
    let is_timed = |instr: &Instr| timed.contains(&expanded.origins.of(instr.id));
    let mut found = Kinds::default();
    for instr in expanded.program.functions.iter().flat_map(instrs) {
        let ends = is_timed(instr) || is_signal(instr) || is_condition(instr);
        if ends && !active("translated-spin-time") {
            found.ending.insert(instr.id);
        }
        if !braid_models::keeps_locks(model(instr.id)) {
            found.counting.insert(instr.id);
        }
    }
    found
}

fn instrs(function: &Function) -> impl Iterator<Item = &Instr> {
    function.blocks.iter().flat_map(|block| &block.instrs)
}
