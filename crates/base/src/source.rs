//! Source text, and where a position in it came from.
//!
//! Every text given to the front end (usually the preprocessor's output) is a *buffer* of one
//! [`SourceMap`]. Positions are global: buffer start plus byte offset, so a [`Span`] is two `u32`s
//! and needs no file id. The lexer records the preprocessor's line markers here; [`SourceMap::place`]
//! turns a position back into the file, line and column the user wrote.
//!
//! A preprocessor squeezes white space and expands macros, so a column of its output is not a column
//! of the user's file. When the original text is known (`add_original`), the tokens of both lines are aligned
//! ([`crate::columns`]); where that does not tell, the column is 0: not known.

use crate::HashMap;
use crate::columns::{Alignment, Piece, plain_column};
use std::cell::RefCell;
use std::rc::Rc;

/// A half-open range of global byte positions. `Span::NONE` marks synthesised code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub const NONE: Span = Span { lo: 0, hi: 0 };

    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// From the start of `self` to the end of `end`.
    pub fn to(self, end: Span) -> Span {
        if self == Span::NONE {
            end
        } else if end == Span::NONE {
            self
        } else {
            Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
        }
    }
}

/// Where a person looks: file, line and column, both from 1. Column 0 means that only the line is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: Rc<str>,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.column {
            0 => write!(f, "{}:{}", self.file, self.line),
            column => write!(f, "{}:{}:{column}", self.file, self.line),
        }
    }
}

struct Marker {
    /// First position the marker speaks of (the start of the line after it).
    at: u32,
    file: Rc<str>,
    line: u32,
    system: bool,
}

/// A text and where its lines begin.
struct Lines {
    text: Rc<str>,
    starts: Vec<u32>,
}

impl Lines {
    fn new(text: Rc<str>) -> Lines {
        let after = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let starts = std::iter::once(0).chain(after).collect();
        Lines { text, starts }
    }

    /// The number, from 0, of the line that holds the byte at `offset`.
    fn number(&self, offset: u32) -> usize {
        self.starts.partition_point(|&s| s <= offset) - 1
    }

    fn get(&self, number: usize) -> Option<&str> {
        let start = *self.starts.get(number)? as usize;
        let end = self.starts.get(number + 1).map_or(self.text.len(), |&next| next as usize - 1);
        self.text.get(start..end).map(|line| line.trim_end_matches('\r'))
    }
}

struct Buffer {
    start: u32,
    lines: Lines,
    markers: Vec<Marker>,
}

fn is_line_marker(line: &str) -> bool {
    let rest = line.strip_prefix('#').map(|rest| rest.trim_start());
    rest.is_some_and(|rest| rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit()))
}

impl Buffer {
    /// Byte offset of a global position, clamped to the text.
    fn offset(&self, pos: u32) -> u32 {
        (pos - self.start).min(self.lines.text.len() as u32)
    }

    /// The file and line of a printed line, and whether it comes from a system header; nothing for a line marker.
    fn origin(&self, number: usize) -> Option<(&str, u32, bool)> {
        let start = *self.lines.starts.get(number)?;
        if is_line_marker(self.lines.get(number)?) {
            return None;
        }
        let pos = self.start + start;
        let next = self.markers.partition_point(|marker| marker.at <= pos);
        let marker = &self.markers[next.max(1) - 1];
        let line = marker.line + (number - self.lines.number(self.offset(marker.at))) as u32;
        Some((&marker.file, line, marker.system))
    }

    /// The printed lines around one that were made of the same source line, and whether each comes from a system
    /// header. Nothing but line markers lies between them.
    fn run(&self, number: usize, file: &str, line: u32) -> Vec<(usize, bool)> {
        let same = |number: usize| match self.origin(number) {
            Some((of, at, system)) => (of == file && at == line).then_some(Some((number, system))),
            None => (number < self.lines.starts.len()).then_some(None),
        };
        let mut run: Vec<(usize, bool)> = (0..number).rev().map_while(same).flatten().collect();
        run.reverse();
        run.extend((number..self.lines.starts.len()).map_while(same).flatten());
        run
    }

    fn printed_line(&self, file: &str, line: u32) -> Option<&str> {
        let ends = self.markers.iter().skip(1).map(|m| m.at).chain([u32::MAX]);
        self.markers.iter().zip(ends).filter(|(m, _)| &*m.file == file && m.line <= line).find_map(
            |(m, end)| {
                let number = self.lines.number(self.offset(m.at)) + (line - m.line) as usize;
                let start = *self.lines.starts.get(number)?;
                if self.start + start < end { self.lines.get(number) } else { None }
            },
        )
    }
}

#[derive(Default)]
pub struct SourceMap {
    buffers: Vec<Buffer>,
    originals: HashMap<Rc<str>, Lines>,
    /// Alignments of printed lines with source lines, by buffer and first printed line, made when they are asked for.
    alignments: RefCell<HashMap<(u32, usize), Alignment>>,
}

impl SourceMap {
    /// Adds a text; `name` is the file its first line belongs to until a marker says otherwise.
    /// Returns the global position of its first byte, or `None` if positions ran out (4 GiB in all).
    pub fn add(&mut self, name: &str, text: Rc<str>) -> Option<u32> {
        // Position 0 is kept free so that no real span equals `Span::NONE`.
        let start = self.buffers.last().map_or(1, |b| b.start + b.lines.text.len() as u32 + 1);
        let end = u64::from(start) + text.len() as u64 + 1;
        if end > u64::from(u32::MAX) {
            return None;
        }
        let first = Marker { at: start, file: name.into(), line: 1, system: false };
        self.buffers.push(Buffer { start, lines: Lines::new(text), markers: vec![first] });
        Some(start)
    }

    /// The text the user wrote in `file`, for columns and for showing lines.
    pub fn add_original(&mut self, file: &str, text: Rc<str>) {
        self.originals.insert(file.into(), Lines::new(text));
        self.alignments.borrow_mut().clear();
    }

    /// Records a line marker of the newest buffer: from `at` on, lines count from `line` in `file`.
    /// Markers must come in increasing order of `at`.
    pub fn add_marker(&mut self, at: u32, file: &str, line: u32, system: bool) {
        let buffer = self.buffers.last_mut().expect("a marker belongs to the text being lexed");
        let file = match buffer.markers.iter().rev().take(8).find(|m| &*m.file == file) {
            Some(known) => known.file.clone(),
            None => file.into(),
        };
        buffer.markers.push(Marker { at, file, line, system });
    }

    /// The files outside system headers that markers name, each once, in order of appearance.
    pub fn user_files(&self) -> Vec<Rc<str>> {
        let mut seen = crate::HashSet::default();
        let markers = self.buffers.iter().flat_map(|b| &b.markers);
        let named = markers.filter(|m| !m.system && !m.file.starts_with('<'));
        named.filter(|m| seen.insert(m.file.clone())).map(|m| m.file.clone()).collect()
    }

    fn buffer(&self, pos: u32) -> Option<&Buffer> {
        let next = self.buffers.partition_point(|b| b.start <= pos);
        self.buffers.get(next.checked_sub(1)?)
    }

    /// The text of a span, as it stands in the buffer.
    pub fn text(&self, span: Span) -> &str {
        self.buffer(span.lo)
            .and_then(|b| {
                b.lines.text.get((span.lo - b.start) as usize..(span.hi.max(span.lo) - b.start) as usize)
            })
            .unwrap_or("")
    }

    /// Whether the position lies in a system header.
    pub fn in_system_header(&self, pos: u32) -> bool {
        self.marker(pos).is_some_and(|(_, m)| m.system)
    }

    fn marker(&self, pos: u32) -> Option<(&Buffer, &Marker)> {
        let buffer = self.buffer(pos)?;
        let next = buffer.markers.partition_point(|m| m.at <= pos);
        Some((buffer, &buffer.markers[next.max(1) - 1]))
    }

    pub fn place(&self, pos: u32) -> Option<Place> {
        let (buffer, marker) = self.marker(pos)?;
        let offset = buffer.offset(pos);
        let number = buffer.lines.number(offset);
        let line = marker.line + (number - buffer.lines.number(buffer.offset(marker.at))) as u32;
        let within = (offset - buffer.lines.starts[number]) as usize;
        let column = match self.original_line(&marker.file, line) {
            Some(original) => self.aligned(buffer, number, &marker.file, line, original, within),
            None => Some(plain_column(buffer.lines.get(number).unwrap_or(""), within)),
        };
        Some(Place { file: marker.file.clone(), line, column: column.map_or(0, |column| column as u32 + 1) })
    }

    /// The column (from 0) of the user's line for a byte of a printed line.
    fn aligned(
        &self,
        buffer: &Buffer,
        number: usize,
        file: &str,
        line: u32,
        original: &str,
        within: usize,
    ) -> Option<usize> {
        let printed = buffer.lines.get(number).unwrap_or("");
        let run = buffer.run(number, file, line);
        let (first, _) = *run.first()?;
        let piece = run.iter().position(|(printed, _)| *printed == number)?;
        let key = (buffer.start, first);
        if let Some(known) = self.alignments.borrow().get(&key) {
            return known.column(piece, printed, within);
        }
        let pieces: Vec<Piece<'_>> = run
            .iter()
            .map(|(printed, system)| Piece {
                text: buffer.lines.get(*printed).unwrap_or(""),
                system: *system,
            })
            .collect();
        let following = |ahead: usize| self.original_line(file, line + 1 + ahead as u32);
        let alignment = Alignment::new(original, following, &pieces);
        let column = alignment.column(piece, printed, within);
        self.alignments.borrow_mut().insert(key, alignment);
        column
    }

    /// The line of the user's file if its text is known, else the line as preprocessed.
    pub fn line_text(&self, pos: u32) -> Option<&str> {
        let place = self.place(pos)?;
        let buffer = self.buffer(pos)?;
        self.original_line(&place.file, place.line)
            .or_else(|| buffer.lines.get(buffer.lines.number(buffer.offset(pos))))
    }

    /// A line of a file by its name and number: of the user's file if its text is known, else as
    /// preprocessed.
    pub fn line_of(&self, file: &str, line: u32) -> Option<&str> {
        self.original_line(file, line)
            .or_else(|| self.buffers.iter().find_map(|b| b.printed_line(file, line)))
    }

    fn original_line(&self, file: &str, line: u32) -> Option<&str> {
        self.originals.get(file)?.get(line.checked_sub(1)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_map_back_to_the_file() {
        let mut map = SourceMap::default();
        let text = "# 1 \"a.c\"\nint x;\n# 7 \"b.h\" 1 3\n  int y;\n";
        let start = map.add("a.i", text.into()).unwrap();
        let at = |needle: &str| start + text.find(needle).unwrap() as u32;
        map.add_marker(at("int x"), "a.c", 1, false);
        map.add_marker(at("  int y"), "b.h", 7, true);
        assert_eq!(map.place(at("x;")).unwrap().to_string(), "a.c:1:5");
        assert_eq!(map.place(at("y;")).unwrap().to_string(), "b.h:7:7");
        assert!(map.in_system_header(at("y;")));
        assert_eq!(map.line_text(at("y;")), Some("  int y;"));
        assert_eq!(map.line_of("b.h", 7), Some("  int y;"));
        assert_eq!(map.line_of("a.c", 1), Some("int x;"));
        assert_eq!(map.line_of("a.c", 7), None);
    }

    /// A line that the preprocessor has printed in pieces, with markers in between.
    #[test]
    fn columns_are_those_of_the_original() {
        let mut map = SourceMap::default();
        let text = "x = \n# 1 \"a.c\" 3 4\n   ((void *)0)\n# 1 \"a.c\"\n   ; y = 2;\nA B;\n";
        let start = map.add("a.i", text.into()).unwrap();
        let at = |needle: &str| start + text.find(needle).unwrap() as u32;
        map.add_marker(at("   ((void"), "a.c", 1, true);
        map.add_marker(at("   ; y"), "a.c", 1, false);
        map.add_marker(start, "a.c", 1, false);
        map.buffers[0].markers.sort_by_key(|marker| marker.at);
        map.add_original("a.c", "x = NULL ;   y = 2;\n1 2 3;\n".into());
        let column = |needle: &str| map.place(at(needle)).unwrap().column;
        assert_eq!([column("x ="), column("void"), column("; y"), column("y = 2")], [1, 5, 10, 14]);
        // What does not fit has no column.
        assert_eq!(map.place(at("A B")).unwrap().to_string(), "a.c:2");
    }

    #[test]
    fn second_buffer_has_its_own_lines() {
        let mut map = SourceMap::default();
        map.add("a.c", "a\nb\n".into()).unwrap();
        let second = map.add("b.c", "c\nd\n".into()).unwrap();
        assert_eq!(map.place(second + 2).unwrap().to_string(), "b.c:2:1");
        assert_eq!(map.text(Span::new(second, second + 1)), "c");
    }
}
