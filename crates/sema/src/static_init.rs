//! Static initialisers: the stores of an initialiser evaluated into bytes and addresses.
//!
//! Bytes are kept in small pages, so that `int a[1 << 30] = {[1 << 29] = 1}` costs a page and not a
//! gigabyte; the pages are joined into runs at the end.

use crate::check::Checker;
use crate::consteval::{Const, NotConst};
use crate::hir::{EntityKind, ExprKind, InitItem, Reloc, StaticInit};
use crate::init::Builder;
use crate::types::{BitField, FloatKind, QualType, TypeId, TypeKind};
use braid_base::Span;
use braid_syntax::ast;
use std::collections::BTreeMap;

/// The outcome of a static initialiser.
pub(crate) struct StaticResult {
    /// The object's type, with an unknown length filled in.
    pub ty: TypeId,
    pub init: StaticInit,
    /// The value, if the object is a scalar.
    pub scalar: Option<Const>,
    /// A construct in it that is left out.
    pub unsupported: Option<String>,
}

const PAGE: u64 = 64;

/// Longest image written out byte by byte; beyond it the initialiser is refused.
const MAX_BYTES: u64 = 1 << 28;

#[derive(Default)]
struct Image {
    pages: BTreeMap<u64, [u8; PAGE as usize]>,
    relocs: BTreeMap<u64, Reloc>,
}

impl Image {
    fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.drop_relocs(offset, bytes.len() as u64);
        for (i, byte) in bytes.iter().enumerate() {
            let at = offset + i as u64;
            // Pages that hold only zeros need not exist.
            if *byte != 0 || self.pages.contains_key(&(at / PAGE)) {
                self.pages.entry(at / PAGE).or_insert([0; PAGE as usize])[(at % PAGE) as usize] = *byte;
            }
        }
    }

    fn read(&self, offset: u64) -> u8 {
        self.pages.get(&(offset / PAGE)).map_or(0, |page| page[(offset % PAGE) as usize])
    }

    fn drop_relocs(&mut self, offset: u64, size: u64) {
        let hit: Vec<u64> = self.relocs.range(offset..offset + size).map(|(at, _)| *at).collect();
        for at in hit {
            self.relocs.remove(&at);
        }
    }

    fn write_bits(&mut self, offset: u64, bits: BitField, value: u128) {
        let mask = if bits.width >= 128 { u128::MAX } else { (1 << bits.width) - 1 };
        for i in 0..u32::from(bits.unit_bytes) {
            // Bit `shift` of the unit is bit 0 of the value.
            let at = i32::try_from(8 * i).unwrap_or(0) - i32::from(bits.shift);
            let part = |v: u128| if at >= 0 { (v >> at) as u8 } else { (v << -at) as u8 };
            let old = self.read(offset + u64::from(i));
            let new = (old & !part(mask)) | part(value & mask);
            self.write(offset + u64::from(i), &[new]);
        }
    }

    fn finish(self, size: u64) -> StaticInit {
        let mut data: Vec<(u64, Vec<u8>)> = Vec::new();
        for (number, page) in self.pages {
            let start = number * PAGE;
            let bytes = &page[..(size.saturating_sub(start)).min(PAGE) as usize];
            match data.last_mut() {
                Some((at, run)) if *at + run.len() as u64 == start => run.extend_from_slice(bytes),
                _ => data.push((start, bytes.to_vec())),
            }
        }
        for (at, run) in &mut data {
            while run.last() == Some(&0) {
                run.pop();
            }
            let zeros = run.iter().take_while(|b| **b == 0).count();
            run.drain(..zeros);
            *at += zeros as u64;
        }
        data.retain(|(_, run)| !run.is_empty());
        StaticInit { size, data, relocs: self.relocs.into_values().collect(), read_only: false }
    }
}

impl Checker<'_> {
    pub fn static_initialiser(&mut self, ty: QualType, init: &ast::Initializer) -> StaticResult {
        let (complete, builder) = self.collect_static(ty, init);
        self.evaluate(ty, complete, builder)
    }

    pub fn static_list(&mut self, ty: QualType, list: &ast::InitList) -> StaticResult {
        let mut builder = Builder::new(true);
        let complete = self.collect_list(&mut builder, ty, list);
        self.evaluate(ty, complete, builder)
    }

    fn evaluate(&mut self, declared: QualType, ty: TypeId, builder: Builder) -> StaticResult {
        let mut image = Image::default();
        let mut unsupported = None;
        let mut scalar = None;
        let is_scalar = self.types.is_scalar(declared.ty);
        for item in &builder.items {
            if self.types.is_error(item.value.ty.ty) || self.types.is_error(item.ty.ty) {
                continue;
            }
            if let Err(reason) = self.place_item(&mut image, item) {
                self.report_not_const(reason, item.value.span, &mut unsupported);
            }
            if is_scalar {
                scalar = self.eval_static(&item.value).ok();
            }
        }
        let size = self.types.layout(ty).map_or(0, |l| l.size).max(builder.high);
        StaticResult { ty, init: image.finish(size), scalar, unsupported }
    }

    fn report_not_const(&mut self, reason: NotConst, span: Span, unsupported: &mut Option<String>) {
        match reason {
            NotConst::Unsupported(what) => *unsupported = Some(what),
            NotConst::DivisionByZero(at) => {
                self.error("division-by-zero", at, "division by zero in a static initialiser");
            }
            NotConst::Variable(_) => {
                self.error("not-constant", span, "the initialiser of a static object is not constant");
            }
        }
    }

    fn place_item(&mut self, image: &mut Image, item: &InitItem) -> Result<(), NotConst> {
        let size = self.types.layout(item.ty.ty).map_or(0, |l| l.size);
        if item.count.saturating_mul(item.stride.max(1)) > MAX_BYTES {
            let text = "this initialiser fills more memory than is supported";
            self.error("initialiser-too-large", item.value.span, text);
            return Ok(());
        }
        if let ExprKind::Str(id) = item.value.kind {
            let bytes = match &self.entities[id].kind {
                EntityKind::Variable(init) => init.data.first().map_or(&[][..], |(_, bytes)| &bytes[..]),
                _ => &[],
            };
            for i in 0..item.count {
                image.write(item.offset + i * item.stride, bytes);
            }
            return Ok(());
        }
        let value = self.eval_static(&item.value)?;
        for i in 0..item.count {
            let offset = item.offset + i * item.stride;
            match (value, item.bits) {
                (Const::Int(v), Some(bits)) => image.write_bits(offset, bits, v),
                (Const::Int(v), None) => image.write(offset, &v.to_le_bytes()[..(size as usize).min(16)]),
                (Const::Float(v), _) => image.write(offset, &self.float_bytes(item.ty.ty, v)),
                (Const::Addr { target, offset: addend }, None) if size == self.types.model.pointer_bytes() => {
                    image.write(offset, &[0; 8][..size as usize]);
                    image.relocs.insert(offset, Reloc { offset, target, addend });
                }
                (Const::Addr { .. }, _) => return Err(NotConst::Variable(item.value.span)),
            }
        }
        Ok(())
    }

    /// `long double` is kept as a `double` in its first eight bytes.
    fn float_bytes(&self, ty: TypeId, value: f64) -> Vec<u8> {
        match self.types.kind(ty) {
            TypeKind::Float(FloatKind::Float) => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        }
    }
}
