//! The engines. To add one, write its module and add a line here.

use crate::engine::Engine;
use crate::{explicit, lockset, order, random, seq};
use braid_props::Check;
use braid_verdict::Bound;

pub static ENGINES: &[&Engine] =
    &[&explicit::ENGINE, &random::ENGINE, &order::ENGINE, &seq::ENGINE, &lockset::ENGINE];

/// The engine of a name.
pub fn find(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().copied().find(|engine| engine.name == name)
}

/// The names of the engines that take a bound.
pub fn taking(bound: Bound) -> Vec<&'static str> {
    ENGINES.iter().filter(|engine| engine.takes(bound)).map(|engine| engine.name).collect()
}

/// The names of the engines that may prove a property.
pub fn deciding(check: Check) -> Vec<&'static str> {
    let proves = |engine: &&&Engine| engine.proves && (engine.decides)(check);
    ENGINES.iter().filter(proves).map(|engine| engine.name).collect()
}
