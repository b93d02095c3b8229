//! One of two contents of an object, by a condition.
//!
//! Pages that both share are kept as they are. In the others, entries that overlap (in one or the other)
//! are taken together; where both have the same entry the result has it too, with a choice of values;
//! else it is divided at all borders either has.

use super::array::Array;
use super::cells::{Cells, Entry};
use super::origin::Origin;
use super::source::Source;
use super::{Form, TooLarge};
use crate::value::Value;
use braid_logic::{Term, Terms};
use std::rc::Rc;

pub fn forms(
    terms: &mut Terms,
    cond: Term,
    origin: &Origin,
    then: &Form,
    other: &Form,
) -> Result<Form, TooLarge> {
    match (then, other) {
        (Form::Lost, _) | (_, Form::Lost) => Err(TooLarge),
        (Form::Cells(a), Form::Cells(b)) => Ok(Form::Cells(cells(terms, cond, origin, a, b))),
        (Form::Array(a), Form::Array(b)) => arrays(terms, cond, origin, *a, *b),
        (Form::Array(a), Form::Cells(b)) => {
            let b = Array::from_cells(terms, b, origin, a.grain())?;
            arrays(terms, cond, origin, *a, b)
        }
        (Form::Cells(a), Form::Array(b)) => {
            let a = Array::from_cells(terms, a, origin, b.grain())?;
            arrays(terms, cond, origin, a, *b)
        }
    }
}

fn arrays(terms: &mut Terms, cond: Term, origin: &Origin, a: Array, b: Array) -> Result<Form, TooLarge> {
    let grain = a.grain().min(b.grain());
    let (a, b) = (a.divided(terms, origin, grain)?, b.divided(terms, origin, grain)?);
    Ok(Form::Array(a.merged(terms, cond, b)))
}

/// An entry of one side, from `start` to `end`.
#[derive(Clone)]
struct Span {
    start: u64,
    end: u64,
    entry: Entry,
    from_then: bool,
}

fn cells(terms: &mut Terms, cond: Term, origin: &Origin, then: &Cells, other: &Cells) -> Cells {
    let mut result = then.clone();
    let pages = Rc::make_mut(&mut result.pages);
    let mut spans = Vec::new();
    let numbers = then.pages.keys().chain(other.pages.keys());
    let mut numbers: Vec<u64> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let (a, b) = (then.pages.get(&number), other.pages.get(&number));
        if let (Some(a), Some(b)) = (a, b)
            && Rc::ptr_eq(a, b)
        {
            continue;
        }
        pages.remove(&number);
        for (page, from_then) in [(a, true), (b, false)] {
            let entries = page.into_iter().flat_map(|page| page.iter());
            spans.extend(entries.map(|(start, entry)| Span {
                start: *start,
                end: start + entry.len(),
                entry: entry.clone(),
                from_then,
            }));
        }
    }
    spans.sort_by_key(|span| span.start);
    let mut merger = Merger { terms, cond, origin, result };
    for cluster in clusters(&spans) {
        merger.cluster(cluster);
    }
    merger.result
}

/// Divides spans, sorted by their start, into groups that do not touch each other's bytes.
fn clusters(spans: &[Span]) -> Vec<&[Span]> {
    let mut found = Vec::new();
    let (mut first, mut end) = (0, 0);
    for (i, span) in spans.iter().enumerate() {
        if span.start >= end && first < i {
            found.push(&spans[first..i]);
            first = i;
        }
        end = end.max(span.end);
    }
    if first < spans.len() {
        found.push(&spans[first..]);
    }
    found
}

struct Merger<'a> {
    terms: &'a mut Terms,
    cond: Term,
    origin: &'a Origin,
    result: Cells,
}

impl Merger<'_> {
    fn cluster(&mut self, spans: &[Span]) {
        let mut borders: Vec<u64> = spans.iter().flat_map(|span| [span.start, span.end]).collect();
        borders.sort_unstable();
        borders.dedup();
        for pair in borders.windows(2) {
            self.piece(spans, pair[0], pair[1]);
        }
    }

    /// The bytes `from..to`, which no border divides.
    fn piece(&mut self, spans: &[Span], from: u64, to: u64) {
        let mut side = |wanted: bool| {
            let covering = |span: &&Span| span.from_then == wanted && span.start <= from && to <= span.end;
            spans.iter().find(covering).map(|span| span.entry.part(self.terms, span.start, from, to))
        };
        let (then, other) = (side(true), side(false));
        let lazy = match (&then, &other) {
            (None, None) => return,
            (Some(Entry::Word { .. }), _) | (_, Some(Entry::Word { .. })) => None,
            (then, other) => Some((source_of(then), source_of(other))),
        };
        let entry = match lazy {
            Some((then, other)) => {
                let source = Source::choice(self.terms, self.cond, &then, &other);
                Entry::Range { len: to - from, source }
            }
            None => {
                let (then, other) = (self.read(then, from, to), self.read(other, from, to));
                let value = Value::select(self.terms, self.cond, then, other);
                Entry::Word { bytes: to - from, value }
            }
        };
        self.result.insert(from, entry);
    }

    fn read(&mut self, entry: Option<Entry>, from: u64, to: u64) -> Value {
        match entry {
            Some(entry) => entry.read(self.terms, self.origin, from, from, to),
            None => Value::plain(self.origin.word(self.terms, from, to - from)),
        }
    }
}

/// What the bytes of a region are, which is no word.
fn source_of(entry: &Option<Entry>) -> Rc<Source> {
    match entry {
        Some(Entry::Range { source, .. }) => source.clone(),
        Some(Entry::Word { .. }) | None => Rc::new(Source::Initial),
    }
}
