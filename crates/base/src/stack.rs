//! Work on a stack that is larger than a thread's usual one.
//!
//! The front end recurses over the syntax tree, and engines over calls and loops of the program: both are as deep as the
//! program says.

use std::thread;

/// Bytes that suffice for the front end: the parser's nesting limit is chosen to fit.
pub const FRONT_END: usize = 512 << 20;

/// Bytes that suffice for an engine: calls and loops of the program nest in unwinding.
pub const ENGINE: usize = 1 << 30;

/// Does the work on a thread of its own with a stack of so many bytes. The outer error says that there is no such thread,
/// the inner one is a panic of the work.
pub fn on_stack_of<T: Send>(
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> std::io::Result<thread::Result<T>> {
    thread::scope(|scope| Ok(thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work)?.join()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_panics_come_back() {
        let seen = [1, 2];
        assert!(matches!(on_stack_of(FRONT_END, || seen.len()), Ok(Ok(2))));
        let panics = on_stack_of(1 << 20, || -> u8 { std::panic::resume_unwind(Box::new("over")) });
        assert!(matches!(panics, Ok(Err(_))));
    }
}
