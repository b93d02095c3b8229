//! Loops of the program, by program counters: where a thread may spin, and whether a loop has an exit.
//!
//! *Candidates* are the instructions of loops that may come round without a change. A cycle through an instruction that
//! always changes the thread is none: a counter that nothing else in the loop sets, the start or the join of a thread.
//! Everything else is decided where it happens ([`crate::spin`]); this only keeps the question from being asked in
//! programs without such loops.
//!
//! The *loop* that some instructions of one cycle belong to is the innermost strongly connected part of the control flow
//! that contains all of them; parts are nested by taking away their heads (Bourdoncle, *Efficient chaotic iteration
//! strategies with widenings*, 1993, section 4). Calls of functions that never return lead nowhere, so they are exits.
//! Whether control can come to an exit is decided in [`crate::exits`].

use crate::exits::{Exits, Here};
use crate::image::{Code, Image};
use crate::liveness::successors;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx};
use braid_ir::*;
use std::collections::BTreeSet;

#[derive(Debug)]
pub(crate) struct Loops {
    candidates: Vec<bool>,
    /// There is a candidate.
    pub any: bool,
    /// Per function: whether a call of it may return,
    returns: Vec<bool>,
    /// whether one may end its thread or the program otherwise than by `abort`,
    ends: Vec<bool>,
    /// and whether the user's code in it decides to end its thread or the program.
    leaves: Vec<bool>,
    /// Functions whose address is used: calls through pointers come to them.
    values: BTreeSet<FuncId>,
}

/// A counter that is the same again after so many rounds is followed.
const PERIOD: u32 = 16;

/// A loop that a thread goes round in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    pub head: u32,
    /// Control can come to a way out.
    pub has_exit: bool,
}

impl Loops {
    pub fn new(image: &Image) -> Loops {
        let mut loops = Loops {
            candidates: vec![false; image.code.len()],
            any: false,
            returns: vec![false; image.functions.len()],
            ends: vec![false; image.functions.len()],
            leaves: vec![false; image.functions.len()],
            values: functions_as_values(image.program),
        };
        loops.find_returning(image);
        loops.find_ending(image);
        loops.find_leaving(image);
        for function in 0..image.functions.len() {
            let all: Vec<u32> = code_of(image, function).collect();
            loops.find_candidates(image, &all);
        }
        loops.any = loops.candidates.contains(&true);
        loops
    }

    /// Returns true if the instruction belongs to a loop that may come round without a change.
    pub fn is_candidate(&self, pc: u32) -> bool {
        self.candidates.get(pc as usize).copied().unwrap_or(false)
    }

    /// Functions that return: those with a way to a `return` on which every call returns.
    fn find_returning(&mut self, image: &Image) {
        let mut changed = true;
        while changed {
            changed = false;
            for (function, info) in image.functions.iter().enumerate() {
                let Some(entry) = info.entry.filter(|_| !self.returns[function]) else { continue };
                let mut seen = HashSet::default();
                let mut waiting = vec![entry];
                while let Some(pc) = waiting.pop() {
                    if seen.insert(pc) {
                        self.returns[function] |= matches!(image.code[pc as usize], Code::Return(_));
                        waiting.extend(self.next(image, pc));
                    }
                }
                changed |= self.returns[function];
            }
        }
    }

    /// Functions that end: those that come to the end of a thread or of the program, themselves or in a call.
    fn find_ending(&mut self, image: &Image) {
        let mut changed = true;
        while changed {
            changed = false;
            for (function, info) in image.functions.iter().enumerate() {
                let Some(entry) = info.entry.filter(|_| !self.ends[function]) else { continue };
                self.ends[function] = self.reached(image, entry).iter().any(|pc| self.is_end(image, *pc));
                changed |= self.ends[function];
            }
        }
    }

    /// Functions of the user's that call `pthread_exit`, `exit` or the like. (Other functions of the library end a thread
    /// that was cancelled, which is not a way out of a loop.)
    fn find_leaving(&mut self, image: &Image) {
        let mut changed = true;
        while changed {
            changed = false;
            for (function, info) in image.functions.iter().enumerate() {
                let Some(entry) = info.entry.filter(|_| !self.leaves[function]) else { continue };
                if !image.program.functions[FuncId::from_usize(function)].internal {
                    let reached = self.reached(image, entry);
                    self.leaves[function] = reached.iter().any(|pc| self.is_leaving_call(image, *pc));
                    changed |= self.leaves[function];
                }
            }
        }
    }

    /// Returns true for a call that ends the thread or the program, or of a function in which the user's code may.
    fn is_leaving_call(&self, image: &Image, pc: u32) -> bool {
        match image.ops[pc as usize] {
            Some(Op::Call { callee: Callee::Direct(func), .. }) => self.is_leaving(image, *func),
            Some(Op::Call { callee: Callee::Pointer(_), args, .. }) => self.may_leave(image, args.len()),
            Some(_) | None => false,
        }
    }

    /// Returns true for a function of the library that ends the thread or the program and nothing else, and for one in
    /// which the user's code may.
    fn is_leaving(&self, image: &Image, func: FuncId) -> bool {
        let called = func.index();
        let internal = image.program.functions[func].internal;
        self.leaves[called]
            || internal && !self.returns[called] && self.ends[called] && self.exits(image, called)
    }

    /// With a fault, the end of the program is no way to leave a loop.
    fn exits(&self, image: &Image, called: usize) -> bool {
        let ends_thread = |pc: &u32| matches!(image.ops[*pc as usize], Some(Op::ExitThread { .. }));
        let entry = image.functions[called].entry;
        !active("exit-only-of-thread")
            || entry.is_some_and(|entry| self.reached(image, entry).iter().any(ends_thread))
    }

    /// Returns true if a call through a pointer, with so many arguments, may end the thread or the program.
    fn may_leave(&self, image: &Image, args: usize) -> bool {
        let fits = |func: &FuncId| image.program.functions[*func].params.len() == args;
        !active("pointer-calls-never-leave")
            && self.values.iter().any(|func| fits(func) && self.is_leaving(image, *func))
    }

    /// Returns true for a call in a loop that may end the thread or the program, and may also return.
    pub fn may_leave_in_call(&self, image: &Image, pc: u32) -> bool {
        match image.ops[pc as usize] {
            Some(Op::Call { callee: Callee::Direct(func), .. }) => self.leaves[func.index()],
            Some(Op::Call { callee: Callee::Pointer(_), args, .. }) => self.may_leave(image, args.len()),
            Some(_) | None => false,
        }
    }

    /// The instructions of a function that control may come to from one of them.
    fn reached(&self, image: &Image, from: u32) -> HashSet<u32> {
        let mut seen = HashSet::default();
        let mut waiting = vec![from];
        while let Some(pc) = waiting.pop() {
            if seen.insert(pc) {
                waiting.extend(self.next(image, pc));
            }
        }
        seen
    }

    /// Returns true if the instruction may end the thread or the program otherwise than by `abort`.
    fn is_end(&self, image: &Image, pc: u32) -> bool {
        match image.ops[pc as usize] {
            Some(Op::ExitThread { .. } | Op::ExitProgram { .. }) => true,
            Some(Op::Call { callee: Callee::Direct(func), .. }) => self.ends[func.index()],
            Some(_) | None => false,
        }
    }

    /// Returns true if all that can follow is `abort`, as after an assertion that fails: a loop is not left that way.
    pub fn only_aborts(&self, image: &Image, from: u32) -> bool {
        let after = self.reached(image, from);
        let goes_on =
            |pc: &u32| matches!(image.code[*pc as usize], Code::Return(_)) || self.is_end(image, *pc);
        let code: Vec<u32> = after.iter().copied().collect();
        !after.iter().any(goes_on) && self.parts(image, &code).is_empty()
    }

    /// The instructions of the same function that may follow.
    pub fn next(&self, image: &Image, pc: u32) -> Vec<u32> {
        let leads_on = match image.ops[pc as usize] {
            Some(Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. }) => {
                false
            }
            Some(Op::Call { callee: Callee::Direct(func), .. }) => self.returns[func.index()],
            Some(_) | None => true,
        };
        let mut list = Vec::new();
        if leads_on {
            successors(&image.code[pc as usize], pc, |next| list.push(next));
        }
        list
    }

    fn find_candidates(&mut self, image: &Image, code: &[u32]) {
        for part in self.parts(image, code) {
            let mut sets: HashMap<RegId, u32> = HashMap::default();
            let ops = || part.iter().filter_map(|pc| image.ops[*pc as usize].map(|op| (*pc, op)));
            for (_, op) in ops() {
                op.destinations(&mut |reg| *sets.entry(reg).or_default() += 1);
            }
            let progress: HashSet<u32> =
                ops().filter(|(_, op)| always_changes(image, op, &sets)).map(|(pc, _)| pc).collect();
            if !progress.is_empty() {
                let rest: Vec<u32> = part.iter().copied().filter(|pc| !progress.contains(pc)).collect();
                self.find_candidates(image, &rest);
            } else if ops().any(|(_, op)| may_look(op)) {
                part.iter().for_each(|pc| self.candidates[*pc as usize] = true);
            }
        }
    }

    /// The cycles of a piece of code: its strongly connected parts, without those of one instruction that does not
    /// lead to itself.
    fn parts(&self, image: &Image, code: &[u32]) -> Vec<Vec<u32>> {
        let inside: HashMap<u32, usize> = code.iter().enumerate().map(|(index, pc)| (*pc, index)).collect();
        let next: Vec<Vec<usize>> = code
            .iter()
            .map(|pc| self.next(image, *pc).iter().filter_map(|to| inside.get(to).copied()).collect())
            .collect();
        let parts = components(&next);
        let is_cycle = |part: &Vec<usize>| part.len() > 1 || next[part[0]].contains(&part[0]);
        let places = |part: Vec<usize>| part.into_iter().map(|index| code[index]).collect();
        parts.into_iter().filter(is_cycle).map(places).collect()
    }

    /// Returns true if the loop that the instructions go round in can be left, with the values that its frame has.
    pub fn has_exit(&self, image: &Image, visited: &BTreeSet<u32>, here: &Here) -> bool {
        self.loop_in(image, visited, Some(here)).is_some_and(|found| found.has_exit)
    }

    /// The loop that the instructions go round in, whatever the values before it are.
    pub fn loop_of(&self, image: &Image, visited: &BTreeSet<u32>) -> Option<Loop> {
        self.loop_in(image, visited, None)
    }

    fn loop_in(&self, image: &Image, visited: &BTreeSet<u32>, here: Option<&Here>) -> Option<Loop> {
        let first = visited.first()?;
        let function =
            image.functions.iter().rposition(|info| info.entry.is_some_and(|entry| entry <= *first))?;
        let mut code: Vec<u32> = code_of(image, function).collect();
        loop {
            let parts = self.parts(image, &code);
            let part = parts.into_iter().find(|part| part.contains(first))?;
            let members: HashSet<u32> = part.iter().copied().collect();
            if !visited.iter().all(|pc| members.contains(pc)) {
                return None;
            }
            let head = self.head(image, function, &members);
            if visited.contains(&head) {
                let has_exit = Exits::new(self, image, &members, head, here).are_reached();
                return Some(Loop { head, has_exit });
            }
            code = part.into_iter().filter(|pc| *pc != head).collect();
        }
    }

    /// Where control comes in: the first instruction of the function that belongs to the part and can be reached from
    /// outside of it.
    fn head(&self, image: &Image, function: usize, members: &HashSet<u32>) -> u32 {
        let outside = code_of(image, function).filter(|pc| !members.contains(pc));
        let entries = outside.flat_map(|pc| self.next(image, pc)).filter(|to| members.contains(to));
        let first = members.iter().copied().min().unwrap_or(0);
        entries.min().unwrap_or(first)
    }
}

/// The program counters of a function.
fn code_of(image: &Image, function: usize) -> std::ops::Range<u32> {
    let Some(start) = image.functions[function].entry else { return 0..0 };
    let later = image.functions[function + 1..].iter().find_map(|info| info.entry);
    start..later.unwrap_or(image.code.len() as u32)
}

/// The functions whose address is used.
fn functions_as_values(program: &Program) -> BTreeSet<FuncId> {
    // Direct calls do not use a function's address; whatever else does, names it as a constant.
    let pointers = program.globals.iter().flat_map(|global| &global.init.pointers);
    let constants = program.consts.iter().chain(pointers.map(|(_, constant)| *constant));
    let function = |constant: Const| if let Const::Func(func) = constant { Some(func) } else { None };
    constants.filter_map(function).collect()
}

/// Returns true if a thread that executes the operation is not soon in the state again in which it did: a counter that
/// nothing else sets, and threads that start or are joined.
///
/// By the letter a counter is the same again when it has wrapped round, so its thread spins. A counter that moves on
/// counts as progress all the same, because in practice something looks at it before that; only one that is the same
/// after [`PERIOD`] rounds at the most is followed.
fn always_changes(image: &Image, op: &Op, sets: &HashMap<RegId, u32>) -> bool {
    match op {
        Op::Spawn { .. } | Op::Join { .. } | Op::Detach { .. } => true,
        Op::Assign { dst, value: Expr::Binary { op: BinOp::Add | BinOp::Sub, a, b, .. } } => {
            let steps = |from: &Operand, by: &Operand| {
                *from == Operand::Reg(*dst) && matches!(by, Operand::Const(id) if moves_on(image, *id))
            };
            sets.get(dst) == Some(&1) && (steps(a, b) || steps(b, a))
        }
        Op::Assign { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg(_)
        | Op::Fence { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Call { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Nondet { .. }
        | Op::Input { .. }
        | Op::Output { .. }
        | Op::ThreadState { .. }
        | Op::Pair { .. }
        | Op::Lock { .. }
        | Op::TryLock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Partial { .. } => false,
    }
}

/// Returns true if a counter that goes on in steps of the constant is not the same again after a few rounds: 2^width
/// rounds, less what the step's factors of two save.
fn moves_on(image: &Image, id: ConstId) -> bool {
    let Const::Int { width, bits } = image.program.consts.get(id) else { return false };
    let period = u32::from(width).saturating_sub(bits.trailing_zeros());
    period > PERIOD.ilog2() || bits != 0 && active("counter-never-returns")
}

/// Returns true if the operation may look at memory that others write.
///
/// The unwinder has a list of its own (`unwind/spin`), and that is deliberate: the judge shares no code with the encoders, so a
/// mistake in one of the two lists shows as a disagreement.
fn may_look(op: &Op) -> bool {
    match op {
        Op::Load { .. } | Op::Rmw { .. } | Op::CmpXchg(_) | Op::Copy { .. } | Op::Call { .. } => true,
        Op::TryLock { .. } | Op::AtomicBegin { .. } | Op::ThreadState { .. } | Op::Pair { .. } => true,
        Op::Assign { .. }
        | Op::Store { .. }
        | Op::Fence { .. }
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
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Partial { .. } => false,
    }
}

/// The strongly connected components of a graph. Tarjan, *Depth-first search and linear graph algorithms*, 1972,
/// without recursion.
pub(crate) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; next.len()];
    let mut low = vec![0; next.len()];
    let mut open = vec![false; next.len()];
    let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..next.len() {
        if number[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                (number[node], low[node]) = (counter, counter);
                counter += 1;
                stack.push(node);
                open[node] = true;
            }
            match next[node].get(edge) {
                Some(&to) => {
                    calls.push((node, edge + 1));
                    if number[to] == NEW {
                        calls.push((to, 0));
                    } else if open[to] {
                        low[node] = low[node].min(number[to]);
                    }
                }
                None => {
                    if low[node] == number[node] {
                        let start = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                        let part = stack.split_off(start);
                        part.iter().for_each(|member| open[*member] = false);
                        found.push(part);
                    }
                    if let Some((parent, _)) = calls.last() {
                        low[*parent] = low[*parent].min(low[node]);
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{main_of, program};
    use braid_props::CheckSet;

    const ITEMS: &str = "shape s0 = i32\nglobal @x s0 size 4 align 4\nglobal @y s0 size 4 align 4";

    /// The lines of main that belong to candidates, and those of all candidates whose loop has an exit.
    fn lines(body: &str) -> (Vec<usize>, bool) {
        let text = main_of(ITEMS, "%0 i32, %1 i1, %2 i32", body);
        let program = program(&text);
        let image = Image::new(&program, CheckSet::all()).expect("an image");
        let loops = Loops::new(&image);
        let main = image.functions.iter().position(|info| info.entry.is_some()).expect("main");
        let start = image.functions[main].entry.expect("its code");
        let candidates: BTreeSet<u32> = code_of(&image, main).filter(|pc| loops.is_candidate(*pc)).collect();
        let exit = loops.loop_of(&image, &candidates).is_some_and(|found| found.has_exit);
        (candidates.iter().map(|pc| (pc - start) as usize).collect(), exit)
    }

    #[test]
    fn a_counter_is_no_candidate() {
        let count = "b0:\n%0 = 0:i32\njump b1\nb1:\n%1 = slt i32 %0, 9:i32\nbr %1, b2, b3\n\
                     b2:\n%2 = load i32 @x\n%0 = add i32 %0, 1:i32\njump b1\nb3:\nret 0:i32";
        assert_eq!(lines(count).0, []);
        // In steps of 2^28 it is the same after 16 rounds, in steps of 2^27 after 32.
        let (soon, late) = (
            count.replace(", 1:i32\n", ", 268435456:i32\n"),
            count.replace(", 1:i32\n", ", 134217728:i32\n"),
        );
        assert!(!lines(&soon).0.is_empty());
        assert_eq!(lines(&late).0, []);
        // Set again in every round, it counts nothing.
        let again = "b0:\njump b1\nb1:\n%0 = load i32 @x\n%0 = add i32 %0, 1:i32\n%1 = eq i32 %0, 1:i32\n\
                     br %1, b1, b2\nb2:\nret 0:i32";
        assert_eq!(lines(again), (vec![1, 2, 3, 4], true));
    }

    #[test]
    fn exits_depend_on_what_the_loop_changes() {
        let endless = "b0:\njump b1\nb1:\n%0 = load i32 @x\njump b1";
        assert_eq!(lines(endless), (vec![1, 2], false));
        let server = "b0:\n%2 = 1:i32\njump b1\nb1:\n%1 = ne i32 %2, 0:i32\nbr %1, b2, b3\n\
                      b2:\n%0 = load i32 @x\njump b1\nb3:\nret 0:i32";
        assert!(!lines(server).1);
        let waits =
            "b0:\njump b1\nb1:\n%0 = load i32 @x\n%1 = eq i32 %0, 0:i32\nbr %1, b1, b2\nb2:\nret 0:i32";
        assert!(lines(waits).1);
    }

    #[test]
    fn a_wait_inside_an_endless_loop_has_an_exit() {
        // b1: x = 0; b2: while (!y); jump b1
        let body = "b0:\njump b1\nb1:\nstore i32 @x, 0:i32\njump b2\n\
                    b2:\n%0 = load i32 @y\n%1 = eq i32 %0, 0:i32\nbr %1, b2, b1";
        let text = main_of(ITEMS, "%0 i32, %1 i1, %2 i32", body);
        let program = program(&text);
        let image = Image::new(&program, CheckSet::all()).expect("an image");
        let loops = Loops::new(&image);
        let start = image.functions[0].entry.expect("its code");
        let at = |lines: &[u32]| lines.iter().map(|line| start + line).collect::<BTreeSet<u32>>();
        let has_exit = |lines: &[u32]| loops.loop_of(&image, &at(lines)).expect("a loop").has_exit;
        assert!(has_exit(&[3, 4, 5]));
        assert!(!has_exit(&[1, 2, 3, 4, 5]));
    }
}
