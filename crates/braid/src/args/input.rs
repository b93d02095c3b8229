//! The arguments that say what the program is.

use braid_lower::AnyArgs;
use clap::Args;
use std::path::PathBuf;

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
    #[arg(short = 'I', long = "include-dir", value_name = "DIR", action = clap::ArgAction::Append)]
    pub include_dirs: Vec<PathBuf>,
    /// System directory to search for headers
    #[arg(long = "isystem", value_name = "DIR", action = clap::ArgAction::Append)]
    pub system_dirs: Vec<PathBuf>,
    /// Macro to define, as NAME or NAME=VALUE
    #[arg(short = 'D', long = "define", value_name = "MACRO", action = clap::ArgAction::Append)]
    pub defines: Vec<String>,
    /// Macro to undefine
    #[arg(short = 'U', long = "undefine", value_name = "MACRO", action = clap::ArgAction::Append)]
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
    /// Plain char is unsigned (also -funsigned-char)
    #[arg(long)]
    pub unsigned_char: bool,
    /// OpenMP pragmas mean what they say: a program that has any is not decided (also -fopenmp)
    #[arg(long)]
    pub openmp: bool,
    /// Function to start in instead of main, with arbitrary arguments
    #[arg(long, value_name = "F")]
    pub function: Option<String>,
    /// Reaching a label of this name is a failed assertion
    #[arg(long, value_name = "LABEL")]
    pub error_label: Option<String>,
    /// Calling this function is a failed assertion, and nothing else is
    #[arg(long, value_name = "F", action = clap::ArgAction::Append)]
    pub error_call: Vec<String>,
    /// The functions above come from a property file, which is written for many programs: they may be missing.
    #[arg(skip)]
    pub error_call_may_be_missing: bool,
    /// A function without definition or model returns any value and changes nothing, instead of ending the run
    #[arg(long)]
    pub nondet_undefined: bool,
    /// Let the arguments of the program be arbitrary, instead of none
    #[arg(long = "args", value_name = "any", value_parser = ["any"])]
    pub any_args: Option<String>,
    /// With --args any: at most this many arguments
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub args_count: u32,
    /// With --args any: arguments of at most this many characters
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub args_length: u32,
    /// Bounds are those of whole objects: what a property file of SV-COMP means.
    #[arg(skip)]
    pub whole_objects: bool,
    /// File with defaults for these flags, instead of the nearest braid.toml here or above
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Use no braid.toml
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
    /// The file whose defaults have been taken.
    #[arg(skip)]
    pub configured: Option<PathBuf>,
}

impl InputArgs {
    /// The bounds of arbitrary program arguments, if they are to be arbitrary.
    pub fn any_args(&self) -> Option<AnyArgs> {
        let bounds = AnyArgs { count: self.args_count, length: self.args_length };
        self.any_args.as_ref().map(|_| bounds)
    }

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
        if let Some(any) = self.any_args() {
            add("--args", "any");
            add("--args-count", &any.count.to_string());
            add("--args-length", &any.length.to_string());
        }
        let wide = self.names_model() && !self.is_32() && self.compile_commands.is_some();
        let switches = [
            (self.is_32(), "--32"),
            (wide, "--64"),
            (self.headers64, "--headers64"),
            (self.unsigned_char, "--unsigned-char"),
            (self.openmp, "--openmp"),
            (self.nondet_undefined, "--nondet-undefined"),
            // What it says has become flags.
            (self.no_config || self.configured.is_some(), "--no-config"),
        ];
        flags.extend(switches.iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_string()));
        flags.extend(self.error_call.iter().flat_map(|name| ["--error-call".to_string(), name.clone()]));
        flags
    }
}
