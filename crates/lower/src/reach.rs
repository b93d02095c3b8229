//! The functions that an execution may come to, and the assumptions that this takes.
//!
//! An assumption that a library model makes ([`braid_models::Fidelity::Assumes`]) is one of the program only if the
//! model can be reached: a function that is linked but never called assumes nothing. A function is reached from the
//! entry by calls and by its address, in code that is reached or in the initial contents of objects that such code
//! names. This is coarse, but never leaves a function out.

use crate::context::Context;
use braid_base::HashSet;
use braid_ir::{Callee, Const, Expr, FuncId, Function, GlobalId, Op, Operand, Program};

impl Context<'_> {
    /// Records the assumptions of the library models that can be reached.
    pub fn assume_what_is_reached(&mut self) {
        let made = std::mem::take(&mut self.linker.assumed);
        let reached = Reached::of(&self.program);
        for (func, name) in made {
            if reached.functions.contains(&func) {
                self.assume(name);
            }
        }
    }
}

/// Functions and static objects that an execution may come to.
#[derive(Default)]
pub(crate) struct Reached {
    pub functions: HashSet<FuncId>,
    pub globals: HashSet<GlobalId>,
    work: Vec<FuncId>,
}

impl Reached {
    pub fn of(program: &Program) -> Reached {
        let mut reached = Reached::default();
        match program.entry {
            Some(entry) => reached.function(entry),
            None => program.functions.enumerated().for_each(|(func, _)| reached.function(func)),
        }
        while let Some(func) = reached.work.pop() {
            reached.body(program, &program.functions[func]);
        }
        reached
    }

    fn function(&mut self, func: FuncId) {
        if self.functions.insert(func) {
            self.work.push(func);
        }
    }

    fn global(&mut self, program: &Program, global: GlobalId) {
        if self.globals.insert(global) {
            for (_, address) in &program.globals[global].init.pointers {
                self.constant(program, *address);
            }
        }
    }

    fn constant(&mut self, program: &Program, value: Const) {
        match value {
            Const::Func(func) => self.function(func),
            Const::Global(global, _) => self.global(program, global),
            Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null => {}
        }
    }

    fn operand(&mut self, program: &Program, operand: Operand) {
        if let Operand::Const(id) = operand {
            self.constant(program, program.consts.get(id));
        }
    }

    fn body(&mut self, program: &Program, function: &Function) {
        for block in function.blocks.iter() {
            for instr in &block.instrs {
                if let Op::Call { callee: Callee::Direct(callee), .. } = instr.op {
                    self.function(callee);
                }
                if let Op::Assign { value: Expr::ThreadLocalAddr(global), .. } = instr.op {
                    self.global(program, global);
                }
                instr.op.operands().for_each(|operand| self.operand(program, operand));
            }
            block.end.kind.operand().into_iter().for_each(|operand| self.operand(program, operand));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::lower_files;

    fn assumptions(text: &str) -> Vec<String> {
        lower_files(&[text]).expect("the text is right").assumptions
    }

    #[test]
    fn a_function_that_is_never_called_assumes_nothing() {
        let uncalled =
            "void *malloc(unsigned long); void *f(void) { return malloc(1); } int main(void) { return 0; }";
        assert_eq!(assumptions(uncalled), Vec::<String>::new());
        let called = "void *malloc(unsigned long); int main(void) { return !malloc(1); }";
        assert_eq!(assumptions(called), ["malloc succeeds"]);
    }

    #[test]
    fn an_address_in_a_table_counts_where_the_table_is_named() {
        let table = "void *malloc(unsigned long); void *(*table[])(unsigned long) = {malloc};";
        let unused = format!("{table} int main(void) {{ return 0; }}");
        assert_eq!(assumptions(&unused), Vec::<String>::new());
        let used = format!("{table} int main(void) {{ return !table[0](1); }}");
        assert_eq!(assumptions(&used), ["malloc succeeds"]);
    }
}
