//! The leaves of a shape: the units in which memory is copied and filled.

use braid_ir::{Program, Shape, ShapeId, Ty};

/// `len` bytes at `start` are one access; padding up to `end` goes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub start: u64,
    pub len: u64,
    pub end: u64,
    /// It is a whole pointer.
    pub pointer: bool,
}

/// The leaves of `total` bytes: the shape as often as it fits, then single bytes.
pub fn leaves(program: &Program, shape: ShapeId, total: u64) -> Vec<Leaf> {
    let size = program.shape_size(shape);
    let mut found = Vec::new();
    let mut at = 0;
    while size > 0 && at + size <= total {
        collect(program, shape, at, at + size, &mut found);
        at += size;
    }
    found.extend((at..total).map(|start| Leaf { start, len: 1, end: start + 1, pointer: false }));
    found
}

/// The leaves of the shape at `start`; bytes up to `end` go with the last one.
fn collect(program: &Program, shape: ShapeId, start: u64, end: u64, found: &mut Vec<Leaf>) {
    match &program.shapes[shape] {
        Shape::Scalar(ty) => {
            let (len, pointer) = (ty.bytes(program.pointer_bytes), *ty == Ty::Ptr);
            found.push(Leaf { start, len, end, pointer });
        }
        Shape::Bytes(0) => found.push(Leaf { start, len: 0, end, pointer: false }),
        Shape::Bytes(size) => {
            found.extend((0..*size - 1).map(|i| Leaf {
                start: start + i,
                len: 1,
                end: start + i + 1,
                pointer: false,
            }));
            found.push(Leaf { start: start + size - 1, len: 1, end, pointer: false });
        }
        Shape::Array { elem, len } => {
            let size = program.shape_size(*elem);
            if size == 0 || *len == 0 {
                found.push(Leaf { start, len: 0, end, pointer: false });
                return;
            }
            for index in 0..*len {
                let at = start + index * size;
                collect(program, *elem, at, if index + 1 < *len { at + size } else { end }, found);
            }
        }
        Shape::Struct { fields, .. } => {
            let first = fields.first().map_or(end, |field| start + field.offset);
            if first > start {
                found.push(Leaf { start, len: 0, end: first, pointer: false });
            }
            for (index, field) in fields.iter().enumerate() {
                let next = fields.get(index + 1).map_or(end, |next| start + next.offset);
                collect(program, field.shape, start + field.offset, next, found);
            }
        }
        Shape::Union { members, .. } => {
            let size = |id: ShapeId| program.shape_size(id);
            let largest = members.iter().map(|member| size(member.shape)).max().unwrap_or(0);
            let bytes = |from: u64, to: u64| {
                (from..to).map(|start| Leaf { start, len: 1, end: start + 1, pointer: false })
            };
            match members.iter().find(|member| size(member.shape) == largest) {
                Some(member) => {
                    let at = start + member.offset;
                    found.extend(bytes(start, at));
                    collect(program, member.shape, at, at + largest, found);
                    found.extend(bytes(at + largest, end));
                }
                None => found.extend(bytes(start, end)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_as_the_interpreters() {
        let shapes = "shape s0 = i32\nshape s1 = i8\nshape s2 = struct size 8 { 0 s1, 4 s0 }\n\
                      shape s3 = array s2 x 2\nshape s4 = struct size 24 { 0 s0, 8 s3 }\n\
                      shape s5 = union size 6 { 0 s1, 0 s0 }\nshape s6 = bytes 3\n\
                      shape s7 = struct size 8 { 0 s6, 4 s1 }\nshape s8 = struct size 4 { 2 s1 }\n";
        let program = braid_ir::parse(shapes).expect("the text is a program");
        let text = |shape, total| {
            let list = leaves(&program, ShapeId(shape), total);
            let show = |leaf: &Leaf| format!("{}+{}/{}", leaf.start, leaf.len, leaf.end);
            list.iter().map(show).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(0, 10), "0+4/4 4+4/8 8+1/9 9+1/10");
        assert_eq!(text(2, 8), "0+1/4 4+4/8");
        assert_eq!(text(4, 24), "0+4/8 8+1/12 12+4/16 16+1/20 20+4/24");
        assert_eq!(text(5, 6), "0+4/4 4+1/5 5+1/6");
        assert_eq!(text(7, 8), "0+1/1 1+1/2 2+1/4 4+1/8");
        assert_eq!(text(8, 4), "0+0/2 2+1/4");
    }
}
