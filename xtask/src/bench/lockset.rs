//! The engine `lockset`: 64 and 1,000 threads that count under one mutex, against `cc -E` on the same program; and programs of up to
//! 50,000 lines in files of 200 functions each, with 50 threads.

use super::measure::{largest, median, print_row, write};
use braid_testkit::native;
use braid_testkit::process::{self, Limits};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const COUNTER_LIMIT: f64 = 10.0;
const COUNTERS: [u32; 2] = [64, 1000];
/// Files of the large programs; each has about 2,400 lines.
const FILES: [usize; 4] = [1, 2, 8, 21];
const FUNCTIONS: usize = 200;
const THREADS: usize = 50;

pub fn run(braid: &Path, scratch: &Path) -> Result<bool, String> {
    println!("{:<28} {:>12} {:>12} {:>8} {:>8}", "", "braid", "other", "ratio", "limit");
    let mut all_pass = true;
    for threads in COUNTERS {
        let file = write(scratch, "counter.c", &counter(threads))?;
        for property in ["data-race", "deadlock"] {
            all_pass &= against_preprocessor(braid, scratch, &file, (threads, property))?;
        }
    }
    println!("\n{:>8} {:>8} {:>12} {:>12}", "files", "lines", "seconds", "MiB");
    for files in FILES {
        large(braid, scratch, files)?;
    }
    Ok(all_pass)
}

fn against_preprocessor(
    braid: &Path,
    scratch: &Path,
    file: &Path,
    (threads, property): (u32, &str),
) -> Result<bool, String> {
    let ours = median(|| {
        let mut command = Command::new(braid);
        command.args(["check", "--engine", "lockset", "--property", property]).arg(file);
        command
    })?;
    let theirs = median(|| {
        let mut command = native::compiler_command(scratch);
        command.arg("-E").arg(file);
        command
    })?;
    let row = (format!("{:.1} ms", ours * 1e3), format!("{:.1} ms", theirs * 1e3));
    Ok(print_row(&format!("{threads} threads, {property}"), row, ours / theirs, COUNTER_LIMIT))
}

fn counter(threads: u32) -> String {
    format!(
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int counter;\n\
         static void *worker(void *unused)\n{{\n    pthread_mutex_lock(&m);\n    counter++;\n    pthread_mutex_unlock(&m);\n    return unused;\n}}\n\
         int main(void)\n{{\n    pthread_t t[{threads}];\n    for (int i = 0; i < {threads}; i++)\n        pthread_create(&t[i], 0, worker, 0);\n\
         \x20   for (int i = 0; i < {threads}; i++)\n        pthread_join(t[i], 0);\n    return counter;\n}}\n"
    )
}

/// One row: what a program of so many files takes.
fn large(braid: &Path, scratch: &Path, files: usize) -> Result<(), String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut lines = 0;
    for number in 0..files {
        let text = module(number);
        lines += text.lines().count();
        paths.push(write(scratch, &format!("module{number}.c"), &text)?);
    }
    let text = start(files);
    lines += text.lines().count();
    paths.push(write(scratch, "start.c", &text)?);
    let mut command = Command::new(braid);
    command
        .args(["check", "--engine", "lockset", "--property", "data-race,deadlock", "--stats"])
        .args(&paths);
    let begin = Instant::now();
    let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
    let outcome = process::run(&mut command, b"", &limits)?;
    let seconds = begin.elapsed().as_secs_f64();
    let memory = outcome
        .stdout_text()
        .lines()
        .find_map(|line| line.strip_prefix("peak memory: ")?.split(' ').next()?.parse::<u64>().ok());
    let memory = memory.or_else(|| largest(&outcome.stdout_text(), "MiB")).unwrap_or(0);
    println!("{files:>8} {lines:>8} {seconds:>12.2} {memory:>12}");
    Ok(())
}

/// A file with a list under a lock, a pool of nodes that have locks of their own, and functions that work on them.
fn module(m: usize) -> String {
    let mut out = format!(
        "#include <pthread.h>\n#include <stdlib.h>\nstruct node{m} {{\n    struct node{m} *next;\n    int key, value;\n    pthread_mutex_t lock;\n}};\n\
         static struct {{\n    pthread_mutex_t lock;\n    struct node{m} *head;\n    int count;\n    int table[64];\n}} s{m} = {{ PTHREAD_MUTEX_INITIALIZER }};\n\
         struct node{m} pool{m}[32];\n"
    );
    let mut worker = format!("void *worker{m}(void *arg)\n{{\n    int k = (int)(long)arg;\n");
    for f in 0..FUNCTIONS {
        let name = format!("f{m}_{f}");
        let last = |kind: usize| format!("f{m}_{}", f - (f % 8 + 8 - kind) % 8);
        let (text, call) = match f % 8 {
            0 => (
                format!(
                    "static int {name}(struct node{m} *p, int k)\n{{\n    int r = 0;\n    while (p) {{\n        if (p->key == k) {{\n            r = p->value;\n            break;\n        }}\n        p = p->next;\n    }}\n    return r;\n}}\n"
                ),
                None,
            ),
            1 => (
                format!(
                    "static void {name}(struct node{m} *p, int v)\n{{\n    pthread_mutex_lock(&p->lock);\n    p->value = v;\n    p->key ^= v;\n    pthread_mutex_unlock(&p->lock);\n}}\n"
                ),
                Some(format!("{name}(&pool{m}[k & 31], k & 7);")),
            ),
            2 => (
                format!(
                    "static int {name}(int k)\n{{\n    int r;\n    pthread_mutex_lock(&s{m}.lock);\n    r = {}(s{m}.head, k) + s{m}.table[k & 63];\n    s{m}.count++;\n    pthread_mutex_unlock(&s{m}.lock);\n    return r;\n}}\n",
                    last(0)
                ),
                Some(format!("k += {name}(k & 1023) & 15;")),
            ),
            3 => (
                format!(
                    "static void {name}(int k, int v)\n{{\n    struct node{m} *p = &pool{m}[k & 31];\n    pthread_mutex_lock(&s{m}.lock);\n    p->key = k;\n    p->value = v;\n    p->next = s{m}.head;\n    s{m}.head = p;\n    s{m}.table[v & 63] = k;\n    pthread_mutex_unlock(&s{m}.lock);\n}}\n"
                ),
                Some(format!("{name}(k & 255, 1);")),
            ),
            4 => (
                format!(
                    "static int {name}(int *a, int len)\n{{\n    int i, sum = 0;\n    for (i = 0; i < len; i++) {{\n        if (a[i] > 3)\n            sum += a[i] & 255;\n        else\n            a[i] = i;\n    }}\n    return sum;\n}}\n"
                ),
                None,
            ),
            5 => (
                format!(
                    "static int {name}(int k)\n{{\n    int local[16], i;\n    for (i = 0; i < 16; i++)\n        local[i] = k + i;\n    return {}(local, 16) & 1023;\n}}\n",
                    last(4)
                ),
                Some(format!("k += {name}(k & 1023) & 15;")),
            ),
            6 => (
                format!(
                    "static int {name}(int k)\n{{\n    int r = 0;\n    switch (k & 3) {{\n    case 0:\n        r = {}(k);\n        break;\n    case 1:\n        r = {}(k >> 1) & 255;\n        break;\n    default:\n        r = k & 7;\n    }}\n    return r & 65535;\n}}\n",
                    last(2),
                    last(5)
                ),
                Some(format!("k += {name}(k & 1023) & 15;")),
            ),
            _ => (
                format!(
                    "static void {name}(struct node{m} *p)\n{{\n    struct node{m} *q = malloc(sizeof *q);\n    q->key = 1;\n    q->value = 2;\n    q->next = 0;\n    if (p != q)\n        q->value = 3;\n    free(q);\n}}\n"
                ),
                Some(format!("{name}(0);")),
            ),
        };
        out += &text;
        if let Some(call) = call {
            let _ = write!(worker, "    {call}\n    k &= 4095;\n");
        }
    }
    out + &worker + "    return 0;\n}\n"
}

fn start(files: usize) -> String {
    let mut out = "#include <pthread.h>\n".to_string();
    for m in 0..files {
        let _ = writeln!(out, "void *worker{m}(void *);");
    }
    let _ = write!(out, "int main(void)\n{{\n    pthread_t t[{THREADS}];\n    int i;\n");
    for thread in 0..THREADS {
        let _ = writeln!(
            out,
            "    pthread_create(&t[{thread}], 0, worker{}, (void *){thread}L);",
            thread % files
        );
    }
    let _ = write!(
        out,
        "    for (i = 0; i < {THREADS}; i++)\n        pthread_join(t[i], 0);\n    return 0;\n}}\n"
    );
    out
}
