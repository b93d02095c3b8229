//! The leaves of a shape: the units in which memory is copied and filled.

use braid_ir::{Program, Shape, ShapeId};

/// `len` bytes at `start` are one access; `end - start - len` bytes of padding go with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub start: u64,
    pub len: u64,
    pub end: u64,
}

impl Leaf {
    fn byte(start: u64) -> Leaf {
        Leaf { start, len: 1, end: start + 1 }
    }
}

/// The leaf that holds the byte at `offset` of a range of `total` bytes: `shape`, repeated as often as
/// it fits, then single bytes.
pub fn leaf_at(program: &Program, shape: ShapeId, offset: u64, total: u64) -> Leaf {
    let size = program.shape_size(shape);
    let Some(unit) = offset.checked_div(size) else { return Leaf::byte(offset) };
    match unit.checked_add(1).and_then(|next| next.checked_mul(size)) {
        Some(end) if end <= total => leaf_in(program, shape, unit * size, end, offset),
        _ => Leaf::byte(offset),
    }
}

/// Descends into the shape that begins at `start`; padding up to `end` belongs to its last leaf.
fn leaf_in(program: &Program, mut shape: ShapeId, mut start: u64, mut end: u64, offset: u64) -> Leaf {
    loop {
        let inside = offset - start;
        match &program.shapes[shape] {
            Shape::Scalar(ty) => return Leaf { start, len: ty.bytes(program.pointer_bytes), end },
            Shape::Bytes(0) => return Leaf { start, len: 0, end },
            Shape::Bytes(size) => {
                let last = size - 1;
                return if inside < last {
                    Leaf::byte(offset)
                } else {
                    Leaf { start: start + last, len: 1, end }
                };
            }
            Shape::Array { elem, len } => {
                let size = program.shape_size(*elem);
                if size == 0 || *len == 0 {
                    return Leaf { start, len: 0, end };
                }
                let index = (inside / size).min(len - 1);
                start += index * size;
                if index + 1 < *len {
                    end = start + size;
                }
                shape = *elem;
            }
            Shape::Struct { fields, .. } => {
                let after = fields.partition_point(|field| field.offset <= inside);
                if let Some(next) = fields.get(after) {
                    end = start + next.offset;
                }
                let Some(field) = after.checked_sub(1).map(|index| &fields[index]) else {
                    return Leaf { start, len: 0, end };
                };
                start += field.offset;
                shape = field.shape;
            }
            Shape::Union { members, .. } => {
                let size = |id: ShapeId| program.shape_size(id);
                let largest = members.iter().map(|member| size(member.shape)).max().unwrap_or(0);
                let Some(member) = members.iter().find(|m| size(m.shape) == largest) else {
                    return Leaf::byte(offset);
                };
                if inside < member.offset || inside >= member.offset + largest {
                    return Leaf::byte(offset);
                }
                start += member.offset;
                end = start + largest;
                shape = member.shape;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All leaves of a range, as `start+len/end`.
    fn leaves(shapes: &str, shape: u32, total: u64) -> String {
        let program = braid_ir::parse(shapes).unwrap();
        let mut out = Vec::new();
        let mut at = 0;
        while at < total {
            let leaf = leaf_at(&program, ShapeId(shape), at, total);
            assert!(leaf.start <= at && at < leaf.end && leaf.start + leaf.len <= leaf.end, "{leaf:?}");
            for offset in leaf.start..leaf.end {
                assert_eq!(leaf_at(&program, ShapeId(shape), offset, total), leaf);
            }
            out.push(format!("{}+{}/{}", leaf.start, leaf.len, leaf.end));
            at = leaf.end;
        }
        out.join(" ")
    }

    #[test]
    fn structs_arrays_and_unions() {
        let shapes = "shape s0 = i32\nshape s1 = i8\nshape s2 = struct size 8 { 0 s1, 4 s0 }\n\
                      shape s3 = array s2 x 2\nshape s4 = struct size 24 { 0 s0, 8 s3 }\n\
                      shape s5 = union size 6 { 0 s1, 0 s0 }\nshape s6 = bytes 3\n\
                      shape s7 = struct size 8 { 0 s6, 4 s1 }\nshape s8 = struct size 4 { 2 s1 }\n";
        assert_eq!(leaves(shapes, 0, 10), "0+4/4 4+4/8 8+1/9 9+1/10");
        assert_eq!(leaves(shapes, 2, 8), "0+1/4 4+4/8");
        assert_eq!(leaves(shapes, 4, 24), "0+4/8 8+1/12 12+4/16 16+1/20 20+4/24");
        assert_eq!(leaves(shapes, 5, 6), "0+4/4 4+1/5 5+1/6");
        assert_eq!(leaves(shapes, 7, 8), "0+1/1 1+1/2 2+1/4 4+1/8");
        assert_eq!(leaves(shapes, 8, 4), "0+0/2 2+1/4");
    }
}
