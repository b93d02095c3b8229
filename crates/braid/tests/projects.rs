//! Programs of many files: compilation databases, and which of several `main`s is meant.

mod place;

use expect_test::{Expect, expect};
use place::Place;
use std::path::Path;

/// An entry of a database, with the command as a string.
fn entry(file: &str, flags: &str) -> String {
    format!(r#"{{"directory": ".", "file": "{file}", "command": "cc {flags} -c {file}"}}"#)
}

fn database(entries: &[String]) -> String {
    format!("[\n{}\n]\n", entries.join(",\n"))
}

const RETURNS: &str = "int main(void) { return 0; }\n";

/// The project of the guide: five files, each with its own flags.
fn guide() -> Place {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/project");
    Place::at(root.canonicalize().expect("the project"))
}

#[test]
fn five_files_with_their_own_flags() {
    let found = guide().call("check -p compile_commands.json --no-config");
    let text = found.stdout_text();
    // One of the two functions of the same name locks, the other does not.
    assert!(text.contains("in 'change' at src/deposit.c:7:5"), "{text}");
    assert!(
        text.contains("src/withdraw.c:8:5: note: thread main/2 reads 'balance', holding no lock"),
        "{text}"
    );
    assert!(text.ends_with("\nUNSAFE: data-race at src/deposit.c:7:5\n"), "{text}");
    assert_eq!((found.code, found.stderr_text().as_str()), (10, ""));
    let lost = guide().answer("check -p . --property assertion");
    assert_eq!(lost, (10, "UNSAFE: assertion at src/main.c:11:5".to_string()));
    // Paths are those that are seen from here.
    let lost = guide().below("src").answer("check -p .. --property assertion");
    assert_eq!(lost, (10, "UNSAFE: assertion at main.c:11:5".to_string()));
    assert_eq!(guide().answer("check -p fixed"), (0, "SAFE".to_string()));
}

#[test]
fn other_commands_read_databases_too() {
    assert_eq!(guide().answer("explore -p fixed/compile_commands.json"), (0, "SAFE".to_string()));
    assert_eq!(guide().answer("run -p fixed"), (0, String::new()));
    let ir = guide().call("ir -p fixed").stdout_text();
    assert!(ir.contains("fn &change.1("), "{ir}");
}

#[test]
fn a_replay_reads_the_database_again() {
    let build = database(&[entry("a.c", "-DX=1"), entry("b.c", "")]);
    let a = "#include <assert.h>\nint main(void) { assert(X == 2); return 0; }\n";
    let place = Place::new("projects-replay", &[("a.c", a), ("b.c", RETURNS), ("db.json", &build)]);
    let replay = place.replay("check -p db.json --entry a.c --64 --schedule-out s.json");
    assert_eq!(replay, "run -p db.json --entry a.c --64 --schedule s.json");
    assert_eq!(place.call(&replay).code, 10);
}

#[test]
fn several_mains() {
    let files = [
        ("a.c", "int helper(void);\nint main(void) { return helper(); }\n"),
        ("b.c", "int helper(void);\nint main(void) { return helper() + 1; }\n"),
        ("c.c", "int helper(void) { return 3; }\nint other(void) { return helper(); }\n"),
        ("d.c", "int broken(void) { return }\nint main(void) { return 0; }\n"),
    ];
    let place = Place::new("projects-mains", &files);
    let entries = files.map(|(file, _)| entry(file, ""));
    place.write("compile_commands.json", &database(&entries));
    place.expect(
        "run -p .",
        &expect![[r#"
            error: several files define 'main': a.c, b.c, d.c
            note: choose one by --entry FILE; the others are then left out
            exit 2
        "#]],
    );
    place.expect(
        "run -p . --entry ./b.c",
        &expect![[r#"
            note: left out, because they define another main: a.c, d.c
            exit 4
        "#]],
    );
    place.expect(
        "run -p . --function other",
        &expect![[r#"
            note: left out, because they define another main: a.c, b.c, d.c
            exit 0
        "#]],
    );
    // Without a database, too.
    place.expect(
        "run a.c b.c c.c --entry a.c",
        &expect![[r#"
            note: left out, because they define another main: b.c
            exit 3
        "#]],
    );
    place.expect(
        "run -p . --entry c.c",
        &expect![[r#"
            error: --entry: c.c does not define 'main'
            exit 2
        "#]],
    );
    place.expect(
        "run -p . --entry no.c",
        &expect![[r#"
            error: --entry: no.c is no file of the program
            note: 'main' is defined in a.c, b.c, d.c
            exit 2
        "#]],
    );
}

#[test]
fn what_is_no_part_of_the_program() {
    let entries = [
        entry("a.c", "-DCODE=3"),
        entry("x.cpp", ""),
        entry("a.c", "-DCODE=4"),
        entry("y.S", ""),
        entry("z.c", "-x c++"),
    ];
    let a = "int main(void) { return CODE; }\n";
    let place = Place::new("projects-others", &[("a.c", a), ("compile_commands.json", &database(&entries))]);
    place.expect(
        "run -p .",
        &expect![[r#"
            note: compile_commands.json: a.c has several entries; the first counts
            note: left out, because they are not in C: x.cpp, y.S, z.c
            exit 3
        "#]],
    );
    place.write("none.json", &database(&[entry("x.cpp", "")]));
    place.expect(
        "run -p none.json",
        &expect![[r#"
            note: left out, because they are not in C: x.cpp
            error: none.json: there is no C file in it
            exit 2
        "#]],
    );
}

#[test]
fn files_choose_among_those_of_the_database() {
    let entries = [entry("a.c", "-DCODE=3"), entry("b.c", "-DCODE=4"), entry("gone.c", "")];
    let text = "int main(void) { return CODE; }\n";
    let place = Place::new(
        "projects-chosen",
        &[("a.c", text), ("b.c", text), ("c.c", text), ("db.json", &database(&entries))],
    );
    assert_eq!(place.call("run -p db.json b.c").code, 4);
    // What the command line says comes last.
    place.expect(
        "run -p db.json b.c -D CODE=7",
        &expect![[r#"
            exit 7
        "#]],
    );
    place.expect(
        "run -p db.json c.c",
        &expect![[r#"
            error: c.c: it has no entry in db.json
            note: name files that have one, or give its flags instead of a database
            exit 2
        "#]],
    );
    place.expect(
        "run -p db.json gone.c",
        &expect![[r#"
        error: gone.c: no such file
        exit 2
    "#]],
    );
}

#[test]
fn data_models() {
    let text = "_Static_assert(sizeof(long) == WIDTH, \"\");\nint main(void) { return 0; }\n";
    let mixed = database(&[entry("a.c", "-m32 -DWIDTH=4"), entry("b.c", "-DWIDTH=8")]);
    let place = Place::new("projects-models", &[("a.c", text), ("b.c", text), ("db.json", &mixed)]);
    assert_eq!(place.call("run -p db.json a.c").code, 0);
    assert_eq!(place.call("run -p db.json b.c").code, 0);
    assert_eq!(place.call("run -p db.json b.c --32 -D WIDTH=4").code, 0);
    place.expect(
        "run -p db.json",
        &expect![[r#"
            error: a.c is compiled for 32 bits, but b.c is not
            note: choose by --32 or --64, or name the files of one program
            exit 2
        "#]],
    );
}

#[test]
fn the_sign_of_char() {
    let text = "int main(void) { char c = -1; return c < 0; }\n";
    let entries = database(&[entry("a.c", "-funsigned-char"), entry("b.c", "")]);
    let place = Place::new("projects-char", &[("a.c", text), ("b.c", text), ("db.json", &entries)]);
    assert_eq!(place.call("run -p db.json a.c").code, 0);
    assert_eq!(place.call("run -p db.json b.c").code, 1);
    assert_eq!(place.call("run -p db.json --entry b.c --unsigned-char").code, 0);
    place.expect(
        "run -p db.json --entry b.c",
        &expect![[r#"
        error: a.c is compiled with unsigned char, but b.c is not
        note: choose by --unsigned-char, or name the files of one program
        exit 2
    "#]],
    );
}

#[test]
fn bad_databases() {
    let place = Place::new("projects-bad", &[("a.c", RETURNS)]);
    let with = |text: &str, expected: &Expect| {
        place.write("db.json", text);
        place.expect("check -p db.json", expected);
    };
    with(
        "[{\"directory\": \"/\",\n \"file\": 3}]",
        &expect![[r#"
        error: db.json:2:10: invalid type: integer `3`, expected path string
        exit 2
    "#]],
    );
    with(
        "[{\"directory\": \"/\", \"file\": \"a.c\"}]",
        &expect![[r#"
            error: db.json:1:34: missing field `arguments`
            exit 2
        "#]],
    );
    with(
        "[]",
        &expect![[r#"
        error: db.json: there is no C file in it
        exit 2
    "#]],
    );
    with(
        "\u{0}",
        &expect![[r#"
        error: db.json:1:1: expected value
        exit 2
    "#]],
    );
    with(
        &database(&[entry("a.c", "-fshort-enums")]),
        &expect![[r#"
            error: db.json: a.c: '-fshort-enums' changes the program in a way that Braid does not know
            note: take it out of the entry if the program means the same without
            exit 2
        "#]],
    );
    with(
        &database(&[entry("a.c", "@flags.txt")]),
        &expect![[r#"
        error: db.json: a.c: '@flags.txt': flags.txt: No such file or directory (os error 2)
        exit 2
    "#]],
    );
    place.expect(
        "check -p nowhere",
        &expect![[r#"
        error: nowhere: No such file or directory (os error 2)
        note: let the build system write one, such as by cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
        exit 2
    "#]],
    );
    place.expect(
        "check -p .",
        &expect![[r#"
            error: compile_commands.json: No such file or directory (os error 2)
            note: let the build system write one, such as by cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
            exit 2
        "#]],
    );
    place.expect(
        "check",
        &expect![[r#"
            error: no files given; name the C files or a compilation database (-p PATH), here or in braid.toml
            exit 1
        "#]],
    );
}
