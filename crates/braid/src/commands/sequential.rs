//! `braid seq`: a program of threads as a sequential C program.

use crate::args::{BackendArg, SeqArgs};
use crate::terminal::errln;
use crate::{exit, files, front};
use braid_interp::place_text;
use braid_ir::{FuncId, Loc};
use braid_props::CheckSet;
use braid_translate::{Backend, Options, Translated, translate};
use braid_verdict::Bounds;
use std::io::Write as _;

/// The properties that the text can state as assertions, or that the back end sees by itself.
const STATED: &str =
    "assertion,data-race,deadlock,lock-misuse,thread-misuse,memory,division-by-zero,signed-overflow,shift";

pub fn run(args: &SeqArgs) -> u8 {
    match written(args) {
        Ok(()) => 0,
        Err(code) => code,
    }
}

fn written(args: &SeqArgs) -> Result<(), u8> {
    if let Some(path) = &args.output {
        files::check_writable("-o", path)?;
    }
    let stated = CheckSet::parse(STATED).expect("a list of properties");
    let left = args.property.without(stated);
    if let Some(check) = left.iter().next() {
        errln!("error: --property {check}: not translated yet; choose from {}", stated.list());
        return Err(exit::USAGE);
    }
    let loaded = front::load(&args.input, &[], true)?;
    let program = &loaded.program;
    let bounds = Bounds { set: args.unwindset.clone(), ..Bounds::new(args.unwind) };
    let bound = |func: FuncId, index: u32, place: Loc| {
        bounds.of_loop(program, program.functions[func].name.as_str(), index, place)
    };
    let source = |loc: Loc| {
        let line = loaded.context().line(loc).trim().to_string();
        (!line.is_empty()).then_some(line)
    };
    let options = Options {
        bound: &bound,
        unwind: args.unwind,
        rounds: args.rounds,
        checks: args.property,
        backend: backend(args.backend),
        source: &source,
    };
    let Translated { text, cuts, .. } = translate(program, &options).map_err(|refused| {
        errln!("UNKNOWN: {}: {refused}", place_text(program, refused.place));
        exit::UNKNOWN
    })?;
    for cut in &cuts {
        errln!("note: {}: {}; what lies beyond is left out", place_text(program, cut.place), cut.what);
    }
    match &args.output {
        Some(path) => files::write(path, &text),
        None => {
            // A closed pipe is no error.
            let _ = std::io::stdout().write_all(text.as_bytes());
            Ok(())
        }
    }
}

fn backend(arg: BackendArg) -> Backend {
    match arg {
        BackendArg::Generic => Backend::Generic,
        BackendArg::Cbmc => Backend::Cbmc,
        BackendArg::Esbmc => Backend::Esbmc,
        BackendArg::Klee => Backend::Klee,
        BackendArg::Native => Backend::Native,
    }
}
