//! The command line, and the only crate that prints.
//!
//! Exit codes: 0 safe or done, 1 usage, 2 input cannot be read or parsed, or output not written, 5 unknown, 6 internal
//! error, 10 a violation was found. `braid run` exits with the program's own code where nothing of
//! that kind happened.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod answer;
mod args;
mod backends;
mod commands;
mod config;
mod covered;
mod files;
mod front;
mod interrupt;
mod json;
mod loops;
mod outputs;
mod project;
mod proofs;
mod prp;
mod race;
mod schedules;
mod sequential;
mod stats;
mod status;
mod terminal;
mod watchdog;

use crate::terminal::errln;
use braid_base::stack::{FRONT_END, on_stack_of};
use std::process::ExitCode;

/// Exit codes of Braid itself.
mod exit {
    pub const USAGE: u8 = 1;
    pub const INPUT: u8 = 2;
    pub const UNKNOWN: u8 = 5;
    pub const INTERNAL: u8 = 6;
    pub const UNSAFE: u8 = 10;
}

fn main() -> ExitCode {
    let code = match on_stack_of(FRONT_END, real_main) {
        Ok(done) => done.unwrap_or_else(|_| {
            errln!("braid: internal error; please report it with the program that caused it");
            exit::INTERNAL
        }),
        Err(error) => {
            errln!("braid: cannot start a thread with a stack of {} MiB: {error}", FRONT_END >> 20);
            exit::INTERNAL
        }
    };
    ExitCode::from(code)
}

fn real_main() -> u8 {
    let command = args::parse().and_then(|mut command| {
        config::apply(&mut command)?;
        Ok(command)
    });
    match command {
        Ok(args::Command::Check(check)) => commands::check::run(*check),
        Ok(args::Command::Run(run)) => commands::run::run(&run),
        Ok(args::Command::Explore(explore)) => commands::explore::run(&explore),
        Ok(args::Command::Seq(wanted)) => commands::sequential::run(&wanted),
        Ok(args::Command::Locks(locks)) => commands::locks::run(&locks),
        Ok(args::Command::Proof(proof)) => commands::proof::run(&proof),
        Ok(args::Command::Ir(ir)) => commands::ir::run(&ir),
        Ok(args::Command::Completions(completions)) => commands::manual::completions(&completions),
        Ok(args::Command::Man(man)) => commands::manual::page(&man),
        Ok(args::Command::InitCi) => commands::init_ci::run(),
        Err(code) => code,
    }
}
