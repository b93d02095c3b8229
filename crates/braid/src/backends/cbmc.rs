//! CBMC: `--json-ui` gives the properties with their status, and a trace for each that fails.
//!
//! The choices are the assignments to the variable `choice` of the function `nondet`. Loops of the text are unwound by CBMC, with
//! unwinding assertions: if one fails, the bound doubles.

use super::tool::{self, Ended};
use super::{Answer, Failure, Job};
use braid_props::{Check, CheckSet};
use serde_json::Value;

/// Iterations that are tried at most.
const MOST: u32 = 4096;

/// Checks that CBMC makes by itself, and the flags that ask for them.
const OWN: &[(Check, &[&str])] = &[
    (Check::NullDeref, &["--pointer-check"]),
    (Check::OutOfBounds, &["--bounds-check", "--pointer-check"]),
    (Check::UseAfterFree, &["--pointer-check"]),
    (Check::InvalidFree, &["--pointer-check"]),
    (Check::DivisionByZero, &["--div-by-zero-check"]),
    (Check::SignedOverflow, &["--signed-overflow-check"]),
    (Check::Shift, &["--undefined-shift-check"]),
];

/// Asks CBMC, with bounds on loops that grow until they suffice.
pub fn ask(job: &Job<'_>) -> Result<Answer, Failure> {
    let mut bound = job.iterations.max(8) + 1;
    loop {
        let ended = tool::run("cbmc", arguments(job, bound), job.directory, &job.limit)?;
        match read(&ended)? {
            Some(answer) => return Ok(answer),
            None if bound > MOST => {
                return Err(Failure::NoAnswer(format!("a loop goes on after {bound} iterations in cbmc")));
            }
            None => bound *= 2,
        }
    }
}

fn arguments(job: &Job<'_>, bound: u32) -> Vec<String> {
    let mut words: Vec<String> =
        ["--json-ui", "--trace", "--no-standard-checks", "--unwinding-assertions", "--unwind"]
            .map(str::to_string)
            .into();
    words.push(bound.to_string());
    words.extend(own_checks(job.checks).into_iter().map(str::to_string));
    words.push(job.path.display().to_string());
    words
}

/// The flags for checks that the text does not state.
fn own_checks(checks: CheckSet) -> Vec<&'static str> {
    let mut flags: Vec<&str> = Vec::new();
    for (_, wanted) in OWN.iter().filter(|(check, _)| checks.contains(*check)) {
        flags.extend(wanted.iter().filter(|flag| !flags.contains(flag)).copied().collect::<Vec<_>>());
    }
    flags
}

/// Reads the answer; `None` if a loop was not unwound far enough.
fn read(ended: &Ended) -> Result<Option<Answer>, Failure> {
    // 0 is success, 10 a violation.
    if !matches!(ended.code(), Some(0 | 10)) {
        return Err(ended.no_answer());
    }
    let messages: Value =
        serde_json::from_str(&ended.stdout).map_err(|error| ended.nonsense(&error.to_string()))?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let results: Vec<Value> = list(&messages).iter().flat_map(|message| list(&message["result"])).collect();
    let failed: Vec<&Value> = results.iter().filter(|result| result["status"] == "FAILURE").collect();
    let is_loop =
        |result: &&&Value| result["property"].as_str().is_some_and(|name| name.contains(".unwind."));
    if let Some(wrong) = failed.iter().find(|result| !is_loop(result)) {
        return choices(&wrong["trace"])
            .map(|values| Some(Answer::Violated(values)))
            .map_err(|problem| ended.nonsense(&problem));
    }
    let says = |word: &str| list(&messages).iter().any(|message| message["cProverStatus"] == word);
    match (failed.is_empty(), says("success")) {
        (false, _) => Ok(None),
        (true, true) => Ok(Some(Answer::Nothing)),
        (true, false) => Err(ended.nonsense("it says neither success nor failure")),
    }
}

/// The values of `nondet()` in a trace.
fn choices(trace: &Value) -> Result<Vec<u32>, String> {
    let steps = trace.as_array().ok_or("a violation without a trace")?;
    let is_choice = |step: &&Value| {
        step["stepType"] == "assignment"
            && step["lhs"] == "choice"
            && step["sourceLocation"]["function"] == "nondet"
            // The variable's coming to life is an assignment that is hidden.
            && step["hidden"] == false
    };
    steps.iter().filter(is_choice).map(value).collect()
}

fn value(step: &Value) -> Result<u32, String> {
    let binary = step["value"]["binary"].as_str().and_then(|bits| u32::from_str_radix(bits, 2).ok());
    let data = step["value"]["data"].as_str().and_then(|text| text.trim_end_matches('u').parse().ok());
    binary.or(data).ok_or_else(|| format!("a choice without a value: {step}"))
}
