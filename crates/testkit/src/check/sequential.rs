//! Generated sequential programs: the `order` engine against runs on sampled inputs.
//!
//! A program is one function of three inputs ([`super::body`]). The interpreter runs it on some dozen inputs;
//! what it returns there is known to be reachable. The engine is then asked about the same function on
//! arbitrary inputs:
//!
//! 1. that it never returns something which it was seen to return: the answer must not be SAFE;
//! 2. something that holds on the first few samples: SAFE is wrong if it fails on one of the others;
//! 3. with the local checks: SAFE is wrong if a sample violates one of them.
//!
//! UNSAFE needs no truth: it was replayed. The texts need no preprocessor.

use super::body::{Body, generate};
use super::{Answer, Budget, local_checks, symbolic};
use crate::frontend;
use crate::rng::Rng;
use crate::tree;
use braid_interp::{Image, Limits, Machine, Options, Outcome, RunEnv};
use braid_ir::Program;
use braid_props::{Check, CheckSet};

/// Texts tried to make a failing program small.
const TRIALS: usize = 300;

/// Inputs that are run, and how many of them the second question knows.
const SAMPLES: usize = 40;
const KNOWN: usize = 6;

/// Steps for all samples of a program.
const STEPS: u64 = 2_000_000;

/// Judges the engine by samples.
pub struct Sampler;

/// A verdict that a sample refutes, or a defect.
struct Wrong {
    /// The same for programs that show the same defect.
    kind: String,
    details: String,
}

impl Sampler {
    /// Judges the program of a seed. The error is a report with the shrunk program.
    pub fn check(&self, seed: u64) -> Result<Vec<Answer>, String> {
        let body = generate(seed);
        judge(&body.tree.render(), seed).map_err(|wrong| report(&body, &wrong))
    }
}

fn report(body: &Body, wrong: &Wrong) -> String {
    let small = tree::shrink(&body.tree, TRIALS, |text| {
        judge(text, body.seed).is_err_and(|other| other.kind == wrong.kind)
    });
    let text = small.render();
    let details = judge(&text, body.seed).err().map_or(wrong.details.clone(), |small| small.details);
    format!("seed {}: {}\n{details}\n---- shrunk function ----\n{text}----", body.seed, wrong.kind)
}

/// The three questions about a function's text.
fn judge(function: &str, seed: u64) -> Result<Vec<Answer>, Wrong> {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let inputs: Vec<[i32; 3]> = (0..SAMPLES).map(|_| [(); 3].map(|()| input(&mut rng))).collect();
    let sampled = compile(&sampled_text(function, &inputs))?;
    let mut answers = Vec::new();
    let plain = run(&sampled, CheckSet::EMPTY);
    if let Outcome::Exited { .. } = plain.outcome {
        let results = plain.results()?;
        let seen = results[rng.below(KNOWN)];
        let one = format!("result != {}", literal(seen));
        answers.push(ask(function, &one, false)?);
        let (general, holds) = generalize(&mut rng, &results[..KNOWN]);
        answers.push(ask(function, &general, results.iter().all(|result| holds(*result)))?);
    }
    let violated = match run(&sampled, local_checks()).outcome {
        Outcome::Violation(report) => Some(report.check),
        Outcome::Exited { .. }
        | Outcome::Aborted { .. }
        | Outcome::InvalidUnchecked(_)
        | Outcome::Unsupported { .. }
        | Outcome::Blocked { .. }
        | Outcome::AssumeFailed { .. }
        | Outcome::ResourceLimit { .. } => None,
    };
    answers.push(ask_local(function, violated)?);
    Ok(answers)
}

/// Small numbers, numbers at the edges, and any.
fn input(rng: &mut Rng) -> i32 {
    match rng.below(4) {
        0 => rng.below(5) as i32,
        1 => *rng.pick(&[-1, -2, i32::MIN, i32::MAX, i32::MIN + 1, 255, 256, -128, 65535, 1 << 30]),
        2 => rng.below(200) as i32 - 100,
        _ => rng.next() as i32,
    }
}

/// A condition that holds for all of the results, in C and as a function.
fn generalize(rng: &mut Rng, results: &[i64]) -> (String, Box<dyn Fn(i64) -> bool>) {
    let least = results.iter().copied().min().unwrap_or(0);
    let most = results.iter().copied().max().unwrap_or(0);
    match rng.below(4) {
        0 => (format!("result <= {}", literal(most)), Box::new(move |result| result <= most)),
        1 => (format!("result >= {}", literal(least)), Box::new(move |result| result >= least)),
        2 => {
            let never = most.wrapping_add(1 + rng.below(3) as i64);
            let never = if results.contains(&never) { least.wrapping_sub(1) } else { never };
            (format!("result != {}", literal(never)), Box::new(move |result| result != never))
        }
        _ => {
            // Bits that were always 0.
            let seen = results.iter().fold(0, |bits, result| bits | result);
            (format!("(result & ~{}) == 0", literal(seen)), Box::new(move |result| result & !seen == 0))
        }
    }
}

/// A `long long` constant of C.
fn literal(value: i64) -> String {
    if value == i64::MIN { "(-9223372036854775807LL - 1)".to_string() } else { format!("({value}LL)") }
}

/// Asks whether a condition always holds; where it does not, SAFE is wrong.
fn ask(function: &str, condition: &str, may_be_safe: bool) -> Result<Answer, Wrong> {
    let program = compile(&checked_text(function, condition))?;
    let checks: CheckSet = [Check::Assertion].into_iter().collect();
    let answer = super::ask(symbolic(), &program, checks, Budget::default());
    refute(answer, !may_be_safe, &format!("a sample has not {condition}"))
}

fn ask_local(function: &str, violated: Option<Check>) -> Result<Answer, Wrong> {
    let program = compile(&checked_text(function, "1"))?;
    let answer = super::ask(symbolic(), &program, local_checks(), Budget::default());
    let details = violated.map_or(String::new(), |check| format!("a sample violates {check}"));
    refute(answer, violated.is_some(), &details)
}

fn refute(answer: Answer, refuted: bool, details: &str) -> Result<Answer, Wrong> {
    match &answer {
        Answer::Safe if refuted => {
            Err(Wrong { kind: "wrong SAFE".to_string(), details: details.to_string() })
        }
        Answer::Broken(what) => {
            let kind = what.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
            Err(Wrong { kind: format!("broken: {kind}"), details: what.clone() })
        }
        Answer::Safe | Answer::Unsafe { .. } | Answer::Undecided(_) => Ok(answer),
    }
}

fn compile(text: &str) -> Result<Program, Wrong> {
    let compiled = frontend::compile("t.c", text.into());
    compiled.program.ok_or_else(|| Wrong {
        kind: "does not compile".to_string(),
        details: format!("{}\n{text}", compiled.errors.join("\n")),
    })
}

/// The function on all samples, printing what it returns.
fn sampled_text(function: &str, inputs: &[[i32; 3]]) -> String {
    let rows: Vec<String> = inputs
        .iter()
        .map(|row| {
            let numbers = row.map(|number| format!("(int){}", literal(i64::from(number))));
            format!("    {{{}}},\n", numbers.join(", "))
        })
        .collect();
    format!(
        "int printf(const char *, ...);\n{function}static const int inputs[][3] = {{\n{}}};\n\
         int main(void)\n{{\n    for (int n = 0; n < {SAMPLES}; n++)\n        \
         printf(\"%lld\\n\", body(inputs[n][0], inputs[n][1], inputs[n][2]));\n    return 0;\n}}\n",
        rows.concat()
    )
}

/// The function on arbitrary inputs, with a condition on its result.
fn checked_text(function: &str, condition: &str) -> String {
    format!(
        "int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assert(int);\n{function}int main(void)\n{{\n    \
         int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();\n    \
         long long result = body(a, b, c);\n    __VERIFIER_assert({condition});\n    return 0;\n}}\n"
    )
}

/// A run of the sampled program.
struct Run {
    outcome: Outcome,
    output: String,
}

impl Run {
    /// What the function returned for each sample.
    fn results(&self) -> Result<Vec<i64>, Wrong> {
        let numbers: Result<Vec<i64>, _> = self.output.lines().map(str::parse).collect();
        match numbers {
            Ok(numbers) if numbers.len() == SAMPLES => Ok(numbers),
            _ => Err(Wrong { kind: "no results".to_string(), details: self.output.clone() }),
        }
    }
}

fn run(program: &Program, checks: CheckSet) -> Run {
    let limits = Limits { steps: Some(STEPS), ..Limits::default() };
    let options = Options { question: braid_ir::Question::about(checks), limits, ..Options::default() };
    let mut image = Image::new(program, checks).expect("a program with main can be set up");
    image.set(braid_models::OUTPUT_IS_READ, 1);
    image.set(braid_models::RANDOM_IS_OPEN, 0);
    let mut output = Vec::new();
    let outcome = {
        let mut env = RunEnv::new(std::io::empty(), &mut output, std::io::sink(), Some(0));
        let mut machine = Machine::new(&image, options).expect("the image has been set up");
        let outcome = machine.run(&mut env);
        env.flush().expect("memory can be written to");
        outcome
    };
    Run { outcome, output: String::from_utf8_lossy(&output).into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: &str = "static long long body(int a, int b, int c)\n{\n    (void)b;\n    (void)c;\n    \
                          return 2LL * a;\n}\n";

    #[test]
    fn samples_are_run() {
        let text = sampled_text(DOUBLE, &[[i32::MIN, 0, 0]; SAMPLES]);
        let run = run(&compile(&text).ok().expect("a program"), CheckSet::EMPTY);
        assert_eq!(run.results().ok(), Some(vec![2 * i64::from(i32::MIN); SAMPLES]));
    }

    #[test]
    fn a_wrong_safe_is_refuted() {
        assert!(refute(Answer::Safe, true, "seen").is_err());
        assert!(refute(Answer::Safe, false, "").is_ok());
        assert!(refute(Answer::Broken("oops".to_string()), false, "").is_err());
        assert!(refute(Answer::Undecided("late".to_string()), true, "seen").is_ok());
    }

    #[test]
    fn conditions_hold_where_they_come_from() {
        let results = [3, -7, 0, i64::MAX, 12, 3];
        for seed in 0..50 {
            let (condition, holds) = generalize(&mut Rng::new(seed), &results);
            assert!(results.iter().all(|result| holds(*result)), "{condition}");
        }
    }

    #[test]
    fn the_engine_answers_all_three() {
        let answers = judge(DOUBLE, 3).map_err(|wrong| wrong.details).expect("nothing wrong");
        assert_eq!(answers.len(), 3);
        assert!(matches!(answers[0], Answer::Unsafe { .. }), "{answers:?}");
        assert_eq!(answers[2], Answer::Safe);
    }
}
