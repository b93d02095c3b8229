//! A test runner for cases found at run time, with the manners of Rust's own: names, a filter, `--list`,
//! all cores, a summary.
//!
//! Writes to what it is given; the test that uses it gives standard output.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// Passed, with parts that could not be checked here.
    PassedBut(String),
    Failed(String),
}

/// What the command line asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// A case runs if its name contains one of these, or if there are none.
    pub filters: Vec<String>,
    pub skip: Vec<String>,
    pub exact: bool,
    pub list: bool,
    pub quiet: bool,
    pub threads: Option<usize>,
}

impl Options {
    /// Reads the arguments that Rust's test runner takes; those without meaning here are ignored.
    pub fn parse(args: impl Iterator<Item = String>) -> Options {
        let mut options = Options::default();
        let mut args = args;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--exact" => options.exact = true,
                "--list" => options.list = true,
                "--quiet" | "-q" => options.quiet = true,
                "--skip" => options.skip.extend(args.next()),
                "--test-threads" => options.threads = args.next().and_then(|n| n.parse().ok()),
                "--format" | "--color" | "--logfile" | "-Z" => drop(args.next()),
                other => match other.strip_prefix("--test-threads=") {
                    Some(count) => options.threads = count.parse().ok(),
                    None if other.starts_with('-') => {}
                    None => options.filters.push(arg),
                },
            }
        }
        options
    }

    fn selects(&self, name: &str) -> bool {
        let fits =
            |pattern: &String| if self.exact { name == pattern } else { name.contains(pattern.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(fits)) && !self.skip.iter().any(fits)
    }
}

/// Runs the cases chosen by the options; true if all passed.
pub fn run(
    names: &[String],
    options: &Options,
    out: &mut dyn Write,
    case: impl Fn(usize) -> Verdict + Sync,
) -> std::io::Result<bool> {
    let chosen: Vec<usize> = (0..names.len()).filter(|i| options.selects(&names[*i])).collect();
    if options.list {
        for index in &chosen {
            writeln!(out, "{}: test", names[*index])?;
        }
        writeln!(out, "\n{} tests, 0 benchmarks", chosen.len())?;
        return Ok(true);
    }
    writeln!(out, "\nrunning {} tests", chosen.len())?;
    let mut verdicts: Vec<Option<Verdict>> = vec![None; chosen.len()];
    in_parallel(
        chosen.len(),
        options.threads,
        |position| case(chosen[position]),
        |position, verdict| {
            let word = match &verdict {
                Verdict::Passed => "ok".to_string(),
                Verdict::PassedBut(note) => format!("ok (skipped {note})"),
                Verdict::Failed(_) => "FAILED".to_string(),
            };
            let quiet = options.quiet && verdict == Verdict::Passed;
            verdicts[position] = Some(verdict);
            if quiet { Ok(()) } else { writeln!(out, "test {} ... {word}", names[chosen[position]]) }
        },
    )?;
    summary(names, &chosen, &verdicts, names.len() - chosen.len(), out)
}

fn summary(
    names: &[String],
    chosen: &[usize],
    verdicts: &[Option<Verdict>],
    filtered: usize,
    out: &mut dyn Write,
) -> std::io::Result<bool> {
    let mut failed = Vec::new();
    for (index, verdict) in chosen.iter().zip(verdicts) {
        match verdict {
            Some(Verdict::Passed | Verdict::PassedBut(_)) => {}
            Some(Verdict::Failed(message)) => failed.push((&names[*index], message.as_str())),
            None => failed.push((&names[*index], "did not finish")),
        }
    }
    if !failed.is_empty() {
        writeln!(out, "\nfailures:\n")?;
        for (name, message) in &failed {
            writeln!(out, "---- {name} ----\n{message}\n")?;
        }
        writeln!(out, "failures:")?;
        for (name, _) in &failed {
            writeln!(out, "    {name}")?;
        }
    }
    let word = if failed.is_empty() { "ok" } else { "FAILED" };
    let passed = chosen.len() - failed.len();
    writeln!(
        out,
        "\ntest result: {word}. {passed} passed; {} failed; 0 ignored; 0 measured; {filtered} filtered out\n",
        failed.len()
    )?;
    Ok(failed.is_empty())
}

/// Does `count` pieces of work on all cores and hands each result, as it comes, to `done`, which runs
/// on the calling thread. An error of `done` ends the work early.
pub fn in_parallel<T: Send, E>(
    count: usize,
    threads: Option<usize>,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(cores).clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone if the work was given up.
                    if position >= count || sender.send((position, work(position))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let result = receiver.iter().try_for_each(|(position, value)| done(position, value));
        next.store(count, Ordering::Relaxed);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["a/one", "a/two", "b/one"].map(str::to_string).to_vec()
    }

    fn options(args: &[&str]) -> Options {
        Options::parse(args.iter().map(|a| a.to_string()))
    }

    #[test]
    fn failures_are_named_and_counted() {
        let mut out = Vec::new();
        let passed = run(&names(), &options(&["one", "--test-threads=1"]), &mut out, |index| {
            if index == 2 { Verdict::Failed("because".into()) } else { Verdict::Passed }
        })
        .expect("writing to memory");
        let text = String::from_utf8(out).expect("text");
        assert!(!passed);
        assert!(text.contains("test a/one ... ok\ntest b/one ... FAILED\n"), "{text}");
        assert!(text.contains("---- b/one ----\nbecause\n"), "{text}");
        assert!(text.contains("1 passed; 1 failed; 0 ignored; 0 measured; 1 filtered out"), "{text}");
    }

    #[test]
    fn options_choose() {
        assert!(options(&["--skip", "b"]).selects("a/one"));
        assert!(!options(&["--skip", "b"]).selects("b/one"));
        assert!(!options(&["--exact", "one"]).selects("a/one"));
        assert!(options(&["--nocapture", "--format", "terse"]).filters.is_empty());
    }

    #[test]
    fn work_is_done_once_each() {
        let mut seen = [0; 50];
        let result: Result<(), ()> = in_parallel(
            50,
            None,
            |n| n * 2,
            |position, value| {
                assert_eq!(value, position * 2);
                seen[position] += 1;
                Ok(())
            },
        );
        assert_eq!(result, Ok(()));
        assert!(seen.iter().all(|n| *n == 1));
    }
}
