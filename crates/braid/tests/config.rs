//! `braid.toml`: which file counts, what wins, and what is wrong with one.

mod place;

use expect_test::{Expect, expect};
use place::Place;

/// Returns `CODE`, or `OTHER` if that is defined.
const PROGRAM: &str = "#ifdef OTHER\n#undef CODE\n#define CODE OTHER\n#endif\nint main(void) { return CODE; }\n\
    int first(void) { return 0; }\nint overflows(int x) { return x + 1; }\n";

fn directory(name: &str, config: &str) -> Place {
    Place::new(&format!("config-{name}"), &[("a.c", PROGRAM), ("braid.toml", config)])
}

#[test]
fn the_nearest_file_counts() {
    let top = directory("nearest", "files = [\"a.c\"]\ndefine = [\"CODE=3\"]\n");
    assert_eq!(top.call("run").code, 3);
    let middle = top.below("middle");
    assert_eq!(middle.call("run").code, 3);
    middle.write("braid.toml", "files = [\"../a.c\"]\ndefine = [\"CODE=4\"]\n");
    let bottom = middle.below("bottom");
    assert_eq!(bottom.call("run").code, 4);
    assert_eq!(bottom.call("run --config ../../braid.toml").code, 3);
    assert_eq!(bottom.call("run --no-config ../../a.c -D CODE=5").code, 5);
    bottom.expect(
        "run --no-config",
        &expect![[r#"
        error: no files given; name the C files or a compilation database (-p PATH), here or in braid.toml
        exit 1
    "#]],
    );
    bottom.expect(
        "run --config no.toml",
        &expect![[r#"
        error: no.toml: No such file or directory (os error 2)
        exit 2
    "#]],
    );
}

#[test]
fn the_command_line_wins() {
    let config = "files = [\"a.c\"]\ndefine = [\"CODE=3\", \"OTHER=9\"]\nfunction = \"first\"\n\
        property = [\"signed-overflow\"]\ndata-model = \"ILP32\"\n";
    let place = directory("wins", config);
    assert_eq!(place.call("run --function main").code, 9);
    assert_eq!(place.call("run --function main -U OTHER").code, 3);
    place.expect(
        "run --function main -D OTHER=8",
        &expect![[r#"
            exit 8
        "#]],
    );
    // Another program starts where it starts.
    assert_eq!(place.call("run a.c").code, 9);
    assert_eq!(place.answer("check --function overflows").1, "UNSAFE: signed-overflow at a.c:7:31");
    assert_eq!(place.answer("check --function overflows --property assertion").1, "SAFE");
    place.write("b.c", "_Static_assert(sizeof(long) == 4, \"\");\nint main(void) { return 0; }\n");
    assert_eq!(place.call("run b.c").code, 0);
    assert_eq!(place.call("run b.c --64").code, 2);
}

#[test]
fn bounds_limits_and_assumptions() {
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int n = __VERIFIER_nondet_int();\n\
        \x20   for (int i = 0; i < n; i++)\n        ;\n    free(malloc(1));\n    return 0;\n}\n";
    let place =
        directory("bounds", "unwind = 2\nbounded-ok = true\nmalloc-may-fail = true\nmemlimit = 1000\n");
    place.write("b.c", text);
    let found = place.call("check b.c --engine order");
    let text = found.stdout_text();
    assert!(text.ends_with("goes on after 2 iterations; try --unwind 4\n"), "{text}");
    assert!(!text.contains("malloc succeeds"), "{text}");
    assert_eq!(found.code, 0);
    let found = place.call("check b.c --engine order --unwind 3 --no-config");
    let text = found.stdout_text();
    assert!(text.ends_with("goes on after 3 iterations; try --unwind 6\n"), "{text}");
    assert!(text.contains("malloc succeeds"), "{text}");
    assert_eq!(found.code, 5);
}

#[test]
fn options_of_engines() {
    let place = directory("engines", "unwind = 2\nencoding = \"clocks\"\n");
    place.write("b.c", "int main(void) { return 0; }\n");
    let stats = |flags: &str| place.call(&format!("check b.c --stats {flags}"));
    assert_eq!(stats("--engine order").code, 0);
    // Defaults for another engine do not matter.
    assert_eq!(stats("--engine explicit").code, 0);
    assert_eq!(stats("--engine explicit --unwind 3").code, 1);
    let whole = directory("engines-whole", "order-encoding = \"theory\"\n");
    whole.write("b.c", "int main(void) { return 0; }\n");
    assert_eq!(whole.call("check b.c --solver z3").code, 1);
    directory("engines-wrong", "unwind = 2\nencoding = \"runes\"\n").expect(
        "check a.c",
        &expect![[r#"
            braid.toml:2:12: error: expected one of theory, pairs, clocks [config]
             2 | encoding = "runes"
               |            ^~~~~~~
            exit 2
        "#]],
    );
}

#[test]
fn a_replay_needs_no_file() {
    let place = directory("replay", "files = [\"a.c\"]\ndefine = [\"CODE=1 / 0\"]\n");
    let replay = place.replay("check --schedule-out s.json");
    assert_eq!(replay, "run a.c -D 'CODE=1 / 0' --no-config --schedule s.json");
}

#[test]
fn a_database_by_configuration() {
    let config = "compile-commands = \"build\"\nentry = \"a.c\"\ninclude-dir = [\"include\"]\ninclude = [\"pre.h\"]\nstd = \"gnu11\"\n";
    let place = directory("database", config);
    let build = place.below("build");
    let entries = r#"[{"directory": "..", "file": "a.c", "command": "cc a.c"},
        {"directory": "..", "file": "b.c", "command": "cc -DX=6 b.c"}]"#;
    build.write("compile_commands.json", entries);
    place.below("include").write("x.h", "#define Y X\n");
    place.write("pre.h", "#define CODE 2\n");
    place.write("b.c", "#include <x.h>\nint main(void) { return Y; }\n");
    assert_eq!(place.call("run").code, 2);
    assert_eq!(build.call("run").code, 2);
    assert_eq!(place.call("run b.c").code, 6);
    assert_eq!(place.call("run --entry b.c").code, 6);
}

#[test]
fn mistakes_have_a_place() {
    let with = |config: &str, expected: &Expect| directory("mistakes", config).expect("check a.c", expected);
    with(
        "unwind = 3\nunwnd = 4\n",
        &expect![[r#"
        braid.toml:2:1: error: unknown field `unwnd`, expected one of `files`, `compile-commands`, `entry`, `function`, `include-dir`, `define`, `include`, `std`, `data-model`, `property`, `unwind`, `unwindset`, `timeout`, `memlimit`, `solver`, `malloc-may-fail`, `spurious-wakeups`, `calls-may-fail`, `bounded-ok`, `stop-at-first` [config]
         2 | unwnd = 4
           | ^~~~~
        exit 2
    "#]],
    );
    with(
        "unwind = \"3\"\n",
        &expect![[r#"
        braid.toml:1:10: error: invalid type: string "3", expected a nonzero u32 [config]
         1 | unwind = "3"
           |          ^~~
        exit 2
    "#]],
    );
    with(
        "unwind = 0\n",
        &expect![[r#"
        braid.toml:1:10: error: invalid value: integer `0`, expected a nonzero u32 [config]
         1 | unwind = 0
           |          ^
        exit 2
    "#]],
    );
    with(
        "timeout = -1\n",
        &expect![[r#"
        braid.toml:1:11: error: expected a positive number of seconds [config]
         1 | timeout = -1
           |           ^~
        exit 2
    "#]],
    );
    with(
        "memlimit = 0\n",
        &expect![[r#"
        braid.toml:1:12: error: expected a number from 1 to 1048576 [config]
         1 | memlimit = 0
           |            ^
        exit 2
    "#]],
    );
    with(
        "property = [\"races\"]\n",
        &expect![[r#"
            braid.toml:1:12: error: unknown property 'races'; choose from assertion, data-race, deadlock, livelock, lock-misuse, thread-misuse, null-deref, out-of-bounds, use-after-free, invalid-free, memory-leak, memory-cleanup, division-by-zero, signed-overflow, shift, memory, misuse, all, none [config]
             1 | property = ["races"]
               |            ^~~~~~~~~
            exit 2
        "#]],
    );
    with(
        "unwindset = [\"f:x\"]\n",
        &expect![[r#"
        braid.toml:1:13: error: 'x' is no bound: expected a number of at least 1 [config]
         1 | unwindset = ["f:x"]
           |             ^~~~~~~
        exit 2
    "#]],
    );
    with(
        "data-model = \"LP32\"\n",
        &expect![[r#"
        braid.toml:1:14: error: unknown variant `LP32`, expected `ILP32` or `LP64` [config]
         1 | data-model = "LP32"
           |              ^~~~~~
        exit 2
    "#]],
    );
    with(
        "define = [\n",
        &expect![[r#"
        braid.toml:1:11: error: unclosed array, expected `]` [config]
         1 | define = [
           |           ^
        exit 2
    "#]],
    );
    with(
        "\n[check]\nunwind = 1\n",
        &expect![[r#"
        braid.toml:2:2: error: unknown field `check`, expected one of `files`, `compile-commands`, `entry`, `function`, `include-dir`, `define`, `include`, `std`, `data-model`, `property`, `unwind`, `unwindset`, `timeout`, `memlimit`, `solver`, `malloc-may-fail`, `spurious-wakeups`, `calls-may-fail`, `bounded-ok`, `stop-at-first` [config]
         2 | [check]
           |  ^~~~~
        exit 2
    "#]],
    );
    with(
        "unwind = 1\nunwind = 2\n",
        &expect![[r#"
        braid.toml:2:1: error: duplicate key [config]
         2 | unwind = 2
           | ^~~~~~
        exit 2
    "#]],
    );
}
