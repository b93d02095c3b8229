//! Programs as text, before and after a pass.

use crate::{Expanded, Inline, Refused, Unroll, inline_calls, unroll_loops};
use braid_analysis::Facts;
use braid_ir::{PrintOptions, Program, TermKind, print_with};
use braid_props::CheckSet;

/// A program of functions; `entry` is the first.
pub fn program(text: &str) -> Program {
    let head =
        "file 0 \"t.c\"\nfile 1 \"<braid:t>\"\nshape s0 = i32\nshape s1 = ptr\nshape s2 = array s1 x 2\n";
    let entry = text.lines().find_map(|line| line.strip_prefix("fn &")).expect("a function");
    let entry = &entry[..entry.find('(').expect("parameters")];
    let program = braid_ir::parse(&format!("{head}entry &{entry}\n{text}")).expect("the text is a program");
    braid_ir::verify(&program).expect("the text is a well-formed program");
    program
}

pub fn unrolled(text: &str, unwind: u32) -> Result<Expanded, Refused> {
    unroll(text, unwind, false)
}

/// The program after the pass, with the heads of loops marked.
pub fn with_heads(text: &str, unwind: u32) -> Result<Expanded, Refused> {
    unroll(text, unwind, true)
}

fn unroll(text: &str, unwind: u32, heads: bool) -> Result<Expanded, Refused> {
    let program = program(text);
    let facts = Facts::new(&program, braid_analysis::Options::default());
    let bound = |_, _, _| unwind;
    let options =
        Unroll { keep: &|_| false, unwind, bound: &bound, checks: CheckSet::EMPTY, most: 2_000, heads };
    unroll_loops(&program, &facts, &options)
}

pub fn inlined(text: &str, recursion: u32, keep: &str) -> Result<Expanded, Refused> {
    let program = program(text);
    let facts = Facts::new(&program, braid_analysis::Options::default());
    let keep = |func| program.functions[func].name.as_str() == keep;
    let options = Inline { keep: &keep, recursion, checks: CheckSet::EMPTY, most: 2_000 };
    inline_calls(&program, &facts, &options)
}

/// The code of all functions that have some, without ids, and without declarations of registers.
pub fn code(program: &Program) -> String {
    let text = print_with(program, PrintOptions { internal: true });
    let mut shown = Vec::new();
    let mut open = false;
    for line in text.lines() {
        open |= line.starts_with("fn ") && !is_stub(program, line);
        if open && !line.trim_start().starts_with("reg ") {
            let id = line.trim_start().split_once(": ").filter(|(id, _)| id.starts_with('i'));
            let indent = &line[..line.len() - line.trim_start().len()];
            shown.push(id.map_or(line.to_string(), |(_, rest)| format!("{indent}{rest}")));
        }
        open &= line != "}";
    }
    shown.join("\n")
}

fn is_stub(program: &Program, line: &str) -> bool {
    let name = line.trim_start_matches("fn &").split('(').next().unwrap_or_default();
    program.function_named(name).is_none_or(|func| program.functions[func].blocks.is_empty())
}

/// Returns true if no function has a call or an edge back.
pub fn is_flat(program: &Program) -> bool {
    program.functions.iter().all(|function| {
        let calls = |instr: &braid_ir::Instr| matches!(instr.op, braid_ir::Op::Call { .. });
        function.blocks.enumerated().all(|(id, block)| {
            let forward = braid_analysis::cfg::successors(&block.end.kind).iter().all(|to| *to > id);
            let whole = !matches!(block.end.kind, TermKind::Unreachable) || !block.instrs.is_empty();
            forward && whole && !block.instrs.iter().any(calls)
        })
    })
}
