//! `braid.toml`: defaults for the command line, from the nearest directory that has one, here or above.
//!
//! Each key is the long name of a flag (and `files`), and holds for every command with that flag. Paths are relative
//! to the file. What the command line says wins: a value replaces that of the file, lists are joined. Files or a
//! compilation database on the command line make it another program, so what the file says about where to start is
//! not meant then.

use crate::args::{self, CheckArgs, Command, InputArgs, LimitArgs};
use crate::exit;
use crate::project::{macro_name, paths};
use crate::terminal::err;
use braid_base::{Diagnostic, SourceMap, Span};
use braid_engines::Chosen;
use braid_props::CheckSet;
use braid_verdict::{Bound, LoopName};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

const NAME: &str = "braid.toml";

/// The keys.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Config {
    files: Vec<PathBuf>,
    compile_commands: Option<PathBuf>,
    entry: Option<PathBuf>,
    function: Option<String>,
    include_dir: Vec<PathBuf>,
    define: Vec<String>,
    include: Vec<String>,
    std: Option<String>,
    data_model: Option<DataModel>,
    property: Option<Properties>,
    unwind: Option<NonZeroU32>,
    unwindset: Vec<LoopBound>,
    timeout: Option<Seconds>,
    memlimit: Option<Megabytes>,
    solver: Option<String>,
    malloc_may_fail: bool,
    spurious_wakeups: bool,
    calls_may_fail: bool,
    bounded_ok: bool,
    stop_at_first: bool,
    /// Options of engines, by the names of their flags: read from the registry.
    #[serde(skip)]
    options: Chosen,
}

#[derive(Deserialize)]
enum DataModel {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[serde(rename = "LP64")]
    Lp64,
}

#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Properties(CheckSet);

impl TryFrom<Vec<String>> for Properties {
    type Error = String;

    fn try_from(list: Vec<String>) -> Result<Properties, String> {
        CheckSet::parse(&list.join(",")).map(Properties).map_err(|error| error.to_string())
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct LoopBound((LoopName, u32));

impl TryFrom<String> for LoopBound {
    type Error = String;

    fn try_from(text: String) -> Result<LoopBound, String> {
        args::parse_loop_bound(&text).map(LoopBound)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Seconds(f64);

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Seconds, String> {
        args::positive_seconds(seconds).map(Seconds)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "u64")]
struct Megabytes(u64);

impl TryFrom<u64> for Megabytes {
    type Error = String;

    fn try_from(amount: u64) -> Result<Megabytes, String> {
        let most = args::MOST_MEMORY;
        let right = (1..=most).contains(&amount);
        if right { Ok(Megabytes(amount)) } else { Err(format!("expected a number from 1 to {most}")) }
    }
}

/// Gives a command the defaults of its configuration file. What is wrong with the file has been said.
pub fn apply(command: &mut Command) -> Result<(), u8> {
    let input = match command {
        Command::Check(args) => &mut args.input,
        Command::Run(args) => &mut args.input,
        Command::Explore(args) => &mut args.input,
        Command::Ir(args) => &mut args.input,
        Command::Locks(args) => &mut args.input,
        Command::Proof(args) => &mut args.input,
        Command::Seq(args) => &mut args.input,
        Command::Completions(_) | Command::Man(_) | Command::InitCi => return Ok(()),
    };
    let Some(path) = find(input) else { return Ok(()) };
    let mut config = read(&path).map_err(|problem| {
        err!("{problem}");
        exit::INPUT
    })?;
    config.resolve(path.parent().unwrap_or(Path::new("")));
    input.configured = Some(path);
    config.apply_input(input);
    match command {
        Command::Check(args) => config.apply_check(args),
        Command::Run(args) => config.apply_search(&mut args.property, &mut args.limits),
        Command::Explore(args) => {
            config.apply_search(&mut args.property, &mut args.limits);
            args.malloc_may_fail |= config.malloc_may_fail;
            args.spurious_wakeups |= config.spurious_wakeups;
            args.calls_may_fail |= config.calls_may_fail;
            args.bounded_ok |= config.bounded_ok;
        }
        Command::Locks(_)
        | Command::Proof(_)
        | Command::Ir(_)
        | Command::Seq(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::InitCi => {}
    }
    Ok(())
}

/// The file that is asked for, or the nearest one.
fn find(input: &InputArgs) -> Option<PathBuf> {
    if input.no_config {
        return None;
    }
    let nearest = || {
        let here = std::env::current_dir().ok()?;
        let found = here.ancestors().map(|directory| directory.join(NAME)).find(|path| path.is_file());
        found.map(|path| paths::shown(&path))
    };
    input.config.clone().or_else(nearest)
}

/// Reads a file; what is wrong with it comes back as a text to print.
fn read(path: &Path) -> Result<Config, String> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| format!("error: {name}: {error}\n"))?;
    let parsed = engine_options(&text).and_then(|(options, rest)| {
        let config: Config = toml::from_str(&rest).map_err(|error| Problem::of(&error))?;
        Ok(Config { options, ..config })
    });
    parsed.map_err(|problem| problem.render(&name, text))
}

/// Something wrong with a text, and where it stands.
struct Problem {
    message: String,
    span: Option<Range<usize>>,
}

impl Problem {
    fn of(error: &toml::de::Error) -> Problem {
        Problem { message: error.message().to_string(), span: error.span() }
    }

    /// The problem with its place and line.
    fn render(self, name: &str, text: String) -> String {
        render(name, text, &self.message, self.span)
    }
}

/// The options of engines in a text, and the text with blanks in their place: the other keys stand where they stood.
fn engine_options(text: &str) -> Result<(Chosen, String), Problem> {
    let table: BTreeMap<Spanned<String>, Spanned<toml::Value>> =
        toml::from_str(text).map_err(|error| Problem::of(&error))?;
    let (mut chosen, mut rest) = (Chosen::default(), text.to_string());
    for (engine, switch) in args::engine::switches() {
        let names = [Some(args::engine::flag(engine, switch)), switch.alias.map(str::to_string)];
        let named = |key: &str| names.iter().flatten().any(|name| name == key);
        let Some((key, value)) = table.iter().find(|(key, _)| named(key.get_ref())) else { continue };
        let known = |value: &&str| switch.values.iter().any(|(name, _)| name == value);
        let Some(word) = value.get_ref().as_str().filter(|word| known(word)) else {
            let names: Vec<&str> = switch.values.iter().map(|(name, _)| *name).collect();
            let message = format!("expected one of {}", names.join(", "));
            return Err(Problem { message, span: Some(value.span()) });
        };
        chosen.0.push((engine.name, switch.name, word.to_string()));
        let place = key.span().start..value.span().end;
        rest.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    Ok((chosen, rest))
}

fn render(name: &str, text: String, message: &str, span: Option<Range<usize>>) -> String {
    let mut sources = SourceMap::default();
    let length = text.len();
    let place = sources.add(name, text.into()).zip(span);
    let span = place.map_or(Span::NONE, |(start, span)| {
        let at = |offset: usize| start + offset.min(length) as u32;
        Span::new(at(span.start), at(span.end))
    });
    Diagnostic::error("config", span, message).render(&sources)
}

impl Config {
    /// Makes paths relative to where Braid runs.
    fn resolve(&mut self, home: &Path) {
        let resolve = |path: &mut PathBuf| *path = paths::shown(&home.join(&*path));
        self.files.iter_mut().for_each(resolve);
        self.compile_commands.iter_mut().for_each(resolve);
        self.entry.iter_mut().for_each(resolve);
        self.include_dir.iter_mut().for_each(resolve);
        for header in &mut self.include {
            let file = paths::shown(&home.join(&*header));
            if file.exists() {
                *header = file.display().to_string();
            }
        }
    }

    fn apply_input(&mut self, input: &mut InputArgs) {
        let given_program = !input.files.is_empty() || input.compile_commands.is_some();
        let given_start = input.entry.is_some() || input.function.is_some();
        if !given_program {
            input.files = std::mem::take(&mut self.files);
        }
        if !given_program && !given_start {
            input.entry = self.entry.take();
            input.function = self.function.take();
        }
        input.compile_commands = input.compile_commands.take().or(self.compile_commands.take());
        input.std = input.std.take().or(self.std.take());
        if !input.names_model() {
            let name = |model: &DataModel| match model {
                DataModel::Ilp32 => "ILP32".to_string(),
                DataModel::Lp64 => "LP64".to_string(),
            };
            input.data_model = self.data_model.as_ref().map(name);
        }
        // The first directory that has a header wins.
        input.include_dirs.append(&mut self.include_dir);
        let given: Vec<&str> = input
            .defines
            .iter()
            .map(|define| macro_name(define))
            .chain(input.undefines.iter().map(String::as_str))
            .collect();
        self.define.retain(|define| !given.contains(&macro_name(define)));
        input.defines.splice(0..0, self.define.drain(..));
        input.includes.splice(0..0, self.include.drain(..));
    }

    fn apply_search(&self, property: &mut Option<CheckSet>, limits: &mut LimitArgs) {
        *property = property.or(self.property.as_ref().map(|list| list.0));
        limits.timeout = limits.timeout.or(self.timeout.as_ref().map(|seconds| seconds.0));
        limits.memlimit = limits.memlimit.or(self.memlimit.as_ref().map(|amount| amount.0));
    }

    fn apply_check(self, args: &mut CheckArgs) {
        let by_file = args.properties.prop.is_some();
        self.apply_search(&mut args.properties.property, &mut args.limits);
        if by_file {
            // It says what to check, and that malloc succeeds.
            args.properties.property = None;
        }
        args.malloc_may_fail |= self.malloc_may_fail && !by_file;
        args.spurious_wakeups |= self.spurious_wakeups;
        args.calls_may_fail |= self.calls_may_fail && !by_file;
        args.bounded_ok |= self.bounded_ok;
        args.stop_at_first |= self.stop_at_first;
        // Defaults that mean nothing to the engine of the command line are left alone.
        let engine = args.engine;
        if engine.is_none_or(|engine| engine.takes(Bound::Unwind)) {
            args.unwind = args.unwind.or(self.unwind.map(NonZeroU32::get));
            // The last bound of a loop wins.
            args.unwindset.splice(0..0, self.unwindset.into_iter().map(|bound| bound.0));
        }
        args.solver = args.solver.take().or(self.solver);
        let mut options = self.options;
        options.0.retain(|(owner, ..)| engine.is_none_or(|engine| engine.name == *owner));
        args.options.add(options);
    }
}
