//! Files that cannot be written, signals, and replays: the answer is never lost, and no search is done in vain.

use braid_testkit::differential::scratch;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Two threads that count without a lock.
const RACE: &str = "#include <pthread.h>\nint count;\nstatic void *t(void *unused)\n{\n    count++;\n\
    \x20   return unused;\n}\nint main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, t, 0);\n\
    \x20   pthread_create(&b, 0, t, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n";

/// Threads that count for ever: no search comes to an end.
const ENDLESS: &str = "#include <assert.h>\n#include <pthread.h>\n_Atomic unsigned long long a, b;\nstatic void *t(void *unused)\n{\n\
    \x20   for (;;) { a++; b += a; }\n    return unused;\n}\nint main(void)\n{\n    pthread_t x, y;\n\
    \x20   pthread_create(&x, 0, t, 0);\n    pthread_create(&y, 0, t, 0);\n    for (;;) { b++; a += b; unsigned long long s = a; assert(s * s % 4 < 2); }\n    return 0;\n}\n";

fn place(name: &str, text: &str) -> PathBuf {
    let path =
        scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("outputs-{name}")).expect("a directory");
    std::fs::write(path.join("a.c"), text).expect("a file");
    std::fs::write(path.join("file"), "").expect("a file");
    path
}

fn braid(place: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.current_dir(place);
    command
}

fn call(place: &Path, args: &[&str]) -> (i32, String, String) {
    let output: Output = braid(place).args(args).output().expect("a run");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn last(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

fn left_over(place: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(place).expect("the directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".braid")).collect()
}

#[test]
fn paths_that_cannot_be_written_are_refused_before_the_search() {
    let place = place("refused", ENDLESS);
    for (command, flag, path, problem) in [
        ("check", "--html", "no/such/a.html", "No such file or directory (os error 2)"),
        ("check", "--sarif", "no/such/a.sarif", "No such file or directory (os error 2)"),
        ("check", "--witness", "no/such/a.yml", "No such file or directory (os error 2)"),
        ("check", "--schedule-out", "no/such/a.json", "No such file or directory (os error 2)"),
        ("check", "--dump", "no/such/a.smt2", "No such file or directory (os error 2)"),
        ("check", "--html", ".", "is a directory"),
        ("check", "--html", "file/a.html", "Not a directory (os error 20)"),
        ("check", "--schedule-out", "file/", "file is no directory"),
        ("check", "--schedule-out", "file/deep/", "file is no directory"),
        ("explore", "--html", "no/such/a.html", "No such file or directory (os error 2)"),
        ("explore", "--schedule-out", "no/such/a.json", "No such file or directory (os error 2)"),
        ("run", "--record", "no/such/a.json", "No such file or directory (os error 2)"),
    ] {
        let (code, out, said) = call(&place, &[command, "a.c", "--timeout", "5", flag, path]);
        assert_eq!((code, out.as_str()), (2, ""), "{command} {flag} {path}: {said}");
        assert_eq!(said, format!("error: {flag}: {path}: {problem}\n"));
    }
    assert_eq!(left_over(&place), Vec::<String>::new());
}

#[test]
fn paths_that_can_be_written_leave_nothing_behind() {
    let place = place("fine", "int main(void) { return 0; }\n");
    let args =
        ["check", "a.c", "--html", "a.html", "--schedule-out", "new/directory/", "--witness", "./w.yml"];
    let (code, out, said) = call(&place, &args);
    assert_eq!((code, last(&out), said.as_str()), (0, "SAFE", ""));
    assert_eq!(left_over(&place), Vec::<String>::new());
    // There was nothing to write to it.
    assert!(!place.join("new").exists());
}

#[test]
fn the_answer_is_printed_if_a_file_fails_later() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: there is no /dev/full");
        return;
    }
    let place = place("full", RACE);
    let _ = std::fs::remove_file(place.join("full.yml"));
    std::os::unix::fs::symlink("/dev/full", place.join("full.yml")).expect("a link");
    for (flag, path) in [
        ("--html", "/dev/full"),
        ("--sarif", "/dev/full"),
        ("--schedule-out", "/dev/full"),
        ("--witness", "full.yml"),
    ] {
        for command in ["check", "explore"] {
            let (code, out, said) = call(&place, &[command, "a.c", flag, path]);
            assert_eq!((code, last(&out)), (2, "UNSAFE: data-race at a.c:5:5"), "{command} {flag}: {said}");
            assert_eq!(said, format!("error: {path}: No space left on device (os error 28)\n"), "{flag}");
        }
    }
    // Other files are written all the same, and JSON has the exit code.
    let (code, out, _) =
        call(&place, &["check", "a.c", "--json", "--html", "/dev/full", "--sarif", "a.sarif"]);
    assert_eq!(code, 2);
    assert!(out.contains("\"verdict\": \"UNSAFE\"") && out.contains("\"exit_code\": 2"), "{out}");
    assert!(place.join("a.sarif").exists());
    let (code, _, said) = call(&place, &["run", "a.c", "--record", "/dev/full"]);
    assert_eq!(code, 2, "{said}");
}

/// Sends a signal as soon as the search has said that it begins.
fn interrupted_by(signal: &str, command: &str) -> (i32, String) {
    let place = place(&format!("{signal}-{command}"), ENDLESS);
    let flags: &[&str] = if command == "check" { &["-v"] } else { &["--timeout", "60"] };
    let mut child = braid(&place)
        .args([command, "a.c", "--property", "assertion"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let mut said = BufReader::new(child.stderr.take().expect("it is piped"));
    if command == "check" {
        // The first phase is over: the handlers are there.
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        assert!(line.starts_with("explicit"), "{line}");
    } else {
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    drop(said);
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_request_to_terminate_is_an_interrupt() {
    for signal in ["INT", "TERM"] {
        for command in ["check", "explore"] {
            let (code, out) = interrupted_by(signal, command);
            assert_eq!(code, 5, "{signal} {command}: {out}");
            assert!(last(&out).starts_with("UNKNOWN: interrupted"), "{signal} {command}: {out}");
        }
    }
}

#[test]
fn a_replay_shows_a_race_once() {
    let place = place("once", RACE);
    call(&place, &["check", "a.c", "--schedule-out", "s.json"]);
    let (code, _, said) = call(&place, &["run", "a.c", "--schedule", "s.json"]);
    assert_eq!(code, 10);
    assert_eq!(said.matches("[data-race]").count(), 1, "{said}");
    assert_eq!(last(&said), "UNSAFE: data-race at a.c:5:5");
}
