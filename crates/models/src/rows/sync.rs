//! Mutexes, condition variables, read-write locks, barriers, spin locks, `pthread_once`, semaphores.

use super::thread::CALLS_SUCCEED;
use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};
use braid_ir::ChoiceKind;
use braid_props::Check;

static MUTEX: Module = module!("mutex");
static COND: Module = module!("cond");
static RWLOCK: Module = module!("rwlock");
static BARRIER: Module = module!("barrier");
static ONCE: Module = module!("once");
static SEMAPHORE: Module = module!("semaphore");

/// POSIX lets a wait end without cause.
pub(super) const WOKEN_ONLY: Fidelity = Fidelity::Assumes("no spurious wake-ups");

pub(super) fn add(table: &mut Table) {
    table.op(Op::Misuse(Check::LockMisuse), "__braid_lock_misuse");
    table.op(Op::Pair, "__braid_other_mutex");
    table.op(Op::Nondet(ChoiceKind::Wake), "__braid_wake");
    table.op(Op::Nondet(ChoiceKind::Spurious), "__braid_spurious_wakeup");
    table.op(Op::Unsupported("two of more than 32 threads waiting at one place"), "__braid_too_many_waiters");
    let readers = "more than 12 readers at once (32 bits: 7) of one read-write lock";
    table.op(Op::Unsupported(readers), "__braid_too_many_readers");
    table.op(Op::Unsupported("robust mutexes"), "__braid_robust_mutex");
    let unborn = "use of a synchronisation object that was never initialised";
    table.op(Op::Unsupported(unborn), "__braid_never_initialised");
    table.op(Op::Unsupported("read-write locks that prefer writers"), "__braid_writers_first");

    table.add(Def::C(&MUTEX), CALLS_SUCCEED, "pthread_mutex_init");
    table.exact(&MUTEX, "pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock");
    table.exact(&MUTEX, "pthread_mutex_timedlock pthread_mutex_clocklock pthread_mutex_unlock");
    table.exact(&MUTEX, "__pthread_mutex_init __pthread_mutex_destroy __pthread_mutex_lock");
    table.exact(&MUTEX, "__pthread_mutex_trylock __pthread_mutex_unlock");
    table.add(Def::C(&MUTEX), CALLS_SUCCEED, "pthread_mutexattr_init");
    table.exact(&MUTEX, "pthread_mutexattr_destroy");
    table.exact(&MUTEX, "__pthread_mutexattr_init __pthread_mutexattr_destroy __pthread_mutexattr_settype");
    table.exact(&MUTEX, "pthread_mutexattr_settype pthread_mutexattr_gettype");
    table.exact(&MUTEX, "pthread_mutexattr_setpshared pthread_mutexattr_getpshared");
    table.exact(&MUTEX, "pthread_mutexattr_setprotocol pthread_mutexattr_getprotocol");
    table.exact(&MUTEX, "pthread_mutexattr_setrobust pthread_mutexattr_getrobust");

    table.add(Def::C(&COND), CALLS_SUCCEED, "pthread_cond_init");
    table.exact(&COND, "pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast");
    table.add(Def::C(&COND), WOKEN_ONLY, "pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait");
    table.add(Def::C(&COND), CALLS_SUCCEED, "pthread_condattr_init");
    table.exact(&COND, "pthread_condattr_destroy");
    table.exact(&COND, "pthread_condattr_setclock pthread_condattr_getclock");
    table.exact(&COND, "pthread_condattr_setpshared pthread_condattr_getpshared");

    table.add(Def::C(&RWLOCK), CALLS_SUCCEED, "pthread_rwlock_init");
    table.exact(&RWLOCK, "pthread_rwlock_destroy pthread_rwlock_unlock");
    table.exact(&RWLOCK, "pthread_rwlock_rdlock pthread_rwlock_tryrdlock");
    table.exact(&RWLOCK, "pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock");
    table.exact(&RWLOCK, "pthread_rwlock_wrlock pthread_rwlock_trywrlock");
    table.exact(&RWLOCK, "pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock");
    table.exact(&RWLOCK, "__pthread_rwlock_init __pthread_rwlock_destroy __pthread_rwlock_unlock");
    table.exact(&RWLOCK, "__pthread_rwlock_rdlock __pthread_rwlock_tryrdlock");
    table.exact(&RWLOCK, "__pthread_rwlock_wrlock __pthread_rwlock_trywrlock");
    table.add(Def::C(&RWLOCK), CALLS_SUCCEED, "pthread_rwlockattr_init");
    table.exact(&RWLOCK, "pthread_rwlockattr_destroy");
    table.exact(&RWLOCK, "pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared");
    table.exact(&RWLOCK, "pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np");

    table.add(Def::C(&BARRIER), CALLS_SUCCEED, "pthread_barrier_init");
    table.exact(&BARRIER, "pthread_barrier_destroy pthread_barrier_wait");
    table.add(Def::C(&BARRIER), CALLS_SUCCEED, "pthread_barrierattr_init");
    table.exact(&BARRIER, "pthread_barrierattr_destroy");
    table.exact(&BARRIER, "pthread_barrierattr_setpshared pthread_barrierattr_getpshared");

    table.add(Def::C(&ONCE), CALLS_SUCCEED, "pthread_spin_init");
    table.exact(&ONCE, "pthread_spin_destroy pthread_spin_trylock");
    table.exact(&ONCE, "pthread_spin_lock pthread_spin_unlock");
    table.exact(&ONCE, "pthread_once __pthread_once");

    table.op(Op::Uses("sem_destroy"), "__braid_uses_sem_destroy");
    table.add(Def::C(&SEMAPHORE), CALLS_SUCCEED, "sem_init");
    table.exact(&SEMAPHORE, "sem_destroy sem_wait sem_trywait sem_timedwait sem_clockwait");
    table.exact(&SEMAPHORE, "sem_post sem_getvalue");
}
