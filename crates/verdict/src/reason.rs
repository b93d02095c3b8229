//! Why there is no proof, in words a person can act on.

use crate::Bound;
use braid_interp::{Cut, Exploration, SetupError, place_text};
use braid_ir::{Loc, Program};
use braid_props::CheckSet;

/// Why there is no proof.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A construct or function that is not supported can be reached.
    Unsupported { what: String, place: Loc },
    /// An access that is invalid but not checked can be reached; nothing is known of what follows.
    Invalid { message: String, place: Loc },
    /// A branch depends on where objects lie in memory, and only one layout was looked at.
    Addresses { place: Loc },
    /// From this place on a library model leaves behaviour out, or (`bound`) a bound of the user's does.
    Omission { what: String, bound: bool, place: Loc },
    /// A violation occurs, but only with a value that the model of this function allows and the real one may not give.
    Over { function: String, place: Loc },
    /// Part of the executions was not looked at.
    Cut(Cut),
    /// The loop goes on after as many iterations as were looked at.
    Loop { function: String, place: Loc, bound: u32 },
    /// The function calls itself more often than was looked at.
    Recursion { function: String, place: Loc, bound: u32 },
    /// More threads are started than were looked at.
    Threads { place: Loc, bound: u32 },
    /// A heap block may be left at this end of the program; whether it is lost was not decided.
    MayBeLost { place: Loc },
    /// A limit was reached, in a phase of the work.
    Stopped { limit: String, phase: String },
    /// The program cannot be set up to run.
    Setup(SetupError),
    /// The solver does not answer.
    Solver(String),
    /// An execution that should violate a property rests on something that the engine knows only approximately, and
    /// the interpreter does not confirm it.
    Approximate { what: String, place: Loc },
    /// Properties that the engine does not decide; `by` names engines that do.
    Undecided { checks: CheckSet, engine: &'static str, by: Vec<&'static str> },
    /// A proof has a gap: something that the engine cannot show.
    Unproved { what: String, place: Loc },
    /// Termination was asked for.
    Termination,
}

impl Reason {
    /// Whether it is a bound rather than a shortcoming: something the user can ask to be accepted.
    pub fn is_bound(&self) -> bool {
        match self {
            Reason::Cut(Cut::Values(_) | Cut::Rounds(_) | Cut::Contexts(_))
            | Reason::Loop { .. }
            | Reason::Recursion { .. }
            | Reason::Threads { .. }
            | Reason::Omission { bound: true, .. } => true,
            Reason::Cut(
                Cut::States(_)
                | Cut::Work(_)
                | Cut::Timeout
                | Cut::Memory(_)
                | Cut::Interrupted
                | Cut::Resource(..)
                | Cut::Spinning(_),
            )
            | Reason::Unsupported { .. }
            | Reason::Invalid { .. }
            | Reason::Omission { bound: false, .. }
            | Reason::Over { .. }
            | Reason::Addresses { .. }
            | Reason::MayBeLost { .. }
            | Reason::Stopped { .. }
            | Reason::Setup(_)
            | Reason::Solver(_)
            | Reason::Undecided { .. }
            | Reason::Approximate { .. }
            | Reason::Unproved { .. }
            | Reason::Termination => false,
        }
    }

    /// The bound that stands in the way, if a larger one may help.
    pub fn raises(&self) -> Option<Bound> {
        match self {
            Reason::Loop { .. } | Reason::Recursion { .. } => Some(Bound::Unwind),
            Reason::Threads { .. } => Some(Bound::Threads),
            Reason::Cut(Cut::States(_) | Cut::Work(_)) => Some(Bound::States),
            Reason::Cut(Cut::Rounds(_)) => Some(Bound::Rounds),
            Reason::Cut(Cut::Contexts(_)) => Some(Bound::Contexts),
            Reason::Cut(
                Cut::Values(_)
                | Cut::Timeout
                | Cut::Memory(_)
                | Cut::Interrupted
                | Cut::Resource(..)
                | Cut::Spinning(_),
            )
            | Reason::Unsupported { .. }
            | Reason::Invalid { .. }
            | Reason::Addresses { .. }
            | Reason::Omission { .. }
            | Reason::Over { .. }
            | Reason::MayBeLost { .. }
            | Reason::Stopped { .. }
            | Reason::Setup(_)
            | Reason::Solver(_)
            | Reason::Termination
            | Reason::Undecided { .. }
            | Reason::Approximate { .. }
            | Reason::Unproved { .. } => None,
        }
    }

    /// Returns true if no engine is expected to get past it, however much time and memory there is.
    pub fn is_obstacle(&self) -> bool {
        match self {
            Reason::Unsupported { .. }
            | Reason::Invalid { .. }
            | Reason::Addresses { .. }
            | Reason::Omission { .. }
            | Reason::Cut(Cut::Memory(_) | Cut::Resource(..) | Cut::Spinning(_)) => true,
            Reason::Cut(
                Cut::States(_)
                | Cut::Work(_)
                | Cut::Timeout
                | Cut::Interrupted
                | Cut::Values(_)
                | Cut::Rounds(_)
                | Cut::Contexts(_),
            )
            | Reason::Over { .. }
            | Reason::Loop { .. }
            | Reason::Recursion { .. }
            | Reason::Threads { .. }
            | Reason::MayBeLost { .. }
            | Reason::Stopped { .. }
            | Reason::Setup(_)
            | Reason::Solver(_)
            | Reason::Approximate { .. }
            | Reason::Undecided { .. }
            | Reason::Unproved { .. }
            | Reason::Termination => false,
        }
    }

    /// The function that was called without a definition or a model, if that is what it is about.
    pub fn undefined_function(&self) -> Option<&str> {
        match self {
            Reason::Unsupported { what, .. } => {
                what.strip_prefix("call of '")?.strip_suffix("': no definition and no model")
            }
            _ => None,
        }
    }

    /// One word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Unsupported { .. } => "unsupported",
            Reason::Invalid { .. } => "invalid-access",
            Reason::Addresses { .. } => "addresses",
            Reason::Omission { bound: false, .. } => "omission",
            Reason::Omission { bound: true, .. } => "input-bound",
            Reason::Over { .. } => "over-approximation",
            Reason::Cut(_) => "cut",
            Reason::Loop { .. } => "loop-bound",
            Reason::Recursion { .. } => "recursion-bound",
            Reason::Threads { .. } => "thread-bound",
            Reason::MayBeLost { .. } => "may-be-lost",
            Reason::Stopped { .. } => "limit",
            Reason::Setup(_) => "setup",
            Reason::Solver(_) => "solver",
            Reason::Approximate { .. } => "approximate",
            Reason::Undecided { .. } => "undecided",
            Reason::Unproved { .. } => "unproved",
            Reason::Termination => "termination",
        }
    }

    /// Where it stands in the program, if it does.
    pub fn place(&self) -> Option<Loc> {
        match self {
            Reason::Unsupported { place, .. }
            | Reason::Invalid { place, .. }
            | Reason::Addresses { place }
            | Reason::Omission { place, .. }
            | Reason::Over { place, .. }
            | Reason::MayBeLost { place }
            | Reason::Approximate { place, .. }
            | Reason::Unproved { place, .. }
            | Reason::Loop { place, .. }
            | Reason::Recursion { place, .. }
            | Reason::Threads { place, .. }
            | Reason::Cut(Cut::Values(place) | Cut::Resource(_, place) | Cut::Spinning(place)) => {
                Some(*place)
            }
            Reason::Cut(
                Cut::States(_)
                | Cut::Work(_)
                | Cut::Timeout
                | Cut::Memory(_)
                | Cut::Interrupted
                | Cut::Rounds(_)
                | Cut::Contexts(_),
            )
            | Reason::Stopped { .. }
            | Reason::Setup(_)
            | Reason::Solver(_)
            | Reason::Undecided { .. }
            | Reason::Termination => None,
        }
        .filter(|place| place.line > 0)
    }

    /// The number of iterations, calls or threads that were looked at, if that is what it is about.
    pub fn bound(&self) -> Option<u32> {
        match self {
            Reason::Loop { bound, .. } | Reason::Recursion { bound, .. } | Reason::Threads { bound, .. } => {
                Some(*bound)
            }
            _ => None,
        }
    }

    pub fn text(&self, program: &Program) -> String {
        let at = |place: &Loc| place_text(program, *place);
        match self {
            Reason::Unsupported { what, place } => format!("unsupported: {what} at {}", at(place)),
            Reason::Invalid { message, place } => {
                format!("invalid access reachable at {} ({message})", at(place))
            }
            Reason::Addresses { place } => format!("control depends on addresses at {}", at(place)),
            Reason::Omission { what, bound: false, place } => {
                format!("not modelled in full: {what}, reached at {}", at(place))
            }
            Reason::Omission { what, bound: true, place: _ } => format!("not every input was tried: {what}"),
            Reason::Over { function, place } => format!(
                "a violation depends on the value of '{function}' at {}, and the seed is fixed; try --rand glibc",
                at(place)
            ),
            Reason::Cut(cut) => cut_text(program, cut),
            Reason::Loop { function, place, bound } => format!(
                "the loop at {} in '{function}' goes on after {}; try --unwind {}",
                at(place),
                count(*bound, "iteration"),
                deeper(*bound)
            ),
            Reason::Recursion { function, place, bound } => format!(
                "'{function}' calls itself once more at {} after {}; try --unwind {}",
                at(place),
                count(*bound, "call"),
                deeper(*bound)
            ),
            Reason::Threads { place, bound } => {
                format!("more than {} are started, at {}", count(*bound, "thread"), at(place))
            }
            Reason::MayBeLost { place } => format!(
                "memory-leak: a block may be left at the end of the program{}; only an exhaustive search tells whether it \
                 is lost",
                if place.line > 0 { format!(" at {}", at(place)) } else { String::new() }
            ),
            Reason::Stopped { limit, phase } => format!("{limit} ({phase})"),
            Reason::Setup(error) => error.to_string(),
            Reason::Solver(problem) => problem.clone(),
            Reason::Approximate { what, place } => {
                format!("{what} is known only approximately at {}", at(place))
            }
            Reason::Undecided { checks, engine, by } => {
                let others = match &by[..] {
                    [] => String::new(),
                    names => format!("; {} may", names.join(", ")),
                };
                format!("the engine {engine} does not decide {}{others}", checks.list())
            }
            Reason::Unproved { what, place } if place.line == 0 => format!("not proved: {what}"),
            Reason::Unproved { what, place } => format!("not proved: {what} at {}", at(place)),
            Reason::Termination => "termination is not decided".to_string(),
        }
    }
}

fn cut_text(program: &Program, cut: &Cut) -> String {
    match cut {
        Cut::Values(place) => {
            format!("not every value was tried for the choice at {}", place_text(program, *place))
        }
        Cut::Resource(resource, place) => format!("{resource} at {}", place_text(program, *place)),
        Cut::Spinning(place) => format!("{cut}, at {}", place_text(program, *place)),
        Cut::States(_)
        | Cut::Work(_)
        | Cut::Timeout
        | Cut::Memory(_)
        | Cut::Interrupted
        | Cut::Rounds(_)
        | Cut::Contexts(_) => cut.to_string(),
    }
}

/// The bound to try next: far enough to be worth the trouble.
fn deeper(bound: u32) -> u32 {
    bound.saturating_mul(2).max(2)
}

fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// What stands between an exploration and a proof; with a violation: why there may be more of them.
pub fn reasons(exploration: &Exploration) -> Vec<Reason> {
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
    reasons.extend(exploration.partial.iter().map(|partial| Reason::Omission {
        what: partial.what.to_string(),
        bound: partial.bound,
        place: partial.place,
    }));
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_base::Symbol;

    #[test]
    fn undefined_functions_have_a_name() {
        let about = |what: &str| Reason::Unsupported { what: what.to_string(), place: Loc::NONE };
        let call = about("call of 'f': no definition and no model");
        assert_eq!(call.undefined_function(), Some("f"));
        assert_eq!(about("inline assembly").undefined_function(), None);
        assert_eq!(Reason::Termination.undefined_function(), None);
    }

    #[test]
    fn each_says_where_and_what_to_try() {
        let mut program = Program::default();
        let file = program.files.push(Symbol::intern("a.c"));
        let place = Loc { file, line: 4, column: 2 };
        let function = "f".to_string();
        let reasons = [
            Reason::Loop { function: function.clone(), place, bound: 1 },
            Reason::Recursion { function: function.clone(), place, bound: 1 },
            Reason::Recursion { function, place, bound: 5 },
            Reason::Threads { place, bound: 64 },
            Reason::MayBeLost { place },
            Reason::Stopped { limit: "time limit reached".into(), phase: "order, bound 3".into() },
        ];
        let texts: Vec<String> = reasons.iter().map(|reason| reason.text(&program)).collect();
        expect_test::expect![[r#"
            the loop at a.c:4:2 in 'f' goes on after 1 iteration; try --unwind 2
            'f' calls itself once more at a.c:4:2 after 1 call; try --unwind 2
            'f' calls itself once more at a.c:4:2 after 5 calls; try --unwind 10
            more than 64 threads are started, at a.c:4:2
            memory-leak: a block may be left at the end of the program at a.c:4:2; only an exhaustive search tells whether it is lost
            time limit reached (order, bound 3)
        "#]].assert_eq(&(texts.join("\n") + "\n"));
    }
}
