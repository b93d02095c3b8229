//! Ctrl-C and SIGTERM: the first asks the work to end with what it has, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The signals, with what a shell says of a process that one of them has ended.
const SIGNALS: [(i32, i32); 2] = [
    (signal_hook::consts::SIGINT, 128 + signal_hook::consts::SIGINT),
    (signal_hook::consts::SIGTERM, 128 + signal_hook::consts::SIGTERM),
];

/// A flag that Ctrl-C and SIGTERM set.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for (signal, code) in SIGNALS {
        // Without the handlers a signal ends the process the first time.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}
