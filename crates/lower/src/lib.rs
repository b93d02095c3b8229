//! From the typed tree to the IR.
//!
//! * [`front`] is the way from text to IR in one function, for programs that are preprocessed.
//! * [`link`] decides what each name stands for; what is reached is lowered, together with all the
//!   user wrote. Library functions come from `models`: operations, or C text compiled here.
//! * [`func`] lowers a function: [`scope`] and [`stmt`] its control flow, [`expr`], [`cond`],
//!   [`arith`], [`place`], [`assign`], [`record`], [`init`], [`call`] its expressions, [`builtin`],
//!   [`overflow`] and [`atomic`] the compiler's operators, [`model_op`] the library's operations,
//!   [`asynchronous`] CBMC's way to start threads.
//! * [`reach`] finds the assumptions of library models that can be reached.
//! * [`undefined`] stops runs where they read variables that no file defines.
//! * [`errors`] says what counts as a failed assertion.
//! * [`braid_ir::fold`] folds constants on the way, [`tidy`] cleans up the graph, [`start`] makes the function a
//!   program begins in, [`shape`] and [`global`] lay out memory.
//!
//! Evaluation is strictly left to right; one instruction is at most one visible step. Undefined
//! behaviour that C attaches to arithmetic becomes `assert` instructions in front of the operation;
//! that of memory accesses is inherent in the accesses. What is left out of the language becomes an
//! `unsupported` instruction: the program loads, only reaching it stops the run.

mod arith;
mod assign;
mod asynchronous;
mod atomic;
mod body;
mod builtin;
mod call;
mod cond;
mod context;
mod errors;
mod expr;
mod front;
mod func;
mod global;
mod init;
mod jumps;
mod link;
mod model_op;
mod overflow;
mod place;
mod reach;
mod record;
mod scope;
mod shape;
mod start;
mod stmt;
#[cfg(test)]
mod testing;
mod tidy;
mod undefined;

use braid_base::{Diagnostic, Diagnostics, SourceMap, Span};
use braid_ir as ir;
use braid_ir::{InstrId, Op};
use braid_props::Check;
use braid_sema::hir;
use context::Context;
pub use errors::Errors;
pub use front::{Stage, check, compile};
use link::Work;

/// What the program text does not say.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function to begin in, usually `main`.
    pub entry: String,
    /// `argv[1]` and following.
    pub args: Vec<String>,
    /// They are arbitrary instead, within these bounds.
    pub any_args: Option<AnyArgs>,
    /// `argv[0]`.
    pub program_name: String,
    /// Whether it is an error if the entry function does not exist.
    pub require_entry: bool,
    /// What counts as a failed assertion.
    pub errors: Errors,
    /// Functions without definition or model return any value and change nothing.
    pub nondet_undefined: bool,
    /// Bounds are those of whole objects; a subscript may leave its array for another member.
    pub whole_objects: bool,
}

impl Default for Options {
    /// A program that begins in `main`, if it has one, without arguments.
    fn default() -> Options {
        Options {
            entry: "main".to_string(),
            args: Vec::new(),
            any_args: None,
            program_name: "./program".to_string(),
            require_entry: false,
            errors: Errors::default(),
            nondet_undefined: false,
            whole_objects: false,
        }
    }
}

/// Bounds of arbitrary program arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyArgs {
    /// At most so many after the program's name.
    pub count: u32,
    /// Of at most so many characters each.
    pub length: u32,
}

/// Links the units and lowers them to a verified program. `None` exactly if errors were reported.
///
/// The source map grows by the text of the library models that are used.
pub fn lower(
    sources: &mut SourceMap,
    program: hir::Program,
    options: &Options,
    diags: &mut Diagnostics,
) -> Option<ir::Program> {
    let errors_before = diags.error_count();
    let mut cx = Context::new(sources, diags, program.types);
    cx.errors = options.errors.clone();
    cx.nondet_undefined = options.nondet_undefined;
    for unit in program.units {
        cx.add_unit(unit, false);
    }
    cx.link();
    if cx.diags.error_count() == errors_before {
        cx.add_roots();
        cx.add_start(options);
        while let Some(work) = cx.linker.work.pop_front() {
            match work {
                Work::Function(at, id) => func::lower_function(&mut cx, at, id),
                Work::Global(at, id) => cx.fill_global(at, id),
                Work::Wrapper { func, op, ty } => model_op::lower_wrapper(&mut cx, func, op, &ty),
                Work::Missing { func, name } => model_op::lower_missing(&mut cx, func, name),
            }
        }
    }
    cx.stop_at_undefined_variables();
    cx.assume_what_is_reached();
    cx.note_assumptions();
    cx.assume_arguments(options);
    let mut program = cx.program;
    number_instructions(&mut program);
    if options.whole_objects {
        drop_subscript_checks(&mut program);
    }
    if diags.error_count() > errors_before {
        return None;
    }
    if let Err(problems) = ir::verify::verify(&program) {
        for problem in problems.iter().take(Diagnostics::ERROR_LIMIT) {
            let message = format!("the lowered program is not well-formed: {problem}");
            diags.push(Diagnostic::error("internal", Span::NONE, message));
        }
        return None;
    }
    Some(program)
}

/// Drops the checks of subscripts. The other instructions keep their ids, so that schedules fit either way.
fn drop_subscript_checks(program: &mut ir::Program) {
    let is_check = |op: &Op| matches!(op, Op::Assert { check: Check::OutOfBounds, .. });
    for function in program.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            block.instrs.retain(|instr| !is_check(&instr.op));
        }
    }
}

/// Gives every instruction its id, in program order.
fn number_instructions(program: &mut ir::Program) {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        InstrId(next - 1)
    };
    for function in program.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            for instr in &mut block.instrs {
                instr.id = fresh();
                if let Op::AtomicBegin { when: Some(guard) } = &mut instr.op {
                    guard.instrs.iter_mut().for_each(|inner| inner.id = fresh());
                }
            }
            block.end.id = fresh();
        }
    }
    program.next_instr = next;
}
