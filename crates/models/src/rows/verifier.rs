//! What verification programs say about themselves: arbitrary values, assumptions, atomic sections and
//! error functions, in the spellings of several tools.

use super::{Table, module};
use crate::{Module, Op};
use braid_ir::ChoiceKind;

static VERIFIER: Module = module!("verifier");

const VALUE: Op = Op::Nondet(ChoiceKind::Value);

pub(super) fn add(table: &mut Table) {
    // Others of the family are found by their prefix.
    table.op(VALUE, "__VERIFIER_nondet_int __VERIFIER_nondet_uint __VERIFIER_nondet_unsigned");
    table.op(VALUE, "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool __VERIFIER_nondet_unsigned_int");
    table.op(VALUE, "__VERIFIER_nondet_char __VERIFIER_nondet_uchar __VERIFIER_nondet_unsigned_char");
    table.op(VALUE, "__VERIFIER_nondet_short __VERIFIER_nondet_ushort __VERIFIER_nondet_long");
    table.op(VALUE, "__VERIFIER_nondet_ulong __VERIFIER_nondet_longlong __VERIFIER_nondet_ulonglong");
    table.op(VALUE, "__VERIFIER_nondet_int128 __VERIFIER_nondet_uint128 __VERIFIER_nondet_size_t");
    table.op(VALUE, "__VERIFIER_nondet_float __VERIFIER_nondet_double __VERIFIER_nondet_loff_t");
    table.op(VALUE, "__VERIFIER_nondet_u8 __VERIFIER_nondet_u16 __VERIFIER_nondet_u32 __VERIFIER_nondet_S8");
    table.op(VALUE, "__VERIFIER_nondet_pointer __VERIFIER_nondet_charp __VERIFIER_nondet_const_char_pointer");
    table.op(VALUE, "__VERIFIER_nondet_sector_t __VERIFIER_nondet_pthread_t");
    table.op(VALUE, "nondet_int nondet_uint nondet_unsigned nondet_unsigned_int nondet_bool nondet__Bool");
    table.op(VALUE, "nondet_char nondet_uchar nondet_signed_char nondet_unsigned_char");
    table.op(VALUE, "nondet_short nondet_ushort nondet_long nondet_ulong nondet_longlong nondet_ulonglong");
    table.op(VALUE, "nondet_size_t nondet_float nondet_double");
    table.op(VALUE, "nondet_u8 nondet_u16 nondet_u32 nondet_u64");
    table.op(VALUE, "nondet_int8_t nondet_int16_t nondet_int32_t nondet_int64_t");
    table.op(VALUE, "nondet_uint8_t nondet_uint16_t nondet_uint32_t nondet_uint64_t");
    table.exact(&VERIFIER, "__VERIFIER_nondet_memory assume_abort_if_not");
    table.op(VALUE, "__braid_value_byte __braid_value_bool __braid_value_wide");
    table.exact(&VERIFIER, "__braid_uninterpreted");
    let many = "more than 32 applications of uninterpreted functions";
    table.op(Op::Unsupported(many), "__braid_too_many_applications");

    table.op(Op::Assume, "__VERIFIER_assume __CPROVER_assume __ESBMC_assume __goblint_assume");
    table.op(Op::Assert, "__CPROVER_assert __ESBMC_assert __goblint_check");
    table.op(Op::Nothing, "__CPROVER_fence");
    // A hint for tools that unwind.
    table.op(Op::Nothing, "__VERIFIER_loop_bound");
    table.op(Op::AtomicBegin, "__VERIFIER_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin");
    table.op(Op::AtomicEnd, "__VERIFIER_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end");
    table.op(Op::AtomicBegin, "__nesc_atomic_start");
    table.op(Op::AtomicEnd, "__nesc_atomic_end");
    table.overriding(Op::AssertFail { then: "abort" }, "reach_error __VERIFIER_error");
}
