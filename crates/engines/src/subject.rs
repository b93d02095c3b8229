//! A program as formula engines work on it: after the passes, with what is known of it.

use braid_analysis::Facts;
use braid_bounded::{Bounded, Interrupted};
use braid_ir::{Program, Question};
use braid_logic::Terms;
use braid_models::{OUTPUT_IS_READ, RANDOM_IS_OPEN};
use braid_passes::{Expanded, Inline, Refused, Unroll, pipeline};
use braid_props::{Check, CheckSet};
use braid_unwind::Options;
use braid_verdict::Bounds;
use std::borrow::Cow;

/// Instructions of a program with calls inlined and loops unrolled.
const MOST: usize = 1_000_000;

/// A program after the passes.
pub struct Subject<'a> {
    /// The program before any pass, which the judge replays.
    pub source: &'a Program,
    pub program: Cow<'a, Program>,
    /// Facts about `program`.
    pub facts: Facts,
}

impl<'a> Subject<'a> {
    /// Output is not made where nobody reads it, and random numbers are open unless they are to be the library's own.
    pub fn new(source: &'a Program, question: Question) -> Subject<'a> {
        let open = u128::from(!question.random_is_real);
        let program = pipeline::with_globals(source, &[(OUTPUT_IS_READ, 0), (RANDOM_IS_OPEN, open)]);
        let options = braid_analysis::Options {
            misuse_ends: question.checks.contains(Check::LockMisuse),
            one_use: true,
        };
        let facts = Facts::new(&program, options);
        Subject { source, program, facts }
    }

    /// The bounded program, with the facts that hold of it: a guess of the analyses that unwinding refutes is dropped.
    pub fn unwind(
        &self,
        terms: &mut Terms,
        options: &Options,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Bounded, &Facts), Interrupted> {
        let facts = self.facts.settled();
        let bounded = braid_unwind::unwind(terms, &self.program, facts, options, stop)?;
        if !bounded.refutes_one_use {
            return Ok((bounded, facts));
        }
        let facts = self.facts.careful(&self.program);
        *terms = Terms::new();
        Ok((braid_unwind::unwind(terms, &self.program, facts, options, stop)?, facts))
    }

    /// The program with calls inlined, and with `unwind` with loops unrolled so far; about these checks.
    pub fn expanded(&self, checks: CheckSet, unwind: Option<u32>) -> Result<Expanded, Refused> {
        let facts = self.facts.careful(&self.program);
        match unwind {
            Some(unwind) => {
                let options = Unroll {
                    keep: &|_| false,
                    unwind,
                    bound: &|_, _, _| unwind,
                    checks,
                    most: MOST,
                    heads: false,
                };
                braid_passes::unroll_loops(&self.program, facts, &options)
            }
            None => {
                let options = Inline { keep: &|_| false, recursion: 1, checks, most: MOST };
                braid_passes::inline_calls(&self.program, facts, &options)
            }
        }
    }

    /// The text form of the bounded program, for `braid ir --bounded`.
    pub fn bounded_text(&self, checks: CheckSet, unwind: u32) -> String {
        let mut terms = Terms::new();
        let (question, bounds) = (Question::about(checks), Bounds::new(unwind));
        let options = Options { question, bounds, ..Options::default() };
        let (bounded, _) = self.unwind(&mut terms, &options, &|| false).expect("nobody interrupts the work");
        braid_bounded::print::print(&terms, &self.program, &bounded)
    }
}
