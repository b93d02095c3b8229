//! What the models of library functions assume, leave out or leave open, as `braid check` says it: by each engine and
//! by both together.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Both together, and each alone.
const ENGINES: [&[&str]; 3] = [&[], &["--engine", "explicit"], &["--engine", "order"]];

fn write(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{name}"));
    std::fs::write(&path, text).expect("the directory can be written to");
    path
}

/// What a check prints on standard output and standard error, without the directory of the file.
fn check_with(engine: &[&str], name: &str, text: &str, flags: &[&str]) -> (String, String) {
    let path = write(name, text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.arg("check").arg(&path).args(engine).args(["--timeout", "30"]).args(flags);
    let output = command.output().expect("braid runs");
    let shown = |bytes: Vec<u8>| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.replace(path.to_str().expect("the path is text"), "a.c")
    };
    (shown(output.stdout), shown(output.stderr))
}

/// The assumptions and the verdict, each a line, which all engines agree on.
fn verdict(name: &str, text: &str, flags: &[&str]) -> String {
    let last = |engine: &[&str]| {
        let (shown, problems) = check_with(engine, name, text, flags);
        let start = shown.rfind("assumptions: ").unwrap_or_else(|| panic!("{engine:?}: {shown}{problems}"));
        shown[start..].trim_end().trim_start_matches("assumptions: sequential consistency").to_string()
    };
    let answers = ENGINES.map(last);
    assert_eq!(answers[0], answers[1], "portfolio and explicit");
    assert_eq!(answers[0], answers[2], "portfolio and order");
    answers[0].clone()
}

#[test]
fn what_is_not_reached_leaves_nothing_out_and_assumes_nothing() {
    let uncalled = "#include <locale.h>\n#include <stdlib.h>\n#include <time.h>\n\
        char *f(void) { time_t t = 0; localtime(&t); setlocale(LC_ALL, \"de_DE\"); return getenv(\"X\"); }\n\
        int main(void) { return 0; }\n";
    assert_eq!(verdict("uncalled.c", uncalled, &[]), "\nSAFE");
    let called = "#include <locale.h>\nint main(void)\n{\n    return setlocale(LC_ALL, \"de_DE\") != 0;\n}\n";
    assert_eq!(
        verdict("called.c", called, &[]),
        ", empty environment\nUNKNOWN: not modelled in full: setlocale: a locale other than C may exist, reached at \
         a.c:4:12"
    );
    let behind = "#include <locale.h>\n#include <stdlib.h>\nint main(void)\n{\n\
        if (getenv(\"X\"))\n        setlocale(LC_ALL, \"de_DE\");\n    return 0;\n}\n";
    assert_eq!(verdict("behind.c", behind, &[]), ", empty environment\nSAFE");
}

#[test]
fn a_violation_after_what_is_left_out_is_one() {
    let text = "#include <locale.h>\n#include <assert.h>\nint main(void)\n{\n    setlocale(LC_ALL, \"de_DE\");\n\
        assert(0);\n    return 0;\n}\n";
    assert_eq!(verdict("after.c", text, &[]), ", empty environment\nUNSAFE: assertion at a.c:6:1");
}

#[test]
fn a_read_may_give_less_than_was_asked_for() {
    let text = "#include <assert.h>\n#include <unistd.h>\nint main(void)\n{\n    char b[2];\n\
        long n = read(0, b, 2);\n    assert(n <= 2);\n    assert(n != 1);\n    return 0;\n}\n";
    assert_eq!(verdict("read.c", text, &[]), "\nUNSAFE: assertion at a.c:8:5");
}
