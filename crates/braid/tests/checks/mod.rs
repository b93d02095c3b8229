//! Shared by the tests of `braid check`: how to call it, and small programs.

use braid_testkit::differential::scratch;
use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use expect_test::Expect;
use std::path::{Path, PathBuf};

pub fn braid(name: &str) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("check-{name}"))
            .expect("a directory"),
        environment: Vec::new(),
    }
}

pub fn check(name: &str, text: &str, flags: &[&str]) -> Outcome {
    let braid = braid(name);
    braid.write("a.c", text).expect("a file");
    let args: Vec<&str> = ["check", "a.c"].into_iter().chain(flags.iter().copied()).collect();
    braid.call(&args).expect("a run")
}

pub fn last(outcome: &Outcome) -> String {
    outcome.stdout_text().lines().last().unwrap_or("").to_string()
}

/// Exit code, standard output, standard error.
pub fn all(outcome: &Outcome) -> String {
    format!("{}{}exit {}\n", outcome.stdout_text(), outcome.stderr_text(), outcome.code)
}

pub fn expect_all(outcome: &Outcome, expected: &Expect) {
    expected.assert_eq(&all(outcome));
}

pub const SAFE: &str =
    "#include <assert.h>\nint main(void)\n{\n    int x = 1;\n    assert(x == 1);\n    return 0;\n}\n";

pub const UNSAFE: &str =
    "#include <assert.h>\nint main(void)\n{\n    int x = 1;\n    assert(x == 2);\n    return 0;\n}\n";

pub const OVERFLOW: &str = "int main(void)\n{\n    int x = 2147483647;\n    x++;\n    return 0;\n}\n";

/// Two threads that count without a lock.
pub const RACE: &str = "#include <pthread.h>\nint count;\nstatic void *t(void *unused)\n{\n    (void)unused;\n    count++;\n\
    \x20   return 0;\n}\nint main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, t, 0);\n\
    \x20   pthread_create(&b, 0, t, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n";

/// Calls the binary in the directory of an earlier run, as it was left.
pub fn braid_at(name: &str, args: &[&str]) -> Outcome {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_braid"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    Braid { binary, scratch, environment: Vec::new() }.call(args).expect("a run")
}
