//! `copy` and `fill`.
//!
//! Both are one access per leaf in address order. If another thread could look, each leaf is a step of
//! its own, and the thread remembers how far it got. Else nobody can see the order, so whole pieces are
//! moved, except where source and destination overlap without leave: there the leaves go one by one.
//!
//! A copy of single bytes moves words of the size of a pointer where source, destination and length are multiples of
//! that in their objects, so that a pointer stays one: nobody may look at the bytes in between without a race.
//!
//! Bytes that were never written get their value when they are copied, because it is fixed and both places
//! must agree on it. A search leaves padding open, where every value would be a branch, and gives up if
//! somebody looks at it after all.

use crate::contents::Contents;
use crate::env::Environment;
use crate::footprint::{Area, Footprint, Touch};
use crate::machine::{Machine, Step};
use crate::memory::{Located, Memory};
use crate::report::Resource;
use crate::shape::{Leaf, leaf_at};
use crate::state::Thread;
use crate::value::Value;
use crate::visible::{Pending, StepKind};
use braid_base::faults::active;
use braid_ir::{Access, Operand, Program, ShapeId, Space};

/// Of a `copy` or `fill` inside a section so many leaves are told from their padding.
const PRECISE: usize = 64;

/// Bytes from `start` to `end` of the range go together: a leaf of `len` bytes and its padding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    start: u64,
    len: u64,
    end: u64,
}

/// The way through a `copy` or `fill`, leaf by leaf.
#[derive(Clone, Copy)]
struct Way<'p> {
    program: &'p Program,
    shape: ShapeId,
    len: u64,
    descending: bool,
    /// The size of a word, if the bytes go in words.
    word: Option<u64>,
}

impl Way<'_> {
    /// The part that comes when `done` bytes are done.
    fn part(self, done: u64) -> Part {
        let left = self.len - done;
        let at = if self.descending { left - 1 } else { done };
        let leaf = match self.word {
            Some(word) => Leaf { start: at - at % word, len: word, end: at - at % word + word },
            None => leaf_at(self.program, self.shape, at, self.len),
        };
        let (start, end) = if self.descending { (leaf.start, left) } else { (done, leaf.end) };
        Part { start, len: leaf.len.min(end - start), end }
    }

    fn leaves_from(self, mut done: u64) -> u32 {
        let mut count = 0;
        while done < self.len {
            let part = self.part(done);
            done += part.end - part.start;
            count += 1;
        }
        count
    }
}

impl Machine<'_> {
    /// Whether leaves of this memory go one by one, because another thread could look in between.
    fn one_by_one(&self, thread: &Thread) -> bool {
        !self.state.alone && thread.section == 0 && !active("copy-in-one-step")
    }

    pub(crate) fn copy(
        &mut self,
        dst: Value,
        src: Value,
        len: u64,
        shape: ShapeId,
        overlapping: bool,
        env: &mut dyn Environment,
    ) -> Step {
        if len == 0 {
            return Ok(());
        }
        let from = self.locate(src, len, false)?;
        let to = self.locate(dst, len, true)?;
        if self.state.memory.has_shadow_state(from, len) {
            return Err(self.unsupported("a copy of a synchronisation object that is in use"));
        }
        let same = Memory::same_object(from, to);
        let descending = overlapping && same && to.offset > from.offset;
        let word = self.word_of(from, to, len, shape);
        let way = Way { program: self.image.program, shape, len, descending, word };
        let thread = &self.state.threads[self.state.current];
        let (done, one_by_one) = (thread.bulk, self.one_by_one(thread));
        let noticed = |machine: &Self| {
            machine.noticed(src, len, false).is_some() || machine.noticed(dst, len, true).is_some()
        };
        if one_by_one && noticed(self) {
            return self.copy_part(from, to, way, done, env);
        }
        self.count_leaves(|| way.leaves_from(done));
        let apart = from.offset.abs_diff(to.offset) >= len;
        if done > 0 || same && !apart && !overlapping {
            return self.copy_rest(from, to, way, done, env);
        }
        self.define_leaves(from, len, shape, env)?;
        let pieces = len.div_ceil(Contents::PIECE);
        for i in 0..pieces {
            let index = if to.offset > from.offset { pieces - 1 - i } else { i };
            let start = index * Contents::PIECE;
            self.copy_piece(from, to, start, Contents::PIECE.min(len - start))?;
        }
        Ok(())
    }

    /// The size of a word, if a copy goes in words.
    fn word_of(&self, from: Located, to: Located, len: u64, shape: ShapeId) -> Option<u64> {
        let program = self.image.program;
        let word = u64::from(program.pointer_bytes);
        let aligned = [from.offset, to.offset, len].iter().all(|number| number % word == 0);
        (program.shape_size(shape) == 1 && aligned && !active("pointers-copied-in-bytes")).then_some(word)
    }

    /// One leaf; stays at the instruction unless it was the last.
    fn copy_part(
        &mut self,
        from: Located,
        to: Located,
        way: Way,
        done: u64,
        env: &mut dyn Environment,
    ) -> Step {
        let part = way.part(done);
        self.define_part(from, way, part, env)?;
        self.copy_piece(from, to, part.start, part.end - part.start)?;
        self.part_done(way, done, part);
        Ok(())
    }

    fn copy_rest(
        &mut self,
        from: Located,
        to: Located,
        way: Way,
        mut done: u64,
        env: &mut dyn Environment,
    ) -> Step {
        while done < way.len {
            let part = way.part(done);
            self.define_part(from, way, part, env)?;
            self.copy_piece(from, to, part.start, part.end - part.start)?;
            done += part.end - part.start;
        }
        self.state.threads[self.state.current].bulk = 0;
        Ok(())
    }

    fn define_part(&mut self, from: Located, way: Way, part: Part, env: &mut dyn Environment) -> Step {
        let (start, end) = (from.offset + part.start, from.offset + part.end);
        let padding = start + part.len;
        if way.word.is_some() {
            // The bytes of a word are bytes all the same.
            let mut at = start;
            while let Some(found) = self.state.memory.contents(from).next_undefined(at, end) {
                self.choose_bytes(Located { offset: found, ..from }, 1, env)?;
                at = found + 1;
            }
            return Ok(());
        }
        if self.state.memory.contents(from).next_undefined(start, padding).is_some() {
            self.choose_bytes(Located { offset: start, ..from }, part.len as usize, env)?;
        }
        self.define_padding(from, padding, end, env)
    }

    /// Gives every undefined byte of the range a value of its own, unless padding stays open.
    fn define_padding(&mut self, from: Located, mut at: u64, end: u64, env: &mut dyn Environment) -> Step {
        if self.padding_stays_open {
            return Ok(());
        }
        while let Some(found) = self.state.memory.contents(from).next_undefined(at, end) {
            self.choose_bytes(Located { offset: found, ..from }, 1, env)?;
            at = found + 1;
        }
        Ok(())
    }

    fn part_done(&mut self, way: Way, done: u64, part: Part) {
        let done = done + (part.end - part.start);
        let thread = &mut self.state.threads[self.state.current];
        if done < way.len {
            thread.bulk = done;
            thread.frame.pc -= 1;
        } else {
            thread.bulk = 0;
        }
    }

    /// What the next leaf of a `copy` touches, if others could notice; inside a section, all leaves.
    pub(crate) fn copy_at(
        &self,
        thread: &Thread,
        dst: Operand,
        src: Operand,
        len: Operand,
        shape: ShapeId,
        overlapping: bool,
    ) -> Option<Pending> {
        let (dst, src) = (self.fetch_in(thread, dst), self.fetch_in(thread, src));
        let len = self.fetch_in(thread, len).address();
        let memory = &self.state.memory;
        if len == 0 {
            return None;
        }
        let (from, to) = (memory.locate(src, len, false).ok()?, memory.locate(dst, len, true).ok()?);
        let (read, written) = (self.noticed(src, len, false), self.noticed(dst, len, true));
        if read.is_none() && written.is_none() {
            return None;
        }
        let descending = overlapping && Memory::same_object(from, to) && to.offset > from.offset;
        let word = self.word_of(from, to, len, shape);
        let way = Way { program: self.image.program, shape, len, descending, word };
        let mut footprint = Footprint::default();
        for (at, write) in [(read, false), (written, true)] {
            if let Some(at) = at {
                self.touch_parts(thread, &mut footprint, way, at, write);
            }
        }
        // Every part of a copy asks whether anything in the source is in use.
        if let Some(at) = read {
            let base = memory.identity_in(at).base;
            footprint.add(Touch::new(Area::Shadow, base + at.offset, len, false));
        }
        Some(Pending { kind: StepKind::Access, footprint })
    }

    pub(crate) fn fill_at(
        &self,
        thread: &Thread,
        dst: Operand,
        len: Operand,
        shape: ShapeId,
    ) -> Option<Pending> {
        let (dst, len) = (self.fetch_in(thread, dst), self.fetch_in(thread, len).address());
        if len == 0 {
            return None;
        }
        let at = self.noticed(dst, len, true)?;
        let mut footprint = Footprint::default();
        let way = Way { program: self.image.program, shape, len, descending: false, word: None };
        self.touch_parts(thread, &mut footprint, way, at, true);
        Some(Pending { kind: StepKind::Access, footprint })
    }

    fn touch_parts(&self, thread: &Thread, footprint: &mut Footprint, way: Way, at: Located, write: bool) {
        if self.one_by_one(thread) {
            return self.touch_part(thread, footprint, way.part(thread.bulk), at, write);
        }
        let mut done = 0;
        for _ in 0..PRECISE {
            if done == way.len {
                return;
            }
            let part = way.part(done);
            self.touch_part(thread, footprint, part, at, write);
            done += part.end - part.start;
        }
        // The rest as one, padding and all; from the other end if that is where it began.
        let (start, end) = if way.descending { (0, way.len - done) } else { (done, way.len) };
        self.touch_part(thread, footprint, Part { start, len: end - start, end }, at, write);
    }

    fn touch_part(&self, thread: &Thread, footprint: &mut Footprint, part: Part, at: Located, write: bool) {
        let access = Access::default();
        let place = |plus| Located { offset: at.offset + plus, ..at };
        footprint.add(self.touch(thread, place(part.start), part.len, write, Space::Memory, access));
        let padding = part.end - part.start - part.len;
        if padding > 0 {
            let start = place(part.start + part.len);
            let touch = self.touch(thread, start, padding, write, Space::Memory, access);
            footprint.add(Touch { races: false, ..touch });
        }
    }

    fn copy_piece(&mut self, from: Located, to: Located, start: u64, len: u64) -> Step {
        let piece = self.state.memory.contents(from).extract(from.offset + start, len as usize);
        self.state.memory.insert(Located { offset: to.offset + start, ..to }, &piece);
        self.check_pages()
    }

    /// Gives every undefined leaf of the range a value, and padding as far as it gets one.
    fn define_leaves(&mut self, from: Located, len: u64, shape: ShapeId, env: &mut dyn Environment) -> Step {
        let start = from.offset;
        let mut at = start;
        while let Some(found) = self.state.memory.contents(from).next_undefined(at, start + len) {
            let leaf = leaf_at(self.image.program, shape, found - start, len);
            if found - start < leaf.start + leaf.len {
                let place = Located { offset: start + leaf.start, ..from };
                self.choose_bytes(place, leaf.len as usize, env)?;
            }
            self.define_padding(from, start + leaf.start + leaf.len, start + leaf.end, env)?;
            self.check_pages()?;
            at = start + leaf.end;
        }
        Ok(())
    }

    pub(crate) fn fill(&mut self, dst: Value, byte: u8, len: u64, shape: ShapeId) -> Step {
        if len == 0 {
            return Ok(());
        }
        let to = self.locate(dst, len, true)?;
        let way = Way { program: self.image.program, shape, len, descending: false, word: None };
        let thread = &self.state.threads[self.state.current];
        let done = thread.bulk;
        if self.one_by_one(thread) && self.noticed(dst, len, true).is_some() {
            let part = way.part(done);
            let start = Located { offset: to.offset + part.start, ..to };
            self.state.memory.fill(start, (part.end - part.start) as usize, byte);
            self.part_done(way, done, part);
            return Ok(());
        }
        self.count_leaves(|| way.leaves_from(done));
        self.state.threads[self.state.current].bulk = 0;
        let mut at = done;
        while at < len {
            let part = Contents::PIECE.min(len - at);
            self.state.memory.fill(Located { offset: to.offset + at, ..to }, part as usize, byte);
            self.check_pages()?;
            at += part;
        }
        Ok(())
    }

    /// One operation can touch gigabytes, so the limit is looked at on the way.
    fn check_pages(&self) -> Step {
        let limit = self.options.limits.memory;
        if self.state.memory.used() > limit {
            return Err(self.resource(Resource::OutOfMemory { limit }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::Limits;
    use crate::testing::{TestEnv, exit_of, main_of, run_with};
    use braid_ir::Ty;

    const ITEMS: &str = "shape s0 = i32\nshape s1 = i8\nshape s2 = ptr\nshape s3 = struct size 8 { 0 s1, 4 s0 }\n\
                         global @a s2 size 8 align 8 = { 0: \"\\01\\02\\03\\04\\05\\06\\07\\08\" }\n\
                         global @b s2 size 8 align 8\nglobal @p s2 size 8 align 8 = { 0: @a }";

    #[test]
    fn copies_and_fills() {
        let regs = "%0 i32, %1 ptr, %2 i1";
        let cases = [
            ("copy @b, @a, 8:i64 s0\n%0 = load i32 @b+4", 0x0807_0605),
            ("copy @a+1, @a, 7:i64 s1 overlapping\n%0 = load i32 @a+4", 0x0706_0504),
            ("copy @a, @a+1, 7:i64 s1 overlapping\n%0 = load i32 @a", 0x0504_0302),
            // memcpy forward, byte by byte, over itself.
            ("copy @a+1, @a, 7:i64 s1\n%0 = load i32 @a+4", 0x0101_0101),
            ("copy @a+4, @a, 4:i64 s0\n%0 = load i32 @a+4", 0x0403_0201),
            ("copy null, null, 0:i64 s1\n%0 = 1:i32", 1),
            ("fill @a+2, 9:i8, 3:i64 s1\n%0 = load i32 @a+1", 0x0909_0902),
            ("copy @b, @p, 8:i64 s2\n%1 = load ptr @b\n%0 = load i32 %1", 0x0403_0201),
        ];
        for (lines, expected) in cases {
            assert_eq!(exit_of(ITEMS, regs, lines), format!("exit {expected}"), "{lines}");
        }
    }

    /// What was never written gets one value for both places, padding included.
    #[test]
    fn undefined_bytes_are_chosen_when_copied() {
        let text = main_of(
            ITEMS,
            "%0 i32, %1 ptr, %2 i32",
            "local l0 s3 size 8 align 4\nb0:\nlive l0\n%1 = local l0\nstore i8 %1, 1:i8\ncopy @b, %1, 8:i64 s3\n\
             %0 = load i32 @b+4\n%1 = ptradd %1, 4:i64\n%2 = load i32 %1\n%0 = sub i32 %0, %2\nret %0",
        );
        let mut env = TestEnv { uninit: 5, ..TestEnv::default() };
        assert_eq!(run_with(&text, "all", Limits::default(), &mut env).1, "exit 0");
        let asked: Vec<_> = env.choices.iter().map(|c| (c.ty, c.memory.map(|m| m.1))).collect();
        let padding = [1, 2, 3].map(|offset| (Ty::Int(8), Some(offset)));
        assert_eq!(asked, [&padding[..], &[(Ty::Int(32), Some(4))]].concat());
    }

    #[test]
    fn large_copies() {
        let lines = "%1 = alloc heap 100000:i64, 16:i64 zeroed\n%2 = ptradd %1, 99996:i64\nstore i32 %2, 7:i32\n\
                     %3 = alloc heap 200000:i64, 16:i64\ncopy %3, %1, 100000:i64 s1\n%2 = ptradd %3, 50001:i64\n\
                     copy %2, %3, 100000:i64 s1 overlapping\n%2 = ptradd %3, 149997:i64\n%0 = load i32 %2\nfree heap %1\nfree heap %3";
        assert_eq!(exit_of(ITEMS, "%0 i32, %1 ptr, %2 ptr, %3 ptr", lines), "exit 7");
    }
}
