//! Witnesses in the exchange formats of SV-COMP: GraphML 1.0 and YAML 2.2.
//!
//! A violation witness lists the steps of the story that have a part in the violation, in order, with threads. The
//! correctness witness is the minimal one: it claims no invariant. The aim is to fit the formats.

mod graphml;
mod yaml;

use crate::Context;
use crate::task::Task;
use braid_verdict::Counterexample;

/// Which format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    GraphMl,
    Yaml,
}

impl Format {
    /// By the extension of a file name.
    pub fn of_name(name: &str) -> Option<Format> {
        match name.rsplit_once('.')?.1 {
            "graphml" | "xml" => Some(Format::GraphMl),
            "yml" | "yaml" => Some(Format::Yaml),
            _ => None,
        }
    }
}

/// The witness of a violation.
pub fn violation(context: Context<'_>, task: &Task<'_>, found: &Counterexample, format: Format) -> String {
    match format {
        Format::GraphMl => graphml::violation(context, task, found),
        Format::Yaml => yaml::violation(context, task, found),
    }
}

/// The witness of a proof.
pub fn correctness(task: &Task<'_>, format: Format) -> String {
    match format {
        Format::GraphMl => graphml::correctness(task),
        Format::Yaml => yaml::correctness(task),
    }
}

/// Whether a step says something to a validator: it has a part in the violation and a place.
fn tells(step: &braid_verdict::story::Step) -> bool {
    step.essential && step.place.line > 0
}
