//! `braid check` as a command: what it is asked by flags, property files and names, and what it refuses.

mod checks;

use braid_testkit::process::Outcome;
use checks::{OVERFLOW, RACE, SAFE, UNSAFE, all, braid, braid_at, check, expect_all, last};
use expect_test::expect;
use std::path::Path;

/// The files in a test's directory, as an earlier run left it.
fn left_in(name: &str) -> Vec<String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    let entries = std::fs::read_dir(directory).expect("the directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_undefined_function_may_return_any_value() {
    let text = "int level(int, ...);\nvoid die(void) __attribute__((noreturn)); int __CPROVER_uninterpreted_f(int);\n#include <assert.h>\n\
                int main(void)\n{\n    int (*by_address)(int, ...) = level;\n    int once = level(1), again = by_address(2);\n\
                    if (once < again) WHEN_LESS;\n    return 0;\n}\n";
    let verdict = |action: &str| {
        let program = text.replace("WHEN_LESS", action);
        let outcome = check("undefined", &program, &["--nondet-undefined", "--schedule-out", "out.json"]);
        let text = outcome.stdout_text();
        (outcome.code, text.lines().rev().take(2).map(str::to_string).collect::<Vec<_>>())
    };
    let assumptions =
        "assumptions: sequential consistency, undefined functions return any value and change nothing"
            .to_string();
    assert_eq!(verdict("assert(again != once)"), (0, vec!["SAFE".to_string(), assumptions.clone()]));
    let found = "UNSAFE: assertion at a.c:8:19".to_string();
    assert_eq!(verdict("assert(once != 5 || again != 7)"), (10, vec![found.clone(), assumptions.clone()]));
    let again = braid_at("undefined", &["run", "a.c", "--nondet-undefined", "--schedule", "out.json"]);
    assert_eq!((again.code, again.last_line()), (10, found));
    // These are known to be functions of their arguments.
    assert_eq!(verdict("assert(__CPROVER_uninterpreted_f(1))").1[0], "UNSAFE: assertion at a.c:8:19");
    assert_eq!(verdict("assert(__CPROVER_uninterpreted_f(1) == __CPROVER_uninterpreted_f(1))").1[0], "SAFE");
    // One that does not return has no value.
    let stops = "UNKNOWN: unsupported: call of 'die': no definition and no model at a.c:8:19".to_string();
    assert_eq!(verdict("die()"), (5, vec![stops, assumptions]));
}

#[test]
fn flags_choose_properties() {
    let code = |text: &str, flags: &[&str]| check("properties", text, flags).code;
    assert_eq!([code(OVERFLOW, &[]), code(OVERFLOW, &["--overflow-check"])], [0, 10]);
    assert_eq!([code(RACE, &[]), code(RACE, &["--property", "deadlock"])], [10, 0]);
    assert_eq!(code(RACE, &["--property", "none", "--data-races-check"]), 10);
    assert_eq!(code(RACE, &["--race-on", "count"]), 10);
    let leak = "#include <stdlib.h>\nint main(void)\n{\n    malloc(3);\n    return 0;\n}\n";
    assert_eq!([code(leak, &[]), code(leak, &["--memory-leak-check"])], [0, 10]);
    let may_fail = "#include <stdlib.h>\nint main(void)\n{\n    *(char *)malloc(3) = 1;\n    return 0;\n}\n";
    assert_eq!([code(may_fail, &[]), code(may_fail, &["--malloc-may-fail"])], [0, 10]);
    // An unchecked property is still no ground for a proof.
    let divide = "int zero;\nint main(void)\n{\n    return 1 / zero;\n}\n";
    assert_eq!([code(divide, &[]), code(divide, &["--no-div-by-zero-check"])], [10, 5]);
    let outside = "int a[2], i = 2;\nint main(void)\n{\n    return a[i];\n}\n";
    assert_eq!([code(outside, &[]), code(outside, &["--no-bounds-check"])], [10, 5]);
    let null = "int *p;\nint main(void)\n{\n    return *p;\n}\n";
    assert_eq!([code(null, &[]), code(null, &["--no-pointer-check"])], [10, 5]);
}

#[test]
fn a_function_instead_of_main() {
    let text = "#include <assert.h>\nint half(_Bool odd)\n{\n    assert(!odd);\n    return 0;\n}\n";
    assert_eq!(last(&check("function", text, &["--function", "half"])), "UNSAFE: assertion at a.c:4:5");
    let missing = check("function", text, &["--function", "double"]);
    expect_all(
        &missing,
        &expect![[r#"
        error: the program has no function 'double' [no-entry]
        note: use '--function NAME' to begin in another function
        1 error
        exit 2
    "#]],
    );
}

#[test]
fn labels_and_calls_as_errors() {
    let text = "int main(int argc, char **argv)\n{\n    (void)argv;\n    if (argc == 2)\n        goto ERROR;\n\
                \x20   return 0;\nERROR:\n    return 1;\n}\n";
    let code = |flags: &[&str]| check("labels", text, flags).code;
    assert_eq!(code(&["--error-label", "ERROR"]), 0);
    assert_eq!(code(&["--error-label", "ERROR", "--", "x"]), 10);
    assert_eq!(code(&["--", "x"]), 0);
    let text = "void oops(void) {}\nint main(void)\n{\n    oops();\n    return 0;\n}\n";
    assert_eq!(last(&check("labels", text, &["--error-call", "oops"])), "UNSAFE: assertion at a.c:4:5");
    let text =
        "void oops(void) {}\nint main(void)\n{\n    void (*p)(void) = oops;\n    p();\n    return 0;\n}\n";
    assert_eq!(check("labels", text, &["--error-call", "oops"]).code, 10);
}

/// Checks a text with a property file that has these formulas.
fn with_prp(name: &str, text: &str, formulas: &[&str]) -> Outcome {
    let braid = braid(name);
    let lines: Vec<String> =
        formulas.iter().map(|f| format!("CHECK( init(main()), LTL({f}) )\n\n")).collect();
    braid.write("a.c", text).expect("a file");
    braid.write("a.prp", &lines.concat()).expect("a file");
    braid.call(&["check", "a.c", "--prop", "a.prp"]).expect("a run")
}

#[test]
fn property_files_and_result_words() {
    let reach = "G ! call(reach_error())";
    let answer = |text: &str, formulas: &[&str]| {
        let outcome = with_prp("prp", text, formulas);
        format!("{} {}", last(&outcome), outcome.code)
    };
    let failing = "#include <assert.h>\nvoid reach_error(void) { assert(0); }\nint main(int argc, char **argv)\n{\n\
                   \x20   (void)argv;\n    assert(argc == 7);\n    reach_error();\n    return 0;\n}\n";
    assert_eq!(answer(failing, &[reach]), "true 0", "a failing assert ends the program, no more");
    let calling = "void reach_error(void) {}\nint main(void)\n{\n    reach_error();\n    return 0;\n}\n";
    assert_eq!(answer(calling, &[reach]), "false(unreach-call) 10");
    assert_eq!(answer(calling, &["G ! call(__VERIFIER_error())"]), "true 0");
    assert_eq!(answer(RACE, &["G ! data-race"]), "false(no-data-race) 10");
    assert_eq!(answer(OVERFLOW, &["G ! overflow"]), "false(no-overflow) 10");
    let memory = ["G valid-free", "G valid-deref", "G valid-memtrack"];
    let null = "int *p;\nint main(void)\n{\n    return *p;\n}\n";
    assert_eq!(answer(null, &memory), "false(valid-deref) 10");
    let free = "#include <stdlib.h>\nint x;\nint main(void)\n{\n    free(&x);\n    return 0;\n}\n";
    assert_eq!(answer(free, &memory), "false(valid-free) 10");
    let leak = "#include <stdlib.h>\nint main(void)\n{\n    malloc(3);\n    return 0;\n}\n";
    assert_eq!(answer(leak, &memory), "false(valid-memtrack) 10");
    let kept = "#include <stdlib.h>\nvoid *p;\nint main(void)\n{\n    p = malloc(3);\n    return 0;\n}\n";
    assert_eq!(answer(kept, &memory), "true 0");
    assert_eq!(answer(kept, &["G valid-memcleanup"]), "false(valid-memcleanup) 10");
    assert_eq!(answer(SAFE, &["F end"]), "unknown 5");
    assert_eq!(answer(SAFE, &["F end", reach]), "unknown 5");
    assert_eq!(answer(calling, &["F end", reach]), "false(unreach-call) 10");
}

/// A subscript may leave its array for another member where a property file says what is asked.
#[test]
fn property_files_judge_whole_objects() {
    let text = "struct s { char name[4]; int count; } s;\nint main(void)\n{\n    int i = 4;\n    s.name[i] = 0;\n    return 0;\n}\n";
    assert_eq!(last(&with_prp("prp-bounds", text, &["G valid-deref"])), "true");
    assert_eq!(last(&check("prp-bounds", text, &[])), "UNSAFE: out-of-bounds at a.c:5:5");
    let unchecked = check("prp-bounds", text, &["--property", "assertion"]);
    assert_eq!(unchecked.code, 5, "{}", last(&unchecked));
}

#[test]
fn property_files_that_are_wrong() {
    let outcome = with_prp("prp-wrong", SAFE, &["G valid-free", "G ! deadlock"]);
    expect_all(
        &outcome,
        &expect![[r#"
            error: a.prp: line 3: unknown formula in 'CHECK( init(main()), LTL(G ! deadlock) )'
            exit 2
        "#]],
    );
    expect_all(
        &check("prp-missing", SAFE, &["--prop", "no.prp"]),
        &expect![[r#"
        error: no.prp: No such file or directory (os error 2)
        exit 2
    "#]],
    );
    let both = check("prp-both", SAFE, &["--prop", "no.prp", "--property", "all"]);
    assert_eq!(both.code, 1);
    assert!(both.stderr_text().contains("cannot be used with"), "{}", all(&both));
}

#[test]
fn flags_that_are_wrong() {
    let refuse = |flags: &[&str]| {
        let outcome = check("flags", SAFE, flags);
        assert_eq!((outcome.code, outcome.stdout_text().as_str()), (1, ""), "{flags:?}");
        outcome.stderr_text().lines().next().unwrap_or("").to_string() + "\n"
    };
    let answers: String = [
        &["--property", "memry"][..],
        &["--unwind", "0"],
        &["--unwind", "-1"],
        &["--unwind", "many"],
        &["--unwindset", "main"],
        &["--unwindset", "3:0"],
        &["--unwindset", "3:2"],
        &["--engine", "magic"],
        &["--encoding", "runes"],
        &["--rounds", "2"],
        &["--context-bound", "2"],
        &["--rounds", "0", "--engine", "explicit"],
        &["--rounds", "0", "--engine", "seq"],
        &["--schedule-order", "reverse"],
        &["--schedule-order", "main,worker", "--engine", "seq"],
        &["--schedule-order", "main,main", "--engine", "seq"],
        &["--dump", "a.txt"],
        &["--dump", "a.cnf", "--engine", "explicit"],
        &["--solver", "no-such-solver"],
        &["--solver", ""],
        &["--timeout", "0"],
        &["--memlimit", "0"],
        &["--race-on", "nothing"],
        &["--no-such-flag"],
    ]
    .iter()
    .map(|flags| refuse(flags))
    .collect();
    expect![[r#"
        error: invalid value 'memry' for '--property <LIST>': unknown property 'memry'; choose from assertion, data-race, deadlock, livelock, lock-misuse, thread-misuse, null-deref, out-of-bounds, use-after-free, invalid-free, memory-leak, memory-cleanup, division-by-zero, signed-overflow, shift, memory, misuse, all, none
        error: invalid value '0' for '--unwind <N>': 0 is not in 1..=4294967295
        error: invalid value '-1' for '--unwind <N>': -1 is not in 1..=4294967295
        error: invalid value 'many' for '--unwind <N>': invalid digit found in string
        error: invalid value 'main' for '--unwindset <LOOP:N>': expected LINE:N, FILE:LINE:N or FUNCTION.INDEX:N
        error: invalid value '3:0' for '--unwindset <LOOP:N>': '0' is no bound: expected a number of at least 1
        error: --unwindset: the program has no loop '3'
        error: invalid value 'magic' for '--engine <E>'
        error: invalid value 'runes' for '--order-encoding <ENCODING>'
        error: --rounds bounds the engines explicit, seq only; add --engine explicit or seq
        error: --context-bound bounds the explicit engine only; add --engine explicit
        error: invalid value '0' for '--rounds <K>': 0 is not in 1..=4294967295
        error: invalid value '0' for '--rounds <K>': 0 is not in 1..=4294967295
        error: --schedule-order bounds the engines explicit, seq only; add --engine explicit or seq
        error: invalid value 'main,worker' for '--schedule-order <LIST>': 'worker': a thread is written 'main', 'main/1', 'main/1/2' and so on; or write 'created' or 'reverse' instead of a list
        error: invalid value 'main,main' for '--schedule-order <LIST>': 'main' is listed twice
        error: invalid value 'a.txt' for '--dump <FILE>': expected a name that ends in .smt2 or .cnf
        error: --dump: the explicit engine has no formula
        error: --solver: cannot start the solver 'no-such-solver': No such file or directory (os error 2); is it installed?
        error: --solver: cannot start the solver '': the command is empty; is it installed?
        error: invalid value '0' for '--timeout <SECONDS>': expected a positive number of seconds
        error: invalid value '0' for '--memlimit <MB>': 0 is not in 1..=1048576
        error: --race-on: the program has no variable 'nothing'
        error: unexpected argument '--no-such-flag' found
    "#]].assert_eq(&answers);
}

#[test]
fn input_that_is_wrong_leaves_nothing_behind() {
    let braid = braid("input");
    let outcome = braid.call(&["check", "nowhere.c", "--schedule-out", "s.json"]).expect("a run");
    assert_eq!(outcome.code, 2, "{}", all(&outcome));
    let outcome = check("input", "int main(void) { return }\n", &["--schedule-out", "s.json", "--json"]);
    assert_eq!((outcome.code, outcome.stdout_text().as_str()), (2, ""), "{}", all(&outcome));
    let outcome = check("input", UNSAFE, &["--schedule-out", "no/such/dir.json"]);
    assert_eq!((outcome.code, outcome.stdout_text().as_str()), (2, ""), "{}", all(&outcome));
}

#[test]
fn files_are_whole_and_alone() {
    check("whole", UNSAFE, &["--schedule-out", "s.json"]);
    assert_eq!(left_in("whole"), ["a.c", "s.json"]);
    check("none", SAFE, &["--schedule-out", "s.json"]);
    assert_eq!(left_in("none"), ["a.c"]);
}

/// Reading a large program does not outlast the limits either.
#[test]
fn limits_hold_while_the_program_is_read() {
    let function = |i: u32| {
        format!("int f{i}(int a) {{ for (int k = 0; k < 4; k++) a ^= k << {}; return a; }}\n", i % 9)
    };
    let text = (0..20_000).map(function).collect::<String>() + "int main(void) { return f1(2) & 0; }\n";
    let late = check("late", &text, &["--timeout", "0.05"]);
    assert_eq!(late.stdout_text(), "UNKNOWN: time limit reached (reading the program)\n");
    let large = check("large", &text, &["--memlimit", "30", "--json"]);
    let said = large.stdout_text();
    assert!(said.starts_with("{\n  \"verdict\": \"UNKNOWN\",\n"), "{said}");
    assert!(said.contains("\"text\": \"memory limit of 30 MiB reached (reading the program)\""), "{said}");
    assert_eq!((late.code, large.code), (5, 5));
}

#[test]
fn errors_that_do_not_occur_are_refused() {
    let text = "void reach_error(void);\nint main(void)\n{\n    goto OUT;\n    reach_error();\nOUT:\n    return 0;\n}\n";
    for command in ["check", "explore", "run"] {
        for (flag, name, problem) in [
            ("--error-label", "ERROR", "the program has no label 'ERROR'"),
            ("--error-call", "reach_eror", "the program has no function 'reach_eror'"),
            ("--error-call", "OUT", "the program has no function 'OUT'"),
        ] {
            check("missing", text, &[]);
            let outcome = braid_at("missing", &[command, "a.c", flag, name]);
            assert_eq!(
                all(&outcome),
                format!("error: {flag}: {problem}\nexit 1\n"),
                "{command} {flag} {name}"
            );
        }
    }
    let both =
        check("missing", text, &["--error-label", "E", "--error-call", "f", "--error-call", "reach_error"]);
    expect_all(
        &both,
        &expect![[r#"
            error: --error-label: the program has no label 'E'
            error: --error-call: the program has no function 'f'
            exit 1
        "#]],
    );
    assert_eq!(last(&check("occurs", text, &["--error-call", "reach_error"])), "SAFE");
    assert!(last(&check("occurs", text, &["--error-label", "OUT"])).starts_with("UNSAFE: assertion"));
    // A property file is written for many programs.
    let braid = braid("property");
    braid.write("a.c", "int main(void) { return 0; }\n").expect("a file");
    braid.write("a.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("a file");
    let outcome = braid.call(&["check", "a.c", "--prop", "a.prp"]).expect("a run");
    assert_eq!((outcome.code, last(&outcome)), (0, "true".to_string()));
}

#[test]
fn openmp_is_not_decided() {
    let text = "int main(void)\n{\n    int sum = 0;\n#pragma omp parallel for\n    for (int i = 0; i < 4; i++) sum += i;\n    return 0;\n}\n";
    let ignored = check("openmp", text, &[]);
    assert_eq!((ignored.code, last(&ignored)), (0, "SAFE".to_string()));
    let warning = "a.c:4:1: warning: OpenMP pragmas are ignored: the program is read as one without threads of OpenMP [openmp]\n";
    assert!(ignored.stderr_text().starts_with(warning), "{}", ignored.stderr_text());
    let unknown = "UNKNOWN: unsupported: OpenMP at a.c:4:1";
    for flag in ["-fopenmp", "--openmp"] {
        let outcome = check("openmp", text, &[flag]);
        assert_eq!((outcome.code, last(&outcome)), (5, unknown.to_string()));
        let explored = braid_at("openmp", &["explore", "a.c", flag]);
        assert_eq!((explored.code, last(&explored)), (5, unknown.to_string()));
        let run = braid_at("openmp", &["run", "a.c", flag]);
        assert_eq!((run.code, run.last_line()), (5, unknown.to_string()));
    }
    // Without a pragma the flag changes nothing but a macro.
    let plain = check(
        "openmp-plain",
        "#ifndef _OPENMP\n#error\n#endif\nint main(void) { return 0; }\n",
        &["-fopenmp"],
    );
    assert_eq!((plain.code, last(&plain)), (0, "SAFE".to_string()));
}
