//! The front end as a function: text in, IR or diagnostics out, without processes.
//!
//! For tests that need thousands of programs and for measurements. [`catch`] turns a panic into a
//! value, [`on_large_stack`] gives the recursion of the front end the stack that the command line gives
//! it.

use braid_base::{Diagnostics, Severity, SourceMap, stack};
use braid_ir::{Op, Program};
use braid_lower::Options;
use std::cell::RefCell;
use std::rc::Rc;

pub use braid_lower::Stage;

/// What came of a text.
pub struct Compiled {
    pub stage: Stage,
    /// The errors, as shown to the user.
    pub errors: Vec<String>,
    /// Whether the lowered program failed its own verification: a defect of ours.
    pub internal: bool,
    pub program: Option<Program>,
}

/// Parses, checks and lowers a preprocessed text. `main` is not required.
pub fn compile(name: &str, text: Rc<str>) -> Compiled {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let options = Options::default();
    let (stage, program) = braid_lower::compile(&mut sources, &[(name, text)], &options, &mut diags);
    let errors = diags.iter().filter(|d| d.severity == Severity::Error);
    Compiled {
        stage,
        errors: errors.map(|d| d.render(&sources)).collect(),
        internal: diags.iter().any(|d| d.code == "internal"),
        program,
    }
}

/// The unsupported operations in a program's own functions, each once, in order.
pub fn unsupported(program: &Program) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for function in program.functions.iter().filter(|f| !f.internal) {
        for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
            if let Op::Unsupported { what } = &instr.op
                && !found.iter().any(|f| f == what.as_str())
            {
                found.push(what.as_str().to_string());
            }
        }
    }
    found
}

/// Runs on a thread with the stack the command line gives the front end.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let done = stack::on_stack_of(stack::FRONT_END, work);
    let done = done.map_err(|error| format!("no thread with a large stack: {error}"))?;
    done.map_err(|_| "the thread ended in a panic".to_string())
}

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on panics are kept for [`catch`] instead of being printed.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let message = format!("{}{place}", text.unwrap_or_else(|| "panic".to_string()));
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(message));
    }));
}

/// The result, or the message and place of a panic (known after [`keep_panics`]).
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|_| {
        LAST_PANIC.with(|last| last.borrow_mut().take()).unwrap_or_else(|| "a panic".to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_apart() {
        let stage = |text: &str| compile("t.c", text.into()).stage;
        assert_eq!(stage("int x = ;\n"), Stage::Read);
        assert_eq!(stage("int f(void) { return y; }\n"), Stage::Parsed);
        assert_eq!(stage("int f(void) { return 1; }\n"), Stage::Lowered);
    }

    #[test]
    fn unsupported_constructs_are_listed() {
        let compiled =
            compile("t.c", "void nowhere(void);\nint main(void) { nowhere(); return 0; }\n".into());
        let found = unsupported(&compiled.program.expect("a program that lowers"));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("nowhere"), "{found:?}");
    }
}
