//! The form of an object whose stores all have known places.
//!
//! Entries by offset, disjoint. They are kept in pages that copies share until one of them writes, so a
//! clone costs nothing and a store after it a page. An entry belongs to the page it begins in and may
//! reach beyond.

use super::origin::Origin;
use super::source::Source;
use crate::value::{Taint, Value};
use braid_logic::{Term, Terms};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

/// Bytes to a page.
const PAGE: u64 = 512;

#[derive(Clone, Default, Debug)]
pub struct Cells {
    /// None is empty.
    pub(super) pages: Rc<BTreeMap<u64, Rc<Page>>>,
}

pub(super) type Page = BTreeMap<u64, Entry>;

#[derive(Clone, Debug)]
pub enum Entry {
    /// A value of 1 to 16 bytes.
    Word {
        bytes: u64,
        value: Value,
    },
    Range {
        len: u64,
        source: Rc<Source>,
    },
}

impl Entry {
    pub fn len(&self) -> u64 {
        match self {
            Entry::Word { bytes, .. } => *bytes,
            Entry::Range { len, .. } => *len,
        }
    }

    pub fn taint(&self) -> Taint {
        match self {
            Entry::Word { value, .. } => value.taint,
            Entry::Range { source, .. } => source.taint(),
        }
    }

    /// The entry, which begins at `start`, cut to `from..to`.
    pub fn part(&self, terms: &mut Terms, start: u64, from: u64, to: u64) -> Entry {
        if (from, to) == (start, start + self.len()) {
            return self.clone();
        }
        match self {
            Entry::Word { value, .. } => {
                let term = terms.extract(value.term, 8 * (to - start) as u32 - 1, 8 * (from - start) as u32);
                Entry::Word { bytes: to - from, value: Value { term, taint: value.taint.blurred() } }
            }
            Entry::Range { source, .. } => Entry::Range { len: to - from, source: source.clone() },
        }
    }

    /// The bytes `from..to` (at most 16) of the entry, which begins at `start`.
    pub fn read(&self, terms: &mut Terms, origin: &Origin, start: u64, from: u64, to: u64) -> Value {
        match self.part(terms, start, from, to) {
            Entry::Word { value, .. } => value,
            Entry::Range { len, source } => {
                let taint = source.taint().blurred();
                Value { term: source.word(terms, origin, from, len), taint }
            }
        }
    }
}

impl Cells {
    pub fn same(&self, other: &Cells) -> bool {
        Rc::ptr_eq(&self.pages, &other.pages)
    }

    /// All entries, ascending.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.pages.values().flat_map(|page| page.iter().map(|(at, entry)| (*at, entry)))
    }

    fn get(&self, at: u64) -> Option<&Entry> {
        self.pages.get(&page_of(at))?.get(&at)
    }

    /// The last entry that begins before `at`.
    fn before(&self, at: u64) -> Option<(u64, &Entry)> {
        let pages = self.pages.range(..=page_of(at)).rev();
        let mut last = pages.filter_map(|(_, page)| page.range(..at).next_back());
        last.next().map(|(start, entry)| (*start, entry))
    }

    /// Entries that have bytes in `from..to`, ascending, with their beginnings.
    fn overlapping(&self, from: u64, to: u64) -> Vec<(u64, Entry)> {
        let first = self.before(from).filter(|(start, entry)| start + entry.len() > from);
        let pages = self.pages.range((Bound::Included(page_of(from)), Bound::Included(page_of(to - 1))));
        let rest = pages.flat_map(|(_, page)| page.range(from..to).map(|(at, entry)| (*at, entry)));
        first.into_iter().chain(rest).map(|(at, entry)| (at, entry.clone())).collect()
    }

    pub fn insert(&mut self, at: u64, entry: Entry) {
        let page = Rc::make_mut(&mut self.pages).entry(page_of(at)).or_default();
        Rc::make_mut(page).insert(at, entry);
    }

    fn remove(&mut self, at: u64) {
        let pages = Rc::make_mut(&mut self.pages);
        let Some(page) = pages.get_mut(&page_of(at)) else { return };
        let page = Rc::make_mut(page);
        page.remove(&at);
        if page.is_empty() {
            pages.remove(&page_of(at));
        }
    }

    /// Removes all bytes in `from..to`; entries that reach out of it keep the rest.
    pub fn carve(&mut self, terms: &mut Terms, from: u64, to: u64) {
        for (start, entry) in self.overlapping(from, to) {
            let end = start + entry.len();
            self.remove(start);
            if start < from {
                self.insert(start, entry.part(terms, start, start, from));
            }
            if to < end {
                self.insert(to, entry.part(terms, start, to, end));
            }
        }
    }

    pub fn store(&mut self, terms: &mut Terms, at: u64, bytes: u64, value: Value) {
        match self.get(at) {
            Some(Entry::Word { bytes: known, value: old }) if *known == bytes => {
                if *old == value {
                    return;
                }
            }
            Some(Entry::Word { .. } | Entry::Range { .. }) | None => self.carve(terms, at, at + bytes),
        }
        self.insert(at, Entry::Word { bytes, value });
    }

    pub fn load(&self, terms: &mut Terms, origin: &Origin, at: u64, bytes: u64) -> Value {
        if let Some(Entry::Word { bytes: known, value }) = self.get(at)
            && *known == bytes
        {
            return *value;
        }
        let (mut word, mut taint) = (None, Taint::None);
        let mut next = at;
        for (start, entry) in self.overlapping(at, at + bytes) {
            let (from, to) = (start.max(at), (start + entry.len()).min(at + bytes));
            if next < from {
                let gap = origin.word(terms, next, from - next);
                word = Some(above(terms, gap, word));
            }
            let part = entry.read(terms, origin, start, from, to);
            word = Some(above(terms, part.term, word));
            taint = taint.join(part.taint.blurred());
            next = to;
        }
        if next < at + bytes {
            let gap = origin.word(terms, next, at + bytes - next);
            word = Some(above(terms, gap, word));
        }
        Value { term: word.expect("at least one byte is read"), taint }
    }
}

fn page_of(at: u64) -> u64 {
    at / PAGE
}

/// `high` above what there is already.
fn above(terms: &mut Terms, high: Term, low: Option<Term>) -> Term {
    match low {
        None => high,
        Some(low) => terms.concat(high, low),
    }
}
