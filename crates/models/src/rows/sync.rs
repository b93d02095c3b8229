//! Mutexes, condition variables, read-write locks, barriers, spin locks, `pthread_once`, semaphores.

use super::thread::CALLS_SUCCEED;
use super::{Table, module, reads, writes};
use crate::{Def, Effect, Extent, Fidelity, Mode, Module, Op, Sync, Wait};
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

    mutex_effects(table);
    condition_effects(table);
    read_write_effects(table);
    spin_and_once_effects(table);
    counting_effects(table);
}

/// Taking the object that is the first argument.
pub(super) fn acquire(object: Sync, mode: Mode, wait: Wait) -> Effect {
    Effect::Acquire { lock: 0, mode, object, wait }
}

/// Initialising the object that is the first argument; the second may choose its kind.
pub(super) fn init(kind: Sync, has_attribute: bool) -> Effect {
    Effect::Init { object: 0, kind, attribute: has_attribute.then_some(1) }
}

fn mutex_effects(table: &mut Table) {
    let take = |wait| acquire(Sync::Mutex, Mode::Exclusive, wait);
    table.effect(take(Wait::Blocks), "pthread_mutex_lock __pthread_mutex_lock");
    table.effect(take(Wait::Tries), "pthread_mutex_trylock __pthread_mutex_trylock");
    table.effect(take(Wait::Timed), "pthread_mutex_timedlock pthread_mutex_clocklock");
    table.touch(&[reads(1, Extent::Time)], "pthread_mutex_timedlock");
    table.touch(&[reads(2, Extent::Time)], "pthread_mutex_clocklock");
    let release = Effect::Release { lock: 0, object: Sync::Mutex };
    table.effect(release, "pthread_mutex_unlock __pthread_mutex_unlock");
    table.effect(init(Sync::Mutex, true), "pthread_mutex_init __pthread_mutex_init");
    table.touch(&[reads(1, Extent::Int)], "pthread_mutex_init __pthread_mutex_init");
    let destroy = Effect::Destroy { object: 0, kind: Sync::Mutex };
    table.effect(destroy, "pthread_mutex_destroy __pthread_mutex_destroy");
}

fn condition_effects(table: &mut Table) {
    table.effect(Effect::Wait { cond: 0, mutex: 1, timed: false }, "pthread_cond_wait");
    let timed = Effect::Wait { cond: 0, mutex: 1, timed: true };
    table.effect(timed, "pthread_cond_timedwait pthread_cond_clockwait");
    table.touch(&[reads(2, Extent::Time)], "pthread_cond_timedwait");
    table.touch(&[reads(3, Extent::Time)], "pthread_cond_clockwait");
    table.effect(Effect::Signal { cond: 0 }, "pthread_cond_signal pthread_cond_broadcast");
    table.effect(init(Sync::ConditionVariable, true), "pthread_cond_init");
    let destroy = Effect::Destroy { object: 0, kind: Sync::ConditionVariable };
    table.effect(destroy, "pthread_cond_destroy");
}

fn read_write_effects(table: &mut Table) {
    let read = |wait| acquire(Sync::ReadWriteLock, Mode::Shared, wait);
    table.effect(read(Wait::Blocks), "pthread_rwlock_rdlock __pthread_rwlock_rdlock");
    table.effect(read(Wait::Tries), "pthread_rwlock_tryrdlock __pthread_rwlock_tryrdlock");
    table.effect(read(Wait::Timed), "pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock");
    let write = |wait| acquire(Sync::ReadWriteLock, Mode::Exclusive, wait);
    table.effect(write(Wait::Blocks), "pthread_rwlock_wrlock __pthread_rwlock_wrlock");
    table.effect(write(Wait::Tries), "pthread_rwlock_trywrlock __pthread_rwlock_trywrlock");
    table.effect(write(Wait::Timed), "pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock");
    table.touch(&[reads(1, Extent::Time)], "pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock");
    table.touch(&[reads(2, Extent::Time)], "pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock");
    let release = Effect::Release { lock: 0, object: Sync::ReadWriteLock };
    table.effect(release, "pthread_rwlock_unlock __pthread_rwlock_unlock");
    table.effect(init(Sync::ReadWriteLock, true), "pthread_rwlock_init __pthread_rwlock_init");
    let destroy = Effect::Destroy { object: 0, kind: Sync::ReadWriteLock };
    table.effect(destroy, "pthread_rwlock_destroy __pthread_rwlock_destroy");
}

fn spin_and_once_effects(table: &mut Table) {
    table.effect(acquire(Sync::SpinLock, Mode::Exclusive, Wait::Blocks), "pthread_spin_lock");
    table.effect(acquire(Sync::SpinLock, Mode::Exclusive, Wait::Tries), "pthread_spin_trylock");
    table.effect(Effect::Release { lock: 0, object: Sync::SpinLock }, "pthread_spin_unlock");
    table.effect(init(Sync::SpinLock, false), "pthread_spin_init");
    table.effect(Effect::Destroy { object: 0, kind: Sync::SpinLock }, "pthread_spin_destroy");
    table.effect(Effect::Once { control: 0, routine: 1 }, "pthread_once __pthread_once");
}

fn counting_effects(table: &mut Table) {
    let take = |wait| Effect::SemaphoreWait { semaphore: 0, wait };
    table.effect(take(Wait::Blocks), "sem_wait");
    table.effect(take(Wait::Tries), "sem_trywait");
    table.effect(take(Wait::Timed), "sem_timedwait sem_clockwait");
    table.touch(&[reads(1, Extent::Time)], "sem_timedwait");
    table.touch(&[reads(2, Extent::Time)], "sem_clockwait");
    table.effect(Effect::SemaphorePost { semaphore: 0 }, "sem_post");
    table.effect(Effect::SemaphoreValue { semaphore: 0, value: 1 }, "sem_getvalue");
    table.touch(&[writes(1, Extent::Int)], "sem_getvalue");
    table.effect(init(Sync::Semaphore, false), "sem_init");
    table.effect(Effect::Destroy { object: 0, kind: Sync::Semaphore }, "sem_destroy");
    table.effect(init(Sync::Barrier, false), "pthread_barrier_init");
    table.effect(Effect::Destroy { object: 0, kind: Sync::Barrier }, "pthread_barrier_destroy");
    table.effect(Effect::BarrierWait { barrier: 0 }, "pthread_barrier_wait");
}
