//! Ratios of Braid's times to gcc's, measured in one run on one machine.
//!
//! * Interpreter: time per iteration of tight integer loops, `braid run` against the binary of
//!   `gcc -O0`. Start-up is measured with the loop cut to one iteration and subtracted.
//! * Front end: `braid ir` on a preprocessed file that includes the headers people use, against
//!   `gcc -fsyntax-only` on the same file; whole processes both.

use super::measure::{median, must_succeed, print_row, write};
use braid_testkit::native;
use std::path::Path;
use std::process::Command;

const LOOP_LIMIT: f64 = 80.0;
const FRONT_END_LIMIT: f64 = 2.0;
const NATIVE_ITERATIONS: u64 = 60_000_000;
const BRAID_ITERATIONS: u64 = 2_000_000;

/// Loops of `N` iterations; each returns a value that depends on all of them.
const LOOPS: &[(&str, &str)] = &[
    (
        "signed arithmetic",
        "int main(void) { int s = 0; for (int i = 0; i < N; i++) s = (s & 0xffff) * 31 + (i ^ s); return s & 1; }",
    ),
    (
        "unsigned mix",
        "int main(void) { unsigned long s = 1; for (unsigned long i = 0; i < N; i++) { s ^= s << 13; s ^= s >> 7; s += i; } return s & 1; }",
    ),
    (
        "array",
        "static int a[256]; int main(void) { for (int i = 0; i < N; i++) a[i & 255] += i & 7; return a[3] & 1; }",
    ),
    (
        "branches",
        "int main(void) { unsigned n = 27, c = 0; for (unsigned i = 0; i < N; i++) { if (n == 1) n = i | 1; if (n & 1) n = n * 3 + 1; else n >>= 1; c += n & 1; } return c & 1; }",
    ),
    (
        "calls",
        "static int f(int a, int b) { return a ^ (b & 63); } int main(void) { int s = 0; for (int i = 0; i < N; i++) s = f(s, i); return s & 1; }",
    ),
    (
        "pointer walk",
        "static short a[1024]; int main(void) { long s = 0; short *p = a; for (int i = 0; i < N; i++) { s += *p++; if (p == a + 1024) p = a; } return s & 1; }",
    ),
];

/// What a file that "includes everything" includes.
const HEADERS: &[&str] = &[
    "pthread",
    "stdio",
    "stdlib",
    "string",
    "assert",
    "stdatomic",
    "threads",
    "semaphore",
    "stdint",
    "inttypes",
    "stdbool",
    "errno",
    "unistd",
    "limits",
    "math",
    "signal",
    "time",
    "sys/time",
    "sys/types",
    "ctype",
    "stdarg",
    "sched",
];

pub fn run(braid: &Path, scratch: &Path) -> Result<bool, String> {
    println!("{:<28} {:>12} {:>12} {:>8} {:>8}", "", "braid", "gcc", "ratio", "limit");
    let mut all_pass = true;
    for (name, text) in LOOPS {
        let (ours, theirs) = time_loop(braid, scratch, text)?;
        let row = (format!("{:.2} ns", ours * 1e9), format!("{:.2} ns", theirs * 1e9));
        all_pass &= print_row(&format!("loop: {name}"), row, ours / theirs, LOOP_LIMIT);
    }
    let (ours, theirs) = time_front_end(braid, scratch)?;
    let row = (format!("{:.1} ms", ours * 1e3), format!("{:.1} ms", theirs * 1e3));
    all_pass &= print_row("front end: all headers", row, ours / theirs, FRONT_END_LIMIT);
    Ok(all_pass)
}

/// Seconds per iteration: ours and the native binary's.
fn time_loop(braid: &Path, scratch: &Path, text: &str) -> Result<(f64, f64), String> {
    let file = write(scratch, "loop.c", text)?;
    let native = |iterations: u64| -> Result<f64, String> {
        let binary = scratch.join("loop");
        let mut compile = native::compiler_command(scratch);
        compile.args(["-O0", "-w", &format!("-DN={iterations}")]).arg(&file).arg("-o").arg(&binary);
        must_succeed(&mut compile)?;
        median(|| Command::new(&binary))
    };
    let ours = |iterations: u64| {
        median(|| {
            let mut command = Command::new(braid);
            command.args(["run", "--property", "none", &format!("-DN={iterations}")]).arg(&file);
            command
        })
    };
    let per_iteration = |long: f64, short: f64, count: u64| (long - short).max(1e-9) / count as f64;
    Ok((
        per_iteration(ours(BRAID_ITERATIONS)?, ours(1)?, BRAID_ITERATIONS),
        per_iteration(native(NATIVE_ITERATIONS)?, native(1)?, NATIVE_ITERATIONS),
    ))
}

fn time_front_end(braid: &Path, scratch: &Path) -> Result<(f64, f64), String> {
    let includes: String = HEADERS.iter().map(|h| format!("#include <{h}.h>\n")).collect();
    let source = write(scratch, "headers.c", &(includes + "int main(void) { return 0; }\n"))?;
    let text = scratch.join("headers.i");
    let mut preprocess = native::compiler_command(scratch);
    must_succeed(preprocess.arg("-E").arg(&source).arg("-o").arg(&text))?;
    let ours = median(|| {
        let mut command = Command::new(braid);
        command.arg("ir").arg(&text);
        command
    })?;
    let theirs = median(|| {
        let mut command = native::compiler_command(scratch);
        command.args(["-fsyntax-only", "-w"]).arg(&text);
        command
    })?;
    Ok((ours, theirs))
}
