//! Control-flow graphs for Graphviz: one cluster per function, one box per block.
//!
//! A box lists the block's instructions in text form and the source lines they come from.

use crate::instr::{TermKind, Terminator};
use crate::print::{FnText, PrintOptions};
use crate::program::*;
use std::fmt::Write as _;

pub fn dot(program: &Program, options: PrintOptions) -> String {
    let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
    let shown = |f: &Function| (options.internal || !f.internal) && !f.blocks.is_empty();
    for (id, function) in program.functions.enumerated().filter(|(_, f)| shown(f)) {
        write_cluster(&mut out, program, id, function);
    }
    out.push_str("}\n");
    out
}

fn write_cluster(out: &mut String, program: &Program, id: FuncId, function: &Function) {
    let put = "writing to a string cannot fail";
    writeln!(out, "  subgraph cluster_{id} {{").expect(put);
    writeln!(out, "    label=\"{}\";", escape(function.name.as_str())).expect(put);
    for (block_id, block) in function.blocks.enumerated() {
        let label = block_label(program, function, block_id, block);
        writeln!(out, "    {id}_{block_id} [label=\"{label}\"];").expect(put);
    }
    for (block_id, block) in function.blocks.enumerated() {
        for (target, label) in edges(&block.end) {
            let label = if label.is_empty() { label } else { format!(" [label=\"{}\"]", escape(&label)) };
            writeln!(out, "    {id}_{block_id} -> {id}_{target}{label};").expect(put);
        }
    }
    out.push_str("  }\n");
}

/// Lines of a label end in `\l`, which makes Graphviz align them to the left.
fn block_label(program: &Program, function: &Function, id: BlockId, block: &Block) -> String {
    let text = FnText { program, function };
    let mut lines = vec![format!("{id}: {}", source_lines(program, block))];
    lines.extend(block.instrs.iter().map(|instr| text.op(&instr.op)));
    lines.push(text.terminator(&block.end.kind));
    lines.iter().map(|line| escape(line.trim_end()) + "\\l").collect()
}

/// The source lines of a block, as `file.c:3-5` (the file of its first place).
fn source_lines(program: &Program, block: &Block) -> String {
    let locs = block.instrs.iter().map(|i| i.loc).chain([block.end.loc]);
    let known: Vec<Loc> = locs.filter(|loc| loc.line != 0).collect();
    let Some(first) = known.first() else { return String::new() };
    let lines = known.iter().filter(|loc| loc.file == first.file).map(|loc| loc.line);
    let (low, high) = lines.fold((u32::MAX, 0), |(low, high), line| (low.min(line), high.max(line)));
    let file = program.file_name(first.file);
    if low == high { format!("{file}:{low}") } else { format!("{file}:{low}-{high}") }
}

fn edges(end: &Terminator) -> Vec<(BlockId, String)> {
    match &end.kind {
        TermKind::Jump(to) => vec![(*to, String::new())],
        TermKind::Branch { then, other, .. } => vec![(*then, "true".into()), (*other, "false".into())],
        TermKind::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(bits, to)| (*to, bits.to_string()));
            cases.chain([(*default, "default".into())]).collect()
        }
        TermKind::Return(_) | TermKind::Unreachable => Vec::new(),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use expect_test::expect;

    #[test]
    fn draws_blocks_and_edges() {
        let program = parse(
            "file 0 \"a.c\"\nfn &\"f\\22\"(%0) -> i32 {\nreg %0 i1\nb0:\nunsupported \"a\\5cb\" @ 0:3:1\n\
             br %0, b0, b1 @ 0:5:2\nb1:\nret 7:i32\n}\nfn &g() {\n}\n",
        )
        .unwrap();
        expect![[r#"
            digraph program {
              node [shape=box, fontname=monospace];
              subgraph cluster_f0 {
                label="f\"";
                f0_b0 [label="b0: a.c:3-5\lunsupported \"a\\5cb\"\lbr %0, b0, b1\l"];
                f0_b1 [label="b1:\lret 7:i32\l"];
                f0_b0 -> f0_b0 [label="true"];
                f0_b0 -> f0_b1 [label="false"];
              }
            }
        "#]]
        .assert_eq(&dot(&program, PrintOptions { internal: true }));
    }
}
