//! Memory that nobody writes: a load of it gives its initial value.

use super::known::{Folder, Known};
use braid_analysis::objects::Object;
use braid_analysis::{AccessKind, Facts, Group, Offset};
use braid_base::IndexVec;
use braid_ir::{Const, GlobalId, Program, Space, Ty};

/// The bytes of static objects that some instruction may write.
pub(super) struct Written {
    /// Offset and length of each write; a length of `None` is any.
    ranges: IndexVec<GlobalId, Vec<(Offset, Option<u64>)>>,
}

impl Written {
    pub fn new(program: &Program, facts: &Facts) -> Written {
        let ranges = program.globals.iter().map(|_| Vec::new()).collect();
        let mut written = Written { ranges };
        for access in &facts.accesses.list {
            let writes = matches!(access.kind, AccessKind::Write | AccessKind::Update);
            if !writes || access.space != Space::Memory {
                continue;
            }
            for extent in &access.extents {
                written.add(facts.pointers.object(extent.object), extent.offset, extent.len);
            }
            let group: Option<Group> = access.also;
            for object in group.iter().flat_map(|group| facts.accesses.group(*group)) {
                written.add(facts.pointers.object(*object), Offset::Any, None);
            }
        }
        written.ranges.iter_mut().for_each(|ranges| {
            ranges.sort();
            ranges.dedup();
        });
        written
    }

    fn add(&mut self, object: Object, offset: Offset, len: Option<u64>) {
        match object {
            Object::Global(id) => self.ranges[id].push((offset, len)),
            Object::Unknown
            | Object::Uninit
            | Object::Handle(..)
            | Object::Function(_)
            | Object::ThreadLocal(_)
            | Object::Local(..)
            | Object::Block(..) => {}
        }
    }

    /// Returns true if some instruction may write the bytes.
    fn may_be(&self, global: GlobalId, at: u64, len: u64) -> bool {
        self.ranges[global].iter().any(|(offset, size)| match offset {
            Offset::Any => true,
            Offset::At(start) => *start < at + len && size.is_none_or(|size| at < start.saturating_add(size)),
        })
    }

    /// The value that a load gives whenever it is executed, if that is known. With `read_only`, only of memory that
    /// cannot be written at all.
    pub fn value(
        &self,
        program: &Program,
        folder: &mut Folder,
        (global, at): (GlobalId, i64),
        ty: Ty,
        extent: (u16, u16),
        read_only: bool,
    ) -> Option<Known> {
        let object = &program.globals[global];
        let len = ty.bytes(program.pointer_bytes);
        let at = u64::try_from(at).ok()?;
        let inside = at.checked_add(len).is_some_and(|end| end <= object.size);
        // Bit-fields beside it are one memory location with it: a load of it may race with their writes.
        let (before, after) = (u64::from(extent.0), u64::from(extent.1));
        let location = (at.saturating_sub(before), len + before + after);
        let fixed = object.read_only || !read_only && !self.may_be(global, location.0, location.1);
        if !inside || object.thread_local || !fixed {
            return None;
        }
        let word = u64::from(program.pointer_bytes);
        let mut addresses =
            object.init.pointers.iter().filter(|(start, _)| *start < at + len && at < start + word);
        if let Some((start, value)) = addresses.next() {
            return (ty == Ty::Ptr && *start == at).then(|| Known::Const(folder.pool.intern(*value)));
        }
        let byte = |offset: u64| {
            let holds =
                |(start, bytes): &&(u64, Vec<u8>)| (*start..*start + bytes.len() as u64).contains(&offset);
            let chunk = object.init.data.iter().find(holds);
            chunk.map_or(0, |(start, bytes)| bytes[(offset - start) as usize])
        };
        let bits = (0..len).rev().fold(0, |bits: u128, i| bits << 8 | u128::from(byte(at + i)));
        let value = match ty {
            Ty::Int(width) => Const::Int { width, bits: braid_ir::fold::cut(bits, width) },
            Ty::F32 => Const::F32(bits as u32),
            Ty::F64 => Const::F64(bits as u64),
            Ty::Ptr => return Some(folder.pointer(bits)),
        };
        Some(Known::Const(folder.pool.intern(value)))
    }
}
