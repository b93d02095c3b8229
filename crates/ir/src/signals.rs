//! Signal handlers: which functions may be one, and which variables they may write.
//!
//! Handlers never run: that no signal arrives is an assumption printed with the verdict. But a loop that waits for
//! a variable to be set by a handler waits for something outside of the program, so it does not spin. A function may
//! be a handler if the program installs handlers at all, the function's address is used as a value, and its
//! parameters are those of a handler: `void (int)` or `void (int, siginfo_t *, void *)`.

use crate::{Callee, Const, FuncId, Function, GlobalId, Op, Operand, Program, Ty};
use std::collections::BTreeSet;

/// The variables that signal handlers may write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandlerWrites {
    /// A handler writes through a pointer, so it may write any variable.
    pub anything: bool,
    pub globals: BTreeSet<GlobalId>,
}

impl HandlerWrites {
    /// Returns true if a handler may write the variable.
    pub fn may_write(&self, global: GlobalId) -> bool {
        self.anything || self.globals.contains(&global)
    }
}

impl Program {
    /// The variables that the program's signal handlers may write.
    pub fn handler_writes(&self) -> HandlerWrites {
        let mut found = HandlerWrites::default();
        let mut waiting = self.handlers();
        let mut known: BTreeSet<FuncId> = waiting.iter().copied().collect();
        while let Some(func) = waiting.pop() {
            for instr in self.functions[func].blocks.iter().flat_map(|block| &block.instrs) {
                self.add_writes(&instr.op, &mut found);
                if let Op::Call { callee: Callee::Direct(to), .. } = &instr.op
                    && known.insert(*to)
                {
                    waiting.push(*to);
                }
            }
        }
        found
    }

    fn handlers(&self) -> Vec<FuncId> {
        let installs = |function: &Function| function.installs_handlers && !function.blocks.is_empty();
        if !self.functions.iter().any(installs) {
            return Vec::new();
        }
        // Direct calls do not use a function's address; whatever else does, names it as a constant.
        let mut values: BTreeSet<FuncId> = self.consts.iter().filter_map(function_in).collect();
        let pointers = self.globals.iter().flat_map(|global| &global.init.pointers);
        values.extend(pointers.filter_map(|(_, constant)| function_in(*constant)));
        values.into_iter().filter(|func| is_handler(&self.functions[*func])).collect()
    }

    fn add_writes(&self, op: &Op, found: &mut HandlerWrites) {
        let pointer = match op {
            Op::Store { ptr, .. } | Op::Rmw { ptr, .. } => *ptr,
            Op::CmpXchg(c) => c.ptr,
            Op::Copy { dst, .. } | Op::Fill { dst, .. } => *dst,
            Op::Call { callee: Callee::Pointer(_), .. } => {
                found.anything = true;
                return;
            }
            Op::Assign { .. }
            | Op::Load { .. }
            | Op::Fence { .. }
            | Op::Call { callee: Callee::Direct(_), .. }
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
            | Op::Partial { .. }
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
            | Op::Unsupported { .. } => return,
        };
        let global = match pointer {
            Operand::Const(id) => self.consts.get(id),
            Operand::Reg(_) => Const::Null,
        };
        match global {
            Const::Global(global, _) => {
                found.globals.insert(global);
            }
            Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null | Const::Func(_) => {
                found.anything = true
            }
        }
    }
}

fn function_in(constant: Const) -> Option<FuncId> {
    if let Const::Func(func) = constant { Some(func) } else { None }
}

fn is_handler(function: &Function) -> bool {
    let params: Vec<Ty> = function.params.iter().map(|param| function.regs[*param].ty).collect();
    let fits = params == [Ty::Int(32)] || params == [Ty::Int(32), Ty::Ptr, Ty::Ptr];
    fits && function.ret.is_none() && !function.internal
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn handlers_are_functions_used_as_values_where_handlers_are_installed() {
        let text = |mark: &str| {
            format!(
                "shape s0 = i32\nglobal @a s0 size 4 align 4\nglobal @b s0 size 4 align 4\n\
                 fn &set(%0) {{\nreg %0 i32\nb0:\nstore i32 @a, %0\nret\n}}\n\
                 fn &other(%0) {{\nreg %0 i32\nb0:\nstore i32 @b, %0\nret\n}}\n\
                 fn &signal(%0, %1) internal{mark} {{\nreg %0 i32, %1 ptr\nb0:\nret\n}}\n\
                 fn &main() {{\nb0:\ncall &signal(15:i32, &set)\ncall &other(1:i32)\nret\n}}\n"
            )
        };
        let written = |mark: &str| {
            let program = parse(&text(mark)).expect("a program");
            let writes = program.handler_writes();
            let names = program.globals.enumerated().filter(|(id, _)| writes.may_write(*id));
            names.map(|(_, global)| global.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(written(" handlers"), ["a"]);
        assert!(written("").is_empty());
    }
}
