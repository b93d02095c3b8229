//! Copies of memory that others see in the middle: each leaf is read and written in steps of its own.

use super::Body;
use super::races::Range;
use crate::Untranslatable;
use crate::expr::Place;
use crate::types::value_type;
use braid_ir::*;

/// Leaves of a copy that threads may see in the middle.
const MOST_LEAVES: usize = 256;

impl Body<'_, '_> {
    /// A copy that others may see in the middle: each leaf is read in a step and written in another.
    pub(super) fn copy_in_steps(
        &mut self,
        instr: &Instr,
        [dst, src, len]: [Operand; 3],
        shape: ShapeId,
    ) -> Result<(), Untranslatable> {
        let Some(Const::Int { bits, .. }) = self.constant(len) else {
            return Err(self.refuse("a copy of a length that is not known, of memory that threads share"));
        };
        let mut leaves = Vec::new();
        self.leaves(shape, 0, &mut leaves);
        let size = self.shared.program.shape_size(shape).max(1);
        let whole = bits as u64 / size;
        if whole * size != bits as u64 || whole as usize * leaves.len() > MOST_LEAVES {
            return Err(self.refuse("a long copy of memory that threads share"));
        }
        let [to, from] = [self.resolve(dst)?, self.resolve(src)?];
        let bytes = self.shared.program.pointer_bytes;
        let mut first = true;
        for part in 0..whole {
            for (offset, ty) in &leaves {
                let at = i128::from(part * size + offset);
                let name = self.part_name(*ty);
                if !std::mem::replace(&mut first, false) {
                    self.begin_step();
                }
                let part = |pointer| Range { pointer, start: at, length: ty.bytes(bytes).to_string() };
                let read = self.word(&from, at, value_type(*ty, bytes));
                self.next(instr, part(src), "READ")?;
                self.touch(instr, part(src), "READ")?;
                self.line(&format!("{name} = {read};"));
                self.begin_step();
                self.next(instr, part(dst), "WRITE")?;
                self.touch(instr, part(dst), "WRITE")?;
                let written = self.word(&to, at, value_type(*ty, bytes));
                self.changes(&format!("({}){written} != {name}", value_type(*ty, bytes)));
                self.line(&format!("{written} = {name};"));
            }
        }
        Ok(())
    }

    /// The leaves of a shape: offsets and types.
    pub(super) fn leaves(&self, shape: ShapeId, at: u64, found: &mut Vec<(u64, Ty)>) {
        let program = self.shared.program;
        match &program.shapes[shape] {
            Shape::Scalar(ty) => found.push((at, *ty)),
            Shape::Bytes(size) => found.extend((0..*size).map(|byte| (at + byte, Ty::Int(8)))),
            Shape::Array { elem, len } => {
                let step = program.shape_size(*elem);
                (0..*len).for_each(|index| self.leaves(*elem, at + index * step, found));
            }
            Shape::Struct { fields, .. } => {
                fields.iter().for_each(|field| self.leaves(field.shape, at + field.offset, found));
            }
            Shape::Union { size, .. } => found.extend((0..*size).map(|byte| (at + byte, Ty::Int(8)))),
        }
    }

    /// The variable that holds a part of a copy between two steps.
    pub(super) fn part_name(&mut self, ty: Ty) -> String {
        let names = &mut self.names;
        let name = self.parts.entry(ty).or_insert_with(|| names.fresh("part"));
        name.clone()
    }
}
