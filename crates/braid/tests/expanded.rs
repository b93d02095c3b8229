//! Programs before and after their calls are inlined and their loops unrolled: exploration finds the same violations.
//!
//! `BRAID_SEED=START..END` chooses other seeds of generated programs, `BRAID_FIXTURES=N` every N-th fixture, `BRAID_ONLY=TEXT`
//! those whose names contain a text, `BRAID_TOPICS=all` all topics. The long form
//! is `BRAID_SEED=0..2000 BRAID_FIXTURES=1 cargo test --release -p braid --test expanded -- --nocapture`.

use braid_props::{Check, CheckSet};
use braid_syntax::preprocess::{self, Preprocess};
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::expanded::{Effort, Fate, Form, compare};
use braid_testkit::fixture::{self, Fixture};
use braid_testkit::threads::compare::Comparer;
use braid_testkit::{frontend, harness, process, threads};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DEFAULT_SEEDS: std::ops::Range<u64> = 0..100;
const DEFAULT_FIXTURES: usize = 5;

const TOPICS: [&str; 13] = [
    "threads",
    "races",
    "deadlocks",
    "mutex",
    "cond",
    "sem",
    "barrier",
    "rwlock",
    "join",
    "atomics",
    "functions",
    "control",
    "jumps",
];

const FORMS: [Form; 3] = [Form::Inlined, Form::Own, Form::Unrolled(4)];

/// Results of programs, by form.
#[derive(Default)]
struct Tally {
    fates: BTreeMap<(Form, Fate), Vec<String>>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, results: Vec<(Form, Result<Fate, String>)>) {
        for (form, result) in results {
            match result {
                Ok(fate) => self.fates.entry((form, fate)).or_default().push(name.to_string()),
                Err(difference) => self.wrong.push(format!("{name}: {difference}")),
            }
        }
    }

    /// Prints what came of the programs; fails if something differs or much is refused.
    fn conclude(&self) {
        for ((form, fate), names) in &self.fates {
            let shown = names.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
            let some = if matches!(fate, Fate::Agree | Fate::Within) { "" } else { &shown };
            println!("{form:?}: {} {fate:?} {some}", names.len());
        }
        assert!(self.wrong.is_empty(), "{} differ:\n{}", self.wrong.len(), self.wrong.join("\n"));
        for form in FORMS {
            let count = |wanted: &dyn Fn(&Fate) -> bool| -> usize {
                let fits = self.fates.iter().filter(|((f, fate), _)| *f == form && wanted(fate));
                fits.map(|(_, names)| names.len()).sum()
            };
            let refused = count(&|fate| matches!(fate, Fate::Refused(_)));
            assert!(refused * 10 <= count(&|_| true), "{form:?}: {refused} programs are refused");
        }
    }
}

fn results(program: &braid_ir::Program, checks: CheckSet) -> Vec<(Form, Result<Fate, String>)> {
    let result = |form| {
        let work = || compare(program, checks, form, Effort::default());
        frontend::on_large_stack(work).unwrap_or_else(Err)
    };
    FORMS.iter().map(|form| (*form, result(*form))).collect()
}

#[test]
fn generated_programs() {
    let seeds = match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => DEFAULT_SEEDS,
    };
    let scratch = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "expanded").expect("a directory");
    let comparer = Comparer { scratch };
    let count = usize::try_from(seeds.end - seeds.start).expect("a range that fits in memory");
    let mut tally = Tally::default();
    let work = |index: usize| {
        let seed = seeds.start + index as u64;
        let generated = threads::program(seed);
        let program = comparer.compile(&generated.text(), seed).expect("generated programs compile");
        results(&program, CheckSet::all())
    };
    let _ = harness::in_parallel(count, None, work, |index, found| {
        tally.add(&format!("seed {}", seeds.start + index as u64), found);
        Ok::<(), ()>(())
    });
    tally.conclude();
}

#[test]
fn fixtures() {
    let step = match std::env::var("BRAID_FIXTURES") {
        Ok(text) => text.parse().expect("BRAID_FIXTURES is a number"),
        Err(_) => DEFAULT_FIXTURES,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let every = std::env::var("BRAID_TOPICS").is_ok_and(|topics| topics == "all");
    let of_topic =
        |fixture: &Fixture| every || TOPICS.contains(&fixture.name.split('/').next().unwrap_or_default());
    let all = fixture::find(&root).expect("fixtures").into_iter().filter(of_topic);
    let only = std::env::var("BRAID_ONLY").unwrap_or_default();
    let chosen: Vec<Fixture> = all.filter(|f| f.name.contains(&only)).step_by(step).collect();
    let mut tally = Tally::default();
    let work = |index: usize| fixture_results(&chosen[index]);
    let _ = harness::in_parallel(chosen.len(), None, work, |index, found| {
        tally.add(&chosen[index].name, found);
        Ok::<(), ()>(())
    });
    tally.conclude();
}

/// Programs that use what is hard to copy, beside this test.
#[test]
fn odd_programs() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expanded");
    let entries = std::fs::read_dir(&directory).expect("programs");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a program").path()).collect();
    paths.sort();
    let mut tally = Tally::default();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let loaded = preprocess::load(&path, &Preprocess::default()).expect("a program that is read");
        let compiled = frontend::compile(&name, loaded.text);
        let program = compiled.program.unwrap_or_else(|| panic!("{name}: {}", compiled.errors.join("\n")));
        for property in ["all", "memory-leak", "data-race"] {
            let found = results(&program, CheckSet::parse(property).expect("a property"));
            tally.add(&format!("{name} ({property})"), found);
        }
    }
    tally.conclude();
}

#[test]
fn shown_on_the_command_line() {
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "inline").expect("a directory");
    let text = "static int n; static int f(int k) { while (n) n = k; return n; }\n\
        int main(void) { int s = 0; for (int i = 0; i < COUNT; i++)\n\
        for (int j = 0; j < COUNT; j++) s += f(i); return s; }\n";
    for (name, count) in [("small.c", "2"), ("large.c", "1000")] {
        std::fs::write(directory.join(name), text.replace("COUNT", count)).expect("a file");
    }
    let ir = |args: &[&str]| {
        let mut command = process::command(env!("CARGO_BIN_EXE_braid"), &directory);
        process::run(command.arg("ir").args(args), b"", &process::Limits::default()).expect("a process")
    };
    let cut = "more than 3 iterations of the loop at small.c:1";
    let unrolled = ir(&["--inline", "--unwind", "3", "small.c"]).stdout_text();
    assert!(unrolled.contains(cut) && !unrolled.contains("call "), "{unrolled}");
    let inlined = ir(&["--inline", "small.c"]).stdout_text();
    assert!(!inlined.contains("partial") && !inlined.contains("call "), "{inlined}");
    let large = ir(&["--inline", "--unwind", "3", "large.c"]);
    assert_eq!(large.code, 5);
    assert!(large.stderr_text().contains("large.c:2:45: too large: more than"), "{}", large.stderr_text());
    assert_eq!(ir(&["--unwind", "3", "small.c"]).code, 1);
}

/// Nothing for a fixture that does not compile, or takes flags.
fn fixture_results(fixture: &Fixture) -> Vec<(Form, Result<Fate, String>)> {
    let Ok(header) = &fixture.header else { return Vec::new() };
    if !header.files.is_empty() || header.flags.iter().any(|flag| !flag.starts_with("-D")) {
        return Vec::new();
    }
    let defines = header.flags.iter().map(|flag| flag.trim_start_matches("-D").to_string()).collect();
    let flags = Preprocess { defines, ..Preprocess::default() };
    let Ok(loaded) = preprocess::load(&fixture.path, &flags) else { return Vec::new() };
    let Some(program) = frontend::compile(&fixture.file_name(), loaded.text).program else {
        return Vec::new();
    };
    if program.entry.is_none() {
        return Vec::new();
    }
    let mut checks = CheckSet::all();
    if header.truths.keys().all(|check| *check == Check::DataRace) {
        checks = CheckSet::from_iter([Check::DataRace]);
    }
    results(&program, checks)
}
