//! Regions of any length that are described, not stored: filled with a byte, untouched, or one or the
//! other by a condition.
//!
//! A description is looked into only where it is read. Merges nest descriptions and share them; looking
//! into one visits each once and does not recurse on the Rust stack.

use super::origin::Origin;
use crate::value::{Taint, Value};
use braid_base::HashMap;
use braid_logic::{Term, Terms};
use std::rc::Rc;

/// What the bytes of a region are.
#[derive(Debug)]
pub enum Source {
    /// All this byte.
    Byte(Value),
    /// What the object held at first.
    Initial,
    /// One or the other.
    Choice { condition: Term, yes: Rc<Source>, no: Rc<Source>, taint: Taint },
}

impl Source {
    /// `yes` where the condition holds, `no` elsewhere.
    pub fn choice(terms: &mut Terms, condition: Term, yes: &Rc<Source>, no: &Rc<Source>) -> Rc<Source> {
        match (&**yes, &**no) {
            (Source::Byte(a), Source::Byte(b)) => {
                Rc::new(Source::Byte(Value::select(terms, condition, *a, *b)))
            }
            (Source::Initial, Source::Initial) => yes.clone(),
            (Source::Byte(_) | Source::Initial | Source::Choice { .. }, _) if Rc::ptr_eq(yes, no) => {
                yes.clone()
            }
            (Source::Byte(_) | Source::Initial | Source::Choice { .. }, _) => {
                let taint = yes.taint().join(no.taint());
                Rc::new(Source::Choice { condition, yes: yes.clone(), no: no.clone(), taint })
            }
        }
    }

    pub fn taint(&self) -> Taint {
        match self {
            Source::Byte(byte) => byte.taint,
            Source::Initial => Taint::None,
            Source::Choice { taint, .. } => *taint,
        }
    }

    /// 1 to 16 bytes of the region.
    pub fn word(&self, terms: &mut Terms, origin: &Origin, at: u64, len: u64) -> Term {
        let mut memo: HashMap<*const Source, Term> = HashMap::default();
        let mut stack: Vec<&Source> = vec![self];
        while let Some(&source) = stack.last() {
            let word = match source {
                Source::Byte(byte) => repeat(terms, byte.term, len),
                Source::Initial => origin.word(terms, at, len),
                Source::Choice { condition, yes, no, .. } => {
                    let (yes, no): (&Source, &Source) = (yes, no);
                    match (memo.get(&(yes as *const Source)), memo.get(&(no as *const Source))) {
                        (Some(&yes), Some(&no)) => terms.ite(*condition, yes, no),
                        (known, _) => {
                            stack.push(if known.is_none() { yes } else { no });
                            continue;
                        }
                    }
                }
            };
            memo.insert(source, word);
            stack.pop();
        }
        memo[&(self as *const Source)]
    }
}

/// The byte `len` times.
pub fn repeat(terms: &mut Terms, byte: Term, len: u64) -> Term {
    let mut word = byte;
    for _ in 1..len {
        word = terms.concat(byte, word);
    }
    word
}
