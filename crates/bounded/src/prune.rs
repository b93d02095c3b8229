//! The pipeline of rewritings: simplifies a bounded program by the values that its reads can give.
//!
//! The value ranges of reads simplify terms: pointers become constants, branches become infeasible. Simpler terms
//! give other reads smaller ranges, so the analysis and the rewriting alternate a few times. This is the reduction of
//! an abstract interpretation and the transformation based on it, as in conditional constant propagation (Wegman,
//! Zadeck, TOPLAS 1991). The rewritten program is equivalent provided that the ranges are asserted
//! ([`Values::facts`]).

use crate::publication::Published;
use crate::values::{self, Values};
use crate::verify::debug_verify;
use crate::{Bounded, End, Interrupted, NodeId};
use braid_base::HashMap;
use braid_logic::Terms;
use braid_logic::narrow::Narrower;

/// The largest number of rewritings of the program.
const ROUNDS: usize = 3;

/// Rewrites the program by the value ranges of its reads, and returns the ranges.
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
    merge_ends(terms, bounded);
    Ok(all)
}

/// Joins the ends at one node, and drops those that are not reached: every question about the order asks about all ends.
fn merge_ends(terms: &mut Terms, bounded: &mut Bounded) {
    let mut merged: Vec<End> = Vec::new();
    let mut known: HashMap<(NodeId, bool), usize> = HashMap::default();
    for end in std::mem::take(&mut bounded.ends) {
        if terms.is_false(end.guard) {
            continue;
        }
        let at = *known.entry((end.node, end.returns)).or_insert(merged.len());
        match merged.get_mut(at) {
            Some(first) => first.guard = terms.or(first.guard, end.guard),
            None => merged.push(end),
        }
    }
    bounded.ends = merged;
}
