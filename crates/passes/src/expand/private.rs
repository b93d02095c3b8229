//! The contents of objects that only the running thread can reach: its frame objects and thread-local variables, as far as
//! no other thread may access them ([`braid_analysis::Escape`]).
//!
//! The contents are known byte by byte until something else may be written: a store through a pointer that is not
//! known makes unknown whatever the analyses say it may touch. Each life of a frame object has a number, so that the
//! address of an older life is not taken for that of the object.

use super::Walker;
use super::known::{Address, Base, Folder, Known};
use super::point::Point;
use braid_analysis::objects::Object;
use braid_analysis::{Access, Extent, ObjectId, Offset};
use braid_base::Idx;
use braid_ir::{Const, Expr, Global, Instr, InstrId, LocalId, Op, Operand, Program, Space, Ty};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Larger objects are not followed.
pub(super) const LARGEST: u64 = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Unknown,
    Value(u8),
    /// This byte of a pointer.
    Part(Known, u8),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Contents {
    object: ObjectId,
    bytes: Rc<Vec<Byte>>,
}

/// The contents of private objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Private {
    objects: BTreeMap<Base, Contents>,
}

impl Private {
    /// An object of so many bytes comes to life.
    pub fn begin(&mut self, base: Base, object: ObjectId, size: u64) {
        let bytes = Rc::new(vec![Byte::Unknown; size as usize]);
        self.objects.insert(base, Contents { object, bytes });
    }

    /// A thread-local variable as it is when a thread begins.
    pub fn begin_global(&mut self, base: Base, object: ObjectId, global: &Global, folder: &mut Folder) {
        let mut bytes = vec![Byte::Value(0); global.size as usize];
        for (start, data) in &global.init.data {
            for (index, value) in data.iter().enumerate() {
                bytes[*start as usize + index] = Byte::Value(*value);
            }
        }
        for (start, value) in &global.init.pointers {
            let pointer = Known::Const(folder.pool.intern(*value));
            for part in 0..folder.pointer_bits / 8 {
                bytes[*start as usize + usize::from(part)] = Byte::Part(pointer, part);
            }
        }
        self.objects.insert(base, Contents { object, bytes: Rc::new(bytes) });
    }

    /// An object's life ends.
    pub fn end(&mut self, base: Base) {
        self.objects.remove(&base);
    }

    /// The life of a frame object that is followed.
    pub fn life_of(&self, local: LocalId) -> Option<Base> {
        let first = Base::Local { local, life: 0 };
        let next = self.objects.range(first..).next().map(|(base, _)| *base);
        next.filter(|base| matches!(base, Base::Local { local: found, .. } if *found == local))
    }

    pub fn is_followed(&self, base: Base) -> bool {
        self.objects.contains_key(&base)
    }

    /// Keeps what is the same in both.
    pub fn merge(&mut self, other: &Private) {
        self.objects.retain(|base, _| other.objects.contains_key(base));
        for (base, contents) in &mut self.objects {
            let others = &other.objects[base].bytes;
            if Rc::ptr_eq(&contents.bytes, others) || contents.bytes == *others {
                continue;
            }
            for (byte, other) in Rc::make_mut(&mut contents.bytes).iter_mut().zip(others.iter()) {
                if byte != other {
                    *byte = Byte::Unknown;
                }
            }
        }
    }

    fn range(&self, at: Address, len: u64) -> Option<&[Byte]> {
        let bytes = &self.objects.get(&at.base)?.bytes;
        let start = usize::try_from(at.offset).ok()?;
        bytes.get(start..start.checked_add(usize::try_from(len).ok()?)?)
    }

    /// The value of an access, if all its bytes are known.
    pub fn load(&self, program: &Program, folder: &mut Folder, at: Address, ty: Ty) -> Option<Known> {
        let bytes = self.range(at, ty.bytes(program.pointer_bytes))?;
        if let (Byte::Part(pointer, 0), Ty::Ptr) = (bytes.first()?, ty) {
            let whole = |(index, byte): (usize, &Byte)| *byte == Byte::Part(*pointer, index as u8);
            return bytes.iter().enumerate().all(whole).then_some(*pointer);
        }
        let mut bits: u128 = 0;
        for byte in bytes.iter().rev() {
            let Byte::Value(value) = byte else { return None };
            bits = bits << 8 | u128::from(*value);
        }
        Some(folder.of_bits(ty, bits))
    }

    /// Writes a value, or something that is not known.
    pub fn store(&mut self, program: &Program, folder: &Folder, at: Address, ty: Ty, value: Option<Known>) {
        let len = ty.bytes(program.pointer_bytes);
        let bits = value.and_then(|value| folder.bits(value));
        self.write(at, len, |index| match (bits, value) {
            (Some(bits), _) => Byte::Value((bits >> (8 * index)) as u8),
            (None, Some(pointer)) if ty == Ty::Ptr => Byte::Part(pointer, index as u8),
            (None, _) => Byte::Unknown,
        });
    }

    /// Writes the same byte everywhere.
    pub fn fill(&mut self, at: Address, len: u64, byte: Option<u8>) {
        self.write(at, len, |_| byte.map_or(Byte::Unknown, Byte::Value));
    }

    /// Copies bytes from one place to another.
    pub fn copy(&mut self, to: Address, from: Option<Address>, len: u64) {
        let bytes = from.and_then(|from| self.range(from, len)).map(<[Byte]>::to_vec);
        self.write(to, len, |index| bytes.as_ref().map_or(Byte::Unknown, |bytes| bytes[index as usize]));
    }

    fn write(&mut self, at: Address, len: u64, byte: impl Fn(u64) -> Byte) {
        let inside = self.range(at, len).is_some();
        let Some(contents) = self.objects.get_mut(&at.base) else { return };
        let bytes = Rc::make_mut(&mut contents.bytes);
        if !inside {
            bytes.fill(Byte::Unknown);
            return;
        }
        for index in 0..len {
            bytes[at.offset as usize + index as usize] = byte(index);
        }
    }

    /// Something unknown may be written to objects: to these bytes, or to all (`None`).
    pub fn forget(&mut self, touched: impl Fn(ObjectId) -> Vec<Option<(u64, u64)>>) {
        for contents in self.objects.values_mut() {
            for range in touched(contents.object) {
                let bytes = Rc::make_mut(&mut contents.bytes);
                let size = bytes.len();
                let (start, len) = range.unwrap_or((0, size as u64));
                let start = usize::try_from(start).map_or(size, |start| start.min(size));
                let end = usize::try_from(len).map_or(size, |len| start.saturating_add(len).min(size));
                bytes[start..end].fill(Byte::Unknown);
            }
        }
    }
}

impl Folder<'_> {
    /// A constant of these bits.
    fn of_bits(&mut self, ty: Ty, bits: u128) -> Known {
        let value = match ty {
            Ty::Int(width) => Const::Int { width, bits: braid_ir::fold::cut(bits, width) },
            Ty::F32 => Const::F32(bits as u32),
            Ty::F64 => Const::F64(bits as u64),
            Ty::Ptr => return self.pointer(bits),
        };
        Known::Const(self.pool.intern(value))
    }

    /// The bits of a value that is no address.
    fn bits(&self, known: Known) -> Option<u128> {
        match known {
            Known::Const(id) => match self.pool.get(id) {
                Const::Int { bits, .. } => Some(bits),
                Const::F32(bits) => Some(bits.into()),
                Const::F64(bits) => Some(bits.into()),
                Const::Null => Some(0),
                Const::Global(..) | Const::Func(_) => None,
            },
            Known::Number(bits) => Some(bits),
            Known::Address(_) => None,
        }
    }
}

impl Walker<'_> {
    /// The thread-local variables of a thread that begins.
    pub(super) fn thread_locals(&mut self) -> Rc<Private> {
        let mut private = Private::default();
        if self.plan.unroll.is_none() {
            return Rc::new(private);
        }
        for (id, global) in self.program.globals.enumerated() {
            let object = self.facts.pointers.find(Object::ThreadLocal(id));
            if let Some(object) = object.filter(|object| self.is_private(*object, global.size)) {
                private.begin_global(Base::ThreadLocal(id), object, global, &mut self.folder());
            }
        }
        Rc::new(private)
    }

    /// Returns true if only one thread can reach the objects, and they are not too large to be followed.
    fn is_private(&self, object: ObjectId, size: u64) -> bool {
        size <= LARGEST && !self.facts.escape.is_shared(object)
    }

    /// A frame object begins a life.
    pub(super) fn begin_local(&mut self, point: &mut Point, local: LocalId) {
        let frame = self.frame();
        let new = frame.names.locals[local.index()];
        point.forget_local(new);
        let instance = frame.instance.filter(|_| self.plan.unroll.is_some());
        let object = instance.and_then(|id| self.facts.pointers.find(Object::Local(id, local)));
        let size = frame.function.locals[local].size;
        if let Some(object) = object.filter(|object| self.is_private(*object, size)) {
            self.lives += 1;
            let base = Base::Local { local: new, life: self.lives };
            Rc::make_mut(&mut point.private).begin(base, object, size);
        }
    }

    /// The address that an expression of the new function takes, if the object is followed.
    pub(super) fn address_of(&self, point: &Point, expr: &Expr) -> Option<Known> {
        let base = if let Expr::LocalAddr(local) = expr {
            point.private.life_of(*local)
        } else if let Expr::ThreadLocalAddr(global) = expr {
            Some(Base::ThreadLocal(*global)).filter(|base| point.private.is_followed(*base))
        } else {
            None
        };
        base.map(|base| Known::Address(Address { base, offset: 0 }))
    }

    /// Changes what is known of private objects as an instruction does that writes.
    pub(super) fn write_private(&mut self, point: &mut Point, instr: &Instr) {
        let place = |walker: &Self, operand: Operand| match walker.known(point, operand) {
            Some(Known::Address(at)) if point.private.is_followed(at.base) => Some(at),
            Some(Known::Address(_) | Known::Const(_) | Known::Number(_)) | None => None,
        };
        let number = |walker: &Self, operand: Operand| walker.known_int(point, operand);
        let mut private = Rc::clone(&point.private);
        if let Op::Store { ty, ptr, value, access } = &instr.op
            && let Some(at) = place(self, *ptr)
        {
            let value = self.known(point, *value);
            if access.space == Space::Memory {
                let program = self.program;
                Rc::make_mut(&mut private).store(program, &self.folder(), at, *ty, value);
            }
        } else if let Op::Fill { dst, byte, len, .. } = &instr.op
            && let (Some(at), Some(len)) = (place(self, *dst), number(self, *len))
        {
            let byte = number(self, *byte).map(|byte| byte as u8);
            Rc::make_mut(&mut private).fill(at, len as u64, byte);
        } else if let Op::Copy { dst, src, len, overlapping, .. } = &instr.op
            && let (Some(at), Some(len)) = (place(self, *dst), number(self, *len))
        {
            // Parts that overlap are copied leaf by leaf.
            let apart =
                |from: &Address| from.base != at.base || u128::from(from.offset.abs_diff(at.offset)) >= len;
            let from = place(self, *src).filter(|from| *overlapping || apart(from));
            Rc::make_mut(&mut private).copy(at, from, len as u64);
        } else {
            self.forget_written(&mut private, instr.id);
        }
        point.private = private;
    }

    /// Forgets what an instruction may write somewhere.
    fn forget_written(&self, private: &mut Rc<Private>, instr: InstrId) {
        let (accesses, instance) = (&self.facts.accesses, self.frame().instance);
        let writes: Vec<&Access> = accesses
            .of(instr)
            .filter(|access| instance.is_none_or(|id| access.instance == id))
            .filter(|access| access.space == Space::Memory && access.kind.writes())
            .collect();
        let touched = |object: ObjectId| {
            let range = |extent: Extent| match (extent.offset, extent.len) {
                (Offset::At(start), Some(len)) => Some((start, len)),
                (Offset::At(_) | Offset::Any, _) => None,
            };
            let extents = writes.iter().flat_map(|access| accesses.extents_in(access, object));
            extents.map(range).collect::<Vec<_>>()
        };
        Rc::make_mut(private).forget(touched);
    }
}
