//! Command-line arguments.
//!
//! The compiler flags people type with one dash (`-include`, `-std=`, `-isystem`) are rewritten to the
//! two-dash form before clap sees them.

mod check;
mod output;

pub use check::{CheckArgs, EncodingArg, EngineArg};
pub use output::OutputArgs;

use crate::exit;
use braid_props::CheckSet;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

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
    /// Print the intermediate representation of a program
    Ir(IrArgs),
    /// Print a script that makes a shell complete braid's commands and flags
    Completions(CompletionsArgs),
    /// Print the manual page of braid, or of one of its commands
    Man(ManArgs),
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

/// What every command needs to read a program.
#[derive(Args, Default)]
pub struct InputArgs {
    /// C sources (preprocessed with $CC or cc), or preprocessed .i files; several are linked
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compilation database: compile_commands.json, or its directory; all its files, or those given, with its flags
    #[arg(short = 'p', long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,
    /// File to start in where several define main; the others that do are left out
    #[arg(long, value_name = "FILE")]
    pub entry: Option<PathBuf>,
    /// Directory to search for headers
    #[arg(short = 'I', value_name = "DIR", action = clap::ArgAction::Append)]
    pub include_dirs: Vec<PathBuf>,
    /// System directory to search for headers
    #[arg(long = "isystem", value_name = "DIR", action = clap::ArgAction::Append)]
    pub system_dirs: Vec<PathBuf>,
    /// Macro to define, as NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO", action = clap::ArgAction::Append)]
    pub defines: Vec<String>,
    /// Macro to undefine
    #[arg(short = 'U', value_name = "MACRO", action = clap::ArgAction::Append)]
    pub undefines: Vec<String>,
    /// File to include before each source (also -include FILE)
    #[arg(long = "include", value_name = "FILE", action = clap::ArgAction::Append)]
    pub includes: Vec<String>,
    /// Language standard for the preprocessor (also -std=STD)
    #[arg(long = "std", value_name = "STD")]
    pub std: Option<String>,
    /// ILP32: 32-bit int, long and pointers
    #[arg(long = "32", conflicts_with = "bits64")]
    pub bits32: bool,
    /// LP64: 32-bit int, 64-bit long and pointers (the default)
    #[arg(long = "64")]
    pub bits64: bool,
    /// ILP32 or LP64, as SV-COMP spells it
    #[arg(long, value_name = "MODEL", value_parser = ["ILP32", "LP64"], conflicts_with_all = ["bits32", "bits64"])]
    pub data_model: Option<String>,
    /// With --32 on a machine without 32-bit headers: use the 64-bit headers with 32-bit layout
    #[arg(long)]
    pub headers64: bool,
    /// Function to start in instead of main, with arbitrary arguments
    #[arg(long, value_name = "F")]
    pub function: Option<String>,
    /// Reaching a label of this name is a failed assertion
    #[arg(long, value_name = "LABEL")]
    pub error_label: Option<String>,
    /// Calling this function is a failed assertion, and nothing else is
    #[arg(long, value_name = "F", action = clap::ArgAction::Append)]
    pub error_call: Vec<String>,
}

impl InputArgs {
    pub fn is_32(&self) -> bool {
        self.bits32 || self.data_model.as_deref() == Some("ILP32")
    }

    /// Whether the data model is given, rather than the usual one or that of a compilation database.
    pub fn names_model(&self) -> bool {
        self.bits32 || self.bits64 || self.data_model.is_some()
    }

    /// The flags that make the program what it is, to be given to another command.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut add = |flag: &str, value: &str| flags.extend([flag.to_string(), value.to_string()]);
        self.compile_commands.iter().for_each(|path| add("-p", &path.to_string_lossy()));
        self.entry.iter().for_each(|file| add("--entry", &file.to_string_lossy()));
        self.include_dirs.iter().for_each(|dir| add("-I", &dir.to_string_lossy()));
        self.system_dirs.iter().for_each(|dir| add("-isystem", &dir.to_string_lossy()));
        self.defines.iter().for_each(|name| add("-D", name));
        self.undefines.iter().for_each(|name| add("-U", name));
        self.includes.iter().for_each(|file| add("-include", file));
        self.std.iter().for_each(|name| add("--std", name));
        self.function.iter().for_each(|name| add("--function", name));
        self.error_label.iter().for_each(|name| add("--error-label", name));
        let wide = self.names_model() && !self.is_32() && self.compile_commands.is_some();
        let switches = [(self.is_32(), "--32"), (wide, "--64"), (self.headers64, "--headers64")];
        flags.extend(switches.iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_string()));
        flags.extend(self.error_call.iter().flat_map(|name| ["--error-call".to_string(), name.clone()]));
        flags
    }
}

#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Properties to check: ids or groups, comma-separated; `all`, `none`, `default`
    #[arg(long, value_name = "LIST", value_parser = CheckSet::parse, default_value = "default", hide_default_value = true)]
    pub property: CheckSet,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,
    /// Stop when the program's memory exceeds this many MiB
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub memlimit: u64,
    /// Switch threads at random, by this seed, and take other choices at random, too
    #[arg(long, value_name = "N", conflicts_with = "schedule")]
    pub seed: Option<u64>,
    /// Write the schedule of this run to a file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Follow the schedule in a file
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RaceModelArg {
    Svcomp,
    Circ,
}

#[derive(Args)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Properties to check: ids or groups, comma-separated; `all`, `none`, `default`
    #[arg(long, value_name = "LIST", value_parser = CheckSet::parse, default_value = "default", hide_default_value = true)]
    pub property: CheckSet,
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
    /// At most this many rounds, in each of which every thread, in spawn order, runs once
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// At most this many changes of the running thread
    #[arg(long, value_name = "C")]
    pub context_bound: Option<u32>,
    /// Stop after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,
    /// Stop when the search takes more than this many MiB
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub memlimit: u64,
    #[command(flatten)]
    pub race: RaceArgs,
    /// Let memory allocation fail, too
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Let waits for condition variables end for no reason, too
    #[arg(long)]
    pub spurious_wakeups: bool,
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

impl ExploreArgs {
    /// The assumptions that are not made.
    pub fn lifted(&self) -> Vec<&'static str> {
        lifted(self.malloc_may_fail, self.spurious_wakeups)
    }
}

impl CheckArgs {
    /// The assumptions that are not made.
    pub fn lifted(&self) -> Vec<&'static str> {
        lifted(self.malloc_may_fail, self.spurious_wakeups)
    }
}

fn lifted(malloc_may_fail: bool, spurious_wakeups: bool) -> Vec<&'static str> {
    let allocation = malloc_may_fail.then_some("malloc succeeds");
    let wakeups = spurious_wakeups.then_some("no spurious wake-ups");
    allocation.into_iter().chain(wakeups).collect()
}

#[derive(Args)]
pub struct IrArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Draw the control-flow graphs for Graphviz instead
    #[arg(long)]
    pub dot: bool,
    /// Show the library's functions too
    #[arg(long)]
    pub internal: bool,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("expected a positive number of seconds".to_string()),
    }
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
