//! `braid ir`: the program as the engines see it.

use crate::args::IrArgs;
use crate::terminal::errln;
use crate::{exit, front};
use braid_engines::Subject;
use braid_interp::place_text;
use braid_ir::dot::dot;
use braid_ir::print::{PrintOptions, print_with};
use braid_ir::{Program, Question};
use braid_props::CheckSet;
use std::io::Write as _;

pub fn run(args: &IrArgs) -> u8 {
    let loaded = match front::load(&args.input, &[], args.bounded || args.inline) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let text = if args.bounded {
        let subject = Subject::new(&loaded.program, Question::default());
        subject.bounded_text(CheckSet::default(), args.unwind.unwrap_or(1))
    } else if args.inline {
        match Subject::new(&loaded.program, Question::default()).expanded(CheckSet::all(), args.unwind) {
            Ok(expanded) => shown(args, &expanded.program),
            Err(refused) => {
                errln!("UNKNOWN: {}: {refused}", place_text(&loaded.program, refused.place()));
                return exit::UNKNOWN;
            }
        }
    } else {
        shown(args, &loaded.program)
    };
    // A closed pipe (`braid ir x.c | head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    0
}

fn shown(args: &IrArgs, program: &Program) -> String {
    let options = PrintOptions { internal: args.internal };
    if args.dot { dot(program, options) } else { print_with(program, options) }
}
