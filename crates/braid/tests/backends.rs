//! `braid seq --run`: what back ends answer becomes a verdict, and whatever else they do becomes a message.
//!
//! The tools are shell scripts in a directory at the front of the `PATH`, which print what the real ones do. A violation that
//! they report is a replayed counterexample with the right choices, and `UNKNOWN` with wrong ones. Native programs are
//! compiled and really fail with the choices of `--schedule-out`.
//!
//! With CBMC on the `PATH`, or named by `CBMC`, generated programs are decided by it as by our engine.

use braid_testkit::check::command::{self, Checker};
use braid_testkit::check::{Answer, Budget, rounds};
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::harness;
use braid_testkit::process::{self, Limits, Outcome};
use braid_testkit::threads::program_to_unwind;
use std::path::{Path, PathBuf};
use std::time::Duration;

const BINARY: &str = env!("CARGO_BIN_EXE_braid");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn directory(name: &str) -> PathBuf {
    scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), name).expect("a directory")
}

/// Runs Braid in the root of the tree, with a directory at the front of the `PATH`.
fn braid(args: &[&str], tools: Option<&Path>) -> Outcome {
    let mut command = process::command(Path::new(BINARY), &root());
    command.args(args);
    if let Some(tools) = tools {
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", tools.display()));
    }
    let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
    process::run(&mut command, b"", &limits).expect("a run")
}

/// Puts a script in the place of a tool.
fn install(tools: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = tools.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

const LOST: [&str; 6] = ["seq", "examples/lost_update.c", "--rounds", "3", "--run", "--backend"];

/// The answer of `braid seq --run` on a lost update: exit code, and both streams.
fn ask(backend: &str, tools: &Path, more: &[&str]) -> (i32, String) {
    let args: Vec<&str> = LOST.iter().copied().chain([backend]).chain(more.iter().copied()).collect();
    let outcome = braid(&args, Some(tools));
    (outcome.code, format!("{}{}", outcome.stdout_text(), outcome.stderr_text()))
}

/// The choices that a schedule file has for the sequential program.
fn choices_in(file: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(file).expect("a schedule");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let list = value["sequential"]["nondet"].as_array().expect("choices");
    list.iter().map(|number| number.as_u64().expect("a number") as u32).collect()
}

/// Choices with which three rounds lose an update.
fn choices(directory: &Path) -> Vec<u32> {
    let file = directory.join("schedule.json");
    let flags = ["--engine", rounds_engine(), "--rounds", "3", "--property", "assertion", "--schedule-out"];
    let args: Vec<&str> = ["check", "examples/lost_update.c"].into_iter().chain(flags).collect();
    let outcome = braid(&[&args[..], &[file.to_str().expect("a name")]].concat(), None);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr_text());
    choices_in(&file)
}

fn rounds_engine() -> &'static str {
    rounds::engines().next().expect("an engine that encodes rounds").name
}

/// The answer of CBMC with these choices.
fn cbmc_answer(choices: &[u32]) -> String {
    let step = |value: &u32| {
        format!(
            "{{\"stepType\":\"assignment\",\"lhs\":\"choice\",\"hidden\":false,\"sourceLocation\":{{\"function\":\
             \"nondet\"}},\"value\":{{\"binary\":\"{value:032b}\"}}}}"
        )
    };
    let steps: Vec<String> = choices.iter().map(step).collect();
    format!(
        "[{{\"program\":\"CBMC 6.3.1\"}},{{\"result\":[{{\"property\":\"main_thread.assertion.1\",\"status\":\
         \"FAILURE\",\"trace\":[{}]}}]}},{{\"cProverStatus\":\"failure\"}}]",
        steps.join(",")
    )
}

/// The counterexample of ESBMC with these choices.
fn esbmc_answer(choices: &[u32]) -> String {
    let mut text = "[Counterexample]\n\n".to_string();
    for (number, value) in choices.iter().enumerate() {
        text += &format!(
            "State {} file text.c line 6 column 5 function nondet thread 0\n--------\n  choice = {value} ({value:032b})\n\n",
            number + 1
        );
    }
    text + "Violated property:\n  file text.c line 124 column 5 function main_thread\n  assertion\n\n\nVERIFICATION FAILED\n"
}

/// A test case of KLEE with these choices.
fn ktest(choices: &[u32]) -> Vec<u8> {
    let mut bytes = b"KTEST".to_vec();
    let mut put = |number: usize, text: &[u8]| {
        bytes.extend((number as u32).to_be_bytes());
        bytes.extend(text);
    };
    for number in [3, 0, 0, 0, choices.len()] {
        put(number, b"");
    }
    for value in choices {
        put(6, b"choice");
        put(4, &value.to_le_bytes());
    }
    bytes
}

/// Installs fakes of all back ends that report a violation with these choices.
fn install_finders(tools: &Path, choices: &[u32]) {
    let file = |name: &str, bytes: &[u8]| {
        let path = tools.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.display().to_string()
    };
    let answer = file("cbmc.json", cbmc_answer(choices).as_bytes());
    install(tools, "cbmc", &format!("cat {answer}\nexit 10"));
    let answer = file("esbmc.txt", esbmc_answer(choices).as_bytes());
    install(tools, "esbmc", &format!("cat {answer} >&2\nexit 1"));
    let case = file("case.ktest", &ktest(choices));
    install(
        tools,
        "clang",
        "for word; do [ \"$before\" = -o ] && echo bitcode > \"$word\"; before=$word; done",
    );
    install(
        tools,
        "klee",
        &format!(
            "for word; do case $word in --output-dir=*) out=${{word#--output-dir=}};; esac; done\nmkdir \"$out\"\n\
             cp {case} \"$out/test000002.ktest\"\necho Error > \"$out/test000002.assert.err\"\n\
             echo 'KLEE: done: completed paths = 1' >&2"
        ),
    );
}

#[test]
fn a_counterexample_of_a_back_end_is_replayed() {
    let tools = directory("backends-found");
    let right = choices(&tools);
    install_finders(&tools, &right);
    for backend in ["cbmc", "esbmc", "klee"] {
        let (code, text) = ask(backend, &tools, &[]);
        assert_eq!(code, 10, "{backend}: {text}");
        assert!(text.contains("UNSAFE: assertion at examples/lost_update.c:22"), "{backend}: {text}");
        assert!(text.contains("main/2"), "{backend} shows no interleaving: {text}");
    }
}

#[test]
fn a_counterexample_that_does_not_replay_is_no_verdict() {
    let tools = directory("backends-wrong");
    let right = choices(&tools);
    let mut late = right.clone();
    late[0] = 1000;
    for wrong in [vec![0; right.len()], right[..2].to_vec(), late] {
        install_finders(&tools, &wrong);
        for backend in ["cbmc", "esbmc", "klee"] {
            let (code, text) = ask(backend, &tools, &[]);
            assert_eq!(code, 5, "{backend} with {wrong:?}: {text}");
            assert!(text.contains("that the replay does not confirm"), "{backend}: {text}");
        }
    }
}

#[test]
fn nothing_found_names_the_bounds() {
    let tools = directory("backends-nothing");
    install(&tools, "cbmc", "echo '[{\"cProverStatus\":\"success\"}]'");
    install(&tools, "esbmc", "echo VERIFICATION SUCCESSFUL");
    install(
        &tools,
        "clang",
        "for word; do [ \"$before\" = -o ] && echo bitcode > \"$word\"; before=$word; done",
    );
    install(&tools, "klee", "echo 'KLEE: done: completed paths = 7' >&2");
    for backend in ["cbmc", "esbmc", "klee"] {
        let (code, text) = ask(backend, &tools, &[]);
        assert_eq!(code, 5, "{backend}: {text}");
        assert!(text.contains("UNKNOWN: bound of 3 rounds reached"), "{backend}: {text}");
    }
    let looping = tools.join("looping.c");
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nint x;\nint main(void)\n{\n    \
        while (__VERIFIER_nondet_uint())\n        x++;\n    return 0;\n}\n";
    std::fs::write(&looping, text).expect("a file");
    let name = looping.to_str().expect("a name");
    let cut = braid(&["seq", name, "--run", "--backend", "cbmc"], Some(&tools)).stdout_text();
    assert!(cut.contains("UNKNOWN: bound of 2 rounds reached; ") && cut.contains("looping.c:5:"), "{cut}");
}

#[test]
fn loops_of_the_text_are_unwound_far_enough() {
    let tools = directory("backends-unwind");
    let short = "[{\"result\":[{\"property\":\"meets.unwind.0\",\"status\":\"FAILURE\",\"trace\":[]}]},\
        {\"cProverStatus\":\"failure\"}]";
    let script = format!(
        "for word; do [ \"$before\" = --unwind ] && bound=$word; before=$word; done\n\
         [ \"$bound\" -ge 30 ] && echo '[{{\"cProverStatus\":\"success\"}}]' && exit 0\necho '{short}'\nexit 10"
    );
    install(&tools, "cbmc", &script);
    let (code, text) = ask("cbmc", &tools, &[]);
    assert!(code == 5 && text.contains("bound of 3 rounds"), "{text}");
}

#[test]
fn a_back_end_that_gives_no_answer_is_named() {
    let tools = directory("backends-trouble");
    let cases: [(&str, &[&str]); 5] = [
        ("echo boom >&2; exit 7", &["gave no answer", "exit code 7", "boom"]),
        ("kill -9 $$", &["gave no answer", "signal 9", "printed nothing"]),
        ("exec sleep 60", &["time limit reached"]),
        ("echo hello; exit 0", &["answer", "hello"]),
        ("exit 0", &["answer"]),
    ];
    for (script, expected) in cases {
        install(
            &tools,
            "clang",
            "for word; do [ \"$before\" = -o ] && echo bitcode > \"$word\"; before=$word; done",
        );
        for backend in ["cbmc", "esbmc", "klee"] {
            install(&tools, backend, script);
            let (code, text) = ask(backend, &tools, &["--timeout", "2"]);
            assert_eq!(code, 5, "{backend}, {script}: {text}");
            assert!(text.contains("UNKNOWN: "), "{backend}, {script}: {text}");
            // CBMC's answer is JSON, and the error says where it is none.
            let lines = expected.iter().filter(|part| backend != "cbmc" || **part != "hello");
            lines.for_each(|part| assert!(text.contains(part), "{backend}, {script}: {text}"));
        }
    }
}

#[test]
fn a_back_end_that_is_not_installed_is_a_usage_error() {
    let empty = directory("backends-missing");
    for (backend, tool) in [("cbmc", "cbmc"), ("esbmc", "esbmc"), ("klee", "clang")] {
        let mut command = process::command(Path::new(BINARY), &root());
        command.args(LOST).arg(backend);
        // The front end needs a preprocessor.
        std::os::unix::fs::symlink("/usr/bin/cc", empty.join("cc")).or_else(ignore_existing).expect("a link");
        let gcc = ["as", "ld", "gcc", "cpp"].map(|name| (name, Path::new("/usr/bin").join(name)));
        for (name, path) in gcc.iter().filter(|(_, path)| path.exists()) {
            std::os::unix::fs::symlink(path, empty.join(name)).or_else(ignore_existing).expect("a link");
        }
        command.env("PATH", &empty);
        let outcome = process::run(&mut command, b"", &Limits::default()).expect("a run");
        let text = outcome.stderr_text();
        assert_eq!(outcome.code, 1, "{backend}: {text}");
        assert!(text.contains(&format!("error: --run: cannot start '{tool}'")), "{text}");
    }
}

fn ignore_existing(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::AlreadyExists { Ok(()) } else { Err(error) }
}

#[test]
fn flags_that_mean_nothing_are_refused() {
    let file = directory("backends-flags").join("choices");
    std::fs::write(&file, "1 two").expect("a file");
    let name = file.to_str().expect("a name");
    let cases: [(&[&str], i32, &str); 5] = [
        (&["--run"], 1, "--run: add --backend cbmc, esbmc, klee or native"),
        (&["--run", "--backend", "cbmc", "--choices", name], 1, "only the back end native takes choices"),
        (&["--run", "--backend", "native", "--choices", name], 2, "'two' is no choice"),
        (&["--run", "--backend", "native", "--choices", "/nowhere"], 2, "--choices: /nowhere: "),
        (&["--timeout", "1"], 1, "--run"),
    ];
    for (flags, code, message) in cases {
        let outcome = braid(&[&["seq", "examples/lost_update.c"], flags].concat(), None);
        let text = outcome.stderr_text();
        assert!(outcome.code == code && text.contains(message), "{flags:?}: {}: {text}", outcome.code);
    }
}

/// Programs, the property that they violate, the bounds, and the source line that the failed assertion names.
const FAILING: &[(&str, &str, u32, u32)] = &[
    ("examples/lost_update.c", "assertion", 1, 3),
    ("examples/lost_update.c", "data-race", 1, 1),
    ("examples/lock_order.c", "deadlock", 1, 2),
    ("examples/check_then_act.c", "assertion", 2, 2),
    // A copy of a structure that others see in the middle.
    ("examples/torn_read.c", "assertion", 2, 2),
];

#[test]
fn a_native_program_fails_with_the_choices_of_a_schedule() {
    let directory = directory("backends-native");
    for (name, property, unwind, rounds) in FAILING {
        let [file, text, program] =
            ["schedule.json", "native.c", "native"].map(|file| directory.join(file).display().to_string());
        let (unwind, rounds) = (unwind.to_string(), rounds.to_string());
        let bounds = ["--property", property, "--unwind", &unwind, "--rounds", &rounds];
        let flags = ["--engine", rounds_engine(), "--schedule-out", &file];
        let checked = braid(&[&["check", name][..], &flags[..], &bounds[..]].concat(), None);
        assert_eq!(checked.code, 10, "{name}: {}{}", checked.stdout_text(), checked.stderr_text());
        let said = checked.stdout_text();
        assert!(said.contains(&format!("native: braid seq {name} --backend native")), "{said}");
        let out = ["--backend", "native", "-o", &text];
        assert_eq!(braid(&[&["seq", name][..], &out[..], &bounds[..]].concat(), None).code, 0);
        let mut compiler = process::command(Path::new("cc"), &directory);
        compiler.args(["-Wall", "-Wextra", "-Werror", "-o", &program, &text]);
        let compiled = process::run(&mut compiler, b"", &Limits::default()).expect("a compiler");
        assert_eq!(compiled.code, 0, "{}", compiled.stderr_text());
        let run = |choices: &str| {
            let mut command = process::command(Path::new(&program), &directory);
            process::run(command.arg(choices), b"", &Limits::default()).expect("a run")
        };
        let failed = run(&file);
        assert!(
            failed.stderr_text().contains("Assertion"),
            "{name}: {} {}",
            failed.code,
            failed.stderr_text()
        );
        // Plain numbers are read, too; too few of them are no execution.
        let numbers: Vec<String> = choices_in(Path::new(&file)).iter().map(u32::to_string).collect();
        let plain = directory.join("plain").display().to_string();
        std::fs::write(&plain, numbers.join("\n")).expect("a file");
        assert_eq!(run(&plain).code, failed.code, "{name}");
        std::fs::write(&plain, &numbers[0]).expect("a file");
        assert_eq!(run(&plain).code, 4, "{name}");
        // The file is a schedule for our interpreter, too.
        let replayed = braid(&["run", name, "--property", property, "--schedule", &file], None);
        assert_eq!(replayed.code, 10, "{name}: {}", replayed.stderr_text());
        let taken = ["--run", "--backend", "native", "--choices", &file];
        let taken = braid(&[&["seq", name][..], &taken[..], &bounds[..]].concat(), None);
        assert_eq!(taken.code, 10, "{name}: {}{}", taken.stdout_text(), taken.stderr_text());
        let found = braid(&[&["seq", name, "--run", "--backend", "native"][..], &bounds[..]].concat(), None);
        assert_eq!(found.code, 10, "{name}: {}{}", found.stdout_text(), found.stderr_text());
        assert!(found.stdout_text().contains(&format!("UNSAFE: {property} at {name}")), "{name}");
        assert!(found.stderr_text().contains("the compiled program fails: "), "{name}");
    }
}

#[test]
fn a_schedule_without_a_sequential_program_says_so() {
    let file = directory("backends-without").join("schedule.json");
    let name = file.to_str().expect("a name");
    let flags =
        ["--engine", rounds_engine(), "--rounds", "3", "--property", "assertion", "--schedule-out", name];
    let reversed = ["--schedule-order", "reverse"];
    let outcome = braid(&[&["check", "examples/lost_update.c"], &flags[..], &reversed[..]].concat(), None);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr_text());
    assert!(outcome.stderr_text().contains("note: --schedule-out: no choices"), "{}", outcome.stderr_text());
    let text = std::fs::read_to_string(&file).expect("a schedule");
    assert!(!text.contains("sequential"), "{text}");
}

/// The directory of CBMC, if there is one.
fn cbmc() -> Option<PathBuf> {
    let named = std::env::var("CBMC").unwrap_or_else(|_| "cbmc".to_string());
    let mut version = process::command(Path::new(&named), &root());
    process::run(version.arg("--version"), b"", &Limits::default()).ok()?;
    Some(Path::new(&named).parent().map(Path::to_path_buf).unwrap_or_default())
}

/// Counts of answers, over all questions.
#[derive(Default, Debug)]
struct Tally {
    refused: usize,
    /// Violations that do not replay, of programs about which our engine says nothing either: they use memory that was freed or
    /// never initialised, which the back end takes for something else.
    unconfirmed: usize,
    violated: usize,
    nothing: usize,
    undecided: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.refused += other.refused;
        self.unconfirmed += other.unconfirmed;
        self.violated += other.violated;
        self.nothing += other.nothing;
        self.undecided += other.undecided;
    }
}

/// The answer of CBMC about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Theirs {
    /// A violation that was replayed.
    Violated,
    /// Nothing within the bounds.
    Nothing,
    /// The program is not translated, or there is no time.
    Refused,
    /// A violation that was not replayed, and why.
    Unconfirmed(String),
}

fn asked(path: &Path, property: &str, tools: &Path) -> Result<Theirs, String> {
    let name = path.to_str().ok_or("a name")?;
    let args = ["seq", name, "--unwind", "2", "--rounds", "2", "--property", property, "--backend", "cbmc"];
    let outcome = braid(&[&args[..], &["--run", "--timeout", "60"]].concat(), Some(tools));
    let last = outcome.stdout_text().lines().last().unwrap_or("").to_string();
    match outcome.code {
        10 => Ok(Theirs::Violated),
        5 if last.starts_with("UNKNOWN: bound of 2 rounds reached") => Ok(Theirs::Nothing),
        5 if last.contains("that the replay does not confirm") => Ok(Theirs::Unconfirmed(last)),
        5 if outcome.stderr_text().contains("cannot be translated") || last.contains("time limit") => {
            Ok(Theirs::Refused)
        }
        code => Err(format!("exit code {code}: {last} {}", outcome.stderr_text())),
    }
}

/// The answer of our engine: a violation, or nothing within the bounds.
fn ours(path: &Path, property: &str) -> Result<Option<bool>, String> {
    let checker = Checker { braid: PathBuf::from(BINARY), environment: Vec::new() };
    let flags = ["--engine", rounds_engine(), "--property", property, "--rounds", "2"];
    let budget = Budget { time: Duration::from_secs(60), unwind: Some(2) };
    Ok(match command::answer(&checker.run(path, &flags, budget)?) {
        Answer::Unsafe { .. } => Some(true),
        Answer::Safe => Some(false),
        // Other reasons say that there are executions of which nothing is known.
        Answer::Undecided(why) if why.contains("rounds reached") && !why.contains("reachable") => Some(false),
        Answer::Undecided(_) => None,
        Answer::Broken(what) => return Err(what),
    })
}

/// Asks about a property of a program and counts the answer; the error says how the answers differ.
fn compare(path: &Path, property: &str, tools: &Path) -> Result<Tally, String> {
    let (theirs, ours) = (asked(path, property, tools)?, ours(path, property)?);
    match (theirs, ours) {
        (Theirs::Refused, _) => Ok(Tally { refused: 1, ..Tally::default() }),
        // An execution that has used freed memory may go on in any way.
        (Theirs::Unconfirmed(why), Some(_)) if why.contains("makes an invalid access") => {
            Ok(Tally { unconfirmed: 1, ..Tally::default() })
        }
        (Theirs::Unconfirmed(_), None) => Ok(Tally { unconfirmed: 1, ..Tally::default() }),
        (Theirs::Violated | Theirs::Nothing, None) => Ok(Tally { undecided: 1, ..Tally::default() }),
        (Theirs::Violated, Some(true)) => Ok(Tally { violated: 1, ..Tally::default() }),
        (Theirs::Nothing, Some(false)) => Ok(Tally { nothing: 1, ..Tally::default() }),
        (theirs, Some(violated)) => {
            Err(format!("CBMC: {theirs:?}; our engine finds a violation: {violated}"))
        }
    }
}

/// CBMC and our engine agree on generated programs; `BRAID_SEED=START..END` chooses other seeds.
#[test]
fn another_verifier_agrees_on_generated_programs() {
    let Some(tools) = cbmc() else {
        println!("skipped: there is no cbmc; CBMC names one");
        return;
    };
    let directory = directory("backends-generated");
    let seeds: Vec<u64> = match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END").collect(),
        Err(_) => (0..4).collect(),
    };
    let (mut tally, mut problems) = (Tally::default(), Vec::new());
    let properties = ["assertion", "data-race", "deadlock"];
    let work = |index: usize| -> Result<Tally, String> {
        let (seed, property) = (seeds[index / properties.len()], properties[index % properties.len()]);
        let path = directory.join(format!("seed{seed}-{property}.c"));
        std::fs::write(&path, program_to_unwind(seed).text()).map_err(|error| error.to_string())?;
        compare(&path, property, &tools).map_err(|problem| format!("seed {seed}, {property}: {problem}"))
    };
    let _ = harness::in_parallel(seeds.len() * properties.len(), None, work, |_, compared| {
        match compared {
            Ok(one) => tally.add(&one),
            Err(problem) => problems.push(problem),
        }
        Ok::<(), ()>(())
    });
    println!("{} programs, 3 questions each: {tally:?}", seeds.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
