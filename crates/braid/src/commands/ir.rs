//! `braid ir`: the program as the engines see it.

use crate::args::IrArgs;
use crate::front;
use braid_engines::Subject;
use braid_ir::Question;
use braid_ir::dot::dot;
use braid_ir::print::{PrintOptions, print_with};
use braid_props::CheckSet;
use std::io::Write as _;

pub fn run(args: &IrArgs) -> u8 {
    let loaded = match front::load(&args.input, &[], args.bounded) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let options = PrintOptions { internal: args.internal };
    let text = if args.bounded {
        Subject::new(&loaded.program, Question::default()).bounded_text(CheckSet::default(), args.unwind)
    } else if args.dot {
        dot(&loaded.program, options)
    } else {
        print_with(&loaded.program, options)
    };
    // A closed pipe (`braid ir x.c | head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    0
}
