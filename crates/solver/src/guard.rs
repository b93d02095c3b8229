//! No panic crosses into C++: callbacks run guarded, and the first failure is kept.
//!
//! A callback that panics, or whose theory breaks its contract, answers something harmless from then
//! on; the terminate callback ends the search, and the call that started it reports an internal error
//! instead of the search's answer. A solver in that state stays unusable, because clauses derived from
//! a broken theory may be in it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The first failure inside callbacks; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    broken: Rc<Cell<bool>>,
    message: Rc<RefCell<Option<String>>>,
}

impl Guard {
    pub fn is_broken(&self) -> bool {
        self.broken.get()
    }

    /// What went wrong, if anything did.
    pub fn failure(&self) -> Option<String> {
        self.message.borrow().clone()
    }

    /// Records a failure; the first one is kept.
    pub fn fail(&self, message: String) {
        self.broken.set(true);
        self.message.borrow_mut().get_or_insert(message);
    }

    /// Runs a callback, unless one has failed before. A panic becomes a failure. `neutral` is what a
    /// callback that did not run answers.
    pub fn run<T>(&self, neutral: T, callback: impl FnOnce() -> T) -> T {
        if self.is_broken() {
            return neutral;
        }
        // Whatever state a panicking callback leaves behind is never looked at again.
        match catch_unwind(AssertUnwindSafe(callback)) {
            Ok(answer) => answer,
            Err(payload) => {
                self.fail(format!("panic in a solver callback: {}", panic_text(&*payload)));
                neutral
            }
        }
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "no message",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_kept_and_ends_callbacks() {
        let guard = Guard::default();
        assert_eq!(guard.run(0, || 7), 7);
        assert_eq!(guard.run(1, || panic!("first {}", "one")), 1);
        assert_eq!(guard.run(2, || 7), 2);
        guard.fail("second".to_string());
        assert_eq!(guard.failure().as_deref(), Some("panic in a solver callback: first one"));
    }
}
