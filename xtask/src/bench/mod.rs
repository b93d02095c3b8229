//! `cargo xtask bench [PART]`: speed and memory, measured and printed; nothing of it is a test. The families, the pace
//! and the rounds have options of their own and take minutes, so they run only when asked for.

mod check;
mod explore;
mod families;
mod lockset;
mod measure;
mod native;
mod pace;
mod rounds;

use crate::workspace;

/// Runs a part, or all.
pub fn run(part: Option<&str>) -> Result<bool, String> {
    let braid = workspace::release_binary()?;
    let scratch = workspace::scratch("bench")?;
    match part {
        Some("native") => native::run(&braid, &scratch),
        Some("explore") => explore::run(&braid),
        Some("check") => check::run(&braid, &scratch),
        Some("lockset") => lockset::run(&braid, &scratch),
        Some(other) => Err(format!(
            "there is no part '{other}'; there are native, explore, check, lockset, families, pace and seq"
        )),
        None => Ok(native::run(&braid, &scratch)? & explore::run(&braid)? & check::run(&braid, &scratch)?),
    }
}

/// Runs the families of growing programs with the options that the words say.
pub fn run_families(words: &[&str]) -> Result<bool, String> {
    families::run(&workspace::release_binary()?, &workspace::scratch("bench")?, words)
}

/// Compares `braid check` with the exhaustive search alone on what the words say.
pub fn run_pace(words: &[&str]) -> Result<bool, String> {
    pace::run(&workspace::scratch("bench")?, words)
}

/// Compares the engine that encodes rounds with the one that encodes all interleavings, on what the words say.
pub fn run_rounds(words: &[&str]) -> Result<bool, String> {
    rounds::run(&workspace::scratch("bench")?, words)
}
