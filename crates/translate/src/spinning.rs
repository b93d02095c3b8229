//! Loops in which a thread may spin: a deadlock of such threads is not stated by the text.
//!
//! A thread spins if its loop comes round without a change, so the loop has no bound that is known beforehand, and it is cut.
//! A loop that waits for a condition or for the end of a thread blocks instead. What is left may spin.

use braid_analysis::wto::{self, Element, Loop};
use braid_base::HashSet;
use braid_ir::{Callee, FuncId, Loc, Op, Program};
use braid_passes::Expanded;

/// The place of a loop that is cut and may spin.
pub fn may_spin(program: &Program, expanded: &Expanded) -> Option<Loc> {
    let waiting = waiting_functions(program);
    let mut places: HashSet<Loc> = HashSet::default();
    for (_, function) in program.functions.enumerated().filter(|(_, function)| !function.internal) {
        let mut loops = Vec::new();
        collect(&wto::order(function), &mut loops);
        for component in loops {
            let instrs = component.blocks.iter().flat_map(|block| &function.blocks[*block].instrs);
            if !instrs.into_iter().any(|instr| waits(&instr.op, &waiting)) {
                let head = &function.blocks[component.head];
                let first = head.instrs.first().map_or(head.end.loc, |instr| instr.loc);
                places.insert(if head.end.loc.line > 0 { head.end.loc } else { first });
            }
        }
    }
    expanded.cuts.iter().map(|cut| cut.place).find(|place| places.contains(place))
}

fn collect(elements: &[Element], found: &mut Vec<Loop>) {
    for element in elements {
        if let Element::Loop(component) = element {
            found.push(component.clone());
            collect(&component.inner, found);
        }
    }
}

/// The functions that wait for a condition or for the end of a thread, by themselves or in what they call.
fn waiting_functions(program: &Program) -> HashSet<FuncId> {
    let mut found: HashSet<FuncId> = HashSet::default();
    loop {
        let before = found.len();
        for (id, function) in program.functions.enumerated() {
            let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
            if instrs.any(|instr| waits(&instr.op, &found)) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn waits(op: &Op, functions: &HashSet<FuncId>) -> bool {
    match op {
        Op::AtomicBegin { when: Some(_) } | Op::Join { .. } => true,
        Op::Call { callee: Callee::Direct(func), .. } => functions.contains(func),
        _ => false,
    }
}
