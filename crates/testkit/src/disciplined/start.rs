//! Main: what it does before the threads, how it starts and joins them, and what it does after that.

use super::{Part, Writer};
use crate::cat;
use crate::tree::Tree;

impl Writer<'_> {
    /// The main function.
    pub(super) fn main(&mut self, threads: usize, bodies: usize, parts: &[Part]) -> Tree {
        let head = format!(
            "int main(void)\n{{\nint number = {threads}, r = 0;\npthread_t h[{threads}];\n(void)number;\n(void)r;\n"
        );
        let setup: Vec<Tree> = parts.iter().map(|part| part.setup.clone().optional()).collect();
        let starts = self.starts(threads, bodies);
        // Shared data that is not ready when the first thread runs.
        let begin = if self.slips() { cat!(starts, setup) } else { cat!(setup, starts) };
        let beside = if threads == 2 && self.rng.one_in(3) {
            self.work(parts.iter().filter(|part| part.is_for_main))
        } else {
            "".into()
        };
        let after: Vec<Tree> = parts.iter().map(|part| part.after.clone().optional()).collect();
        let joins = self.joins(threads);
        let end = if self.slips() { cat!(after, joins) } else { cat!(joins, after) };
        cat!(head, begin, beside, end, "return 0;\n}\n")
    }

    /// One by one, or in a loop if they share a body.
    fn starts(&mut self, threads: usize, bodies: usize) -> Tree {
        if bodies == 1 && !self.rng.one_in(3) {
            let number = if self.slips() { "0" } else { "i" };
            return Tree::from(format!(
                "for (long i = 0; i < {threads}; i++)\npthread_create(&h[i], 0, t0, (void *){number});\n"
            ));
        }
        let start = |thread: usize| {
            let body = thread % bodies;
            format!("pthread_create(&h[{thread}], 0, t{body}, (void *){thread}L);\n")
        };
        (0..threads).map(start).collect::<String>().into()
    }

    /// In a loop over the handles, or one by one; without joins main stays until the threads have ended.
    fn joins(&mut self, threads: usize) -> Tree {
        let text = match self.rng.below(3) {
            0 => {
                let mut order: Vec<usize> = (0..threads).rev().collect();
                if self.slips() {
                    order[0] = order[1];
                }
                if self.slips() {
                    order.remove(0);
                }
                order.iter().map(|thread| format!("pthread_join(h[{thread}], 0);\n")).collect()
            }
            _ => {
                let end = if self.slips() { threads - 1 } else { threads };
                let first = usize::from(self.slips());
                let index = if self.slips() { "0" } else { "i" };
                let twice = if self.slips() { "pthread_join(h[0], 0);\n" } else { "" };
                format!("for (int i = {first}; i < {end}; i++)\npthread_join(h[{index}], 0);\n{twice}")
            }
        };
        Tree::from(text).optional()
    }
}
