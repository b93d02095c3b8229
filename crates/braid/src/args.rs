//! Command-line arguments.
//!
//! The compiler flags people type with one dash (`-include`, `-std=`, `-isystem`, `-fopenmp`) are rewritten to the
//! two-dash form before clap sees them.

mod check;
pub mod engine;
mod input;
mod output;
mod property;

pub use check::{CheckArgs, parse_loop_bound};
pub use input::InputArgs;
pub use output::OutputArgs;
pub use property::PropertyArgs;

use crate::exit;
use braid_interp::{Limits, RoundOrder};
use braid_ir::{Global, Program};
use braid_models::RANDOM_IS_OPEN;
use braid_props::CheckSet;
use braid_verdict::LoopName;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(name = "braid", version, about = "Model checker for multi-threaded C", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Check whether any interleaving of a program can go wrong
    Check(Box<CheckArgs>),
    /// Run a program in the reference interpreter and stop at the first violation
    Run(RunArgs),
    /// Run all interleavings of a small program and report every way it can go wrong
    Explore(ExploreArgs),
    /// Translate a program of threads into a sequential C program, for any other verifier
    Seq(SeqArgs),
    /// Print which lock protects which variable, and in which order locks are taken
    Locks(LocksArgs),
    /// Check a proof again that `check --proof` has written
    Proof(ProofArgs),
    /// Print the intermediate representation of a program
    Ir(IrArgs),
    /// Print a script that makes a shell complete braid's commands and flags
    Completions(CompletionsArgs),
    /// Print the manual page of braid, or of one of its commands
    Man(ManArgs),
    /// Print a GitHub Actions workflow that checks a project and uploads what was found
    InitCi,
}

#[derive(Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// A command, such as check
    pub command: Option<String>,
}

/// The whole command line, for those who describe it.
pub fn command() -> clap::Command {
    use clap::CommandFactory;
    Cli::command()
}

/// When to give up.
#[derive(Args, Default)]
pub struct LimitArgs {
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,
    /// Stop when more than this many MiB are needed [default: 4096]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=MOST_MEMORY))]
    pub memlimit: Option<u64>,
}

/// MiB without a limit of the user's, and the most that can be asked for.
const USUAL_MEMORY: u64 = 4096;
pub const MOST_MEMORY: u64 = 1 << 20;

impl LimitArgs {
    /// MiB.
    pub fn memory(&self) -> u64 {
        self.memlimit.unwrap_or(USUAL_MEMORY)
    }

    /// The limits of work that begins now.
    pub fn begin(&self) -> Limits {
        let deadline = self.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
        Limits { deadline, memory: self.memory() << 20, ..Limits::default() }
    }
}

#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Properties to check: ids or groups, comma-separated; `all`, `none`, `default`
    #[arg(long, value_name = "LIST", value_parser = CheckSet::parse)]
    pub property: Option<CheckSet>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Switch threads at random, by this seed, and take other choices at random, too
    #[arg(long, value_name = "N", conflicts_with = "schedule")]
    pub seed: Option<u64>,
    /// Write the schedule of this run to a file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Follow the schedule in a file
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// With a seed, let library calls fail at random, too; what a schedule says counts in any case
    #[arg(long)]
    pub calls_may_fail: bool,
    #[command(flatten)]
    pub race: RaceArgs,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// What counts as a data race.
#[derive(Args)]
pub struct RaceArgs {
    /// Whether an access inside an atomic section can race with one outside (svcomp) or not (circ)
    #[arg(long, value_name = "MODEL", value_enum, default_value = "svcomp")]
    pub race_model: RaceModelArg,
    /// Report data races on this variable only
    #[arg(long, value_name = "VAR")]
    pub race_on: Option<String>,
}

/// What the numbers of `rand` and its kin are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RandArg {
    /// Any number in their range
    Any,
    /// The sequence of glibc
    Glibc,
}

impl RandArg {
    /// Makes the sequence of glibc an assumption of a program that has random numbers.
    pub fn note(self, program: &mut Program) {
        let random = |global: &Global| global.name.as_str() == RANDOM_IS_OPEN;
        if self == RandArg::Glibc && program.globals.iter().any(random) {
            program.assumptions.push("random numbers as glibc's".to_string());
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RaceModelArg {
    Svcomp,
    Circ,
}

/// Where objects lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AddressesArg {
    /// Anywhere: an answer must not depend on it
    Any,
    /// One after the other, in the order in which they are made: an assumption
    Fixed,
}

impl AddressesArg {
    /// Writes the assumption down, if one is made; returns true then.
    pub fn assume(self, program: &mut braid_ir::Program) -> bool {
        let fixed = self == AddressesArg::Fixed;
        if fixed {
            program.assumptions.push("addresses by allocation order".to_string());
        }
        fixed
    }
}

#[derive(Args)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Properties to check: ids or groups, comma-separated; `all`, `none`, `default`
    #[arg(long, value_name = "LIST", value_parser = CheckSet::parse)]
    pub property: Option<CheckSet>,
    /// Values to try where the program leaves one open
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        num_args = 1,
        default_value = "0,1,-1",
        allow_hyphen_values = true
    )]
    pub values: Vec<i128>,
    /// Look at every interleaving instead of one of each equivalent group
    #[arg(long)]
    pub no_reduction: bool,
    /// At most this many rounds, in each of which every thread runs once
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// The order of the threads in a round: main,main/2,… (the others follow in the order of creation), created or reverse
    #[arg(long, value_name = "LIST", requires = "rounds")]
    pub schedule_order: Option<RoundOrder>,
    /// At most this many changes of the running thread
    #[arg(long, value_name = "C")]
    pub context_bound: Option<u32>,
    /// Stop after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub race: RaceArgs,
    /// Let memory allocation fail, too
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Let waits for condition variables end for no reason, too
    #[arg(long)]
    pub spurious_wakeups: bool,
    /// Where objects lie: anywhere, or in the order in which they are made (assumed then)
    #[arg(long, value_name = "WHERE", value_enum, default_value = "any")]
    pub addresses: AddressesArg,
    /// Let library calls that ask for resources fail, too
    #[arg(long)]
    pub calls_may_fail: bool,
    /// Numbers of rand, random, drand48 and their kin
    #[arg(long, value_name = "NUMBERS", value_enum, default_value = "any")]
    pub rand: RandArg,
    /// Write the schedule of the first violation to a file, or of all to a directory
    #[arg(long, value_name = "PATH")]
    pub schedule_out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Exit with 0 if there is no violation within the bounds asked for (rounds, contexts, values)
    #[arg(long)]
    pub bounded_ok: bool,
    /// Print time, speed and memory of the search
    #[arg(long)]
    pub stats: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// Verifiers that a sequential program can be written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BackendArg {
    /// The functions of SV-COMP: __VERIFIER_assume, __VERIFIER_nondet_uint
    Generic,
    Cbmc,
    Esbmc,
    Klee,
    /// A compiler: choices are read from the file that the first argument names
    Native,
}

#[derive(Args)]
pub struct SeqArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Iterations of each loop whose number is not known, and nested calls of each function
    #[arg(long, value_name = "U", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: u32,
    /// Iterations of one loop: LINE:N, FILE:LINE:N or FUNCTION.INDEX:N; several with commas
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',', value_parser = check::parse_loop_bound, action = clap::ArgAction::Append)]
    pub unwindset: Vec<(LoopName, u32)>,
    /// Rounds, in each of which every thread runs once
    #[arg(long, value_name = "K", default_value = "2", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Properties that the text states as assertions
    #[arg(long, value_name = "LIST", default_value = "assertion", value_parser = CheckSet::parse)]
    pub property: CheckSet,
    /// The verifier that the text is for
    #[arg(long, value_name = "TOOL", value_enum, default_value = "generic")]
    pub backend: BackendArg,
    /// Write the text to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Start the back end on the text and replay what it finds: cbmc, esbmc, klee, or native (the C compiler)
    #[arg(long)]
    pub run: bool,
    /// With --run and native: take the choices from a file, numbers or a schedule file, instead of looking for some
    #[arg(long, value_name = "FILE", requires = "run")]
    pub choices: Option<PathBuf>,
    /// With --run: stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "run")]
    pub timeout: Option<f64>,
}

#[derive(Args)]
pub struct LocksArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Print the table as one JSON object (see docs/json.md)
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,
    /// Print the lock-order graph for Graphviz instead
    #[arg(long)]
    pub dot: bool,
    /// Write a page with the table and the lock-order graph
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub race: RaceArgs,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

#[derive(Args)]
pub struct ProofArgs {
    /// The proof: a file that `check --proof` has written
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

#[derive(Args)]
#[command(group = clap::ArgGroup::new("expanded").args(["bounded", "inline"]))]
pub struct IrArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Draw the control-flow graphs for Graphviz instead
    #[arg(long)]
    pub dot: bool,
    /// Show the library's functions too
    #[arg(long)]
    pub internal: bool,
    /// Show the bounded program that formula engines work on: per thread, its steps and their conditions
    #[arg(long, conflicts_with_all = ["dot", "internal"])]
    pub bounded: bool,
    /// Show the program with calls replaced by the bodies of the callees; with --unwind without loops, too, and with a
    /// function of its own for every thread
    #[arg(long)]
    pub inline: bool,
    /// With --bounded or --inline: iterations of each loop and nested calls of each function [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "expanded")]
    pub unwind: Option<u32>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    positive_seconds(text.trim_end_matches('s').parse::<f64>().unwrap_or(f64::NAN))
}

pub fn positive_seconds(seconds: f64) -> Result<f64, String> {
    // Not a number is not greater than zero either.
    let right = seconds > 0.0 && seconds.is_finite();
    if right { Ok(seconds) } else { Err("expected a positive number of seconds".to_string()) }
}

/// Parses the process's arguments; on error or `--help` prints and gives the exit code.
pub fn parse() -> Result<Command, u8> {
    Cli::try_parse_from(rewrite_compiler_flags(std::env::args_os())).map(|cli| cli.command).map_err(|error| {
        let code = if error.use_stderr() { exit::USAGE } else { 0 };
        // Nothing can be done if the terminal is gone.
        let _ = error.print();
        code
    })
}

fn rewrite_compiler_flags(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut program_args = false;
    args.map(|arg| {
        program_args |= arg == "--";
        match arg.to_str() {
            Some(text) if !program_args => match text {
                "-include" | "-isystem" => format!("-{text}").into(),
                "-funsigned-char" => "--unsigned-char".into(),
                "-fopenmp" => "--openmp".into(),
                _ if text.starts_with("-std=") => format!("-{text}").into(),
                _ => arg,
            },
            _ => arg,
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(args: &[&str]) -> Vec<OsString> {
        rewrite_compiler_flags(args.iter().map(OsString::from))
    }

    #[test]
    fn compiler_flags_before_the_program_arguments_only() {
        assert_eq!(
            rewritten(&["run", "-std=c99", "-include", "a.h", "x.c", "--", "-std=c99"]),
            ["run", "--std=c99", "--include", "a.h", "x.c", "--", "-std=c99"]
        );
    }

    #[test]
    fn arguments_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
