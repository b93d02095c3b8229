//! Which addresses objects get.
//!
//! A base address must not depend on how threads interleave, so each thread allocates from regions of
//! its own: heap blocks one after the other and never again, frame objects by the discipline of a
//! stack, as compiled code does (two frames that are not alive together can have the same addresses).
//! Functions and static objects come first, in program order. Between objects lie gaps, so that no
//! address just outside one is inside another, and one past the end of one is not the start of the
//! next. The lowest and the highest page belong to nobody.

/// Addresses below this are null pointers plus small offsets.
pub const NULL_PAGE: u64 = 4096;

/// Bytes between two objects at least.
const GAP: u64 = 16;

/// A range of addresses given out in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    next: u64,
    end: u64,
}

/// No more addresses: the object does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

impl Region {
    pub fn new(start: u64, end: u64) -> Region {
        Region { next: start, end }
    }

    /// A base for `size` bytes, aligned.
    pub fn place(&mut self, size: u64, align: u64) -> Result<u64, Exhausted> {
        let base = self.next.checked_next_multiple_of(align.max(1)).ok_or(Exhausted)?;
        let after = base.checked_add(size).and_then(|end| end.checked_add(GAP)).ok_or(Exhausted)?;
        if after > self.end {
            return Err(Exhausted);
        }
        self.next = after;
        Ok(base)
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    /// Gives back the object if it was the last one placed.
    pub fn release_last(&mut self, base: u64, size: u64) {
        if base + size + GAP == self.next {
            self.next = base;
        }
    }

    /// Gives back everything from `to` on (a stack is popped).
    pub fn rewind(&mut self, to: u64) {
        self.next = to;
    }
}

/// How the address space is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pointer_bytes: u8,
}

impl Layout {
    pub fn new(pointer_bytes: u8) -> Layout {
        Layout { pointer_bytes }
    }

    /// Functions and static objects.
    pub fn statics(self) -> Region {
        if self.pointer_bytes == 8 { Region::new(1 << 22, 1 << 40) } else { Region::new(1 << 20, 6 << 28) }
    }

    /// Heap and stack of the thread with this number (0 is main), if there is room for it. With 64
    /// bits every thread has 3 · 2^37 bytes of heap and 2^37 of stack below 2^47; with 32 bits main
    /// has 1.5 GiB and 256 MiB, every other thread 6 MiB and 2 MiB.
    pub fn thread(self, number: u32) -> Option<(Region, Region)> {
        let number = u64::from(number);
        let (start, heap, stack, limit) = match (self.pointer_bytes, number) {
            (8, _) => ((number + 2) << 39, 3 << 37, 1 << 37, 1 << 47),
            (_, 0) => (6 << 28, 6 << 28, 1 << 28, 13 << 28),
            (_, _) => ((13 << 28) + ((number - 1) << 23), 6 << 20, 2 << 20, (1 << 32) - (1 << 20)),
        };
        let middle = start + heap;
        let end = middle + stack;
        (end <= limit).then_some((Region::new(start, middle), Region::new(middle, end)))
    }
}

/// A frame's objects, laid out once per function.
#[derive(Clone, Default, Debug)]
pub struct FrameLayout {
    pub offsets: Vec<u64>,
    pub size: u64,
    pub align: u64,
}

impl FrameLayout {
    /// `objects` are (size, alignment). `None` if the frame is larger than any address space.
    pub fn new(objects: impl Iterator<Item = (u64, u64)>) -> Option<FrameLayout> {
        let mut region = Region::new(0, 1 << 46);
        let mut layout = FrameLayout { align: 16, ..FrameLayout::default() };
        for (size, align) in objects {
            layout.offsets.push(region.place(size, align).ok()?);
            layout.align = layout.align.max(align);
        }
        layout.size = region.next();
        Some(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_do_not_overlap() {
        for pointer_bytes in [4, 8] {
            let layout = Layout::new(pointer_bytes);
            let statics = layout.statics();
            let mut last = statics.end;
            for number in 0.. {
                let Some((heap, stack)) = layout.thread(number) else {
                    assert!(number >= 90, "only {number} threads");
                    break;
                };
                assert!(last <= heap.next && heap.end <= stack.next && stack.next < stack.end);
                last = stack.end;
            }
            assert!(last < 1 << (pointer_bytes * 8 - 1) || pointer_bytes == 4 && last < (1 << 32) - 4096);
        }
    }

    #[test]
    fn objects_are_aligned_with_gaps() {
        let mut region = Region::new(100, 1000);
        assert_eq!(region.place(1, 16), Ok(112));
        assert_eq!(region.place(0, 8), Ok(136));
        assert_eq!(region.place(0, 8), Ok(152));
        assert_eq!(region.place(900, 1), Err(Exhausted));
        assert_eq!(region.place(u64::MAX, 1), Err(Exhausted));
        assert_eq!(region.place(1, 1 << 63), Err(Exhausted));
        assert_eq!(region.next(), 168);
    }
}
