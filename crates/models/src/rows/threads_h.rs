//! C11 `<threads.h>`.

use super::sync::WOKEN_ONLY;
use super::{Table, module};
use crate::{Def, Module};

static THREADS: Module = module!("threads_h");

pub(super) fn add(table: &mut Table) {
    table.exact(&THREADS, "thrd_create thrd_join thrd_detach thrd_exit thrd_equal thrd_yield thrd_sleep");
    table.exact(&THREADS, "mtx_init mtx_destroy mtx_lock mtx_trylock mtx_timedlock mtx_unlock");
    table.exact(&THREADS, "cnd_init cnd_destroy cnd_signal cnd_broadcast");
    table.add(Def::C(&THREADS), WOKEN_ONLY, "cnd_wait cnd_timedwait");
    table.exact(&THREADS, "call_once tss_create tss_delete tss_get tss_set");
}
