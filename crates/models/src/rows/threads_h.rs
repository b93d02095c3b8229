//! C11 `<threads.h>`.

use super::sync::{WOKEN_ONLY, acquire, init};
use super::{Table, module, reads, writes};
use crate::{Def, Effect, Extent, Mode, Module, Sync, Wait};

static THREADS: Module = module!("threads_h");

pub(super) fn add(table: &mut Table) {
    table.exact(&THREADS, "thrd_create thrd_join thrd_detach thrd_exit thrd_equal thrd_yield thrd_sleep");
    table.exact(&THREADS, "mtx_init mtx_destroy mtx_lock mtx_trylock mtx_timedlock mtx_unlock");
    table.exact(&THREADS, "cnd_init cnd_destroy cnd_signal cnd_broadcast");
    table.add(Def::C(&THREADS), WOKEN_ONLY, "cnd_wait cnd_timedwait");
    table.exact(&THREADS, "call_once tss_create tss_delete tss_get tss_set");

    thread_effects(table);
    object_effects(table);
}

fn thread_effects(table: &mut Table) {
    let start = Effect::Start { handle: 0, attribute: None, routine: 1, argument: 2 };
    table.effect(start, "thrd_create");
    table.touch(&[writes(0, Extent::Word)], "thrd_create");
    table.effect(Effect::Join { handle: 0, result: Some(1) }, "thrd_join");
    table.touch(&[writes(1, Extent::Int)], "thrd_join");
    table.effect(Effect::Detach { handle: 0 }, "thrd_detach");
    table.effect(Effect::ExitThread { value: 0 }, "thrd_exit");
    table.effect(Effect::Nothing, "thrd_equal thrd_yield thrd_sleep");
    table.touch(&[reads(0, Extent::Time)], "thrd_sleep");
}

fn object_effects(table: &mut Table) {
    let take = |wait| acquire(Sync::PlainMutex, Mode::Exclusive, wait);
    table.effect(take(Wait::Blocks), "mtx_lock");
    table.effect(take(Wait::Tries), "mtx_trylock");
    table.effect(take(Wait::Timed), "mtx_timedlock");
    table.touch(&[reads(1, Extent::Time)], "mtx_timedlock");
    table.effect(Effect::Release { lock: 0, object: Sync::PlainMutex }, "mtx_unlock");
    table.effect(init(Sync::PlainMutex, true), "mtx_init");
    table.effect(Effect::Destroy { object: 0, kind: Sync::PlainMutex }, "mtx_destroy");
    table.effect(Effect::Wait { cond: 0, mutex: 1, timed: false }, "cnd_wait");
    table.effect(Effect::Wait { cond: 0, mutex: 1, timed: true }, "cnd_timedwait");
    table.touch(&[reads(2, Extent::Time)], "cnd_timedwait");
    table.effect(Effect::Signal { cond: 0 }, "cnd_signal cnd_broadcast");
    table.effect(init(Sync::ConditionVariable, false), "cnd_init");
    table.effect(Effect::Destroy { object: 0, kind: Sync::ConditionVariable }, "cnd_destroy");
    table.effect(Effect::Once { control: 0, routine: 1 }, "call_once");
}
