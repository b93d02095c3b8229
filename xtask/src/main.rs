//! Developer tasks: `cargo xtask TASK`.

mod bench;
mod differential;
mod outside;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

  tidy                        check the rules of the code base
  bench                       measure the interpreter and the front end against gcc
  differential START..END     compare generated programs with gcc's binaries
  outside DIR...              try the front end on all C files in directories; files with a
                              NAME.c.expected beside them are run and compared, too
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["tidy"] => tidy::run(),
        ["bench"] => bench::run(),
        ["differential", range] => differential::run(range),
        ["outside", first, rest @ ..] => outside::run(first, rest),
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
