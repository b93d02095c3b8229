//! Ctrl-C: the first asks the work to end with what it has, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C sets.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let signal = signal_hook::consts::SIGINT;
    // Without the handlers Ctrl-C ends the process the first time.
    let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag));
    let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    flag
}
