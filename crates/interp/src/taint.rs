//! What a result remembers of the addresses it was computed from.
//!
//! Everything here is exact about *bits* (they come from the concrete base addresses) and safe about
//! *provenance*: a result without provenance is the same for every choice of base addresses that
//! respects alignment and keeps objects apart. Only called when an operand has provenance.

use crate::arena::NULL_PAGE;
use crate::memory::Memory;
use crate::object::Kind;
use crate::value::{Prov, Value, mask};
use braid_ir::{BinOp, CmpOp};

/// Provenance of an integer operation's result.
#[cold]
pub fn binary(memory: &Memory, op: BinOp, width: u8, a: Value, b: Value) -> Prov {
    let pointer_bits = memory.pointer_bytes() * 8;
    if width < pointer_bits {
        return Prov::Mixed;
    }
    match (op, a.prov, b.prov) {
        (BinOp::Add, Prov::Object(id), Prov::None) | (BinOp::Add, Prov::None, Prov::Object(id)) => {
            Prov::Object(id)
        }
        (BinOp::Sub, Prov::Object(id), Prov::None) => Prov::Object(id),
        (BinOp::Sub, Prov::Object(x), Prov::Object(y)) if x == y => Prov::None,
        (BinOp::And, Prov::Object(_), Prov::None) => masked(memory, width, a, b.bits),
        (BinOp::And, Prov::None, Prov::Object(_)) => masked(memory, width, b, a.bits),
        (BinOp::Or | BinOp::Xor, Prov::Object(_), Prov::None) => tagged(memory, a, b.bits),
        (BinOp::Or | BinOp::Xor, Prov::None, Prov::Object(_)) => tagged(memory, b, a.bits),
        (BinOp::URem, Prov::Object(_), Prov::None) if b.bits.is_power_of_two() => {
            masked(memory, width, a, b.bits - 1)
        }
        _ => Prov::Mixed,
    }
}

/// The bits of an address that its object's alignment determines.
fn low_bits(memory: &Memory, address: Value) -> u128 {
    match address.prov {
        Prov::Object(id) => memory.identity(id).map_or(0, |object| u128::from(object.align - 1)),
        Prov::None | Prov::Mixed => 0,
    }
}

/// `address & bits`: a number if only low bits remain, an address if only low bits go.
fn masked(memory: &Memory, width: u8, address: Value, bits: u128) -> Prov {
    let low = low_bits(memory, address);
    if bits & !low == 0 {
        Prov::None
    } else if !bits & mask(width) & !low == 0 {
        address.prov
    } else {
        Prov::Mixed
    }
}

fn tagged(memory: &Memory, address: Value, bits: u128) -> Prov {
    if bits & !low_bits(memory, address) == 0 { address.prov } else { Prov::Mixed }
}

/// Whether a comparison of addresses (or integers made from them) comes out the same for all base
/// addresses.
#[cold]
pub fn comparison_is_fixed(memory: &Memory, op: CmpOp, a: Value, b: Value) -> bool {
    match (a.prov, b.prov) {
        (Prov::None, Prov::None) => true,
        (Prov::Mixed, _) | (_, Prov::Mixed) => false,
        (Prov::Object(x), Prov::Object(y)) if x == y => true,
        (Prov::Object(_), Prov::Object(_)) => {
            let equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
            let apart = strictly_inside(memory, a) && strictly_inside(memory, b);
            equality && (apart || ids_differ(memory, a, b) || reuse_is_known(memory, a, b))
        }
        (Prov::Object(_), Prov::None) => is_no_address(memory, b) && inside_or_end(memory, a),
        (Prov::None, Prov::Object(_)) => is_no_address(memory, a) && inside_or_end(memory, b),
    }
}

/// An address of a byte of a live object (or the start of an empty one): no other object has it. Of a
/// dead object nothing is known, because real allocators reuse addresses.
fn strictly_inside(memory: &Memory, address: Value) -> bool {
    let Prov::Object(id) = address.prov else { return false };
    memory.get(id).is_some_and(|object| {
        let offset = address.address().wrapping_sub(object.identity.base);
        offset < object.identity.size || (offset == 0 && object.identity.size == 0)
    })
}

/// Equality with an address in a freed heap block: known by the bits where reuse is modelled; otherwise noted.
fn reuse_is_known(memory: &Memory, a: Value, b: Value) -> bool {
    let known = strictly_inside(memory, a) || was_inside_block(memory, a);
    let known = known && (strictly_inside(memory, b) || was_inside_block(memory, b));
    if known && !memory.reuse {
        memory.stale.set(true);
    }
    known && memory.reuse
}

/// An address of a byte of a heap block that was freed.
fn was_inside_block(memory: &Memory, address: Value) -> bool {
    let Prov::Object(id) = address.prov else { return false };
    let dead = memory.get(id).is_none();
    memory
        .identity(id)
        .filter(|identity| dead && identity.kind == Kind::Heap)
        .is_some_and(|identity| address.address().wrapping_sub(identity.base) < identity.size.max(1))
}

/// Ids of two threads whose lives overlap are different, even when one of the two or both are over.
fn ids_differ(memory: &Memory, a: Value, b: Value) -> bool {
    let life = |id: Value| {
        let Prov::Object(object) = id.prov else { return None };
        let identity = memory.identity(object).filter(|identity| identity.base == id.address())?;
        match identity.kind {
            Kind::Thread(number) => Some((number, memory.id_reused_from(object).unwrap_or(u32::MAX))),
            Kind::Function(_)
            | Kind::Global(_)
            | Kind::ThreadLocal(_)
            | Kind::Local(..)
            | Kind::Stack
            | Kind::Heap => None,
        }
    };
    let overlap = |(x, x_until), (y, y_until)| x < y_until && y < x_until;
    life(a).zip(life(b)).is_some_and(|(a, b)| overlap(a, b))
}

fn inside_or_end(memory: &Memory, address: Value) -> bool {
    let Prov::Object(id) = address.prov else { return false };
    memory.identity(id).is_some_and(|object| address.address().wrapping_sub(object.base) <= object.size)
}

/// Numbers in the lowest and the highest page are never addresses.
fn is_no_address(memory: &Memory, number: Value) -> bool {
    let end = mask(memory.pointer_bytes() * 8);
    number.bits < u128::from(NULL_PAGE) || (number.bits <= end && number.bits > end - u128::from(NULL_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Identity, Site};

    fn setup() -> (Memory, Value, Value) {
        let mut memory = Memory::new(8);
        let mut block = |base, size| {
            let kind = Kind::Heap;
            let identity = Identity { kind, base, size, align: 16, read_only: false, born: Site::NOWHERE };
            Value { bits: u128::from(base), prov: Prov::Object(memory.allocate(identity, true)) }
        };
        let (a, b) = (block(0x10000, 32), block(0x10030, 8));
        (memory, a, b)
    }

    #[test]
    fn arithmetic() {
        let (memory, a, b) = setup();
        let n = |bits: u128| Value::plain(bits);
        let prov = |op, x, y| binary(&memory, op, 64, x, y);
        assert_eq!(prov(BinOp::Add, a, n(5)), a.prov);
        assert_eq!(prov(BinOp::Sub, a, a), Prov::None);
        assert_eq!(prov(BinOp::Sub, a, b), Prov::Mixed);
        assert_eq!(prov(BinOp::And, a, n(7)), Prov::None);
        assert_eq!(prov(BinOp::And, a, n(31)), Prov::Mixed);
        assert_eq!(prov(BinOp::And, n(u128::from(!7u64)), a), a.prov);
        assert_eq!(prov(BinOp::Or, a, n(1)), a.prov);
        assert_eq!(prov(BinOp::Xor, a, b), Prov::Mixed);
        assert_eq!(prov(BinOp::URem, a, n(8)), Prov::None);
        assert_eq!(prov(BinOp::URem, a, n(64)), Prov::Mixed);
        assert_eq!(prov(BinOp::Mul, a, n(3)), Prov::Mixed);
    }

    #[test]
    fn comparisons() {
        let (mut memory, a, b) = setup();
        let end = Value { bits: a.bits + 32, ..a };
        let fixed = |memory: &Memory, op, x, y| comparison_is_fixed(memory, op, x, y);
        assert!(fixed(&memory, CmpOp::Eq, a, b) && fixed(&memory, CmpOp::Ult, a, end));
        assert!(!fixed(&memory, CmpOp::Ult, a, b) && !fixed(&memory, CmpOp::Eq, end, b));
        assert!(fixed(&memory, CmpOp::Eq, a, Value::ZERO));
        assert!(fixed(&memory, CmpOp::Ne, Value::plain(u128::from(u64::MAX)), a));
        assert!(!fixed(&memory, CmpOp::Eq, a, Value::plain(0x10000)));
        let Prov::Object(id) = a.prov else { panic!("an address") };
        memory.kill(id, Site::NOWHERE);
        assert!(!fixed(&memory, CmpOp::Eq, a, b) && fixed(&memory, CmpOp::Eq, a, Value::ZERO));
    }

    #[test]
    fn an_id_may_come_again_when_its_thread_is_gone() {
        let mut memory = Memory::new(8);
        let mut id = |number: u32| {
            let (kind, base) = (Kind::Thread(number), 0x10000 + 16 * u64::from(number));
            let identity = Identity { kind, base, size: 0, align: 16, read_only: true, born: Site::NOWHERE };
            Value { bits: u128::from(base), prov: Prov::Object(memory.allocate(identity, true)) }
        };
        let [first, second, third] = [id(1), id(2), id(3)];
        let end = |memory: &mut Memory, id: Value, threads| {
            let Prov::Object(id) = id.prov else { panic!("an id") };
            memory.end_id(id, Site::NOWHERE, threads);
        };
        let fixed = |memory: &Memory, x, y| comparison_is_fixed(memory, CmpOp::Eq, x, y);
        assert!(fixed(&memory, first, second) && fixed(&memory, first, third));
        end(&mut memory, first, 3);
        assert!(fixed(&memory, first, second) && !fixed(&memory, first, third));
        end(&mut memory, second, 4);
        assert!(fixed(&memory, second, first) && fixed(&memory, third, second));
        assert!(!fixed(&memory, third, first) && !comparison_is_fixed(&memory, CmpOp::Ult, third, second));
    }
}
