//! Threads, their attributes and cancellation; sleeping and yielding.

use super::system::NO_SIGNALS;
use super::{Table, module, reads, writes};
use crate::{Def, Effect, Extent, Fidelity, Module, Op};
use braid_ir::ChoiceKind;

static THREAD: Module = module!("thread");
static THREAD_ATTR: Module = module!("thread_attr");
static KEY: Module = module!("key");
static SLEEP: Module = module!("sleep");

/// Calls that ask for threads, keys or objects do not fail for want of resources.
pub(super) const CALLS_SUCCEED: Fidelity = Fidelity::Assumes("library calls succeed");

pub(super) fn add(table: &mut Table) {
    table.add(Def::C(&THREAD), CALLS_SUCCEED, "pthread_create");
    table.exact(&THREAD, "pthread_join __pthread_join pthread_detach pthread_equal");
    table.exact(&THREAD, "pthread_exit __pthread_exit");
    table.op(Op::SelfHandle, "pthread_self __pthread_self thrd_current");
    table.exact(&THREAD, "pthread_testcancel pthread_setcancelstate pthread_setcanceltype");
    table.exact(&THREAD, "pthread_cancel pthread_kill");
    table.op(Op::Unsupported("an operation on a value that is no thread's handle"), "__braid_no_thread");
    table.op(Op::Unsupported("a signal to a thread"), "__braid_thread_signal");
    table.exact(&THREAD, "pthread_atfork __register_atfork");
    table.exact(&THREAD, "pthread_setconcurrency pthread_getconcurrency pthread_setname_np");
    table.exact(&THREAD, "__braid_on_thread_end __braid_cancel_flag __braid_is_time __braid_own_slot");
    table.exact(&THREAD, "__braid_cleanup_push __braid_cleanup_pop __braid_may_be_cancelled");

    table.add(Def::C(&THREAD_ATTR), CALLS_SUCCEED, "pthread_attr_init");
    table.exact(&THREAD_ATTR, "pthread_attr_destroy");
    table.exact(&THREAD_ATTR, "pthread_attr_setdetachstate pthread_attr_getdetachstate");
    table.exact(&THREAD_ATTR, "pthread_attr_setscope pthread_attr_getscope");
    table.exact(&THREAD_ATTR, "pthread_attr_setinheritsched pthread_attr_getinheritsched");
    table.exact(&THREAD_ATTR, "pthread_attr_setschedpolicy pthread_attr_getschedpolicy");
    table.exact(&THREAD_ATTR, "pthread_attr_setschedparam pthread_attr_getschedparam");
    table
        .exact(&THREAD_ATTR, "pthread_attr_setstacksize pthread_attr_setguardsize pthread_attr_getguardsize");
    table.exact(&THREAD_ATTR, "pthread_attr_getstacksize");
    table.op(Op::Unsupported("the stack size that threads have by default"), "__braid_default_stack_size");

    table.add(Def::C(&KEY), CALLS_SUCCEED, "pthread_key_create pthread_setspecific");
    table.exact(&KEY, "__pthread_key_create pthread_key_delete");
    table.exact(&KEY, "pthread_getspecific __pthread_getspecific __pthread_setspecific");

    table.exact(&SLEEP, "sleep usleep nanosleep clock_nanosleep sched_yield pthread_yield");
    table.exact(&SLEEP, "poll select");
    table.add(Def::C(&SLEEP), NO_SIGNALS, "pause");
    table.op(Op::Unsupported("waiting for file descriptors"), "__braid_polls_files");

    table.op(Op::Nondet(ChoiceKind::CallFail), "__braid_call_fails");
    let keys = "pthread_key_create __pthread_key_create tss_create";
    table.op(Op::Uses(keys), "__braid_uses_keys");
    table.op(Op::Uses("pthread_key_delete tss_delete"), "__braid_uses_key_deletion");
    let detach = "pthread_detach thrd_detach pthread_attr_setdetachstate";
    table.op(Op::Uses(detach), "__braid_uses_detach");
    table.op(Op::Uses("pthread_cancel"), "__braid_uses_cancel");
    table.op(Op::Unsupported("more than 32 keys of thread-specific data"), "__braid_too_many_keys");
    table.op(Op::Unsupported("more than 32 nested cleanup handlers"), "__braid_too_many_cleanups");
    table.op(Op::Unsupported("more than 16 threads with cancellation"), "__braid_too_many_cancelled");
    table.op(Op::Unsupported("asynchronous cancellation"), "__braid_asynchronous_cancel");
    let handlers = "exit handlers when main ends by pthread_exit";
    table.op(Op::Unsupported(handlers), "__braid_main_ends_early");
    let join = "cancellation of a thread that waits in pthread_join";
    table.op(Op::Unsupported(join), "__braid_cancelled_join");
    let stream = "cancellation of a thread in a function of stdio";
    table.op(Op::Unsupported(stream), "__braid_cancelled_stream");

    effects(table);
}

fn effects(table: &mut Table) {
    let start = Effect::Start { handle: 0, attribute: Some(1), routine: 2, argument: 3 };
    table.effect(start, "pthread_create");
    table.touch(&[writes(0, Extent::Word), reads(1, Extent::Int)], "pthread_create");
    table.effect(Effect::Join { handle: 0, result: Some(1) }, "pthread_join __pthread_join");
    table.touch(&[writes(1, Extent::Word)], "pthread_join __pthread_join");
    table.effect(Effect::Detach { handle: 0 }, "pthread_detach");
    table.effect(Effect::ExitThread { value: 0 }, "pthread_exit __pthread_exit");
    table.effect(Effect::Nothing, "pthread_self __pthread_self thrd_current pthread_equal");
    table.effect(Effect::Nothing, "sleep usleep nanosleep clock_nanosleep sched_yield pthread_yield");
    table.touch(&[reads(0, Extent::Time)], "nanosleep");
    table.touch(&[reads(2, Extent::Time)], "clock_nanosleep");
}
