//! Shapes: how objects of a C type divide into leaves.
//!
//! A scalar is one leaf; a run of adjacent bit-fields is bytes (it is one memory location for C, but
//! copying it whole or in bytes is the same to any observer without races); `long double` is a double
//! with padding behind it, so copies keep all its bytes.

use crate::context::{Class, Context};
use braid_base::{HashMap, Symbol};
use braid_ir::{Shape, ShapeField, ShapeId, Ty};
use braid_sema::types::{ArrayLen, Field, FloatKind, RecordId, RecordKind, TypeId, TypeKind};

#[derive(Default)]
pub(crate) struct Shapes {
    of_type: HashMap<TypeId, ShapeId>,
    interned: HashMap<Shape, ShapeId>,
}

impl Context<'_> {
    pub fn shape(&mut self, shape: Shape) -> ShapeId {
        if let Some(&id) = self.shapes.interned.get(&shape) {
            return id;
        }
        let id = self.program.shapes.push(shape.clone());
        self.shapes.interned.insert(shape, id);
        id
    }

    /// Single bytes: for memory whose type is not known.
    pub fn byte_shape(&mut self) -> ShapeId {
        self.shape(Shape::Bytes(1))
    }

    pub fn shape_of(&mut self, ty: TypeId) -> ShapeId {
        if let Some(&id) = self.shapes.of_type.get(&ty) {
            return id;
        }
        let shape = self.make_shape(ty);
        let id = self.shape(shape);
        self.shapes.of_type.insert(ty, id);
        id
    }

    fn make_shape(&mut self, ty: TypeId) -> Shape {
        match self.types.kind(ty).clone() {
            TypeKind::Float(FloatKind::LongDouble) => {
                let shape = self.shape(Shape::Scalar(Ty::F64));
                let field = ShapeField { name: None, offset: 0, shape };
                Shape::Struct { name: None, size: self.size_of(ty), fields: vec![field] }
            }
            TypeKind::Array { elem, len: ArrayLen::Known(len) } if self.size_of(ty) > 0 => {
                Shape::Array { elem: self.shape_of(elem.ty), len }
            }
            TypeKind::Record(id) => self.record_shape(id),
            TypeKind::Void
            | TypeKind::Function(_)
            | TypeKind::Array { .. }
            | TypeKind::Unsupported { .. } => Shape::Bytes(self.size_of(ty)),
            TypeKind::Error
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Float(FloatKind::Float | FloatKind::Double)
            | TypeKind::Pointer(_) => match self.class(ty) {
                Class::Scalar(ty) => Shape::Scalar(ty),
                Class::Void | Class::Aggregate => Shape::Bytes(0),
            },
        }
    }

    fn record_shape(&mut self, id: RecordId) -> Shape {
        let record = &self.types.records[id];
        let (kind, name) = (record.kind, record.tag);
        let Some(def) = record.def.clone() else { return Shape::Bytes(0) };
        let mut fields: Vec<ShapeField> = Vec::new();
        for field in &def.fields {
            if let Some(part) = self.field_shape(field) {
                // Bit-fields of one run share one part.
                if fields.last() != Some(&part) {
                    fields.push(part);
                }
            }
        }
        match kind {
            RecordKind::Struct => Shape::Struct { name, size: def.size, fields },
            RecordKind::Union => Shape::Union { name, size: def.size, members: fields },
        }
    }

    fn field_shape(&mut self, field: &Field) -> Option<ShapeField> {
        if let Some(bits) = field.bits {
            let size = bits.run_end.saturating_sub(bits.run_start);
            let shape = self.shape(Shape::Bytes(size));
            return (size > 0).then_some(ShapeField { name: None, offset: bits.run_start, shape });
        }
        if self.size_of(field.ty.ty) == 0 {
            return None;
        }
        Some(ShapeField { name: field.name, offset: field.offset, shape: self.shape_of(field.ty.ty) })
    }

    /// The shape of an object of `size` bytes whose type is smaller: a flexible array member was
    /// initialised.
    pub fn extended_shape(&mut self, ty: TypeId, size: u64) -> ShapeId {
        let base = self.shape_of(ty);
        let known = self.size_of(ty);
        if size <= known {
            return base;
        }
        let rest = self.shape(Shape::Bytes(size - known));
        let mut fields = vec![ShapeField { name: None, offset: known, shape: rest }];
        if known > 0 {
            fields.insert(0, ShapeField { name: None, offset: 0, shape: base });
        }
        self.shape(Shape::Struct { name: None, size, fields })
    }

    /// A row of scalars in slots of `stride` bytes.
    pub fn slots_shape(&mut self, slots: &[Ty], stride: u64) -> ShapeId {
        let mut fields = Vec::new();
        for (index, &ty) in slots.iter().enumerate() {
            let shape = self.shape(Shape::Scalar(ty));
            fields.push(ShapeField { name: None, offset: index as u64 * stride, shape });
        }
        let size = slots.len() as u64 * stride;
        self.shape(Shape::Struct { name: None::<Symbol>, size, fields })
    }
}
