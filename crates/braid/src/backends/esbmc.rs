//! ESBMC: its counterexample is text, a list of states with assignments, before `VERIFICATION FAILED`.
//!
//! The choices are the assignments to the variable `choice` in states of the function `nondet`:
//!
//! ```text
//! State 3 file OUT.c line 9 column 5 function nondet thread 0
//! ----------------------------------------------------
//!   choice = 1 (00000000 00000000 00000000 00000001)
//! ```

use super::tool;
use super::{Answer, Failure, Job};

/// Asks ESBMC. Its own checks are off except those that the text does not state.
pub fn ask(job: &Job<'_>) -> Result<Answer, Failure> {
    let bound = (job.iterations.max(8) + 1).to_string();
    let path = job.path.display().to_string();
    let flags = [
        "--no-slice",
        "--no-bounds-check",
        "--no-pointer-check",
        "--no-div-by-zero-check",
        "--unwind",
        &bound,
    ];
    let words = flags.iter().copied().chain([path.as_str()]);
    let ended = tool::run("esbmc", words, job.directory, &job.limit)?;
    // Older versions print to standard output, newer ones to standard error.
    let text = format!("{}\n{}", ended.stdout, ended.stderr);
    if text.contains("VERIFICATION SUCCESSFUL") {
        return Ok(Answer::Nothing);
    }
    if !text.contains("VERIFICATION FAILED") {
        return Err(ended.no_answer());
    }
    if text.lines().any(|line| line.trim().starts_with("unwinding assertion")) {
        return Err(Failure::NoAnswer(format!("a loop goes on after {bound} iterations in esbmc")));
    }
    choices(&text).map(Answer::Violated).map_err(|problem| ended.nonsense(&problem))
}

/// The values of `nondet()` in a counterexample.
fn choices(text: &str) -> Result<Vec<u32>, String> {
    let mut values = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("State ") {
            inside = line.contains(" function nondet ");
        } else if let Some(right) = line.strip_prefix("choice = ").filter(|_| inside) {
            let number = right.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
            values.push(number.parse().map_err(|_| format!("a choice without a value: {line}"))?);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_function_nondet_count() {
        let text = "State 1 file a.c line 3 column 1 function main thread 0\n----\n  choice = 7 (00000111)\n\n\
            State 2 file a.c line 9 column 5 function nondet thread 0\n----\n  choice = 12 (00001100)\n\n\
            State 3 file a.c line 9 column 5 function nondet thread 0\n----\n  choice = 4294967295u (11111111)\n";
        assert_eq!(choices(text), Ok(vec![12, u32::MAX]));
        assert!(choices("State 1 function nondet thread 0\nchoice = x").is_err());
    }
}
