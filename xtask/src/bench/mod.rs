//! `cargo xtask bench [PART]`: speed and memory, measured and printed; nothing of it is a test.

mod check;
mod explore;
mod measure;
mod native;

use crate::workspace;

/// Runs a part, or all.
pub fn run(part: Option<&str>) -> Result<bool, String> {
    let braid = workspace::release_binary()?;
    let scratch = workspace::scratch("bench")?;
    match part {
        Some("native") => native::run(&braid, &scratch),
        Some("explore") => explore::run(&braid),
        Some("check") => check::run(&braid, &scratch),
        Some(other) => Err(format!("there is no part '{other}'; there are native, explore and check")),
        None => Ok(native::run(&braid, &scratch)? & explore::run(&braid)? & check::run(&braid, &scratch)?),
    }
}
