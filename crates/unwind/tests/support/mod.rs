//! Bounded programs for tests, made from IR text.

use braid_analysis::{Facts, Options};
use braid_bounded::Bounded;
use braid_ir::Program;
use braid_logic::Terms;

/// A program, its bounded form with every loop unwound so often, and the terms of that.
pub fn unwind(text: &str, bound: u32) -> (Program, Terms, Bounded) {
    let program = braid_ir::parse(text).expect("a program");
    let facts = Facts::new(&program, Options::default());
    let bounds = braid_verdict::Bounds::new(bound);
    let options = braid_unwind::Options { bounds, ..braid_unwind::Options::default() };
    let mut terms = Terms::new();
    let bounded =
        braid_unwind::unwind(&mut terms, &program, &facts, &options, &|| false).expect("nobody interrupts");
    (program, terms, bounded)
}

/// A program with two variables, a thread `a`, and the code of main after it has started `a`.
pub fn two_threads(thread: &str, main: &str) -> String {
    format!(
        "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\n\
         global @m s0 size 4 align 4\nentry &main\n\
         fn &a(%0) -> ptr {{\nreg %0 ptr, %1 i32, %2 i1\nb0:\n{thread}\nret null\n}}\n\
         fn &main() {{\nreg %0 ptr, %1 i32, %2 i1\nb0:\n%0 = spawn &a, null @ 0:1:1\n{main}\nexit-thread null\nunreachable\n}}\n"
    )
}
