//! Bytes of an object as the program's author would write them: `x`, `a[3]`, `queue.items[2]`.

use crate::object::{Identity, Kind};
use braid_ir::{Program, Shape, ShapeField, ShapeId};

/// The shape of an object that was declared; blocks have none.
fn shape(program: &Program, object: &Identity) -> Option<ShapeId> {
    match object.kind {
        Kind::Global(id) | Kind::ThreadLocal(id) => Some(program.globals[id].shape),
        Kind::Local(func, local) => Some(program.functions[func].locals[local].shape),
        Kind::Function(_) | Kind::Stack | Kind::Heap | Kind::Thread(_) => None,
    }
}

/// The name the object was declared with.
pub fn declared(program: &Program, object: &Identity) -> Option<String> {
    // What follows a dot tells objects apart that share a name.
    let plain = |name: &str| name.split('.').next().unwrap_or(name).to_string();
    match object.kind {
        Kind::Global(id) | Kind::ThreadLocal(id) => {
            let global = &program.globals[id];
            let literal = global.read_only && global.name.as_str().starts_with("str.");
            (!literal).then(|| plain(global.name.as_str()))
        }
        Kind::Local(func, local) => {
            program.functions[func].locals[local].name.map(|name| plain(name.as_str()))
        }
        Kind::Function(func) => Some(program.functions[func].name.to_string()),
        Kind::Stack | Kind::Heap | Kind::Thread(_) => None,
    }
}

/// The way from an object to some of its bytes, through members and elements: `.items[2]`; empty for all of it.
/// `None` if they are not what the program declared.
pub fn path(program: &Program, object: &Identity, offset: u64, len: u64) -> Option<String> {
    if offset == 0 && len >= object.size {
        return Some(String::new());
    }
    member(program, shape(program, object)?, offset, len)
}

/// The same in an object of this shape.
pub fn member(program: &Program, shape: ShapeId, offset: u64, len: u64) -> Option<String> {
    if offset == 0 && len >= program.shape_size(shape) {
        return Some(String::new());
    }
    match &program.shapes[shape] {
        Shape::Scalar(_) | Shape::Bytes(_) => None,
        Shape::Array { elem, .. } => {
            let size = program.shape_size(*elem).max(1);
            let inside = offset % size + len <= size;
            let rest = if inside { member(program, *elem, offset % size, len)? } else { return None };
            Some(format!("[{}]{rest}", offset / size))
        }
        Shape::Struct { fields, .. } | Shape::Union { members: fields, .. } => {
            let holds = |field: &&ShapeField| {
                let end = field.offset + program.shape_size(field.shape);
                field.offset <= offset && offset + len <= end
            };
            // Members of a union overlap: the first one that fits.
            fields.iter().filter(holds).find_map(|field| {
                let rest = member(program, field.shape, offset - field.offset, len)?;
                // What has no name of its own is reached through its parent.
                Some(field.name.map_or(rest.clone(), |name| format!(".{name}{rest}")))
            })
        }
    }
}

/// A lock by the object that the program declared, without the members that its library gives it.
pub fn lock(program: &Program, object: &Identity, offset: u64) -> Option<String> {
    let name = declared(program, object)?;
    let path = path(program, object, offset, 4).or_else(|| (offset == 0).then(String::new))?;
    let own = path.find(".__").map_or(path.as_str(), |index| &path[..index]);
    Some(format!("{name}{own}"))
}
