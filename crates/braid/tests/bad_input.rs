//! Input that is missing, broken, hostile or just large: each ends with a clear message and the right
//! exit code, in bounded time and memory, without a panic.

use braid_testkit::process::{self, Limits, Outcome};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Address space of the process: the tool's own stack, its default limits and some room.
const ADDRESS_SPACE_KB: u64 = 6 << 20;

/// A directory of its own for each test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_input").join(name);
    std::fs::create_dir_all(&path).expect("a directory for the test's files");
    path
}

/// Runs the tool with a bound on its address space and on time.
fn braid(directory: &Path, args: &[&str], seconds: u64) -> Outcome {
    let script = format!("ulimit -v {ADDRESS_SPACE_KB}; exec \"$@\"");
    let mut command = process::command("sh", directory);
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_braid")]).args(args);
    let limits = Limits { time: Duration::from_secs(seconds), ..Limits::default() };
    process::run(&mut command, b"", &limits).expect("a shell")
}

/// Checks the exit code (one of `codes`) and that the message has each of `words`.
#[track_caller]
fn assert_says(outcome: &Outcome, codes: &[i32], words: &[&str]) {
    let text = outcome.stderr_text();
    let shown: String = text.chars().take(3000).collect();
    assert!(!outcome.timed_out, "took too long; said so far:\n{shown}");
    assert!(codes.contains(&outcome.code), "exit code {}, expected one of {codes:?}:\n{shown}", outcome.code);
    assert!(!text.contains("panicked"), "a panic:\n{shown}");
    for word in words {
        assert!(text.contains(word), "no {word:?} in the message:\n{shown}");
    }
    assert!(text.len() < 200_000, "a message of {} bytes", text.len());
}

/// Writes the program and runs it.
fn run(name: &str, text: impl AsRef<[u8]>, flags: &[&str], seconds: u64) -> Outcome {
    let directory = directory(name);
    std::fs::write(directory.join("p.c"), text).expect("the program's file");
    let args: Vec<&str> = ["run"].iter().chain(flags).chain(&["p.c"]).copied().collect();
    braid(&directory, &args, seconds)
}

#[test]
fn missing_file() {
    let outcome = braid(&directory("missing"), &["run", "no-such-file.c"], 10);
    assert_says(&outcome, &[2], &["no-such-file.c"]);
}

#[test]
fn directory_as_file() {
    let at = directory("directory");
    std::fs::create_dir_all(at.join("d.c")).expect("a directory");
    assert_says(&braid(&at, &["run", "d.c"], 10), &[2], &["d.c", "directory"]);
}

#[test]
fn unreadable_file() {
    let at = directory("unreadable");
    let file = at.join("p.c");
    std::fs::write(&file, "int main(void) { return 0; }\n").expect("the program's file");
    set_mode(&file, 0o000);
    // The superuser reads everything.
    if std::fs::read(&file).is_err() {
        assert_says(&braid(&at, &["run", "p.c"], 10), &[2], &["p.c"]);
    } else {
        assert_says(&braid(&at, &["run", "p.c"], 10), &[0], &[]);
    }
    set_mode(&file, 0o644);
}

#[cfg(unix)]
fn set_mode(file: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode))
        .expect("the file's mode can be set");
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}

#[test]
fn binary_garbage() {
    let mut state = 1u32;
    let bytes: Vec<u8> = (0..20_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    assert_says(&run("garbage", &bytes, &[], 20), &[2], &["error"]);
    std::fs::write(directory("garbage").join("g.i"), &bytes).expect("the program's file");
    assert_says(&braid(&directory("garbage"), &["run", "g.i"], 20), &[2], &["g.i:"]);
}

#[test]
fn truncated_source() {
    let text = "#include <stdio.h>\nint main(void) {\n    printf(\"%d\\n\", 1 +\n";
    assert_says(&run("truncated", text, &[], 10), &[2], &["p.c:", "error", "expected"]);
    assert_says(&run("truncated", "int main(void) { return \"abc", &[], 10), &[2], &["p.c:1:", "error"]);
    assert_says(&run("truncated", "int main(void) { /* no end", &[], 10), &[2], &["error"]);
    assert_says(&run("truncated", "struct s { int", &[], 10), &[2], &["p.c:", "error"]);
}

#[test]
fn unbalanced_braces() {
    assert_says(&run("braces", "int main(void) { if (1) { return 0; }\n", &[], 10), &[2], &["p.c:", "'}'"]);
    assert_says(&run("braces", "int main(void) { return 0; } }\n", &[], 10), &[2], &["p.c:1:", "'}'"]);
    let many = "int main(void) {".to_string() + &"{".repeat(3000);
    assert_says(&run("braces", many, &[], 20), &[2], &["error"]);
}

#[test]
fn ten_megabytes_in_one_line() {
    let mut declarations = String::from("int main(void) { return 3; } ");
    let mut index = 0;
    while declarations.len() < 10 << 20 {
        declarations.push_str(&format!("int variable_{index}; "));
        index += 1;
    }
    assert_says(&run("long-line", &declarations, &[], 100), &[3], &[]);
    let statements = format!("int main(void) {{ int x = 0; {} return x & 7; }}", "x ^= 1; ".repeat(1 << 17));
    assert_says(&run("long-line-2", statements, &[], 60), &[0], &[]);
    let broken = declarations + "int int;";
    assert_says(&run("long-line-3", broken, &[], 100), &[2], &["p.c:1:"]);
}

#[test]
fn ten_megabytes_of_one_token() {
    let name = "n".repeat(10 << 20);
    assert_says(
        &run("long-name", format!("int {name} = 4;\nint main(void) {{ return {name}; }}\n"), &[], 60),
        &[4],
        &[],
    );
    let number = "9".repeat(1 << 20);
    assert_says(
        &run("long-number", format!("int main(void) {{ return {number}; }}\n"), &[], 60),
        &[2],
        &["p.c:1:"],
    );
}

#[test]
fn header_that_includes_itself() {
    let at = directory("self-include");
    std::fs::write(at.join("h.h"), "#include \"h.h\"\n").expect("the header");
    std::fs::write(at.join("p.c"), "#include \"h.h\"\nint main(void) { return 0; }\n").expect("the program");
    assert_says(&braid(&at, &["run", "p.c"], 30), &[2], &["h.h"]);
}

#[test]
fn missing_header() {
    assert_says(
        &run("no-header", "#include \"nothing.h\"\nint main(void) { return 0; }\n", &[], 10),
        &[2],
        &["nothing.h"],
    );
}

#[test]
fn no_main() {
    assert_says(&run("no-main", "int helper(void) { return 1; }\n", &[], 10), &[2], &["main"]);
    assert_says(&run("empty", "", &[], 10), &[2], &["main"]);
    assert_says(&run("only-comment", "// nothing here", &[], 10), &[2], &["main"]);
    assert_says(&run("main-variable", "int main = 3;\n", &[], 10), &[2], &["main"]);
}

#[test]
fn nested_parentheses() {
    let nested =
        |depth| format!("int main(void) {{ return {}7{}; }}\n", "(".repeat(depth), ")".repeat(depth));
    assert_says(&run("parens", nested(1000), &[], 20), &[7], &[]);
    // Deeper than the limit, or a limit that takes it: both are fine, a crash is not.
    let deep = run("parens-deep", nested(10_000), &[], 30);
    assert_says(&deep, &[2, 7], if deep.code == 2 { &["nested too deeply"] } else { &[] });
    let huge = run("parens-huge", nested(1_000_000), &[], 60);
    assert_says(&huge, &[2, 7], if huge.code == 2 { &["nested too deeply"] } else { &[] });
}

#[test]
fn other_deep_nesting() {
    let cases = [
        ("unary", format!("int main(void) {{ return {}7; }}\n", "- ".repeat(100_000))),
        (
            "blocks",
            format!("int main(void) {{ {} return 0; {} }}\n", "{".repeat(100_000), "}".repeat(100_000)),
        ),
        ("pointers", format!("int {}p; int main(void) {{ return 0; }}\n", "*".repeat(100_000))),
        (
            "brackets",
            format!("int x; int main(void) {{ return x{}0{}; }}\n", "[".repeat(100_000), "]".repeat(100_000)),
        ),
        ("ternary", format!("int main(void) {{ return {} 0; }}\n", "1 ? 0 : ".repeat(100_000))),
        (
            "initialiser",
            format!(
                "int x = {}1{};\nint main(void) {{ return x; }}\n",
                "{".repeat(50_000),
                "}".repeat(50_000)
            ),
        ),
        (
            "calls",
            format!(
                "int f(int x) {{ return x; }}\nint main(void) {{ return {}0{}; }}\n",
                "f(".repeat(50_000),
                ")".repeat(50_000)
            ),
        ),
        (
            "structs",
            format!(
                "struct {} int x; {} y;\nint main(void) {{ return 0; }}\n",
                "{ struct ".repeat(20_000),
                "} a;".repeat(20_000)
            ),
        ),
        (
            "declarator",
            format!("int {}x{}; int main(void) {{ return 0; }}\n", "(".repeat(50_000), ")".repeat(50_000)),
        ),
        ("assignments", format!("int main(void) {{ int a; {} 0; return a; }}\n", "a = ".repeat(100_000))),
        ("casts", format!("int main(void) {{ return {}0; }}\n", "(int)".repeat(100_000))),
        ("loops", format!("int main(void) {{ {}; return 0; }}\n", "if (0) ".repeat(100_000))),
    ];
    for (name, text) in cases {
        let outcome = run(&format!("deep-{name}"), text, &[], 60);
        // Whatever is accepted gives 0, or the value in the middle.
        assert_says(&outcome, &[0, 1, 2, 7], &[]);
        assert!(outcome.code != 2 || outcome.stderr_text().contains("error"), "{name}: no message");
    }
}

#[test]
fn long_else_if_chain() {
    let chain = |count: usize| {
        let arms: String = (0..count).map(|n| format!("if (x == {n}) return {}; else ", n % 50)).collect();
        format!("int main(void) {{ int x = 77; {arms} return 60; }}\n")
    };
    assert_says(&run("else-if", chain(500), &[], 20), &[27], &[]);
    let long = run("else-if-long", chain(20_000), &[], 60);
    assert_says(&long, &[2, 27], if long.code == 2 { &["nested too deeply"] } else { &[] });
}

#[test]
fn sum_of_many_terms() {
    let sum = |terms: usize| {
        format!("int one = 1;\nint main(void) {{ return ({}0) % 101; }}\n", "one + ".repeat(terms))
    };
    assert_says(&run("sum", sum(5000), &[], 20), &[5000 % 101], &[]);
    let long = run("sum-long", sum(100_000), &[], 60);
    assert_says(&long, &[2, 100_000 % 101], if long.code == 2 { &["error"] } else { &[] });
}

#[test]
fn long_string_literal() {
    let text = format!(
        "unsigned long strlen(const char *);\nstatic const char *s = \"{}\";\nint main(void) {{ return strlen(s) == {}; }}\n",
        "abcdefgh".repeat(1 << 17),
        1 << 20
    );
    assert_says(&run("long-string", text, &[], 60), &[1], &[]);
}

#[test]
fn many_initialisers() {
    let values: String = (0..200_000).map(|n| format!("{},", n % 10)).collect();
    let text = format!(
        "static int a[] = {{ {values} }};\nint main(void) {{ return sizeof a / sizeof *a == 200000 ? a[199999] : 77; }}\n"
    );
    assert_says(&run("many-initialisers", text, &[], 60), &[9], &[]);
}

#[test]
fn recursion_without_end() {
    let text = "int f(int x) { return f(x + 1) + 1; }\nint main(void) { return f(0); }\n";
    let outcome =
        run("recursion", text, &["--property", "memory", "--memlimit", "1024", "--timeout", "60"], 120);
    assert_says(&outcome, &[5], &["UNKNOWN:", "'f'"]);
}

#[test]
fn allocation_of_gigabytes() {
    let declared =
        "void *malloc(unsigned long);\nvoid free(void *);\nvoid *memset(void *, int, unsigned long);\n";
    let untouched = format!(
        "{declared}int main(void) {{ char *p = malloc(8UL << 30); p[5UL << 30] = 7; int r = p[5UL << 30]; free(p); return r; }}\n"
    );
    let outcome = run("malloc", untouched, &["--memlimit", "512"], 30);
    // Only touched pages count, or the limit is named.
    assert_says(&outcome, &[7, 5], if outcome.code == 5 { &["UNKNOWN:", "memory"] } else { &[] });
    let touched = format!(
        "{declared}int main(void) {{ char *p = malloc(8UL << 30); memset(p, 1, 8UL << 30); return p[9]; }}\n"
    );
    let outcome = run("malloc-memset", touched, &["--memlimit", "512"], 60);
    assert_says(&outcome, &[1, 5], if outcome.code == 5 { &["UNKNOWN:", "memory"] } else { &[] });
    let written = format!(
        "{declared}int main(void) {{ char *p = malloc(8UL << 30); for (unsigned long i = 0; i < 8UL << 30; i += 512) p[i] = 1; return 0; }}\n"
    );
    let outcome = run("malloc-loop", written, &["--memlimit", "256", "--timeout", "60"], 90);
    assert_says(&outcome, &[5], &["UNKNOWN:", "memory"]);
    let many = format!(
        "{declared}int main(void) {{ for (;;) {{ char *p = malloc(1 << 16); memset(p, 1, 1 << 16); }} }}\n"
    );
    let outcome = run("malloc-many", many, &["--memlimit", "256", "--timeout", "60"], 90);
    assert_says(&outcome, &[5], &["UNKNOWN:", "memory"]);
}

#[test]
fn endless_loop() {
    let outcome = run("endless", "int main(void) { for (;;) ; }\n", &["--timeout", "1"], 20);
    assert_says(&outcome, &[5], &["UNKNOWN:", "time"]);
    let printing = "int putchar(int);\nint main(void) { for (;;) putchar('x'); }\n";
    assert_says(&run("endless-output", printing, &["--timeout", "1"], 20), &[5], &["UNKNOWN:", "time"]);
}

#[test]
fn huge_arrays() {
    let text = "int a[1 << 30][1 << 30];\nint main(void) { return 0; }\n";
    assert_says(&run("huge-array", text, &[], 20), &[0, 2, 5], &[]);
    let text = "int a[0x7fffffffffffffff];\nint main(void) { return 0; }\n";
    assert_says(&run("huge-array-2", text, &[], 20), &[2], &["p.c:1:"]);
    let text = "int a[-1];\nint main(void) { return 0; }\n";
    assert_says(&run("negative-array", text, &[], 20), &[2], &["p.c:1:"]);
    let text = "int main(void) { int a[1 << 28]; a[5] = 3; return a[5]; }\n";
    let outcome = run("huge-local", text, &["--memlimit", "512"], 60);
    assert_says(&outcome, &[3, 5], if outcome.code == 5 { &["UNKNOWN:", "memory"] } else { &[] });
    let text = "struct s { char a[1UL << 62]; char b[1UL << 62]; char c[1UL << 62]; };\nint main(void) { return sizeof(struct s) > 5; }\n";
    assert_says(&run("huge-struct", text, &[], 20), &[1, 2], &[]);
    let text = "int main(void) { unsigned long n = 1UL << 62; int a[n][n]; return sizeof a == 0; }\n";
    assert_says(&run("huge-vla", text, &[], 20), &[0, 1, 5, 10], &[]);
}

#[test]
fn types_that_contain_themselves() {
    let cases = [
        "struct s { struct s inner; };\nint main(void) { return 0; }\n",
        "typedef t t;\nint main(void) { return 0; }\n",
        "typedef __typeof__(x) x;\nint main(void) { return 0; }\n",
        "struct a { struct b { struct a x; } y; };\nint main(void) { return 0; }\n",
        "enum e { A = sizeof(enum e) };\nint main(void) { return 0; }\n",
        "int a[sizeof a];\nint main(void) { return 0; }\n",
        "union u { union u a[2]; };\nint main(void) { return 0; }\n",
    ];
    for text in cases {
        assert_says(&run("self-type", text, &[], 10), &[2], &["p.c:1:", "error"]);
    }
}

#[test]
fn odd_bytes() {
    assert_says(&run("crlf", "int main(void) {\r\n  return 4; // x\r\n}\r\n", &[], 10), &[4], &[]);
    assert_says(&run("no-newline", "int main(void) { return 5; }", &[], 10), &[5], &[]);
    assert_says(
        &run("latin-1", b"int main(void) { return sizeof \"\xe9\xff\"; } // \xe9\n", &[], 10),
        &[3],
        &[],
    );
    assert_says(&run("bom", "\u{feff}int main(void) { return 6; }\n", &[], 10), &[6, 2], &[]);
    let nul = run("nul", b"int main(void) { return \0 6; }\n", &[], 10);
    assert_says(&nul, &[6, 2], if nul.code == 2 { &["error"] } else { &[] });
    assert_says(
        &run("control", "int main(void) { return 1 \u{1} 2; }\n", &[], 10),
        &[2],
        &["p.c:1:", "error"],
    );
}

#[test]
fn cr_lf_and_comments_in_preprocessed_files() {
    let at = directory("crlf-i");
    std::fs::write(at.join("p.i"), "# 1 \"p.c\"\r\nint main(void) { /* c */\r\n return 4; // x\r\n}\r\n")
        .expect("a file");
    assert_says(&braid(&at, &["run", "p.i"], 10), &[4], &[]);
    std::fs::write(at.join("q.i"), "#include <stdio.h>\nint main(void) { return 4; }\n").expect("a file");
    assert_says(&braid(&at, &["run", "q.i"], 10), &[2], &["q.i:1:", "include"]);
}

#[test]
fn usage_errors() {
    let at = directory("usage");
    std::fs::write(at.join("p.c"), "int main(void) { return 0; }\n").expect("the program");
    for args in [
        &["run", "--no-such-flag", "p.c"][..],
        &["run", "--property", "nonsense", "p.c"],
        &["run", "--timeout", "soon", "p.c"],
        &["run", "--timeout", "-1", "p.c"],
        &["run", "--memlimit", "0", "p.c"],
        &["run"],
        &["no-such-command"],
        &[],
    ] {
        let outcome = braid(&at, args, 10);
        assert_says(&outcome, &[1], &[]);
        assert!(!outcome.stderr.is_empty(), "{args:?}: no message");
    }
    assert_says(&braid(&at, &["run", "--property", "nonsense", "p.c"], 10), &[1], &["nonsense", "data-race"]);
}

#[test]
fn many_errors_stay_few_lines() {
    let text = "int main(void) {\n".to_string() + &"undeclared_name_ = 1; foo(; \n".repeat(20_000) + "}\n";
    let outcome = run("many-errors", text, &[], 30);
    assert_says(&outcome, &[2], &["p.c:2:"]);
    assert!(outcome.stderr_text().lines().count() < 2000, "thousands of lines");
}

#[test]
fn duplicate_and_unresolved_names() {
    let at = directory("link");
    std::fs::write(at.join("a.c"), "int f(void) { return 1; }\nint main(void) { return f(); }\n")
        .expect("a file");
    std::fs::write(at.join("b.c"), "int f(void) { return 2; }\n").expect("a file");
    std::fs::write(at.join("c.c"), "extern int missing;\nint main(void) { return missing; }\n")
        .expect("a file");
    assert_says(&braid(&at, &["run", "a.c", "b.c"], 10), &[2], &["'f'", "a.c:1:", "b.c:1:"]);
    assert_says(&braid(&at, &["run", "c.c"], 10), &[5], &["missing", "c.c:"]);
}

#[test]
fn macro_bombs() {
    let mut text = String::from("#define A0 1+1+1+1+1+1+1+1\n");
    for level in 1..6 {
        let before = format!("A{}", level - 1);
        text.push_str(&format!("#define A{level} {}\n", [before.as_str(); 8].join("+")));
    }
    text.push_str("int main(void) { return (A5) & 1; }\n");
    let outcome = run("macro-bomb", text, &[], 90);
    assert_says(&outcome, &[0, 2], if outcome.code == 2 { &["error"] } else { &[] });
}
