//! Our own search for choices: `braid check` of the sequential program.
//!
//! The choices of a native program come from here, because a compiler looks for nothing.

use super::replay::sequential_checks;
use super::tool::Limit;
use crate::front::Loaded;
use braid_interp::{ChoiceLabel, Limits};
use braid_ir::{ChoiceKind, Question};
use braid_portfolio::{Given, Request};
use braid_props::CheckSet;
use braid_verdict::{Reason, Verdict};
use std::sync::Arc;

/// The result of a search.
pub enum Found {
    /// Choices that violate an assertion of the text.
    Choices(Vec<u32>),
    /// There are none.
    Nothing,
    Undecided(Vec<Reason>),
}

/// Looks for choices with which the sequential program violates an assertion.
pub fn find(sequential: &Loaded, checks: CheckSet, limit: &Limit) -> Result<Found, String> {
    let request = Request {
        engine: None,
        question: Question::about(sequential_checks(checks)),
        limits: Limits { deadline: limit.deadline, ..Limits::default() },
        bounds: Given::default(),
        setup: Default::default(),
        stop_at_first: true,
        interrupt: Arc::clone(&limit.interrupt),
        meter: Arc::default(),
    };
    let report = braid_portfolio::check(&sequential.program, &request, &mut |_| {})
        .map_err(|trouble| trouble.to_string())?;
    Ok(match report.verdict {
        Verdict::Safe { .. } => Found::Nothing,
        Verdict::Unknown(reasons) => Found::Undecided(reasons),
        Verdict::Unsafe(counterexamples) => {
            let mut values: Vec<u32> = Vec::new();
            for choice in counterexamples.iter().take(1).flat_map(|found| &found.trace().choices) {
                // All choices are made at one place, so the occurrence is their number. Those that do not matter are zero.
                if choice.kind == ChoiceLabel::Kind(ChoiceKind::Value) {
                    let index = choice.at.occurrence as usize;
                    values.resize(values.len().max(index + 1), 0);
                    values[index] = choice.value as u32;
                }
            }
            Found::Choices(values)
        }
    })
}
