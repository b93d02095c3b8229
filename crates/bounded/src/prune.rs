//! The pipeline of rewritings: the bounded program with what is known of its reads.
//!
//! What reads can give makes terms smaller (pointers become constants, branches vanish), after which more is known of
//! other reads; so it is done a few times. The program means the same afterwards, provided that the ranges are
//! asserted ([`Values::facts`]).

use crate::publication::Published;
use crate::values::{self, Values};
use crate::verify::debug_verify;
use crate::{Bounded, Interrupted};
use braid_logic::Terms;
use braid_logic::narrow::Narrower;

/// How often the program is rewritten at most.
const ROUNDS: usize = 3;

/// Rewrites the program with what its reads can give, and returns that.
pub fn prune(
    terms: &mut Terms,
    bounded: &mut Bounded,
    interrupt: &dyn Fn() -> bool,
) -> Result<Values, Interrupted> {
    let published = Published::find(terms, bounded);
    let mut all = Values::default();
    for _ in 0..ROUNDS {
        let found = values::of_reads(terms, bounded, &published, interrupt)?;
        if !all.extend(found) {
            break;
        }
        let mut narrower = Narrower::new(all.ranges(terms));
        bounded.rewrite(terms, &mut |terms, term| narrower.narrow(terms, term));
        debug_verify(terms, bounded, "pruning");
    }
    Ok(all)
}
