//! `braid seq`: a program of threads as a sequential C program, and with `--run` what a back end says about it.
//!
//! `UNSAFE` is said only of what the judge has replayed in the program of threads. "Nothing found" is `UNKNOWN` and names the
//! rounds and the loops that were cut: another tool's answer about so many rounds is no proof, and the engines that
//! can tell that more rounds add nothing prove it by themselves (`braid check`).

use crate::args::{BackendArg, SeqArgs};
use crate::backends::replay::Replayer;
use crate::backends::search::{self, Found};
use crate::backends::tool::{Limit, Scratch};
use crate::backends::{self, Answer, Failure, Job, native};
use crate::front::{self, Loaded};
use crate::sequential::{Wanted, text_of};
use crate::terminal::errln;
use crate::{answer, exit, files, interrupt, terminal};
use braid_interp::{Cut, place_text};
use braid_ir::Question;
use braid_props::CheckSet;
use braid_translate::{Backend, Translated};
use braid_verdict::{Counterexample, Reason, Verdict, assumptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// The properties that the text can state as assertions, or that the back end sees by itself.
const STATED: &str =
    "assertion,data-race,deadlock,lock-misuse,thread-misuse,memory,division-by-zero,signed-overflow,shift";

pub fn run(args: &SeqArgs) -> u8 {
    work(args).unwrap_or_else(|code| code)
}

fn work(args: &SeqArgs) -> Result<u8, u8> {
    check_flags(args)?;
    let loaded = front::load(&args.input, &[], true)?;
    let wanted = Wanted {
        unwind: args.unwind,
        unwindset: &args.unwindset,
        rounds: args.rounds,
        checks: args.property,
    };
    let translated = text_of(&loaded, &wanted, backend(args.backend)).map_err(|refused| {
        errln!("UNKNOWN: {}: {refused}", place_text(&loaded.program, refused.place));
        exit::UNKNOWN
    })?;
    for cut in &translated.cuts {
        let place = place_text(&loaded.program, cut.place);
        errln!("note: {place}: {}; what lies beyond is left out", cut.what);
    }
    match &args.output {
        Some(path) => files::write(path, &translated.text)?,
        None if args.run => {}
        // A closed pipe is no error.
        None => drop(std::io::stdout().write_all(translated.text.as_bytes())),
    }
    if !args.run {
        return Ok(0);
    }
    let scratch = Scratch::new().map_err(|error| {
        errln!("error: {}: {error}", std::env::temp_dir().display());
        exit::INPUT
    })?;
    let deadline = args.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let limit = Limit { deadline, interrupt: interrupt::flag() };
    let asked =
        Asked { args, loaded: &loaded, wanted, translated: &translated, directory: scratch.path(), limit };
    let verdict = asked.verdict()?;
    Ok(say(args, &loaded, &verdict))
}

/// Combinations of flags that mean nothing, and files that cannot be written.
fn check_flags(args: &SeqArgs) -> Result<(), u8> {
    let usage = |problem: String| {
        errln!("error: {problem}");
        Err(exit::USAGE)
    };
    if args.run && args.backend == BackendArg::Generic {
        return usage("--run: add --backend cbmc, esbmc, klee or native; generic names no tool".to_string());
    }
    if args.choices.is_some() && args.backend != BackendArg::Native {
        return usage("--choices: only the back end native takes choices".to_string());
    }
    let stated = CheckSet::parse(STATED).expect("a list of properties");
    let left = args.property.without(stated);
    if let Some(check) = left.iter().next() {
        return usage(format!("--property {check}: not translated yet; choose from {}", stated.list()));
    }
    args.output.as_deref().map_or(Ok(()), |path| files::check_writable("-o", path))
}

/// A translation that a back end is asked about.
struct Asked<'a> {
    args: &'a SeqArgs,
    loaded: &'a Loaded,
    wanted: Wanted<'a>,
    translated: &'a Translated,
    directory: &'a Path,
    limit: Limit,
}

impl Asked<'_> {
    fn verdict(&self) -> Result<Verdict, u8> {
        let path = self.directory.join("text.c");
        files::write(&path, &self.translated.text)?;
        let name = format!("{:?}", self.args.backend).to_lowercase();
        let answer = match self.args.backend {
            BackendArg::Native => self.native(&path)?,
            _ => backends::ask(backend(self.args.backend), &self.job(&path)),
        };
        let choices = match answer {
            Ok(Answer::Violated(choices)) => choices,
            Ok(Answer::Nothing) => return Ok(Verdict::Unknown(self.bounds())),
            Err(Failure::Missing(what)) => {
                errln!("error: --run: {what}");
                return Err(exit::USAGE);
            }
            Err(Failure::TimeLimit) => {
                let (limit, phase) = ("time limit reached".to_string(), name);
                return Ok(Verdict::Unknown(vec![Reason::Stopped { limit, phase }]));
            }
            Err(Failure::NoAnswer(what)) => return Ok(Verdict::Unknown(vec![Reason::Solver(what)])),
        };
        Ok(match self.replayed(&choices)? {
            Ok(found) => Verdict::Unsafe(vec![found]),
            Err(problem) => {
                let what = format!("{name} finds a violation that the replay does not confirm: {problem}");
                Verdict::Unknown(vec![Reason::Solver(what)])
            }
        })
    }

    fn job<'j>(&'j self, path: &'j Path) -> Job<'j> {
        let iterations = self.wanted.rounds.max(self.translated.threads as u32);
        let (checks, limit) = (self.args.property, self.limit.clone());
        Job { directory: self.directory, path, checks, iterations, limit }
    }

    /// Finds or takes choices, and lets the compiled program fail with them.
    fn native(&self, path: &Path) -> Result<Result<Answer, Failure>, u8> {
        let choices = match &self.args.choices {
            Some(file) => given(file)?,
            None => {
                let logged = crate::sequential::load_logged(self.loaded, &self.wanted, self.directory)?;
                match search::find(&logged.quiet, self.args.property, &self.limit) {
                    Ok(Found::Choices(choices)) => choices,
                    Ok(Found::Nothing) => return Ok(Ok(Answer::Nothing)),
                    Ok(Found::Undecided(reasons)) => {
                        let why = answer::reasons_text(&logged.quiet, &reasons);
                        return Ok(Err(Failure::NoAnswer(format!("no choices were found: {why}"))));
                    }
                    Err(problem) => return Ok(Err(Failure::NoAnswer(problem))),
                }
            }
        };
        let logged = crate::sequential::load_logged(self.loaded, &self.wanted, self.directory)?;
        let replayer = self.replayer(&logged);
        let choices = match replayer.follow(&choices) {
            Ok(followed) if followed.more && self.args.choices.is_some() => {
                return Ok(Err(Failure::NoAnswer(
                    "the program needs more choices than the file has".to_string(),
                )));
            }
            Ok(followed) => followed.choices,
            Err(problem) => return Ok(Err(Failure::NoAnswer(problem))),
        };
        Ok(native::fails(self.directory, path, &choices, &self.limit).map(|message| {
            errln!("note: the compiled program fails: {message}");
            Answer::Violated(choices)
        }))
    }

    fn replayer<'r>(&'r self, logged: &'r crate::sequential::Logged) -> Replayer<'r> {
        Replayer {
            threads: self.loaded,
            sequential: &logged.loud,
            table: &logged.table,
            checks: self.args.property,
            deadline: self.limit.deadline,
        }
    }

    /// Replays choices in the sequential program and what it does in the program of threads.
    fn replayed(&self, choices: &[u32]) -> Result<Result<Counterexample, String>, u8> {
        let logged = crate::sequential::load_logged(self.loaded, &self.wanted, self.directory)?;
        let replayer = self.replayer(&logged);
        Ok(replayer.follow(choices).and_then(|followed| {
            if followed.more {
                return Err(
                    "the sequential program makes more choices than its counterexample has".to_string()
                );
            }
            replayer.confirm(followed)
        }))
    }

    /// The bounds within which nothing was found.
    fn bounds(&self) -> Vec<Reason> {
        let program = &self.loaded.program;
        let mut reasons = vec![Reason::Cut(Cut::Rounds(self.wanted.rounds))];
        for cut in &self.translated.cuts {
            let place = place_text(program, cut.place);
            reasons.push(Reason::Solver(format!("{place}: {}", cut.what)));
        }
        reasons
    }
}

/// Choices from a file: numbers, or a schedule file that has some.
fn given(path: &Path) -> Result<Vec<u32>, u8> {
    let refuse = |problem: String| {
        errln!("error: --choices: {}: {problem}", path.display());
        exit::INPUT
    };
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    if text.trim_start().starts_with('{') {
        let file =
            braid_verdict::ScheduleFile::from_json(&text).map_err(|error| refuse(error.to_string()))?;
        let Some(sequential) = file.sequential else {
            return Err(refuse("the schedule has no field 'sequential'".to_string()));
        };
        return Ok(sequential.nondet);
    }
    let number =
        |word: &str| word.parse().map_err(|_| refuse(format!("'{word}' is no choice; expected numbers")));
    text.split_whitespace().map(number).collect()
}

/// Prints the answer as `braid check` does and gives the exit code.
fn say(args: &SeqArgs, loaded: &Loaded, verdict: &Verdict) -> u8 {
    let found: &[Counterexample] = match verdict {
        Verdict::Unsafe(found) => found,
        Verdict::Safe { .. } | Verdict::Unknown(_) => &[],
    };
    answer::print_violations(loaded, terminal::layout(false), found, &[]);
    let known = assumptions(&loaded.program, &Question::about(args.property).lifted());
    answer::print_assumptions(&answer::with_own_assumptions(known, found));
    answer::conclude(loaded, verdict, false)
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
