//! Printed terms mean what their evaluation says: z3 and cvc5, where installed, evaluate random terms.

use crate::random::Pool;
use crate::smtlib::{Printer, print, read_get_value, value_text};
use crate::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a solver answers to a script; `None` if it is not installed.
fn answer(command: &[&str], script: &str) -> Option<String> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().unwrap();
    let text = script.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A script that fixes all symbols and asks for the values of all members.
fn evaluation_script(pool: &Pool, at: usize) -> (String, Vec<Sort>) {
    let mut printer = Printer::new();
    let (mut script, mut wanted) = (String::new(), String::new());
    let mut sorts = Vec::new();
    for member in &pool.members {
        let (preamble, expression) = printer.expression(&pool.terms, member.term);
        script.push_str(&preamble);
        if let Node::Symbol(_) = pool.terms.node(member.term) {
            script.push_str(&format!("(assert (= {expression} {}))\n", value_text(&member.values[at])));
        }
        // Arrays come back in too many forms.
        if !matches!(pool.terms.sort(member.term), Sort::Array { .. }) {
            wanted.push_str(&format!(" {expression}"));
            sorts.push(pool.terms.sort(member.term));
        }
    }
    let roots: Vec<Term> = pool.members.iter().map(|m| m.term).collect();
    let logic = print::logic_of(&pool.terms, &roots);
    let head = format!("(set-option :produce-models true)\n(set-logic {logic})\n");
    (format!("{head}{script}(check-sat)\n(get-value ({wanted}))\n"), sorts)
}

fn check(command: &[&str], seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let widths: &[u32] = if seed % 2 == 0 { &[1, 2, 3, 4] } else { &[8, 31, 32, 63, 64, 128] };
        let mut pool = Pool::new(seed, widths, 2);
        // cvc5 wants the element to be a value.
        pool.any_const_array = command[0] != "cvc5";
        (0..150).for_each(|_| pool.grow());
        let (script, sorts) = evaluation_script(&pool, 1);
        let Some(text) = answer(command, &script) else {
            // Visible with --nocapture and in the log of a failing run.
            eprintln!("skipped: {} is not installed", command[0]);
            return;
        };
        let values =
            text.trim_start().strip_prefix("sat").unwrap_or_else(|| panic!("seed {seed}: {text}\n{script}"));
        let values = read_get_value(values, &sorts).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let members = pool.members.iter().filter(|m| !matches!(m.values[1], Value::Array(_)));
        for (member, value) in members.zip(values) {
            assert_eq!(
                value,
                member.values[1],
                "{} says of {:?}, seed {seed}",
                command[0],
                pool.terms.node(member.term)
            );
        }
    }
}

#[test]
fn z3_agrees_with_evaluation() {
    check(&["z3", "-in"], 0..8);
}

#[test]
fn cvc5_agrees_with_evaluation() {
    check(&["cvc5", "--lang=smt2"], 8..14);
}

#[test]
#[ignore = "long: tens of thousands of terms"]
fn z3_agrees_with_evaluation_long() {
    check(&["z3", "-in"], 100..400);
}
