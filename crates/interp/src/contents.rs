//! The bytes of one object, kept in pages that exist only once they are written.
//!
//! Next to the bytes a page knows which of them were never written (their value is arbitrary but
//! fixed, and is chosen when first read) and where addresses are stored. Pages are shared between
//! copies of a state until one of them writes. A stored address that straddles two pages keeps its
//! bits but not its object (it becomes mixed).

use crate::hash::Hash128;
use crate::value::Prov;
use std::rc::Rc;

const PAGE_BITS: u32 = 12;
const PAGE: u64 = 1 << PAGE_BITS;

/// Memory that a stored address takes besides its bytes.
const MARK_COST: u64 = size_of::<Mark>() as u64;

#[derive(Clone, Debug)]
pub struct Contents {
    size: u64,
    /// What bytes of missing pages are: zero, or not yet chosen.
    zeroed: bool,
    /// Page 0; most objects have no other.
    first: Option<Rc<Page>>,
    /// The following pages, as far as they were touched.
    rest: Vec<Option<Rc<Page>>>,
}

#[derive(Clone, Debug)]
struct Page {
    bytes: Vec<u8>,
    /// One bit per byte, set where the byte was never written; empty if there is none.
    undefined: Vec<u64>,
    /// One bit per byte, set where a byte without a value was copied to; empty if there is none. Says
    /// something about undefined bytes only.
    copied: Vec<u64>,
    /// Stored addresses, ascending and disjoint.
    marks: Vec<Mark>,
}

/// `len` bytes at `at` (of the page, or of a piece) hold a value with provenance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub at: u16,
    pub len: u8,
    pub prov: Prov,
}

impl Mark {
    fn end(&self) -> usize {
        usize::from(self.at) + usize::from(self.len)
    }
}

/// A copy of at most a page of bytes, with everything known about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Piece {
    pub bytes: Vec<u8>,
    /// Positions of undefined bytes.
    pub undefined: Vec<u16>,
    pub marks: Vec<Mark>,
}

impl Page {
    /// Whether the page is as if it were missing.
    fn says_nothing(&self, zeroed: bool) -> bool {
        if zeroed {
            self.undefined.is_empty() && self.marks.is_empty() && self.bytes.iter().all(|byte| *byte == 0)
        } else {
            let count: u32 = self.undefined.iter().map(|word| word.count_ones()).sum();
            count as usize == self.bytes.len() && self.copied.is_empty()
        }
    }

    fn undefined_at(&self, at: usize) -> bool {
        self.undefined.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn any_undefined(&self, at: usize, len: usize) -> bool {
        !self.undefined.is_empty() && (at..at + len).any(|i| self.undefined_at(i))
    }

    fn set_defined(&mut self, at: usize, len: usize) {
        if self.undefined.is_empty() {
            return;
        }
        for i in at..at + len {
            self.undefined[i / 64] &= !(1 << (i % 64));
        }
        if self.undefined.iter().all(|word| *word == 0) {
            self.undefined = Vec::new();
        }
    }

    /// The byte becomes a copy of one that has no value.
    fn set_undefined(&mut self, at: usize) {
        for bits in [&mut self.undefined, &mut self.copied] {
            if bits.is_empty() {
                *bits = vec![0; self.bytes.len().div_ceil(64)];
            }
            bits[at / 64] |= 1 << (at % 64);
        }
    }

    /// Forgets addresses that overlap the range. What is left of one that is only partly overwritten
    /// still depends on an address, byte by byte.
    fn clear_marks(&mut self, at: usize, len: usize, used: &mut u64) {
        let (start, end) = (at, at + len);
        let first = self.marks.partition_point(|m| m.end() <= start);
        let count = self.marks[first..].iter().take_while(|m| usize::from(m.at) < end).count();
        if count == 0 {
            return;
        }
        let mut rest = Vec::new();
        for mark in &self.marks[first..first + count] {
            let (low, high) = (usize::from(mark.at), mark.end());
            for (from, to) in [(low, start.max(low)), (end.min(high), high)] {
                if from < to {
                    rest.push(Mark { at: from as u16, len: (to - from) as u8, prov: Prov::Mixed });
                }
            }
        }
        *used = *used + MARK_COST * rest.len() as u64 - MARK_COST * count as u64;
        self.marks.splice(first..first + count, rest);
    }

    fn add_mark(&mut self, mark: Mark, used: &mut u64) {
        *used += MARK_COST;
        let position = self.marks.partition_point(|m| m.at < mark.at);
        self.marks.insert(position, mark);
    }

    /// Provenance of the value in the range: an address if it was stored exactly there.
    fn prov(&self, at: usize, len: usize) -> Prov {
        if self.marks.is_empty() {
            return Prov::None;
        }
        let first = self.marks.partition_point(|m| m.end() <= at);
        match self.marks.get(first) {
            Some(mark) if usize::from(mark.at) < at + len => {
                let exact = usize::from(mark.at) == at && usize::from(mark.len) == len;
                if exact { mark.prov } else { Prov::Mixed }
            }
            _ => Prov::None,
        }
    }

    #[inline]
    fn bits(&self, at: usize, len: usize) -> u128 {
        let bytes = &self.bytes[at..at + len];
        match len {
            4 => u128::from(u32::from_le_bytes(bytes.try_into().expect("four bytes"))),
            8 => u128::from(u64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
            1 => u128::from(bytes[0]),
            _ => bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte)),
        }
    }

    #[inline]
    fn set_bits(&mut self, at: usize, len: usize, bits: u128) {
        let bytes = &mut self.bytes[at..at + len];
        match len {
            4 => bytes.copy_from_slice(&(bits as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&(bits as u64).to_le_bytes()),
            1 => bytes[0] = bits as u8,
            _ => bytes.copy_from_slice(&bits.to_le_bytes()[..len]),
        }
    }
}

fn split(offset: u64) -> (usize, usize) {
    ((offset >> PAGE_BITS) as usize, (offset & (PAGE - 1)) as usize)
}

/// The parts of a range that lie in one page each: (page, position in it, position in the range, length).
fn parts(offset: u64, len: u64) -> impl Iterator<Item = (usize, usize, u64, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let (page, at) = split(offset + done);
        let part = (PAGE - at as u64).min(len - done);
        let item = (page, at, done, part as usize);
        done += part;
        Some(item)
    })
}

impl Contents {
    pub fn new(size: u64, zeroed: bool) -> Contents {
        Contents { size, zeroed, first: None, rest: Vec::new() }
    }

    #[inline]
    fn page(&self, index: usize) -> Option<&Page> {
        if index == 0 { self.first.as_deref() } else { self.rest.get(index - 1)?.as_deref() }
    }

    fn page_len(&self, index: usize) -> usize {
        (self.size - index as u64 * PAGE).min(PAGE) as usize
    }

    /// The page, made if it is missing and own if it is shared; `used` counts bytes of pages.
    #[inline]
    fn page_mut(&mut self, index: usize, used: &mut u64) -> &mut Page {
        let len = self.page_len(index);
        let zeroed = self.zeroed;
        let slot = if index == 0 {
            &mut self.first
        } else {
            if self.rest.len() < index {
                *used += 8 * (index - self.rest.len()) as u64;
                self.rest.resize(index, None);
            }
            &mut self.rest[index - 1]
        };
        let page = slot.get_or_insert_with(|| {
            *used += len as u64;
            Rc::new(fresh_page(len, zeroed))
        });
        Rc::make_mut(page)
    }

    /// Bytes of memory the pages take.
    pub fn resident(&self) -> u64 {
        let cost = |page: &Rc<Page>| page.bytes.len() as u64 + MARK_COST * page.marks.len() as u64;
        let first = self.first.as_ref().map_or(0, cost);
        first + self.rest.iter().flatten().map(cost).sum::<u64>() + 8 * self.rest.len() as u64
    }

    /// The value of `len` (1 to 16) bytes, or `None` if one of them is undefined. The range must lie
    /// inside, as for all operations here.
    #[inline]
    pub fn read(&self, offset: u64, len: usize) -> Option<(u128, Prov)> {
        let (index, at) = split(offset);
        if at + len > PAGE as usize {
            return self.read_across(offset, len);
        }
        let Some(page) = self.page(index) else { return self.zeroed.then_some((0, Prov::None)) };
        if page.any_undefined(at, len) {
            return None;
        }
        Some((page.bits(at, len), page.prov(at, len)))
    }

    fn read_across(&self, offset: u64, len: usize) -> Option<(u128, Prov)> {
        let (mut bits, mut prov) = (0, Prov::None);
        for (_, _, done, part) in parts(offset, len as u64) {
            let (part_bits, part_prov) = self.read(offset + done, part)?;
            bits |= part_bits << (8 * done);
            if part_prov != Prov::None {
                prov = Prov::Mixed;
            }
        }
        Some((bits, prov))
    }

    #[inline]
    pub fn write(&mut self, offset: u64, len: usize, bits: u128, prov: Prov, used: &mut u64) {
        let (index, at) = split(offset);
        if at + len > PAGE as usize {
            for (_, _, done, part) in parts(offset, len as u64) {
                let prov = if prov == Prov::None { prov } else { Prov::Mixed };
                self.write(offset + done, part, bits >> (8 * done), prov, used);
            }
            return;
        }
        let page = self.page_mut(index, used);
        page.set_bits(at, len, bits);
        page.set_defined(at, len);
        page.clear_marks(at, len, used);
        if prov != Prov::None {
            page.add_mark(Mark { at: at as u16, len: len as u8, prov }, used);
        }
    }

    pub fn undefined_at(&self, offset: u64) -> bool {
        let (index, at) = split(offset);
        self.page(index).map_or(!self.zeroed, |page| page.undefined_at(at))
    }

    /// Whether an undefined byte is a copy of one that has no value, which may have got one since.
    pub fn copied_at(&self, offset: u64) -> bool {
        let (index, at) = split(offset);
        let copied = self.page(index).and_then(|page| page.copied.get(at / 64));
        copied.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// The first undefined byte at or after `offset`, before `end`.
    pub fn next_undefined(&self, offset: u64, end: u64) -> Option<u64> {
        for (index, at, done, part) in parts(offset, end - offset) {
            let found = match self.page(index) {
                None => (!self.zeroed).then_some(0),
                Some(page) if page.undefined.is_empty() => None,
                Some(page) => (0..part).find(|i| page.undefined_at(at + i)),
            };
            if let Some(found) = found {
                return Some(offset + done + found as u64);
            }
        }
        None
    }

    pub fn fill(&mut self, offset: u64, len: usize, byte: u8, used: &mut u64) {
        for (index, at, _, part) in parts(offset, len as u64) {
            if byte == 0 && self.zeroed && self.page(index).is_none() {
                continue;
            }
            let page = self.page_mut(index, used);
            page.bytes[at..at + part].fill(byte);
            page.set_defined(at, part);
            page.clear_marks(at, part, used);
        }
    }

    /// Whether all bytes of the range are zero.
    pub fn is_zero(&self, offset: u64, len: u64) -> bool {
        parts(offset, len).all(|(index, at, _, part)| match self.page(index) {
            None => self.zeroed,
            Some(page) => page.bytes[at..at + part].iter().all(|byte| *byte == 0),
        })
    }

    /// Copies out at most a page's worth of bytes.
    pub fn extract(&self, offset: u64, len: usize) -> Piece {
        let mut piece = Piece { bytes: vec![0; len], ..Piece::default() };
        for (index, at, done, part) in parts(offset, len as u64) {
            let done = done as usize;
            let Some(page) = self.page(index) else {
                if !self.zeroed {
                    piece.undefined.extend((done..done + part).map(|i| i as u16));
                }
                continue;
            };
            piece.bytes[done..done + part].copy_from_slice(&page.bytes[at..at + part]);
            if !page.undefined.is_empty() {
                let undefined = (0..part).filter(|i| page.undefined_at(at + i));
                piece.undefined.extend(undefined.map(|i| (done + i) as u16));
            }
            for mark in &page.marks {
                let (low, high) = (usize::from(mark.at), mark.end());
                let (from, to) = (low.max(at), high.min(at + part));
                if from < to {
                    let whole = to - from == usize::from(mark.len);
                    let prov = if whole { mark.prov } else { Prov::Mixed };
                    piece.marks.push(Mark { at: (from - at + done) as u16, len: (to - from) as u8, prov });
                }
            }
        }
        piece
    }

    pub fn insert(&mut self, offset: u64, piece: &Piece, used: &mut u64) {
        let len = piece.bytes.len();
        let empty = piece.undefined.is_empty() && piece.marks.is_empty();
        if empty && piece.bytes.iter().all(|byte| *byte == 0) {
            return self.fill(offset, len, 0, used);
        }
        for (index, at, done, part) in parts(offset, len as u64) {
            let done = done as usize;
            let page = self.page_mut(index, used);
            page.bytes[at..at + part].copy_from_slice(&piece.bytes[done..done + part]);
            page.set_defined(at, part);
            page.clear_marks(at, part, used);
        }
        for &position in &piece.undefined {
            let (index, at) = split(offset + u64::from(position));
            self.page_mut(index, used).set_undefined(at);
        }
        for mark in &piece.marks {
            for (index, at, _, part) in parts(offset + u64::from(mark.at), u64::from(mark.len)) {
                let prov = if part == usize::from(mark.len) { mark.prov } else { Prov::Mixed };
                self.page_mut(index, used).add_mark(Mark { at: at as u16, len: part as u8, prov }, used);
            }
        }
    }

    /// Provenance of everything stored here.
    pub fn marks(&self) -> impl Iterator<Item = Prov> + '_ {
        let pages = std::iter::once(&self.first).chain(&self.rest).flatten();
        pages.flat_map(|page| page.marks.iter().map(|mark| mark.prov))
    }

    /// Adds the contents to a hash; `prov` adds a stored address's provenance. Pages that say nothing
    /// (all zero where missing pages are zero, nothing defined where they are undefined) do not count.
    pub fn hash(&self, hash: &mut Hash128, mut prov: impl FnMut(&mut Hash128, Prov)) {
        hash.word(u64::from(self.zeroed));
        let pages = std::iter::once(&self.first).chain(&self.rest);
        for (index, page) in pages.enumerate() {
            let Some(page) = page.as_deref().filter(|page| !page.says_nothing(self.zeroed)) else { continue };
            hash.word(index as u64);
            hash.bytes(&page.bytes);
            if !page.undefined.is_empty() {
                page.undefined.iter().for_each(|word| hash.word(*word));
                page.undefined.iter().zip(&page.copied).for_each(|(word, copied)| hash.word(word & copied));
            }
            for mark in &page.marks {
                hash.word(u64::from(mark.at) << 8 | u64::from(mark.len));
                prov(hash, mark.prov);
            }
        }
    }

    /// Largest piece that `extract` takes at once.
    pub const PIECE: u64 = PAGE;

    /// Everything that could be an address: stored addresses with their provenance, and aligned
    /// non-zero words without.
    pub fn possible_addresses(&self, pointer_bytes: usize) -> Vec<(u64, Prov)> {
        let pages = std::iter::once(&self.first).chain(&self.rest).flatten();
        let mut found = Vec::new();
        for page in pages {
            for mark in &page.marks {
                if usize::from(mark.len) == pointer_bytes {
                    found.push((page.bits(usize::from(mark.at), pointer_bytes) as u64, mark.prov));
                }
            }
            for (i, word) in page.bytes.chunks_exact(pointer_bytes).enumerate() {
                if word.iter().any(|byte| *byte != 0) {
                    found.push((page.bits(i * pointer_bytes, pointer_bytes) as u64, Prov::None));
                }
            }
        }
        found
    }
}

fn fresh_page(len: usize, zeroed: bool) -> Page {
    let undefined = if zeroed { Vec::new() } else { vec![u64::MAX; len.div_ceil(64)] };
    let mut page = Page { bytes: vec![0; len], undefined, copied: Vec::new(), marks: Vec::new() };
    // Bits beyond the last byte never become defined by a write; they must not count.
    if let (false, Some(last)) = (len.is_multiple_of(64), page.undefined.last_mut()) {
        *last = (1 << (len % 64)) - 1;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ObjId;

    const OBJECT: Prov = Prov::Object(ObjId { slot: 7, generation: 1 });

    #[test]
    fn undefined_until_written() {
        let mut used = 0;
        let mut contents = Contents::new(100, false);
        assert_eq!(contents.read(0, 4), None);
        contents.write(4, 4, 0xdead_beef, Prov::None, &mut used);
        assert_eq!(contents.read(4, 4), Some((0xdead_beef, Prov::None)));
        assert_eq!(contents.read(3, 4), None);
        assert_eq!(contents.read(4, 2), Some((0xbeef, Prov::None)));
        assert_eq!(contents.next_undefined(4, 100), Some(8));
        contents.fill(0, 100, 9, &mut used);
        assert_eq!(contents.next_undefined(0, 100), None);
        assert_eq!(used, 100);
    }

    #[test]
    fn addresses_keep_their_object_only_whole() {
        let mut used = 0;
        let mut contents = Contents::new(64, true);
        contents.write(8, 8, 0x1000, OBJECT, &mut used);
        assert_eq!(contents.read(8, 8), Some((0x1000, OBJECT)));
        assert_eq!(contents.read(8, 4), Some((0x1000, Prov::Mixed)));
        assert_eq!(contents.read(6, 8), Some((0x1000_0000, Prov::Mixed)));
        assert_eq!(contents.read(16, 8), Some((0, Prov::None)));
        contents.write(10, 1, 0, Prov::None, &mut used);
        assert_eq!(contents.read(8, 8), Some((0x1000, Prov::Mixed)));
        contents.write(8, 8, 5, Prov::None, &mut used);
        assert_eq!(contents.read(8, 8), Some((5, Prov::None)));
    }

    #[test]
    fn pages_are_made_when_needed() {
        let mut used = 0;
        let mut contents = Contents::new(8 << 30, true);
        assert_eq!(contents.read(7 << 30, 8), Some((0, Prov::None)));
        contents.write((1 << 20) - 2, 4, 0x1122_3344, OBJECT, &mut used);
        assert_eq!(contents.read((1 << 20) - 2, 4), Some((0x1122_3344, Prov::Mixed)));
        assert!(used < 20_000 && contents.resident() == used, "{used}");
        contents.fill(0, 1 << 20, 0, &mut used);
        assert_eq!(contents.read((1 << 20) - 2, 4), Some((0x1122_0000, Prov::Mixed)));
        assert_eq!(contents.resident(), used);
    }

    #[test]
    fn pieces_carry_everything() {
        let mut used = 0;
        let mut source = Contents::new(5000, false);
        source.write(4090, 4, 0x0102_0304, Prov::None, &mut used);
        source.write(4100, 8, 0x77, OBJECT, &mut used);
        let piece = source.extract(4088, 24);
        let mut target = Contents::new(64, true);
        target.insert(3, &piece, &mut used);
        assert_eq!(target.read(5, 4), Some((0x0102_0304, Prov::None)));
        assert_eq!(target.read(15, 8), Some((0x77, OBJECT)));
        assert!(target.undefined_at(3) && target.undefined_at(4) && !target.undefined_at(5));
        assert!(target.undefined_at(26) && !target.undefined_at(27));
    }
}
