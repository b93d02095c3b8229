//! Developer tasks: `cargo xtask TASK`.

mod bench;
mod check;
mod differential;
mod dist;
mod lockset;
mod mutants;
mod mutate;
mod outside;
mod rounds;
mod seeds;
mod suites;
mod threads;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

  tidy                        check the rules of the code base
  bench [native|explore|check]
                              measure the interpreter and the front end against gcc, exploration, and
                              the checker against cc -E and, where there is one, cbmc
  bench families [--filter WORD]... [--limit SECONDS] [--flags \"FLAGS\"]... [--peer \"COMMAND {file}\"]...
                              measure the order engine on families of growing programs with each set of
                              flags, and other tools (also the lines of $BRAID_PEERS) on the same files
  bench pace [--filter WORD]... [--limit SECONDS] [--braid PATH] [DIR...]
                              compare braid check with the exhaustive search alone on fixtures, families, pools
                              and the test suites in directories (*.desc), where the search decides
  bench seq [--part sizes|threads|fib|outside]... [--limit SECONDS] [--braid PATH] [DIR...]
                              measure the seq engine against the order engine: sizes of formulas, violations among very
                              many threads or in very many rounds, and large programs of the test suites in directories
  differential START..END     compare generated programs with gcc's binaries
  threads START..END          explore generated threaded programs with and without reduction
  check START..END            compare the checker with exploration on generated threaded programs;
                              --cap S for another cap than 5 seconds, --unwind N for one bound only
  check --show SEED           print the threaded program of a seed
  check --sequential START..END
                              compare it with sampled runs on generated sequential programs
  dist                        build a static release binary and pack it into target/dist
  lockset START..END          compare proofs of the lockset engine with exhaustive search on generated threaded programs that
                              are mostly right; --engine NAME for another engine, --cap S for another cap than 5 seconds,
                              --generator threads|unwind|disciplined for other programs; --show SEED prints one
  rounds START..END           compare exhaustive search and engines that encode rounds, within 1 to 4 rounds
  mutants START..END          ask the checker about damaged fixtures: no panic, no internal error, no overrun
                              of the time limit (--cap S instead of 2 seconds), and engines that agree
  mutate [FAULT...]           try all tests that explore under each deliberate fault
  outside DIR...              try the front end on all C files in directories; files with a
                              NAME.c.expected beside them are run and compared, too
  suites DIR... [--cap S] [--out TABLE] [--against TABLE] [--braid PATH] [--flags \"FLAGS\"]
                              check the programs of other tools' test suites (*.desc) and compare with their
                              recorded verdicts, and with the table of an earlier run

differential, threads, check, lockset, rounds, mutants, suites and mutate use all cores, or as many as --jobs N says
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut words: Vec<&str> = args.iter().map(String::as_str).collect();
    let numbers = ["--jobs", "--unwind", "--cap"].map(|flag| take_number(&mut words, flag));
    let [Ok(jobs), Ok(unwind), Ok(cap)] = numbers else {
        eprint!("{USAGE}");
        return ExitCode::from(1);
    };
    let result = match words.as_slice() {
        ["tidy"] => tidy::run(),
        ["bench"] => bench::run(None),
        ["bench", "families", words @ ..] => bench::run_families(words),
        ["bench", "pace", words @ ..] => bench::run_pace(words),
        ["bench", "seq", words @ ..] => bench::run_rounds(words),
        ["bench", part] => bench::run(Some(part)),
        ["differential", range] => differential::run(range, jobs),
        ["threads", range] => threads::run(range, jobs),
        ["check", range] => check::threaded(range, jobs, check::budget(unwind, cap)),
        ["check", "--show", seed] => check::show(seed),
        ["check", "--sequential", range] => check::sequential(range, jobs),
        ["dist"] => dist::run(),
        ["lockset", words @ ..] => lockset::run(words, jobs, check::budget(unwind, cap)),
        ["mutants", range] => mutants::run(range, jobs, cap),
        ["mutate", faults @ ..] => mutate::run(faults, jobs),
        ["outside", first, rest @ ..] => outside::run(first, rest),
        ["rounds", range] => rounds::run(range, jobs, check::budget(unwind, cap)),
        ["suites", words @ ..] => suites::run(words, jobs, cap),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(1);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Takes a flag with a number, as `--jobs N`, out of the arguments.
fn take_number(words: &mut Vec<&str>, flag: &str) -> Result<Option<usize>, ()> {
    let Some(at) = words.iter().position(|word| *word == flag) else { return Ok(None) };
    let count = words.get(at + 1).and_then(|count| count.parse().ok()).filter(|count| *count > 0);
    words.drain(at..words.len().min(at + 2));
    count.map(Some).ok_or(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut words = vec!["threads", "--jobs", "3", "0..9"];
        assert_eq!(take_number(&mut words, "--jobs"), Ok(Some(3)));
        assert_eq!(words, ["threads", "0..9"]);
        assert_eq!(take_number(&mut words, "--jobs"), Ok(None));
        assert!(take_number(&mut vec!["threads", "--jobs"], "--jobs").is_err());
        assert!(take_number(&mut vec!["threads", "--jobs", "0"], "--jobs").is_err());
    }
}
