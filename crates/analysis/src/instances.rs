//! Instances of functions: a user's function once, a small function of a library model once per user's
//! call.
//!
//! The library's allocators, locks and thread operations are C text, so a mutex or a block would be
//! merged with all others if their functions were analysed once. A model's function is told apart by the
//! call through which the user's code entered the library; inside the library that call stays the
//! context. Models whose code is large (formatted output and such) are analysed once, so that the work
//! stays proportional to the program.

use braid_base::{HashMap, Idx, IndexVec, define_ids};
use braid_ir::{Callee, FuncId, InstrId, Op, Program};

define_ids! {
    /// An instance of a function.
    InstanceId "n";
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    pub func: FuncId,
    /// The call through which the user's code entered the library, for a function told apart by it.
    pub context: Option<InstrId>,
}

/// Instructions of a model's function and all it calls directly, up to which it is told apart.
const SMALL: usize = 400;

/// Instructions in instances, as a multiple of those in the program, up to which functions are told
/// apart; and in any case so many.
const GROWTH: usize = 8;
const FLOOR: usize = 100_000;

#[derive(Clone, Debug)]
pub(crate) struct Instances {
    pub list: IndexVec<InstanceId, Instance>,
    known: HashMap<(FuncId, Option<InstrId>), InstanceId>,
    small: Vec<bool>,
    /// Instructions that may still be copied.
    room: usize,
}

impl Instances {
    pub fn new(program: &Program) -> Instances {
        let sizes: Vec<usize> = program.functions.iter().map(size).collect();
        let callees: Vec<Vec<FuncId>> = program.functions.ids().map(|f| direct_callees(program, f)).collect();
        let small = program
            .functions
            .enumerated()
            .map(|(id, function)| function.internal && reaches_less(id, SMALL, &sizes, &callees));
        let room = FLOOR.max(GROWTH * sizes.iter().sum::<usize>());
        Instances { small: small.collect(), list: IndexVec::new(), known: HashMap::default(), room }
    }

    /// The instance that a call enters, and whether it is new.
    pub fn called(
        &mut self,
        program: &Program,
        func: FuncId,
        from: Option<(InstanceId, InstrId)>,
    ) -> (InstanceId, bool) {
        let context = match from {
            Some((caller, call)) if self.small[func.index()] => self.list[caller].context.or(Some(call)),
            _ => None,
        };
        let instructions = size(&program.functions[func]);
        let fits = self.room >= instructions || self.known.contains_key(&(func, context));
        let key = (func, if fits { context } else { None });
        if let Some(&id) = self.known.get(&key) {
            return (id, false);
        }
        self.room = self.room.saturating_sub(instructions);
        let id = self.list.push(Instance { func, context: key.1 });
        self.known.insert(key, id);
        (id, true)
    }
}

fn size(function: &braid_ir::Function) -> usize {
    function.blocks.iter().map(|block| block.instrs.len() + 1).sum()
}

fn direct_callees(program: &Program, func: FuncId) -> Vec<FuncId> {
    let instrs = program.functions[func].blocks.iter().flat_map(|block| &block.instrs);
    let mut found: Vec<FuncId> = instrs
        .filter_map(|instr| match &instr.op {
            Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Whether the functions reached by direct calls have fewer instructions than the limit together.
fn reaches_less(from: FuncId, limit: usize, sizes: &[usize], callees: &[Vec<FuncId>]) -> bool {
    let (mut seen, mut waiting, mut total) = (vec![from], vec![from], 0);
    while let Some(func) = waiting.pop() {
        total += sizes[func.index()];
        if total > limit {
            return false;
        }
        for callee in &callees[func.index()] {
            if !seen.contains(callee) {
                seen.push(*callee);
                waiting.push(*callee);
            }
        }
    }
    true
}
