//! What a search has come to: instructions that were executed, assumptions that held, threads that were started.
//!
//! Kept beside the states, so it grows over all executions of a search. A complete search comes to whatever an execution
//! can come to: sleep sets leave out a transition only where the same one was taken from an equivalent state.

use crate::image::Image;
use braid_base::HashSet;
use braid_ir::{FuncId, InstrId};

/// What has been come to, while a search runs: by step of the code.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    /// Ends of blocks, assumptions and assertions that were executed.
    executed: Vec<u64>,
    /// Assumptions that held.
    passed: Vec<u64>,
    started: HashSet<FuncId>,
    left_running: bool,
}

impl Marks {
    pub fn new(image: &Image) -> Marks {
        let words = image.code.len().div_ceil(64);
        Marks {
            executed: vec![0; words],
            passed: vec![0; words],
            started: HashSet::default(),
            left_running: false,
        }
    }

    /// The step at `pc` is executed.
    #[inline]
    pub fn execute(&mut self, pc: u32) {
        self.executed[pc as usize / 64] |= 1 << (pc % 64);
    }

    /// The assumption at `pc` holds.
    pub fn pass(&mut self, pc: u32) {
        self.passed[pc as usize / 64] |= 1 << (pc % 64);
    }

    /// A thread begins in the function.
    pub fn start(&mut self, function: FuncId) {
        self.started.insert(function);
    }

    /// `main` returns while another thread has not ended.
    pub fn leave_running(&mut self) {
        self.left_running = true;
    }

    /// The same by ids of instructions.
    pub fn reached(&self, image: &Image) -> Reached {
        let ids = |marks: &[u64]| {
            let set = |pc: &usize| marks[pc / 64] & (1 << (pc % 64)) != 0;
            (0..image.origin.len()).filter(set).map(|pc| image.origin[pc].0).collect()
        };
        Reached {
            executed: ids(&self.executed),
            passed: ids(&self.passed),
            started: self.started.clone(),
            left_running: self.left_running,
        }
    }
}

/// What the executions of a program come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// Ends of blocks, assumptions and assertions that were executed.
    pub executed: HashSet<InstrId>,
    /// Assumptions that held.
    pub passed: HashSet<InstrId>,
    /// Functions in which threads began.
    pub started: HashSet<FuncId>,
    /// `main` returned while another thread had not ended.
    pub left_running: bool,
}
