//! What the library functions mean: the one place that knows their names.
//!
//! Data only. A [`Row`] maps a function (or variable) of the C library to an IR operation or to C text
//! built on such operations, which `lower` compiles like a user's file. Each row states its fidelity.
//! A function that has neither a row nor a definition in the program is unsupported when reached.
//!
//! The C text (`c/*.c`) is compiled without a preprocessor and without headers; every module begins
//! with the text of [`PRELUDE`], which declares the `__braid_*` operations of [`Op`] and a few types.
//! Code from here is internal: no race reports on it, no trace lines, no user-visible loop bounds.

mod effects;
mod faults;
mod rows;

pub use effects::{
    ARGUMENT_SLOT, Access, BEYOND_EFFECTS, Effect, Extent, Mode, Sync, Text, Wait, accesses, effect, effects,
    is_beyond_effects, strings_printed,
};
pub use faults::text_of;
pub use rows::ROWS;

use braid_ir::{ChoiceKind, MathFn, ThreadAsk};
use braid_props::Check;
use std::sync::LazyLock;

/// How a model relates to the real function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fidelity {
    Exact,
    /// Allows less: a call that can be reached forbids SAFE. A model that leaves something out on some paths only is
    /// `Exact` and says so where it happens ([`Op::Partial`]).
    Under(&'static str),
    /// Allows more: the model makes a choice where the real function has a value of its own. With a choice of
    /// [`ChoiceKind::Random`], a violation that needs another value is no counterexample, unless it is an assumption,
    /// printed with it, that numbers are arbitrary. With any other choice in the function itself, the text is the assumption
    /// that is printed with the violation.
    Over(&'static str),
    /// Exact under an assumption, which is printed with the verdict if a call can be reached.
    Assumes(&'static str),
}

/// A library function or variable.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub fidelity: Fidelity,
    pub def: Def,
    /// The static object of its text, by name, that threads race on when they call it at the same time; several are
    /// separated by blanks. Other state of the text is internal: it makes no races.
    pub races: &'static str,
    /// The operation happens at every call, even if the program defines the function; its own
    /// definition runs after that.
    pub overrides: bool,
    /// What it does to synchronisation, for those who do not look at its text.
    pub effect: Option<Effect>,
    /// The memory of the program it touches; part of the effect.
    pub accesses: &'static [Access],
}

#[derive(Clone, Copy, Debug)]
pub enum Def {
    /// Calls become this operation.
    Op(Op),
    /// Defined, under the row's own name, by the module's C text.
    C(&'static Module),
}

/// A file of C text; its static variables are the library's state.
#[derive(PartialEq, Eq, Debug)]
pub struct Module {
    pub name: &'static str,
    pub text: &'static str,
}

/// Declarations every module sees; a text without line structure of its own worth showing.
pub const PRELUDE: &str = include_str!("../c/prelude.h");

/// C text that declares the functions GNU C knows without a declaration.
pub static PROTOTYPES: LazyLock<String> =
    LazyLock::new(|| rows::math::for_all_types(include_str!("../c/prototypes.h")));

/// The function that ends a program normally: `lower` calls it with `main`'s value.
pub const EXIT: &str = "exit";

/// The function that registers an exit handler: `lower` calls it first of all with the function that
/// runs the destructors, which therefore runs last.
pub const ATEXIT: &str = "atexit";

/// What does the same in a program where nothing runs after `main` has returned.
pub const PLAIN_EXIT: &str = "__braid_plain_exit";

/// Functions by which a program has something run after `main` has returned.
pub const EXIT_HANDLERS: &str = "atexit on_exit __cxa_atexit";

/// Functions that wait for an object until a time: a thread that polls with one does not spin.
pub const TIMED: &str = "pthread_mutex_timedlock pthread_cond_timedwait sem_timedwait pthread_rwlock_timedrdlock \
                         pthread_rwlock_timedwrlock";

/// A kind of synchronisation object that has no static initialiser and still works if its bytes are zero.
pub struct WorksAsZero {
    pub what: &'static str,
    /// The function that initialises one, which it gets as its first argument.
    pub init: &'static str,
    /// Functions that use one, their first argument.
    pub uses: &'static str,
    /// How one in static storage behaves that was never initialised.
    pub zero: &'static str,
}

pub const WORKS_AS_ZERO: [WorksAsZero; 3] = [
    WorksAsZero {
        what: "semaphore",
        init: "sem_init",
        uses: "sem_wait sem_trywait sem_timedwait sem_clockwait sem_post sem_getvalue sem_destroy",
        zero: "a semaphore of value 0",
    },
    WorksAsZero {
        what: "mutex",
        init: "mtx_init",
        uses: "mtx_lock mtx_trylock mtx_timedlock mtx_unlock mtx_destroy",
        zero: "a plain mutex",
    },
    WorksAsZero {
        what: "condition variable",
        init: "cnd_init",
        uses: "cnd_wait cnd_timedwait cnd_signal cnd_broadcast cnd_destroy",
        zero: "a condition variable",
    },
];

/// Functions that install signal handlers.
pub const SIGNAL_HANDLERS: &str = "signal sigaction bsd_signal sysv_signal sigset";

/// Operations a row or C text can ask for. Arguments are the call's, in order; the result, if any, is
/// the call's. The IR operation of the same name does the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// `(size, align, zeroed)`: the last a constant.
    Alloc,
    /// `(size)`: dies with the caller's frame.
    Alloca,
    /// `(ptr)`
    Free,
    /// `(ptr)` → bytes from there to the end of the object; 0 outside of live objects
    ObjectSize,
    /// `(dst, src, len)` → dst. The leaves are those of the static type behind `dst`, else of the one
    /// behind `src`, if the arguments are converted pointers to complete types; else bytes.
    Copy,
    /// The same, overlapping allowed.
    Move,
    /// `(dst, byte, len)` → dst
    Fill,
    /// `(stream, byte)`: the stream a constant, 1 or 2
    Output,
    /// `()` → next byte of standard input or -1
    Input,
    /// `(code)`
    ExitProgram,
    Abort,
    /// `(text, …)`: an assertion has failed. `text`, if it is a string literal, is the condition. The
    /// violation stands at the call; if it is not checked, the function named here is called with the
    /// same arguments.
    AssertFail {
        then: &'static str,
    },
    /// `(cond, text)`: an assertion that does not end the program if it fails and is not checked. Both
    /// as above.
    Assert,
    /// `(object, text)`: an object (a pointer to it, or a thread's handle) is misused. The text says how; a `%` in
    /// it stands for the object.
    Misuse(Check),
    /// `(cond)`: any scalar
    Assume,
    /// `()` → arbitrary value of the declared return type
    Nondet(ChoiceKind),
    /// One or two arguments of the declared return type, which is float, double or long double.
    Math(MathFn),
    /// `(func, arg)` → handle
    Spawn,
    /// `(handle)` → end value (`void *`)
    Join,
    /// `(handle)`
    Detach,
    /// `(word, mutex)` → 1 if the last thread that waited at the word's condition variable had another mutex
    Pair,
    /// `(handle)` → the number of a `ThreadState`
    ThreadState(ThreadAsk),
    /// `(mutex)`
    Lock,
    /// `(mutex)` → 1 if taken
    TryLock,
    /// `(mutex)`
    Unlock,
    AtomicBegin,
    /// `(cond)`: the argument becomes the guard; it may use loads and operators, no calls, no `&&`,
    /// `||` or `?:`.
    AtomicBeginWhen,
    AtomicEnd,
    /// `()` → handle
    SelfHandle,
    /// `()` → number of the thread plus one, as in the shadow of a mutex it holds
    SelfNumber,
    /// `(value)` → the same 64 bits, of which control may depend; for output
    Forget,
    /// `(value)`
    ExitThread,
    /// `(ptr)` → `int` at that address in shadow space
    ShadowLoad,
    /// `(ptr, int)`
    ShadowStore,
    /// `()` → 1 if the user's files use one of these names (separated by blanks), else 0: a constant,
    /// so that a program does not pay for what it does not use.
    Uses(&'static str),
    /// Up to four integers → the same value for the same arguments, else any; the number tells functions
    /// apart.
    Uninterpreted(u32),
    /// `(context, …)` → 0, and again the value of a jump
    SetJump,
    /// `(context, value)`
    LongJump,
    /// The run stops: what the model leaves out.
    Unsupported(&'static str),
    /// The run goes on, but there is no proof from here on: what the model leaves out.
    Partial(&'static str),
    /// Arguments are evaluated, the result is 0.
    Nothing,
}

/// The function by which glibc's `pthread_cleanup_push` has a variable cleaned up: such variables are
/// announced with [`CLEANUP_PUSH`] and [`CLEANUP_POP`], so that the end of their thread finds them.
pub const CLEANUP_ROUTINE: &str = "__pthread_cleanup_routine";
pub const CLEANUP_PUSH: &str = "__braid_cleanup_push";
pub const CLEANUP_POP: &str = "__braid_cleanup_pop";

/// The variable that says whether somebody reads what the program prints.
pub const OUTPUT_IS_READ: &str = "__braid_output_is_read";

/// The variable that says whether pseudo-random numbers are open: any value in their range, not glibc's sequence.
pub const RANDOM_IS_OPEN: &str = "__braid_random_is_open";

/// Functions that give the generators of pseudo-random numbers a seed.
pub const SEEDS: &str = "srand srandom srand48 seed48 lcong48";

/// Variables that hold the name of the program, and the function that `lower` calls first of all with `argv[0]` if the
/// program uses one of them.
pub const PROGRAM_NAMES: &str =
    "program_invocation_name program_invocation_short_name __progname __progname_full";
pub const NAME_PROGRAM: &str = "__braid_name_program";

/// The function that chooses the number of program arguments.
pub const ANY_COUNT: &str = "__braid_any_count";

/// Returns true if threads can race on this variable of a text: a row declares it, or it is one of the library's own
/// variables that programs see.
pub fn is_racy_variable(name: &str) -> bool {
    rows::RACY.contains(name)
}

/// Another name of the same variable or function of the library.
fn original(name: &str) -> &str {
    match name {
        "__environ" | "_environ" => "environ",
        "__progname" => "program_invocation_short_name",
        "__progname_full" => "program_invocation_name",
        "__timezone" => "timezone",
        "__daylight" => "daylight",
        "__tzname" => "tzname",
        other => other,
    }
}

/// What stands for a function of the library where its result is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unread {
    pub stand_in: &'static str,
    /// The argument that is a format: it must be known, and simple.
    pub format: usize,
    /// Nor must the user's files use these names: cancellation looks into printing.
    pub unless: &'static str,
}

/// What stands for the function of that name, if anything does.
pub fn unread(name: &str) -> Option<Unread> {
    let (stand_in, format) = match name {
        "printf" => ("__braid_unread_printf", 0),
        "fprintf" => ("__braid_unread_fprintf", 1),
        _ => return None,
    };
    Some(Unread { stand_in, format, unless: "pthread_cancel" })
}

/// Where the result of a function that prints is used, it goes through another one, which may turn it into a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallible {
    /// Takes the result and gives one of the same type.
    pub through: &'static str,
    /// The argument of the call that is the stream, which comes second then.
    pub stream: Option<usize>,
}

/// The assumption about functions that print and are called through pointers.
pub const POINTERS_PRINT: &str = "output through function pointers succeeds";

/// How the function of that name may fail, if it prints.
pub fn fallible(name: &str) -> Option<Fallible> {
    let (through, stream) = match name {
        "printf" | "vprintf" | "__printf_chk" | "__vprintf_chk" | "puts" | "putchar" | "putchar_unlocked" => {
            ("__braid_printed", None)
        }
        "fprintf" | "vfprintf" | "__fprintf_chk" | "__vfprintf_chk" | "fflush" | "fflush_unlocked" => {
            ("__braid_printed_to", Some(0))
        }
        "fputc" | "fputc_unlocked" | "putc" | "putc_unlocked" | "_IO_putc" | "putw" | "fputs"
        | "fputs_unlocked" => ("__braid_printed_to", Some(1)),
        "fwrite" | "fwrite_unlocked" => ("__braid_part_printed", Some(3)),
        "dprintf" | "vdprintf" => ("__braid_printed_by_number", None),
        "write" => ("__braid_part_written", None),
        _ => return None,
    };
    Some(Fallible { through, stream })
}

/// The row of a name, if the library has it.
pub fn lookup(name: &str) -> Option<&'static Row> {
    let row = rows::INDEX.get(original(name)).copied();
    // Programs invent further types; what counts is the declaration.
    let family = name.starts_with(NONDET) && name.len() > NONDET.len();
    row.or_else(|| if family { rows::INDEX.get(NONDET_ANY).copied() } else { None })
}

const NONDET: &str = "__VERIFIER_nondet_";
const NONDET_ANY: &str = "__VERIFIER_nondet_int";

/// What labels begin with that let the statement after them run in a thread of its own.
pub const THREAD_LABEL: &str = "__CPROVER_ASYNC";

/// CBMC's functions of which nothing is known but that they are functions of their arguments begin with this.
pub const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// The function that remembers what they gave: `(number, a, b, c, d)`.
pub const APPLICATION: &str = "__braid_uninterpreted";

/// The number of arguments it takes.
pub const APPLICATION_ARGUMENTS: usize = 4;

/// The functions by which a program jumps out of functions: only one that uses them pays for them.
pub const LONG_JUMPS: &str = "longjmp _longjmp siglongjmp __longjmp_chk";

/// The functions on which non-local jumps are built (`c/jump.c` says what they do).
pub mod jump {
    pub const DEPTH: &str = "__braid_jump_depth";
    pub const LEAVE: &str = "__braid_jump_leave";
    pub const PLACE: &str = "__braid_jump_place";
    pub const SAVE: &str = "__braid_jump_save";
    pub const BEGIN: &str = "__braid_jump_begin";
    pub const TARGET: &str = "__braid_jump_target";
    pub const ARRIVE: &str = "__braid_jump_arrive";
}

/// The function that compares bytes: `(a, b, length)` → 0 if they are equal.
pub const COMPARE: &str = "memcmp";

/// Whether the body of a function of this name runs as one atomic section: the older convention of
/// verification programs.
pub fn is_atomic_function(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_atomic_").is_some_and(|rest| !matches!(rest, "" | "begin" | "end"))
}

/// Prototypes of the functions that a sequential program calls for what memory operations of the IR do.
pub const CALLED_PROTOTYPES: [&str; 6] = [
    "void *malloc(__SIZE_TYPE__);\n",
    "void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n",
    "void free(void *);\n",
    "int memcmp(const void *, const void *, __SIZE_TYPE__);\n",
    "void *memcpy(void *, const void *, __SIZE_TYPE__);\n",
    "void *memset(void *, int, __SIZE_TYPE__);\n",
];

/// Returns true if objects of a model are locks, which a thread holds; others count or wake threads.
pub fn keeps_locks(model: &str) -> bool {
    !matches!(model, "semaphore" | "cond" | "barrier")
}

/// The offset in a synchronisation object from which on the words of its shadow fit into bytes that the texts of the model do
/// not use otherwise. None for objects that are too small for that.
pub fn state_offset(model: &str, pointer_bytes: u8) -> Option<i128> {
    match (model, pointer_bytes) {
        ("mutex" | "barrier", _) => Some(0),
        ("cond", _) | ("semaphore", 8) => Some(16),
        ("semaphore", _) => Some(8),
        ("rwlock", 8) => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arbitrary_values_of_any_type() {
        let is_value = |name| {
            lookup(name)
                .map(|row| row.def)
                .is_some_and(|def| matches!(def, Def::Op(Op::Nondet(ChoiceKind::Value))))
        };
        assert!(is_value("__VERIFIER_nondet_int"));
        assert!(is_value("__VERIFIER_nondet_a_type_of_the_program"));
        assert!(!is_value("__VERIFIER_nondet_"));
        assert!(!is_value("__VERIFIER_nondet_memory"));
        assert!(lookup("__VERIFIER_nondet").is_none());
    }

    #[test]
    fn destroyed_objects_have_the_mark_of_the_ir() {
        let mark = format!("__braid_destroyed = {} }}", braid_ir::DESTROYED as i32);
        assert!(PRELUDE.contains(&mark), "{mark}");
    }

    #[test]
    fn names_that_make_a_body_atomic() {
        assert!(is_atomic_function("__VERIFIER_atomic_acquire"));
        assert!(!is_atomic_function("__VERIFIER_atomic_begin"));
        assert!(!is_atomic_function("__VERIFIER_atomic_end"));
        assert!(!is_atomic_function("__VERIFIER_atomic_"));
        assert!(!is_atomic_function("atomic_acquire"));
    }

    #[test]
    fn error_functions_override_definitions() {
        let names: Vec<&str> = ROWS.iter().filter(|row| row.overrides).map(|row| row.name).collect();
        assert_eq!(names, ["reach_error", "__VERIFIER_error"]);
    }
}
