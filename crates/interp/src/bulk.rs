//! `copy` and `fill`.
//!
//! Both are one access per leaf in address order. With one thread nobody can see the order, so whole
//! pieces are moved, except where source and destination overlap without leave: there the leaves go
//! one by one. Bytes of a leaf that were never written get their value when they are copied, because
//! it is fixed and both places must agree on it; padding does not (a copy may leave anything there).

use crate::contents::Contents;
use crate::env::Environment;
use crate::machine::{Machine, Step};
use crate::memory::{Located, Memory};
use crate::report::Resource;
use crate::shape::leaf_at;
use crate::value::Value;
use braid_ir::ShapeId;

impl Machine<'_> {
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
        self.define_leaves(from, len, shape, env)?;
        let apart = from.offset.abs_diff(to.offset) >= len;
        if Memory::same_object(from, to) && !apart && !overlapping {
            return self.copy_leaves(from, to, len, shape);
        }
        let pieces = len.div_ceil(Contents::PIECE);
        let descending = to.offset > from.offset;
        for i in 0..pieces {
            let index = if descending { pieces - 1 - i } else { i };
            let start = index * Contents::PIECE;
            self.copy_piece(from, to, start, Contents::PIECE.min(len - start))?;
        }
        Ok(())
    }

    fn copy_piece(&mut self, from: Located, to: Located, start: u64, len: u64) -> Step {
        let piece = self.state.memory.contents(from).extract(from.offset + start, len as usize);
        let (contents, used) = self.state.memory.contents_mut(to);
        contents.insert(to.offset + start, &piece, used);
        self.check_pages()
    }

    fn copy_leaves(&mut self, from: Located, to: Located, len: u64, shape: ShapeId) -> Step {
        let mut at = 0;
        while at < len {
            let leaf = leaf_at(self.image.program, shape, at, len);
            self.copy_piece(from, to, at, leaf.end - at)?;
            at = leaf.end;
        }
        Ok(())
    }

    /// Gives every undefined leaf of the range a value.
    fn define_leaves(&mut self, from: Located, len: u64, shape: ShapeId, env: &mut dyn Environment) -> Step {
        let start = from.offset;
        let mut at = start;
        while let Some(found) = self.state.memory.contents(from).next_undefined(at, start + len) {
            let leaf = leaf_at(self.image.program, shape, found - start, len);
            if found - start < leaf.start + leaf.len {
                let place = Located { offset: start + leaf.start, ..from };
                self.choose_bytes(place, leaf.len as usize, env);
                self.check_pages()?;
            }
            at = start + leaf.end;
        }
        Ok(())
    }

    pub(crate) fn fill(&mut self, dst: Value, byte: u8, len: u64) -> Step {
        if len == 0 {
            return Ok(());
        }
        let to = self.locate(dst, len, true)?;
        let mut at = 0;
        while at < len {
            let part = Contents::PIECE.min(len - at);
            let (contents, used) = self.state.memory.contents_mut(to);
            contents.fill(to.offset + at, part as usize, byte, used);
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

    /// A leaf that was never written gets one value for both places; padding stays open.
    #[test]
    fn undefined_leaves_are_chosen_when_copied() {
        let text = main_of(
            ITEMS,
            "%0 i32, %1 ptr, %2 i32",
            "local l0 s3 size 8 align 4\nb0:\nlive l0\n%1 = local l0\nstore i8 %1, 1:i8\ncopy @b, %1, 8:i64 s3\n\
             %0 = load i32 @b+4\n%1 = ptradd %1, 4:i64\n%2 = load i32 %1\n%0 = sub i32 %0, %2\nret %0",
        );
        let mut env = TestEnv { uninit: 5, ..TestEnv::default() };
        assert_eq!(run_with(&text, "all", Limits::default(), &mut env).1, "exit 0");
        let asked: Vec<_> = env.choices.iter().map(|c| (c.ty, c.memory.map(|m| m.1))).collect();
        assert_eq!(asked, [(Ty::Int(32), Some(4))]);
    }

    #[test]
    fn large_copies() {
        let lines = "%1 = alloc heap 100000:i64, 16:i64 zeroed\n%2 = ptradd %1, 99996:i64\nstore i32 %2, 7:i32\n\
                     %3 = alloc heap 200000:i64, 16:i64\ncopy %3, %1, 100000:i64 s1\n%2 = ptradd %3, 50001:i64\n\
                     copy %2, %3, 100000:i64 s1 overlapping\n%2 = ptradd %3, 149997:i64\n%0 = load i32 %2\nfree heap %1\nfree heap %3";
        assert_eq!(exit_of(ITEMS, "%0 i32, %1 ptr, %2 ptr, %3 ptr", lines), "exit 7");
    }
}
