//! The loops of the user's functions, by the names `--unwindset` takes.

use crate::exit;
use crate::terminal::errln;
use braid_analysis::Cfg;
use braid_ir::{Block, Loc, Program};
use braid_verdict::{Bounds, LoopName};

struct Named {
    function: String,
    index: u32,
    place: Loc,
}

/// Refuses names that stand for no loop, with a list of those there are.
pub fn check_names(program: &Program, set: &[(LoopName, u32)]) -> Result<(), u8> {
    if set.is_empty() {
        return Ok(());
    }
    let loops = loops(program);
    for entry in set {
        // A bound that no loop has by default tells whether the name fits.
        let bounds = Bounds { unwind: 0, set: vec![entry.clone()], ..Bounds::default() };
        let fits = |named: &Named| bounds.of_loop(program, &named.function, named.index, named.place) > 0;
        if !loops.iter().any(fits) {
            errln!("error: --unwindset: the program has no loop '{}'", text(&entry.0));
            for named in &loops {
                let (file, line) = (program.file_name(named.place.file), named.place.line);
                errln!("note: there is {file}:{line}, also called {}.{}", named.function, named.index);
            }
            return Err(exit::USAGE);
        }
    }
    Ok(())
}

fn text(name: &LoopName) -> String {
    match name {
        LoopName::Line { file: None, line } => line.to_string(),
        LoopName::Line { file: Some(file), line } => format!("{file}:{line}"),
        LoopName::Nth { function, index } => format!("{function}.{index}"),
    }
}

fn loops(program: &Program) -> Vec<Named> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| !function.internal) {
        let cfg = Cfg::new(function);
        let mut heads: Vec<_> = cfg.loops.iter().map(|l| l.header).chain(cfg.irreducible.clone()).collect();
        heads.sort_unstable();
        heads.dedup();
        for (index, head) in heads.into_iter().enumerate() {
            let (function, place) = (&function, place(&function.blocks[head]));
            found.push(Named { function: function.name.to_string(), index: index as u32, place });
        }
    }
    found
}

/// Where the loop's condition stands, or what comes first in it.
fn place(head: &Block) -> Loc {
    let first = head.instrs.first().map_or(head.end.loc, |instr| instr.loc);
    if head.end.loc.line > 0 { head.end.loc } else { first }
}
