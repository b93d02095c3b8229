//! Deliberate faults, which the test suite must notice.
//!
//! A fault is a switch beside the rule that it breaks: `if active("start-edge-dropped") { … }`. `docs/faults.md` lists
//! the faults with the tests that notice them, and `cargo xtask tidy` compares the list with the switches. Without the
//! feature `faults` every switch is `false` and costs nothing; with it, the environment variable `BRAID_FAULT` turns
//! one on by name.

/// Returns true if the fault is turned on.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub const fn active(_: &str) -> bool {
    false
}

/// Returns true if the fault is turned on.
#[cfg(feature = "faults")]
#[inline]
pub fn active(fault: &str) -> bool {
    static CHOSEN: std::sync::LazyLock<Option<String>> =
        std::sync::LazyLock::new(|| std::env::var("BRAID_FAULT").ok());
    CHOSEN.as_deref() == Some(fault)
}
