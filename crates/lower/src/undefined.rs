//! Variables that no file defines.
//!
//! Each gets an object of its declared size, so that the program has a form; but nobody knows what it holds. A run
//! stops (`unsupported`) where it reads such a variable or does anything else with its address; a plain write of a whole
//! value is an ordinary write. If the address stands in the initial contents of an object that can be reached, the run
//! stops at once: whoever follows it would see the contents. All names are listed in one warning.

use crate::context::Context;
use crate::reach::Reached;
use braid_base::faults::active;
use braid_base::{Diagnostic, HashSet, Symbol};
use braid_ir::{
    Const, ConstPool, Expr, GlobalId, InitData, Instr, InstrId, Loc, Op, Operand, Program, Space, TermKind,
};
use braid_sema::hir;

/// A variable without a definition.
pub(crate) struct Undefined {
    pub id: GlobalId,
    pub name: Symbol,
    pub used: braid_base::Span,
    pub declared: braid_base::Span,
}

impl Context<'_> {
    /// The object that stands for a variable that no file defines.
    pub fn undefined_variable(&mut self, entity: &hir::Entity) -> GlobalId {
        let known = self.linker.undefined.iter().find(|known| known.name == entity.name);
        if let Some(known) = known {
            return known.id;
        }
        let size = self.size_of(entity.ty.ty);
        let shape = self.extended_shape(entity.ty.ty, size);
        let id = self.add_global(entity.name.as_str(), shape, InitData::default());
        let (align, loc) = (self.align_of(entity.ty.ty), self.loc(entity.span));
        let global = &mut self.program.globals[id];
        global.align = align;
        global.thread_local = entity.thread_local;
        global.loc = loc;
        let used = entity.first_use.unwrap_or(entity.span);
        self.linker.undefined.push(Undefined { id, name: entity.name, used, declared: entity.span });
        id
    }

    /// Warns of the variables without definition, and stops runs where they matter.
    pub fn stop_at_undefined_variables(&mut self) {
        let undefined = std::mem::take(&mut self.linker.undefined);
        let Some(first) = undefined.first() else { return };
        let names: Vec<String> = undefined.iter().map(|variable| format!("'{}'", variable.name)).collect();
        let message = match names.as_slice() {
            [name] => format!("no file given defines the variable {name}: a run that reads it stops there"),
            _ => {
                let list = names.join(", ");
                format!(
                    "no file given defines the variables {list}: a run that reads one of them stops there"
                )
            }
        };
        let mut warning = Diagnostic::warning("undefined-variable", first.used, message);
        for variable in &undefined {
            warning = warning.note_at(variable.declared, format!("'{}' is declared here", variable.name));
        }
        self.diags.push(warning);
        if active("undefined-reads-zero") {
            return;
        }
        Stops::new(&self.program, undefined.iter().map(|variable| variable.id)).insert(&mut self.program);
    }
}

/// Finds the places where a run must stop.
struct Stops {
    unknown: HashSet<GlobalId>,
    /// Objects that hold the address of one from the beginning and can be reached.
    held: Vec<GlobalId>,
}

impl Stops {
    fn new(program: &Program, unknown: impl Iterator<Item = GlobalId>) -> Stops {
        let unknown: HashSet<GlobalId> = unknown.collect();
        let reached = Reached::of(program);
        let holds = |global: &GlobalId| {
            let pointers = &program.globals[*global].init.pointers;
            pointers.iter().find_map(|(_, address)| match address {
                Const::Global(id, _) if unknown.contains(id) => Some(*id),
                _ => None,
            })
        };
        let mut held: Vec<GlobalId> = reached.globals.iter().filter_map(holds).collect();
        held.sort();
        Stops { unknown, held }
    }

    fn insert(&self, program: &mut Program) {
        let names: Vec<(GlobalId, Symbol)> =
            program.globals.enumerated().map(|(id, g)| (id, g.name)).collect();
        let stop = |id: GlobalId, loc: Loc| {
            let name = names[id.0 as usize].1;
            let what = Symbol::intern(&format!("use of '{name}': no file defines the variable"));
            Instr::new(InstrId(0), loc, Op::Unsupported { what })
        };
        let sizes: Vec<u64> = program.globals.iter().map(|global| global.size).collect();
        let bytes = program.pointer_bytes;
        for function in program.functions.iter_mut() {
            for block in function.blocks.iter_mut() {
                let mut instrs = Vec::with_capacity(block.instrs.len());
                for instr in block.instrs.drain(..) {
                    if let Some(id) = self.needs(&program.consts, &sizes, bytes, &instr.op) {
                        instrs.push(stop(id, instr.loc));
                    }
                    instrs.push(instr);
                }
                let returned = match block.end.kind {
                    TermKind::Return(Some(value)) => self.address(&program.consts, value),
                    _ => None,
                };
                instrs.extend(returned.map(|(id, _)| stop(id, block.end.loc)));
                block.instrs = instrs;
            }
        }
        if let (Some(entry), Some(&id)) = (program.entry, self.held.first()) {
            let loc = program.globals[id].loc;
            if let Some(block) = program.functions[entry].blocks.iter_mut().next() {
                block.instrs.insert(0, stop(id, loc));
            }
        }
    }

    /// The variable whose address the operand is, and the offset.
    fn address(&self, consts: &ConstPool, operand: Operand) -> Option<(GlobalId, i64)> {
        let Operand::Const(id) = operand else { return None };
        match consts.get(id) {
            Const::Global(id, offset) if self.unknown.contains(&id) => Some((id, offset)),
            _ => None,
        }
    }

    /// The variable for which a run stops before the operation.
    fn needs(&self, consts: &ConstPool, sizes: &[u64], bytes: u8, op: &Op) -> Option<GlobalId> {
        if let Op::Assign { value: Expr::ThreadLocalAddr(id), .. } = op
            && self.unknown.contains(id)
        {
            return Some(*id);
        }
        if let Op::Store { ty, ptr, value, access } = op
            && access.space == Space::Memory
            && let Some((id, offset)) = self.address(consts, *ptr)
        {
            let end = u64::try_from(offset).ok().map(|offset| offset + ty.bytes(bytes));
            let whole = end.is_some_and(|end| end <= sizes[id.0 as usize]);
            return if whole { self.address(consts, *value).map(|(id, _)| id) } else { Some(id) };
        }
        let variable = |operand: Operand| self.address(consts, operand).map(|(id, _)| id);
        if let Op::Assert { cond, .. } = op {
            // The message only names its object.
            return cond.operands().find_map(variable);
        }
        op.operands().find_map(variable)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, lower_files};
    use expect_test::{Expect, expect};

    fn check(text: &str, name: &str, expected: Expect) {
        let program = lower_files(&[text]).expect("the text is right");
        expected.assert_eq(&function_text(&program, name));
    }

    #[test]
    fn reads_stop_and_writes_do_not() {
        check(
            "extern int a; extern int b[]; int f(void) { a = 1; if (&b[1] == 0) return 2; return a; }",
            "f",
            expect![[r#"
                fn &f() -> i32
                b0:
                  store i32 @a, 1:i32
                  unsupported "use of 'b': no file defines the variable"
                  %0 = eq ptr @b+4, null
                  br %0, b1, b2
                b1:
                  ret 2:i32
                b2:
                  unsupported "use of 'a': no file defines the variable"
                  %1 = load i32 @a
                  ret %1
                }
            "#]],
        );
    }

    #[test]
    fn an_address_in_initial_contents_stops_the_program_at_once() {
        check(
            "extern int a; int *p = &a; int main(void) { return *p; }",
            "__braid_start",
            expect![[r#"
                fn &__braid_start() internal {
                b0:
                  unsupported "use of 'a': no file defines the variable"
                  %0 = call &main()
                  call &__braid_plain_exit(%0)
                  exit %0
                  unreachable
                }
            "#]],
        );
    }
}
