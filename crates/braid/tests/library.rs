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

/// The verdict of `order`; the exhaustive search does not try every value of what is open.
fn by_order(name: &str, text: &str, flags: &[&str]) -> String {
    let (shown, problems) = check_with(&["--engine", "order"], name, text, flags);
    let start = shown.rfind("assumptions: ").unwrap_or_else(|| panic!("{shown}{problems}"));
    shown[start..].trim_end().trim_start_matches("assumptions: sequential consistency").to_string()
}

#[test]
fn missing_variables_are_listed_in_one_warning() {
    let text = "extern int a, b, c;\nint main(void)\n{\n    a = 1;\n    return b + c;\n}\n";
    let (_, problems) = check_with(&[], "missing.c", text, &[]);
    assert_eq!(problems.matches("warning:").count(), 1, "{problems}");
    let listed =
        "no file given defines the variables 'a', 'b', 'c': a run that reads one of them stops there";
    assert!(problems.contains(listed), "{problems}");
    let reason = "UNKNOWN: unsupported: use of 'b': no file defines the variable at a.c:5:12";
    assert_eq!(verdict("missing.c", text, &[]), format!("\n{reason}"));
    let address = "extern int a;\nint *f(void) { return &a; }\nint main(void) { return 0; }\n";
    assert_eq!(verdict("address.c", address, &[]), "\nSAFE");
}

const NUMBER: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <time.h>\nint main(void)\n{\n    SEED;\n    \
    int n = rand();\n    assert(n >= 0);\n    assert(n != 77);\n    return 0;\n}\n";

fn seeded(seed: &str) -> String {
    NUMBER.replace("SEED", seed)
}

#[test]
fn random_numbers_are_open_unless_the_seed_is_fixed() {
    let open = ", random numbers are arbitrary\nUNSAFE: assertion at a.c:9:5";
    assert_eq!(by_order("unseeded.c", &seeded(""), &[]), open);
    assert_eq!(by_order("clock.c", &seeded("srand(time(0))"), &[]), open);
    let fixed = "\nUNKNOWN: a violation depends on the value of 'rand' at a.c:7:13, and the seed is fixed; try --rand \
        glibc";
    assert_eq!(by_order("constant.c", &seeded("srand(7)"), &[]), fixed);
    assert_eq!(by_order("variable.c", &seeded("unsigned s = 7; s += 2; srand(s)"), &[]), fixed);
    let real = ", random numbers as glibc's\nSAFE";
    assert_eq!(verdict("constant.c", &seeded("srand(7)"), &["--rand", "glibc"]), real);
    assert_eq!(verdict("unseeded.c", &seeded(""), &["--rand", "glibc"]), real);
}

#[test]
fn a_violation_with_the_real_sequence_assumes_nothing() {
    // The first number of seed 42 is 71876166.
    let text = seeded("srand(42)").replace("77", "71876166");
    assert_eq!(verdict("real.c", &text, &[]), "\nUNSAFE: assertion at a.c:9:5");
    // Any seed will do where the number does not matter.
    let any = seeded("srand(42)").replace("n != 77", "n < 0");
    assert_eq!(verdict("any.c", &any, &[]), "\nUNSAFE: assertion at a.c:9:5");
}

#[test]
fn the_exhaustive_search_says_that_numbers_are_open() {
    let (shown, _) = check_with(&["--engine", "explicit"], "open.c", &seeded(""), &[]);
    let reason = "UNKNOWN: not every value was tried for the choice at a.c:7:13";
    assert_eq!(shown.lines().last(), Some(reason), "{shown}");
}

#[test]
fn random_numbers_lie_in_their_ranges() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\n    double d = drand48();\n    \
        assert(d >= 0 && d < 1);\n    assert(lrand48() >= 0);\n    assert(random() <= RAND_MAX);\n    \
        assert(mrand48() >= -2147483648);\n    return 0;\n}\n";
    assert_eq!(by_order("ranges.c", text, &[]), "\nSAFE");
    let negative = text.replace("mrand48() >= -2147483648", "mrand48() >= 0");
    assert!(by_order("negative.c", &negative, &[]).ends_with("UNSAFE: assertion at a.c:9:5"));
}

#[test]
fn rand_and_random_do_not_race() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\nstatic void *t(void *u)\n{\n    srand(1);\n    \
        random();\n    return u;\n}\nint main(void)\n{\n    pthread_t a;\n    pthread_create(&a, 0, t, 0);\n    \
        rand();\n    pthread_join(a, 0);\n    return 0;\n}\n";
    assert_eq!(by_order("lock.c", text, &[]), ", library calls succeed\nSAFE");
    let (shown, _) = check_with(&["--engine", "explicit"], "lock.c", text, &["--rand", "glibc"]);
    assert_eq!(shown.lines().last(), Some("SAFE"), "{shown}");
}

#[test]
fn a_schedule_with_random_numbers_replays() {
    let path = write("replayed.c", &seeded("srand(time(0))"));
    let schedule = path.with_extension("json");
    let braid = |arguments: &[&std::ffi::OsStr]| {
        let output = Command::new(env!("CARGO_BIN_EXE_braid")).args(arguments).output().expect("braid runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let [check, run, out, replay] =
        ["check", "run", "--schedule-out", "--schedule"].map(std::ffi::OsStr::new);
    assert_eq!(braid(&[check, path.as_ref(), out, schedule.as_ref()]).0, Some(10));
    let (code, text) = braid(&[run, path.as_ref(), replay, schedule.as_ref()]);
    assert_eq!(code, Some(10), "{text}");
}

#[test]
fn calls_may_fail_if_asked_to() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
        static void *t(void *u) { return u; }\nint main(void)\n{\n    pthread_t a;\n    sem_t s;\n    \
        CALL\n    return 0;\n}\n";
    let failing = [
        ("create.c", "assert(!pthread_create(&a, 0, t, 0));"),
        ("init.c", "pthread_mutex_t m;\n    assert(!pthread_mutex_init(&m, 0));"),
        ("sem.c", "assert(!sem_init(&s, 0, 1));"),
        ("key.c", "pthread_key_t k;\n    assert(!pthread_key_create(&k, 0));"),
    ];
    for (name, call) in failing {
        let text = text.replace("CALL", call);
        assert_eq!(verdict(name, &text, &[]), ", library calls succeed\nSAFE", "{name}");
        let found = verdict(name, &text, &["--calls-may-fail"]);
        assert!(found.starts_with("\nUNSAFE: assertion at a.c:"), "{name}: {found}");
    }
    let careful = text.replace("CALL", "if (!pthread_create(&a, 0, t, 0))\n        pthread_join(a, 0);");
    assert_eq!(verdict("careful.c", &careful, &["--calls-may-fail"]), "\nSAFE");
}

#[test]
fn arguments_are_assumed_where_they_are_looked_at() {
    let text = "#include <assert.h>\nint main(int argc, char **argv)\n{\n    BODY\n    return 0;\n}\n";
    let with = |body: &str| text.replace("BODY", body);
    assert_eq!(verdict("unused.c", &with("(void)argc;"), &[]), "\nSAFE");
    let count = with("assert(argc < 5);");
    assert_eq!(verdict("count.c", &count, &[]), ", no program arguments\nSAFE");
    assert_eq!(by_order("count.c", &count, &["--args", "any"]), "\nUNSAFE: assertion at a.c:4:5");
    assert_eq!(by_order("positive.c", &with("assert(argc > 0);"), &["--args", "any"]), "\nSAFE");
    let first = with("if (argc > 1) assert(argv[1][0] != 'x');");
    assert_eq!(verdict("first.c", &first, &[]), ", no program arguments\nSAFE");
    assert_eq!(by_order("first.c", &first, &["--args", "any"]), "\nUNSAFE: assertion at a.c:4:19");
    let end = with("assert(argv[argc] == 0);");
    let cut = "\nUNKNOWN: not every input was tried: program arguments: more than 3 or longer than 4 characters \
        (--args-count, --args-length)";
    let bounds = ["--args", "any", "--args-count", "3", "--args-length", "4"];
    assert_eq!(by_order("end.c", &end, &bounds), cut);
    let given = with("assert(argc == 1);");
    assert_eq!(
        by_order("given.c", &given, &["--", "x"]),
        ", program arguments as given\nUNSAFE: assertion at a.c:4:5"
    );
}

#[test]
fn printing_may_fail_where_its_result_is_used() {
    let text = "#include <assert.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void)\n{\n    BODY\n    return 0;\n}\n";
    let with = |body: &str| text.replace("BODY", body);
    let failing = [
        ("printf.c", "assert(printf(\"a\") >= 0);"),
        ("fprintf.c", "assert(fprintf(stderr, \"%d\", 1) == 1);"),
        ("puts.c", "assert(puts(\"a\") != EOF);"),
        ("putchar.c", "assert(putchar('a') == 'a');"),
        ("fputs.c", "assert(fputs(\"a\", stdout) != EOF);"),
        ("fflush.c", "assert(!fflush(stdout));"),
        ("flush_all.c", "assert(!fflush(NULL));"),
        ("fwrite.c", "assert(fwrite(\"abc\", 1, 3, stdout) != 2);"),
        ("write.c", "assert(write(1, \"abc\", 3) != -1);"),
        ("short.c", "assert(write(1, \"abc\", 3) != 2);"),
        ("dprintf.c", "assert(dprintf(1, \"a\") == 1);"),
    ];
    for (name, call) in failing {
        let text = with(call);
        assert_eq!(verdict(name, &text, &[]), ", library calls succeed\nSAFE", "{name}");
        assert_eq!(by_order(name, &text, &["--calls-may-fail"]), "\nUNSAFE: assertion at a.c:6:5", "{name}");
    }
    let careful = [
        ("checked.c", "if (printf(\"a\") < 0 || fflush(stdout) == EOF) return 1;"),
        ("marked.c", "if (puts(\"a\") == EOF) assert(ferror(stdout) && !ferror(stderr) && !ferror(stdin));"),
        ("part.c", "size_t n = fwrite(\"abc\", 1, 3, stdout); assert(n <= 3 && (n == 3 || ferror(stdout)));"),
        ("range.c", "ssize_t n = write(1, \"abc\", 3); assert(n == -1 || (n >= 1 && n <= 3));"),
    ];
    for (name, body) in careful {
        assert_eq!(by_order(name, &with(body), &["--calls-may-fail"]), "\nSAFE", "{name}");
    }
    // Nobody asks, so nothing is chosen, and nothing assumed.
    let unused = with("printf(\"%d\", 1); puts(\"a\"); (void)putchar('b'); fflush(stdout);");
    assert_eq!(verdict("unused.c", &unused, &[]), "\nSAFE");
    assert_eq!(verdict("unused.c", &unused, &["--calls-may-fail"]), "\nSAFE");
    // A later question learns of it, too.
    let later = with("printf(\"%d\", 1); assert(!ferror(stdout));");
    assert_eq!(verdict("later.c", &later, &[]), ", library calls succeed\nSAFE");
    assert_eq!(verdict("later.c", &later, &["--calls-may-fail"]), "\nUNSAFE: assertion at a.c:6:22");
    let pointer = with("int (*put)(int) = putchar; assert(put('a') == 'a');");
    let assumed = ", output through function pointers succeeds\nSAFE";
    assert_eq!(verdict("pointer.c", &pointer, &["--calls-may-fail"]), assumed);
}

#[test]
fn a_schedule_with_failing_calls_replays() {
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(void)\n{\n    assert(printf(\"a\") == 1);\n    return 0;\n}\n";
    let path = write("failing.c", text);
    let schedule = path.with_extension("json");
    let braid = |arguments: &[&std::ffi::OsStr]| {
        let output = Command::new(env!("CARGO_BIN_EXE_braid")).args(arguments).output().expect("braid runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let [check, run, out, replay, fail] =
        ["check", "run", "--schedule-out", "--schedule", "--calls-may-fail"].map(std::ffi::OsStr::new);
    assert_eq!(braid(&[check, path.as_ref(), fail, out, schedule.as_ref()]).0, Some(10));
    for more in [&[][..], &[fail]] {
        let arguments = [&[run, path.as_ref(), replay, schedule.as_ref()], more].concat();
        let (code, text) = braid(&arguments);
        assert_eq!(code, Some(10), "{text}");
    }
    // Without a schedule nothing fails, unless a seed decides.
    assert_eq!(braid(&[run, path.as_ref(), fail]).0, Some(0));
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"].map(std::ffi::OsStr::new);
    let codes = seeds.map(|seed| braid(&[run, path.as_ref(), fail, "--seed".as_ref(), seed]).0);
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(10)), "{codes:?}");
}

#[test]
fn that_files_can_be_opened_or_not_is_assumed_of_a_violation() {
    let text = "#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\nint main(void)\n{\n    \
        BODY\n    return 0;\n}\n";
    let with = |body: &str| text.replace("BODY", body);
    let violated = [
        ("there.c", "assert(open(\"a\", O_RDONLY) < 0);"),
        ("missing.c", "assert(fopen(\"a\", \"r\"));"),
        ("forbidden.c", "if (creat(\"a\", 0600) < 0) assert(errno == ENOENT);"),
    ];
    for (name, body) in violated {
        let found = verdict(name, &with(body), &[]);
        assert!(
            found.starts_with(", files can be opened or not\nUNSAFE: assertion at a.c:7:"),
            "{name}: {found}"
        );
    }
    // A proof covers both, and a violation before the file is opened needs no assumption about it.
    assert_eq!(verdict("either.c", &with("assert(open(\"a\", O_RDONLY) >= -1);"), &[]), "\nSAFE");
    let before = with("assert(errno); FILE *f = fopen(\"a\", \"r\"); if (f) fclose(f);");
    assert_eq!(verdict("before.c", &before, &[]), ", library calls succeed\nUNSAFE: assertion at a.c:7:5");
}
