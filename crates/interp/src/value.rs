//! Values: bits, and the object an address belongs to.
//!
//! A pointer is an absolute address that remembers its object; an integer made from it remembers too,
//! as long as it still is "base plus something known". Everything else computed from an address is
//! *mixed*: its bits hold only for the base addresses this interpreter happens to give out, so control
//! that depends on it is noted in the state (and later forbids a verdict of SAFE). A mixed address can
//! still be used: the object is then found by its number.

use braid_ir::{Operand, Ty};

/// An object of one execution. Slots are reused, pairs of slot and generation are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// Where a value's bits come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prov {
    /// No address had a part in it.
    None,
    /// The object's base address plus a number without provenance.
    Object(ObjId),
    /// Some other function of base addresses.
    Mixed,
}

/// The contents of a register: bits of its type, zero-extended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    pub bits: u128,
    pub prov: Prov,
}

impl Value {
    pub const ZERO: Value = Value { bits: 0, prov: Prov::None };

    #[inline]
    pub fn plain(bits: u128) -> Value {
        Value { bits, prov: Prov::None }
    }

    #[inline]
    pub fn bool(value: bool) -> Value {
        Value::plain(u128::from(value))
    }

    pub fn f64(value: f64) -> Value {
        Value::plain(u128::from(value.to_bits()))
    }

    pub fn f32(value: f32) -> Value {
        Value::plain(u128::from(value.to_bits()))
    }

    pub fn as_f64(self) -> f64 {
        f64::from_bits(self.bits as u64)
    }

    pub fn as_f32(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    /// No address had a part in it.
    #[inline(always)]
    pub fn is_plain(self) -> bool {
        matches!(self.prov, Prov::None)
    }

    #[inline]
    pub fn is_true(self) -> bool {
        self.bits & 1 == 1
    }

    /// The value as an address.
    #[inline]
    pub fn address(self) -> u64 {
        self.bits as u64
    }

    /// The bits cut or zero-extended to another type: how arguments and results pass between
    /// functions that disagree about a type.
    pub fn coerced(self, to: Ty, pointer_bytes: u8) -> Value {
        let width = to.bits(pointer_bytes);
        let keeps = width >= u32::from(pointer_bytes) * 8 || self.prov == Prov::None;
        let prov = if keeps { self.prov } else { Prov::Mixed };
        Value { bits: self.bits & mask(width as u8), prov }
    }
}

/// The low `width` bits, 1 to 128.
#[inline]
pub fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// Reads an operand: a register of the frame or a constant.
#[inline(always)]
pub(crate) fn fetch(regs: &[Value], consts: &[Value], operand: Operand) -> Value {
    *fetch_ref(regs, consts, operand)
}

/// The same without a copy.
#[inline(always)]
pub(crate) fn fetch_ref<'a>(regs: &'a [Value], consts: &'a [Value], operand: Operand) -> &'a Value {
    match operand {
        Operand::Reg(reg) => &regs[reg.0 as usize],
        Operand::Const(id) => &consts[id.0 as usize],
    }
}
