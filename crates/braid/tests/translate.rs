//! `braid seq`: the sequential program has a violation exactly where the program of threads has one within the bounds.
//!
//! Fixtures are translated with two iterations of loops and two rounds. The C compiler has nothing to say about the result, our
//! own front end reads it, and `check` finds a violated assertion in it exactly if `check --engine seq` finds a violation of
//! the program within the same bounds; an assertion stands for the property that was asked for, and its comment names
//! the source line. What is refused is counted.
//!
//! One fixture in four is tried; `BRAID_ALL=1` tries all.

use braid_props::Check;
use braid_testkit::check::command::{self, Checker};
use braid_testkit::check::{Answer, Budget, exhaustive, rounds};
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::fixture::header::{Smallest, Truth};
use braid_testkit::fixture::{self, Fixture};
use braid_testkit::harness;
use braid_testkit::process::{self, Limits};
use braid_testkit::threads::{program_to_unwind, program_without_waits};
use braid_testkit::translated::{self, compare::Tally};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

const BINARY: &str = env!("CARGO_BIN_EXE_braid");
const TIME: Duration = Duration::from_secs(30);

/// A topic, the property that is asked about, and the share of fixtures that may be refused, in percent.
const TOPICS: &[(&str, &str, usize)] = &[
    ("threads", "assertion", 15),
    ("races", "data-race", 15),
    ("deadlocks", "deadlock", 15),
    ("rounds", "assertion", 0),
];

/// The result for one fixture.
enum Tried {
    /// Both agree.
    Done,
    /// One of them does not decide.
    Open,
    Refused(String),
    Wrong(String),
}

fn fixtures(topic: &str) -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = fixture::find(&root).expect("fixtures");
    let all = std::env::var_os("BRAID_ALL").is_some();
    found.retain(|fixture| fixture.name.starts_with(&format!("{topic}/")) && fixture.header.is_ok());
    found.into_iter().step_by(if all { 1 } else { 4 }).collect()
}

fn attempt(fixture: &Fixture, property: &str, directory: &Path) -> Result<Tried, String> {
    let header = fixture.header.as_ref().map_err(Clone::clone)?;
    if !header.flags.is_empty() || !header.errors.is_empty() {
        return Ok(Tried::Open);
    }
    let line = match header.truths.iter().find(|(check, _)| check.id() == property) {
        Some((_, Truth::Unsafe(line))) if property == "assertion" => *line,
        _ => None,
    };
    let source = Source {
        path: &fixture.path,
        files: &header.files,
        bounds: header.bounds.unwrap_or(Smallest { unwind: 2, rounds: 2 }),
    };
    source.compare(property, line, directory)
}

/// A program of threads, and the bounds within which it is looked at.
struct Source<'a> {
    path: &'a Path,
    files: &'a [String],
    bounds: Smallest,
}

impl Source<'_> {
    /// Translates the program for a back end. Returns nothing but the reason if it is refused.
    fn translate(&self, property: &str, backend: &str, out: &Path) -> Result<Result<(), String>, String> {
        let _ = std::fs::remove_file(out);
        let Smallest { unwind, rounds } = self.bounds;
        let mut command = process::command(Path::new(BINARY), self.path.parent().unwrap_or(Path::new(".")));
        command.args(["seq", "--unwind", &unwind.to_string(), "--rounds", &rounds.to_string()]);
        command.args(["--property", property, "--backend", backend, "-o"]).arg(out);
        command.arg(self.path.file_name().unwrap_or_default()).args(self.files);
        let written = process::run(&mut command, b"", &Limits { time: 4 * TIME, ..Limits::default() })?;
        match written.code {
            0 => Ok(Ok(())),
            5 if out.exists() => Err("refused, but a file was written".to_string()),
            5 => Ok(Err(written.last_line().rsplit(": ").next().unwrap_or("").to_string())),
            code => Err(format!("exit code {code}: {}", written.stderr_text())),
        }
    }

    /// Returns true if all places are those of violations. There may be more of them than the engine reports, which
    /// exhaustive search lists; and a thread may wait for those of a deadlock.
    fn has_violations(&self, property: &str, named: &[Option<Place>], out: &Path) -> Result<bool, String> {
        let engine = rounds::engines().next().ok_or("no engine encodes rounds")?;
        let bounds = [self.bounds.rounds, self.bounds.unwind].map(|bound| bound.to_string());
        let run = |flags: &[&str]| {
            let mut command =
                process::command(Path::new(BINARY), self.path.parent().unwrap_or(Path::new(".")));
            command.args(flags).args(["--property", property, "--rounds", &bounds[0], "--timeout", "30"]);
            command.arg(self.path.file_name().unwrap_or_default()).args(self.files);
            process::run(&mut command, b"", &Limits { time: 2 * TIME, ..Limits::default() })
        };
        let has = |places: &BTreeSet<Place>| {
            named.iter().all(|place| place.as_ref().is_some_and(|place| places.contains(place)))
        };
        let checked = run(&["check", "--engine", engine.name, "--json", "--unwind", &bounds[1]])?;
        let reported = reported_places(&checked.stdout_text())?;
        Ok(has(&reported.iter().flatten().cloned().collect())
            || has(&explored_places(&run(&["explore"])?.stdout_text()))
            || (property == "deadlock" && self.waits_for_deadlock(named, &reported, out)?))
    }

    /// Returns true if in a state in which the program has the deadlock, which the engine reports, a thread waits at each of
    /// the places.
    fn waits_for_deadlock(
        &self,
        named: &[Option<Place>],
        reported: &[BTreeSet<Place>],
        out: &Path,
    ) -> Result<bool, String> {
        let native = out.with_extension("native.c");
        self.translate("deadlock", "native", &native)?.map_err(|reason| format!("refused: {reason}"))?;
        let Some(failures) = translated::drive(&native, Check::Deadlock)? else { return Ok(true) };
        let stands = |(_, line): &Place| {
            failures.iter().filter(|failure| failure.line == *line).any(|failure| {
                let holds = |(_, line): &Place| failure.line == *line || failure.others.contains(line);
                reported.iter().any(|violation| violation.iter().all(holds))
            })
        };
        Ok(named.iter().all(|place| place.as_ref().is_some_and(stands)))
    }

    /// Returns true if exhaustive search finds a violation within the rounds. A deadlock of threads that spin may need one round
    /// more in an engine that encodes them.
    fn is_found_exhaustively(&self, checker: &Checker, property: &str) -> Result<bool, String> {
        let rounds = self.bounds.rounds.to_string();
        let flags = ["--engine", exhaustive().name, "--property", property, "--rounds", &rounds];
        let outcome = checker.run(self.path, &flags, Budget { time: TIME, unwind: None })?;
        Ok(property == "deadlock" && matches!(command::answer(&outcome), Answer::Unsafe { .. }))
    }

    fn compare(&self, property: &str, line: Option<u32>, directory: &Path) -> Result<Tried, String> {
        let topic = self.path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let out = directory.join(format!("{topic}-{name}"));
        if let Err(reason) = self.translate(property, "generic", &out)? {
            return Ok(Tried::Refused(reason));
        }
        let mut compiler = process::command(Path::new("cc"), directory);
        compiler.args(["-Wall", "-Wextra", "-fsyntax-only"]).arg(&out);
        let compiled = process::run(&mut compiler, b"", &Limits { time: TIME, ..Limits::default() })?;
        if !compiled.stderr.is_empty() {
            return Ok(Tried::Wrong(format!("cc says: {}", compiled.stderr_text())));
        }
        let checker = Checker { braid: PathBuf::from(BINARY), environment: Vec::new() };
        let engine = rounds::engines().next().ok_or("no engine encodes rounds")?;
        let rounds = self.bounds.rounds.to_string();
        let flags = ["--engine", engine.name, "--property", property, "--rounds", &rounds];
        let budget = Budget { time: TIME, unwind: Some(self.bounds.unwind) };
        let expected = command::answer(&checker.run(self.path, &flags, budget)?);
        let budget = Budget { time: TIME, unwind: None };
        let found = command::answer(&checker.run(&out, &["--property", "assertion"], budget)?);
        Ok(match (expected, found) {
            (Answer::Broken(what), _) | (_, Answer::Broken(what)) => Tried::Wrong(what),
            (Answer::Unsafe { .. }, Answer::Safe) => Tried::Wrong("the violation is lost".to_string()),
            (expected, Answer::Unsafe { found, .. }) if is_clean(&expected) => {
                if self.is_found_exhaustively(&checker, property)? {
                    return Ok(Tried::Done);
                }
                Tried::Wrong(format!("{found:?} is too many"))
            }
            (expected, Answer::Safe) if is_clean(&expected) => Tried::Done,
            (Answer::Unsafe { .. }, Answer::Unsafe { found, .. }) => {
                let named = named_places(&out, &found)?;
                let right = match line {
                    Some(line) => named.iter().any(|place| place.as_ref().is_some_and(|(_, at)| *at == line)),
                    None => self.has_violations(property, &named, &out)?,
                };
                if right { Tried::Done } else { Tried::Wrong(format!("the wrong places: {named:?}")) }
            }
            (_, Answer::Undecided(_)) | (Answer::Undecided(_) | Answer::Safe, _) => Tried::Open,
        })
    }
}

/// Returns true if there is nothing within the bounds.
fn is_clean(answer: &Answer) -> bool {
    match answer {
        Answer::Safe => true,
        Answer::Undecided(why) => why.contains("rounds reached") || why == "loop bound",
        Answer::Unsafe { .. } | Answer::Broken(_) => false,
    }
}

/// A file and a line of it.
type Place = (String, u32);

/// The places of the source that the comments beside the assertions name.
fn named_places(out: &Path, found: &BTreeSet<String>) -> Result<Vec<Option<Place>>, String> {
    let text = std::fs::read_to_string(out).map_err(|error| error.to_string())?;
    let lines: Vec<&str> = text.lines().collect();
    let at = |violation: &String| violation.rsplit(':').next()?.parse::<usize>().ok();
    let shown = found.iter().filter_map(at).filter_map(|at| lines.get(at - 1));
    let place = |line: &&str| {
        let (file, line) = translated::source_place(line)?;
        Some((file.to_string(), line))
    };
    Ok(shown.map(place).collect())
}

/// The places of all threads in each violation that `check --json` lists.
fn reported_places(json: &str) -> Result<Vec<BTreeSet<Place>>, String> {
    let report: Value = serde_json::from_str(json).map_err(|error| format!("{error}: {json}"))?;
    let place = |part: &Value| {
        let (file, line) = (part["place"]["file"].as_str()?, part["place"]["line"].as_u64()?);
        Some((file.to_string(), line as u32))
    };
    let places = |violation: &Value| {
        let threads = violation["threads"].as_array().into_iter().flatten();
        threads.chain([violation]).filter_map(place).collect()
    };
    Ok(report["violations"].as_array().into_iter().flatten().map(places).collect())
}

/// The places of all threads in the violations that `explore` prints.
fn explored_places(text: &str) -> BTreeSet<Place> {
    let place = |line: &str| {
        let (place, _) = line.split_once(": violation: ").or_else(|| line.split_once(": note: thread "))?;
        let mut parts = place.split(':');
        Some((parts.next()?.to_string(), parts.next()?.parse().ok()?))
    };
    text.lines().filter_map(place).collect()
}

#[test]
fn sequential_programs_have_the_violations_of_their_sources() {
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate").expect("a directory");
    let mut problems = Vec::new();
    for (topic, property, most) in TOPICS {
        let all = fixtures(topic);
        let (mut refused, mut open) = (Vec::new(), 0);
        let work = |index: usize| attempt(&all[index], property, &directory);
        let _ = harness::in_parallel(all.len(), None, work, |index, tried| {
            match tried {
                Ok(Tried::Done) => {}
                Ok(Tried::Open) => open += 1,
                Ok(Tried::Refused(reason)) => refused.push(format!("{}: {reason}", all[index].name)),
                Ok(Tried::Wrong(what)) | Err(what) => problems.push(format!("{}: {what}", all[index].name)),
            }
            Ok::<(), ()>(())
        });
        let count = refused.len();
        println!("{topic}: {count} of {} refused, {open} open\n  {}", all.len(), refused.join("\n  "));
        if refused.len() * 100 > all.len() * most {
            problems.push(format!("{topic}: {} of {} fixtures are refused", refused.len(), all.len()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The seeds that `BRAID_SEED` names, or these.
fn seeds(some: Range<u64>) -> Vec<u64> {
    match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END").collect(),
        Err(_) => some.collect(),
    }
}

/// Generated programs; `BRAID_SEED=START..END` chooses other seeds.
#[test]
fn generated_programs_have_the_violations_of_their_sources() {
    let directory =
        scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate-generated").expect("a directory");
    let seeds = seeds(0..12);
    let (mut problems, mut refused, mut open) = (Vec::new(), 0, 0);
    let work = |index: usize| {
        let path = directory.join(format!("seed{}.c", seeds[index]));
        std::fs::write(&path, program_to_unwind(seeds[index]).text()).map_err(|error| error.to_string())?;
        let source = Source { path: &path, files: &[], bounds: Smallest { unwind: 2, rounds: 2 } };
        ["assertion", "data-race", "deadlock"]
            .map(|property| source.compare(property, None, &directory))
            .into_iter()
            .collect()
    };
    let _ = harness::in_parallel(seeds.len(), None, work, |index, tried: Result<Vec<Tried>, String>| {
        for tried in tried.unwrap_or_else(|problem| vec![Tried::Wrong(problem)]) {
            match tried {
                Tried::Done => {}
                Tried::Open => open += 1,
                Tried::Refused(_) => refused += 1,
                Tried::Wrong(what) => problems.push(format!("seed {}: {what}", seeds[index])),
            }
        }
        Ok::<(), ()>(())
    });
    println!("{refused} of {} questions refused, {open} open", 3 * seeds.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// CBMC decides the programs of published examples as we do, if there is one: `CBMC` names it.
#[test]
fn another_verifier_agrees() {
    let cbmc = std::env::var("CBMC").unwrap_or_else(|_| "cbmc".to_string());
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate-cbmc").expect("a directory");
    let mut version = process::command(Path::new(&cbmc), &directory);
    if process::run(version.arg("--version"), b"", &Limits::default()).is_err() {
        println!("skipped: there is no cbmc; CBMC names one");
        return;
    }
    let all = fixtures("rounds");
    let mut problems = Vec::new();
    let work = |index: usize| -> Result<Option<String>, String> {
        let fixture = &all[index];
        let header = fixture.header.as_ref().map_err(Clone::clone)?;
        let bounds = header.bounds.ok_or("no bounds")?;
        let out = directory.join(fixture.name.replace('/', "-"));
        let source = Source { path: &fixture.path, files: &header.files, bounds };
        if let Err(reason) = source.translate("assertion", "cbmc", &out)? {
            return Ok(Some(format!("{}: {reason}", fixture.name)));
        }
        let wrong = header.truths.values().any(|truth| *truth != Truth::Safe);
        let mut command = process::command(Path::new(&cbmc), &directory);
        command.args(["--no-standard-checks", "--unwind", &(bounds.rounds + 1).to_string()]).arg(&out);
        let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
        let outcome = process::run(&mut command, b"", &limits)?;
        let expected = if wrong { 10 } else { 0 };
        let differs = outcome.code != expected;
        Ok(differs.then(|| format!("{}: exit code {}, not {expected}", fixture.name, outcome.code)))
    };
    let _ = harness::in_parallel(all.len(), None, work, |_, found| {
        problems.extend(found.unwrap_or_else(Some));
        Ok::<(), ()>(())
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Programs for a compiler, with all their choices, violate what exhaustive search finds in so many rounds: the same
/// assertions, data races and deadlocks, by their lines. `BRAID_SEED=START..END` chooses the programs, each within 1 to 3
/// rounds.
#[test]
fn native_programs_fail_where_exploration_does() {
    let scratch = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate-native").expect("a directory");
    let comparer = translated::compare::Comparer { braid: PathBuf::from(BINARY), scratch };
    let most = 3;
    let all = std::env::var_os("BRAID_SEED").is_some();
    let mut cases = Vec::new();
    for seed in seeds(0..12) {
        let rounds = if all { 1..=most } else { 1 + seed as u32 % most..=1 + seed as u32 % most };
        for check in [Check::Assertion, Check::DataRace, Check::Deadlock] {
            cases.extend(rounds.clone().map(|rounds| (seed, check, rounds)));
        }
    }
    let (mut problems, mut tally) = (Vec::new(), Tally::default());
    let work = |index: usize| {
        let (seed, check, rounds) = cases[index];
        // One program in four has loops that wait, which are cut.
        let generated = if seed % 4 == 3 { program_to_unwind(seed) } else { program_without_waits(seed) };
        comparer.check(&generated, check, rounds)
    };
    let _ = harness::in_parallel(cases.len(), None, work, |_, fate| {
        match fate {
            Ok(fate) => tally.note(fate),
            Err(problem) => problems.push(problem),
        }
        Ok::<(), ()>(())
    });
    println!("{} questions: {tally:#?}", cases.len());
    assert!(problems.is_empty(), "{} differences:\n{}", problems.len(), problems.join("\n"));
    assert!(tally.agree > 0 && tally.violations > 0, "nothing was compared");
}

/// A program for a compiler gives no warning, and fails with some choices exactly if the rounds suffice.
#[test]
fn native_programs_fail_within_their_rounds() {
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate-rounds").expect("a directory");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lost_update.c");
    for (rounds, lines) in [(2, &[][..]), (3, &[22])] {
        let source = Source { path: &path, files: &[], bounds: Smallest { unwind: 1, rounds } };
        let text = directory.join("native.c");
        source.translate("assertion", "native", &text).expect("a translation").expect("a program");
        let mut compiler = process::command(Path::new("cc"), &directory);
        compiler.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]).arg(&text);
        let compiled = process::run(&mut compiler, b"", &Limits::default()).expect("a compiler");
        assert_eq!(compiled.code, 0, "{}", compiled.stderr_text());
        let failures = translated::drive(&text, Check::Assertion).expect("runs");
        let found: Vec<u32> = failures.expect("few executions").iter().map(|failure| failure.line).collect();
        assert_eq!(found, lines, "in {rounds} rounds");
    }
}

/// The document shows a whole program.
#[test]
fn the_document_shows_what_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = process::command(Path::new(BINARY), &root);
    command.args(["seq", "examples/lost_update.c", "--rounds", "1"]);
    let written = process::run(&mut command, b"", &Limits::default()).expect("a run").stdout_text();
    let document = std::fs::read_to_string(root.join("docs/seq.md")).expect("a document");
    assert!(document.contains(&written), "docs/seq.md does not show:\n{written}");
}

/// Says what is wrong with the flags or the program, and leaves no file behind.
#[test]
fn bad_input_is_refused_in_words() {
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "translate-input").expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("a file");
    write("plain.c", "int main(void) { return 0; }\n");
    write(
        "recursive.c",
        "int f(int n) { return n ? f(n - 1) : 0; }\nint main(int argc, char **argv) { (void)argv; return f(argc); }\n",
    );
    let call = |args: &[&str]| {
        let mut command = process::command(Path::new(BINARY), &directory);
        command.args(args);
        process::run(&mut command, b"", &Limits::default()).expect("a run")
    };
    for (args, code, words) in [
        (&["seq", "plain.c", "--rounds", "0"][..], 1, "invalid value '0' for '--rounds"),
        (&["seq", "plain.c", "--unwind", "0"], 1, "invalid value '0' for '--unwind"),
        (&["seq", "plain.c", "--backend", "magic"], 1, "invalid value 'magic' for '--backend"),
        (&["seq", "plain.c", "--property", "livelock"], 1, "--property livelock: not translated"),
        (&["seq", "plain.c", "-o", "no/such/file.c"], 2, "no/such/file.c"),
        (&["seq", "nowhere.c"], 2, "nowhere.c"),
    ] {
        let outcome = call(args);
        assert_eq!(outcome.code, code, "{args:?}: {}", outcome.stderr_text());
        assert!(outcome.stderr_text().contains(words), "{args:?}: {}", outcome.stderr_text());
        assert_eq!(outcome.stdout_text(), "", "{args:?}");
    }
    let cut = call(&["seq", "recursive.c", "--args", "any", "-o", "cut.c"]);
    assert!(cut.stderr_text().contains("recursion of 'f' deeper than"), "{}", cut.stderr_text());
}
