//! The three answers, and when each may be given.

use crate::Counterexample;
use braid_interp::{Cut, Exploration, place_text};
use braid_ir::{Loc, Program};

/// What Braid says about a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All executions are covered, under the assumptions.
    Safe { assumptions: Vec<String> },
    /// At least one, in the order found.
    Unsafe(Vec<Counterexample>),
    /// At least one, the most telling first.
    Unknown(Vec<Reason>),
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A construct or function that is not supported can be reached.
    Unsupported { what: String, place: Loc },
    /// An access that is invalid but not checked can be reached; nothing is known of what follows.
    Invalid { message: String, place: Loc },
    /// A branch depends on where objects lie in memory, and only one layout was looked at.
    Addresses { place: Loc },
    /// The model of a library function leaves behaviour out.
    Omission(String),
    /// Part of the executions was not looked at.
    Cut(Cut),
}

impl Reason {
    /// Whether it is a bound the user asked for rather than a shortcoming.
    pub fn is_bound(&self) -> bool {
        match self {
            Reason::Cut(Cut::Values(_) | Cut::Rounds(_) | Cut::Contexts(_)) => true,
            Reason::Cut(
                Cut::States(_) | Cut::Timeout | Cut::Memory(_) | Cut::Interrupted | Cut::Resource(..),
            )
            | Reason::Unsupported { .. }
            | Reason::Invalid { .. }
            | Reason::Omission(_)
            | Reason::Addresses { .. } => false,
        }
    }

    pub fn text(&self, program: &Program) -> String {
        match self {
            Reason::Unsupported { what, place } => {
                format!("unsupported: {what} at {}", place_text(program, *place))
            }
            Reason::Invalid { message, place } => {
                format!("invalid access reachable at {} ({message})", place_text(program, *place))
            }
            Reason::Addresses { place } => {
                format!("control depends on addresses at {}", place_text(program, *place))
            }
            Reason::Omission(what) => format!("not modelled in full: {what}"),
            Reason::Cut(cut) => match cut {
                Cut::Values(place) => {
                    format!("not every value was tried for the choice at {}", place_text(program, *place))
                }
                Cut::Resource(resource, place) => format!("{resource} at {}", place_text(program, *place)),
                Cut::States(_)
                | Cut::Timeout
                | Cut::Memory(_)
                | Cut::Interrupted
                | Cut::Rounds(_)
                | Cut::Contexts(_) => cut.to_string(),
            },
        }
    }
}

/// The verdict of an exploration of the program whose violations have been confirmed.
pub fn of_exploration(
    program: &Program,
    exploration: &Exploration,
    confirmed: Vec<Counterexample>,
    assumptions: Vec<String>,
) -> Verdict {
    let reasons = reasons(program, exploration);
    if !confirmed.is_empty() {
        Verdict::Unsafe(confirmed)
    } else if reasons.is_empty() {
        Verdict::Safe { assumptions }
    } else {
        Verdict::Unknown(reasons)
    }
}

/// What stands between an exploration and a proof; with a violation: why there may be more of them.
pub fn reasons(program: &Program, exploration: &Exploration) -> Vec<Reason> {
    let unsupported = exploration.unsupported.iter();
    let mut reasons: Vec<Reason> =
        unsupported.map(|(what, place)| Reason::Unsupported { what: what.clone(), place: *place }).collect();
    reasons.extend(
        exploration
            .invalid
            .iter()
            .map(|report| Reason::Invalid { message: report.message.clone(), place: report.place }),
    );
    reasons.extend(exploration.depends_on_address.map(|place| Reason::Addresses { place }));
    reasons.extend(exploration.cuts.iter().cloned().map(Reason::Cut));
    reasons.extend(program.omissions.iter().cloned().map(Reason::Omission));
    reasons
}

/// The assumptions under which an exploration of the program speaks, without those that were `lifted`.
pub fn assumptions(program: &Program, lifted: &[&str]) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    all.extend(program.assumptions.iter().filter(|name| !lifted.contains(&name.as_str())).cloned());
    all
}
