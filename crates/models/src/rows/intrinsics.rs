//! The operations under the names by which the C texts use them, and the helpers that texts share.

use super::{Table, module};
use crate::{Module, Op};
use braid_ir::{ChoiceKind, ThreadAsk};
use braid_props::Check;

static DECIMAL: Module = module!("decimal");

pub(super) fn add(table: &mut Table) {
    table.op(Op::Alloc, "__braid_alloc");
    table.op(Op::Free, "__braid_free");
    table.op(Op::ObjectSize, "__braid_object_size");
    table.op(Op::Copy, "__braid_copy");
    table.op(Op::Move, "__braid_move");
    table.op(Op::Fill, "__braid_fill");
    table.op(Op::Output, "__braid_output");
    table.op(Op::Input, "__braid_input");
    table.op(Op::ExitProgram, "__braid_exit");
    table.op(Op::Abort, "__braid_abort");
    table.op(Op::Assume, "__braid_assume");
    table.op(Op::Nondet(ChoiceKind::AllocFail), "__braid_alloc_fails");
    table.op(Op::Nondet(ChoiceKind::Clock), "__braid_clock_long");
    table.op(Op::Nondet(ChoiceKind::Value), "__braid_value_int __braid_value_long");
    table.op(Op::Spawn, "__braid_spawn");
    table.op(Op::Join, "__braid_join");
    table.op(Op::Detach, "__braid_detach");
    table.op(Op::ThreadState(ThreadAsk::Claim), "__braid_claim");
    table.op(Op::ThreadState(ThreadAsk::Join), "__braid_thread_state");
    table.op(Op::ThreadState(ThreadAsk::Life), "__braid_thread_life");
    table.op(Op::Misuse(Check::ThreadMisuse), "__braid_thread_misuse");
    table.op(Op::Lock, "__braid_lock");
    table.op(Op::TryLock, "__braid_trylock");
    table.op(Op::Unlock, "__braid_unlock");
    table.op(Op::AtomicBegin, "__braid_atomic_begin");
    table.op(Op::AtomicBeginWhen, "__braid_atomic_begin_when");
    table.op(Op::AtomicEnd, "__braid_atomic_end");
    table.op(Op::SelfHandle, "__braid_self");
    table.op(Op::SelfNumber, "__braid_self_number");
    table.op(Op::Forget, "__braid_forget");
    table.op(Op::ExitThread, "__braid_exit_thread");
    table.op(Op::ShadowLoad, "__braid_shadow_load");
    table.op(Op::ShadowStore, "__braid_shadow_store");
    table.exact(&DECIMAL, "__braid_decimal_clear __braid_decimal_scale __braid_decimal_from");
    table.exact(&DECIMAL, "__braid_decimal_digit __braid_decimal_set_digit __braid_decimal_leading");
    table.exact(&DECIMAL, "__braid_decimal_round __braid_double_bits __braid_double_from_bits");
}
