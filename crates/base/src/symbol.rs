//! Interned names.
//!
//! A [`Symbol`] is a string that is stored once for the life of the process: comparing and hashing
//! look at the address, ordering looks at the text (so sorted output is deterministic).

use crate::HashSet;
use std::fmt;
use std::sync::{LazyLock, Mutex};

#[derive(Clone, Copy)]
pub struct Symbol(&'static str);

static INTERNED: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

impl Symbol {
    pub fn intern(text: &str) -> Symbol {
        let mut set = INTERNED.lock().expect("no code panics while it holds the interner");
        if let Some(&known) = set.get(text) {
            return Symbol(known);
        }
        let stored: &'static str = Box::leak(text.into());
        set.insert(stored);
        Symbol(stored)
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl std::hash::Hash for Symbol {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
        self.0.len().hash(state);
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(other.0)
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_is_one_symbol() {
        assert_eq!(Symbol::intern("lock"), Symbol::intern(&String::from("lock")));
        assert_ne!(Symbol::intern("lock"), Symbol::intern("unlock"));
        assert_ne!(Symbol::intern(""), Symbol::intern("x"));
        assert!(Symbol::intern("a") < Symbol::intern("b"));
    }
}
