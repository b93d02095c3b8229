//! `braid run`: the program in the reference interpreter.
//!
//! Standard input, output and error are the program's; what Braid has to say comes after it, on
//! standard error.

use crate::args::RunArgs;
use crate::exit;
use crate::front::{self, Loaded};
use braid_base::diag::excerpt;
use braid_interp::{
    Image, Limits, Machine, Options, Outcome, Report, RunEnv, StackEntry, place_text, render_stack,
};
use braid_ir::Loc;
use std::time::{Duration, Instant};

/// What a shell reports for a process that called `abort`.
const ABORTED: u8 = 134;

pub fn run(args: &RunArgs) -> u8 {
    let deadline = args.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let loaded = match front::load(&args.input, &args.args, true) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let limits = Limits { deadline, memory: args.memlimit << 20, ..Limits::default() };
    let options = Options { checks: args.property, limits };
    let outcome = Image::new(&loaded.program, args.property).and_then(|image| {
        let mut env = RunEnv::new(std::io::stdin(), std::io::stdout(), std::io::stderr(), None);
        let outcome = Machine::new(&image, options)?.run(&mut env);
        // The reader of the output may be gone; then there is nobody to tell.
        let _ = env.flush();
        Ok(outcome)
    });
    match outcome {
        Ok(outcome) => conclude(&loaded, outcome),
        Err(error) => {
            eprintln!("UNKNOWN: {error}");
            exit::UNKNOWN
        }
    }
}

fn conclude(loaded: &Loaded, outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Exited { code } => (code & 0xff) as u8,
        Outcome::Aborted { .. } => ABORTED,
        Outcome::Violation(report) => {
            show_report(loaded, &report);
            eprintln!("UNSAFE: {} at {}", report.check, place_text(&loaded.program, report.place));
            exit::UNSAFE
        }
        Outcome::InvalidUnchecked(report) => {
            show_report(loaded, &report);
            unknown(loaded, "invalid access reachable", report.place)
        }
        Outcome::Unsupported { what, place, stack } => {
            show_stop(loaded, &what, place, &stack);
            unknown(loaded, &format!("unsupported: {what}"), place)
        }
        Outcome::AssumeFailed { place } => {
            unknown(loaded, "stopped by an assumption that does not hold", place)
        }
        Outcome::ResourceLimit { resource, place, stack } => {
            let what = resource.to_string();
            show_stop(loaded, &what, place, &stack);
            unknown(loaded, &what, place)
        }
    }
}

fn unknown(loaded: &Loaded, reason: &str, place: Loc) -> u8 {
    eprintln!("UNKNOWN: {reason} at {}", place_text(&loaded.program, place));
    exit::UNKNOWN
}

fn show_report(loaded: &Loaded, report: &Report) {
    let place = place_text(&loaded.program, report.place);
    eprintln!("{place}: violation: {} [{}]", report.message, report.check);
    show_line(loaded, report.place);
    eprint!("{}", render_stack(&loaded.program, &report.stack));
    for related in &report.related {
        let place = place_text(&loaded.program, related.loc);
        match related.function {
            Some(function) => eprintln!("{place}: note: {} in '{function}'", related.text),
            None => eprintln!("{place}: note: {}", related.text),
        }
        show_line(loaded, related.loc);
    }
}

fn show_stop(loaded: &Loaded, what: &str, place: Loc, stack: &[StackEntry]) {
    eprintln!("{}: stopped: {what}", place_text(&loaded.program, place));
    show_line(loaded, place);
    eprint!("{}", render_stack(&loaded.program, stack));
}

fn show_line(loaded: &Loaded, loc: Loc) {
    if let Some(line) = loaded.sources.line_of(loaded.program.file_name(loc.file), loc.line) {
        eprint!("{}", excerpt(line, loc.line, loc.column, 1));
    }
}
