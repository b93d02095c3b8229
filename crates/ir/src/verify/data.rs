//! Rules for shapes, constants and globals.

use super::{VerifyError, error};
use crate::instr::Const;
use crate::program::*;

pub(super) fn verify_data(p: &Program, errors: &mut Vec<VerifyError>) {
    if p.pointer_bytes != 4 && p.pointer_bytes != 8 {
        error(errors, format!("the pointer size is {}, not 4 or 8", p.pointer_bytes));
    }
    let sizes = Sizes::compute(p, errors);
    for value in p.consts.iter() {
        verify_const(p, value, errors);
    }
    for global in &p.globals {
        let name = format!("global '{}'", global.name);
        verify_object(&name, &sizes, global.shape, global.size, global.align, errors);
        verify_init(p, &name, global, errors);
    }
    for function in &p.functions {
        for (id, local) in function.locals.enumerated() {
            let name = format!("{id} of '{}'", function.name);
            verify_object(&name, &sizes, local.shape, local.size, local.align, errors);
        }
    }
}

/// Largest object: offsets must fit a signed 64-bit number with room to spare.
const MAX_SIZE: u64 = 1 << 62;

/// Sizes of shapes; `None` where a shape is broken.
struct Sizes(Vec<Option<u64>>);

impl Sizes {
    /// Computes all sizes without recursion on the machine's stack: shapes can be nested deeply.
    fn compute(p: &Program, errors: &mut Vec<VerifyError>) -> Sizes {
        let order = children_first(p);
        let mut sizes = Sizes(vec![None; p.shapes.len()]);
        let mut messages: Vec<(u32, String)> = Vec::new();
        for (id, shape) in p.shapes.enumerated() {
            if order.cyclic[id.0 as usize] {
                messages.push((id.0, format!("{id} contains itself")));
            }
            for child in children(shape).filter(|child| p.shapes.get(*child).is_none()) {
                messages.push((id.0, format!("{id}: {child} does not exist")));
            }
        }
        for id in order.list {
            match sizes.of_shape(p, id) {
                Ok(size) => sizes.0[id.0 as usize] = Some(size),
                Err(Some(message)) => messages.push((id.0, message)),
                Err(None) => {}
            }
        }
        messages.sort_by_key(|(id, _)| *id);
        messages.into_iter().for_each(|(_, message)| error(errors, message));
        sizes
    }

    fn get(&self, id: ShapeId) -> Option<u64> {
        self.0.get(id.0 as usize).copied().flatten()
    }

    /// `Err(None)`: a part is broken and was reported.
    fn of_shape(&self, p: &Program, id: ShapeId) -> Result<u64, Option<String>> {
        let size = match &p.shapes[id] {
            Shape::Scalar(Ty::Int(width)) if !(1..=128).contains(width) => {
                return Err(Some(format!("{id}: type i{width} is not from i1 to i128")));
            }
            Shape::Scalar(ty) => ty.bytes(p.pointer_bytes),
            Shape::Bytes(size) => *size,
            Shape::Array { elem, len } => self.get(*elem).ok_or(None)?.saturating_mul(*len),
            Shape::Struct { size, fields, .. } => {
                let mut end = 0;
                for field in fields {
                    if field.offset < end {
                        return Err(Some(format!("{id}: fields are not ascending and disjoint")));
                    }
                    end = field.offset.saturating_add(self.get(field.shape).ok_or(None)?);
                }
                if end > *size {
                    return Err(Some(format!("{id}: a field lies outside")));
                }
                *size
            }
            Shape::Union { size, members, .. } => {
                for member in members {
                    let end = member.offset.saturating_add(self.get(member.shape).ok_or(None)?);
                    if end > *size {
                        return Err(Some(format!("{id}: a member lies outside")));
                    }
                }
                *size
            }
        };
        if size > MAX_SIZE { Err(Some(format!("{id} is too large"))) } else { Ok(size) }
    }
}

fn children(shape: &Shape) -> Box<dyn Iterator<Item = ShapeId> + '_> {
    match shape {
        Shape::Scalar(_) | Shape::Bytes(_) => Box::new(std::iter::empty()),
        Shape::Array { elem, .. } => Box::new(std::iter::once(*elem)),
        Shape::Struct { fields: parts, .. } | Shape::Union { members: parts, .. } => {
            Box::new(parts.iter().map(|part| part.shape))
        }
    }
}

struct ShapeOrder {
    /// Shapes that are on no cycle and reach none, each after its parts.
    list: Vec<ShapeId>,
    cyclic: Vec<bool>,
}

/// Removes shapes whose parts are all done until nothing changes; what remains is on a cycle or
/// contains one.
fn children_first(p: &Program) -> ShapeOrder {
    let count = p.shapes.len();
    let mut waiting_for: Vec<usize> = vec![0; count];
    let mut users: Vec<Vec<ShapeId>> = vec![Vec::new(); count];
    for (id, shape) in p.shapes.enumerated() {
        for child in children(shape).filter(|child| p.shapes.get(*child).is_some()) {
            waiting_for[id.0 as usize] += 1;
            users[child.0 as usize].push(id);
        }
    }
    let mut list: Vec<ShapeId> = p.shapes.ids().filter(|id| waiting_for[id.0 as usize] == 0).collect();
    let mut done = 0;
    while done < list.len() {
        for user in std::mem::take(&mut users[list[done].0 as usize]) {
            let left = &mut waiting_for[user.0 as usize];
            *left -= 1;
            if *left == 0 {
                list.push(user);
            }
        }
        done += 1;
    }
    ShapeOrder { list, cyclic: waiting_for.iter().map(|left| *left > 0).collect() }
}

fn verify_const(p: &Program, value: Const, errors: &mut Vec<VerifyError>) {
    match value {
        Const::Int { width: 0 | 129.., .. } => error(errors, format!("constant {value:?}: bad width")),
        Const::Int { width, bits } => {
            if bits & !(u128::MAX >> (128 - width)) != 0 {
                error(errors, format!("constant {bits} is no value of i{width}"));
            }
        }
        Const::Global(global, _) => {
            if p.globals.get(global).is_none() {
                error(errors, format!("constant address of {global}, which does not exist"));
            }
        }
        Const::Func(func) => {
            if p.functions.get(func).is_none() {
                error(errors, format!("constant address of {func}, which does not exist"));
            }
        }
        Const::F32(_) | Const::F64(_) | Const::Null => {}
    }
}

fn verify_object(
    name: &str,
    sizes: &Sizes,
    shape: ShapeId,
    size: u64,
    align: u64,
    errors: &mut Vec<VerifyError>,
) {
    if !align.is_power_of_two() {
        error(errors, format!("{name}: alignment {align} is not a power of two"));
    }
    if size > MAX_SIZE {
        error(errors, format!("{name} is too large"));
    }
    if shape.0 as usize >= sizes.0.len() {
        error(errors, format!("{name}: {shape} does not exist"));
    } else if sizes.get(shape).is_some_and(|needed| needed > size) {
        error(errors, format!("{name}: {shape} does not fit into {size} bytes"));
    }
}

fn verify_init(p: &Program, name: &str, global: &Global, errors: &mut Vec<VerifyError>) {
    let mut end = 0;
    for (offset, bytes) in &global.init.data {
        if *offset < end {
            error(errors, format!("{name}: initial data is not ascending and disjoint at {offset}"));
        }
        end = offset.saturating_add(bytes.len() as u64);
        if end > global.size {
            error(errors, format!("{name}: initial data at {offset} does not fit"));
        }
    }
    for (offset, value) in &global.init.pointers {
        if offset.saturating_add(u64::from(p.pointer_bytes)) > global.size {
            error(errors, format!("{name}: initial pointer at {offset} does not fit"));
        }
        match value {
            Const::Global(target, _) if p.globals.get(*target).is_some_and(|g| g.thread_local) => {
                error(errors, format!("{name}: initial pointer at {offset} to a thread-local object"));
            }
            Const::Global(..) | Const::Func(_) => verify_const(p, *value, errors),
            Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null => {
                error(errors, format!("{name}: initial pointer at {offset} is no address"));
            }
        }
    }
}
