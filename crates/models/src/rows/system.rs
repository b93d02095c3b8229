//! The system around a program: its limits, signals, files, internet addresses, hints of the processor.

use super::thread::CALLS_SUCCEED;
use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};

static SYSTEM: Module = module!("system");
static SIGNAL: Module = module!("signal");
static FILE: Module = module!("file");
static INET: Module = module!("inet");
static FUTEX: Module = module!("futex");
static JUMP: Module = module!("jump");

/// Handlers are never called. (It is assumed of a program that only ignores signals, too.)
pub(super) const NO_SIGNALS: Fidelity = Fidelity::Assumes("no signals");

/// Whether a file can be opened is a choice; the real file system may leave none.
const ANY_FILES: Fidelity = Fidelity::Over("files can be opened or not");

pub(super) fn add(table: &mut Table) {
    table.exact(&SYSTEM, "sysconf getpagesize getrlimit setrlimit prctl");
    table.op(Op::Unsupported("the name of a thread that was never given one"), "__braid_unknown_thread_name");

    table.add(Def::C(&SIGNAL), NO_SIGNALS, "signal sigaction");
    table.exact(&SIGNAL, "sigemptyset sigfillset sigaddset sigdelset sigismember");
    table.exact(&SIGNAL, "pthread_sigmask sigprocmask");

    let files = "open open64 creat fopen fopen64";
    table.add(Def::C(&FILE), ANY_FILES, files);
    table.add(Def::C(&FILE), ANY_FILES, "__braid_new_descriptor");
    // Once a file is open, writing to it and closing it succeed.
    table.add(Def::C(&FILE), CALLS_SUCCEED, "close fclose __braid_is_file");
    table.op(Op::Uses(files), "__braid_uses_files");
    table.op(Op::Unsupported("more than 16 files"), "__braid_too_many_files");
    table.op(Op::Unsupported("reading from a file"), "__braid_reads_file");
    table.op(Op::Unsupported("use of a closed stream"), "__braid_closed_stream");
    table.op(Op::Unsupported("closing a standard stream"), "__braid_closes_standard_stream");

    table.exact(&INET, "htons ntohs htonl ntohl inet_pton");

    table.exact(&FUTEX, "syscall");
    table.op(Op::Unsupported("system call other than a futex"), "__braid_system_call");
    let others = "futex operation other than wait and wake";
    table.op(Op::Unsupported(others), "__braid_futex_operation");

    table.op(Op::SetJump, "setjmp _setjmp sigsetjmp __sigsetjmp");
    table.op(Op::LongJump, "longjmp _longjmp siglongjmp __longjmp_chk");
    table.exact(&JUMP, "__braid_jump_depth __braid_jump_leave __braid_jump_place __braid_jump_save");
    table.exact(&JUMP, "__braid_jump_begin __braid_jump_target __braid_jump_arrive");
    table.op(Op::Unsupported("more than 32 nested places of setjmp"), "__braid_too_many_jumps");

    // Under sequential consistency these do nothing.
    table.op(Op::Nothing, "_mm_pause _mm_mfence _mm_lfence _mm_sfence");
}
