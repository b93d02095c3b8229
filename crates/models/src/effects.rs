//! The effect of a library call on synchronisation, for analyses that treat the library by its rows instead of its C texts.
//!
//! An [`Effect`] stands in the row of its function and names arguments by their positions in the call. Effects are about
//! programs that use none of the functions in [`BEYOND_EFFECTS`], and about calls of the library itself: a program may define
//! a function of the same name. A function without an effect is known by its text alone. Besides what the effect says, a
//! call touches the memory that [`accesses`] lists and `errno`, which every thread has for itself; its result is arbitrary
//! unless the effect says otherwise. `crates/braid/tests/effects.rs` compares every effect with the text of its row.

use crate::{CLEANUP_PUSH, EXIT_HANDLERS, LONG_JUMPS, ROWS, SIGNAL_HANDLERS, lookup};

/// What a library call does to synchronisation. Fields of type `usize` are positions of arguments.
///
/// An argument that is an object holds its address. Every call reads or writes the bytes of its object as an atomic step:
/// calls at one object do not race with each other, but with plain accesses of the program to these bytes, and effects do
/// not tell what is left of an object that the program writes to. A call at an object that was destroyed or never initialised
/// is lock misuse and has no other effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Takes a lock. The lock is held by this call exactly if the call returns 0.
    ///
    /// A thread that takes a lock which it holds itself goes on if both holds are shared. Otherwise a call that blocks is lock
    /// misuse; but a read-write lock held by its writer refuses with another value than 0, and so does a mutex that checks
    /// errors. A recursive mutex counts ([`Sync::kind_offset`]).
    Acquire { lock: usize, mode: Mode, object: Sync, wait: Wait },
    /// Gives a lock back, a read-write lock in the mode in which the caller holds it. A recursive mutex stays held until it
    /// was released as often as taken; a mutex that checks errors stays as it is if the caller does not hold it. Releasing
    /// a lock of another thread is lock misuse otherwise.
    Release { lock: usize, object: Sync },
    /// Releases a mutex and begins to wait in one step, and takes the mutex again before it returns. The mutex is held
    /// afterwards as it was before, whatever the result. The wait ends with a signal, or at any time if it is `timed`, or if
    /// the question is asked with spurious wake-ups.
    Wait { cond: usize, mutex: usize, timed: bool },
    /// Lets one or all of the threads that wait at a condition variable go on. Nothing is kept for threads that come later.
    Signal { cond: usize },
    /// Initialises an object. The argument `attribute`, if there is one, chooses its kind: a pointer to attributes, of which
    /// null means the default, but the kind itself for [`Sync::PlainMutex`]: an `int`, recursive if it is odd. The object may
    /// be used exactly if the call returns 0. Initialising a lock that is held or an object where a thread waits is misuse.
    Init { object: usize, kind: Sync, attribute: Option<usize> },
    /// Ends the life of an object until it is initialised again. Destroying a lock that is held or an object where a thread
    /// waits is misuse. A condition variable or barrier is destroyed when all threads that were let go on there have left.
    Destroy { object: usize, kind: Sync },
    /// Takes one from the value of a semaphore, exactly if the call returns 0.
    SemaphoreWait { semaphore: usize, wait: Wait },
    /// Adds one to the value of a semaphore.
    SemaphorePost { semaphore: usize },
    /// Writes the value of a semaphore to the `int` behind the argument `value`.
    SemaphoreValue { semaphore: usize, value: usize },
    /// Waits until as many threads as the barrier takes have come.
    BarrierWait { barrier: usize },
    /// Calls the routine, which has no parameters, in the first call for this control object; the others wait until it has
    /// returned.
    Once { control: usize, routine: usize },
    /// Starts a thread that calls `routine` with `argument`, exactly if the call returns 0. The handle is stored before the
    /// thread begins. Attributes other than null may make it detached. C11's routines return an `int`.
    Start { handle: usize, attribute: Option<usize>, routine: usize, argument: usize },
    /// Waits until a thread has ended and stores its value, unless `result` is null: a `void *`, in C11 an `int`. The call
    /// returns 0 exactly if the thread has been joined; everything else is thread misuse.
    Join { handle: usize, result: Option<usize> },
    /// Gives up the right to join a thread; waits for nothing.
    Detach { handle: usize },
    /// Ends the running thread with a value. The end of the initial thread this way is not the end of the program.
    ExitThread { value: usize },
    /// Prints as an atomic step, and reads the text. No other thread notices but by the state of the stream.
    Print { stream: Option<usize>, text: Text },
    /// Does nothing that another thread could notice, and blocks never; it may be a place where others run.
    Nothing,
}

/// The way in which a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// By one thread alone.
    Exclusive,
    /// Together with others that hold it in this way.
    Shared,
}

/// How long a call waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Until it can go on, however long that is.
    Blocks,
    /// Not at all: it fails at once.
    Tries,
    /// Up to a time: it may fail whenever it cannot go on at once.
    Timed,
}

/// A kind of synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sync {
    /// `pthread_mutex_t`
    Mutex,
    /// `mtx_t`: to the library the same object as a [`Sync::Mutex`], but initialised without attributes
    PlainMutex,
    /// `pthread_rwlock_t`
    ReadWriteLock,
    /// `pthread_spinlock_t`
    SpinLock,
    /// `pthread_cond_t` and `cnd_t`
    ConditionVariable,
    /// `sem_t`
    Semaphore,
    /// `pthread_barrier_t`
    Barrier,
    /// `pthread_once_t` and `once_flag`
    Once,
}

impl Sync {
    /// The size of an object in bytes, in glibc for x86.
    pub fn size(self, pointer_bytes: u8) -> u64 {
        let wide = pointer_bytes == 8;
        match self {
            Sync::Mutex | Sync::PlainMutex => {
                if wide {
                    40
                } else {
                    24
                }
            }
            Sync::ReadWriteLock => {
                if wide {
                    56
                } else {
                    32
                }
            }
            Sync::ConditionVariable => 48,
            Sync::Semaphore => {
                if wide {
                    32
                } else {
                    16
                }
            }
            Sync::Barrier => {
                if wide {
                    32
                } else {
                    20
                }
            }
            Sync::SpinLock | Sync::Once => 4,
        }
    }

    /// Returns true if an object in static storage whose bytes are zero works without a call that initialises it. A
    /// semaphore has the value 0 then, a mutex is of the default kind.
    pub fn works_as_zero(self) -> bool {
        match self {
            Sync::Mutex
            | Sync::PlainMutex
            | Sync::ReadWriteLock
            | Sync::ConditionVariable
            | Sync::Semaphore
            | Sync::Once => true,
            Sync::SpinLock | Sync::Barrier => false,
        }
    }

    /// The offset of the `int` in a mutex that tells its kind: 0 and 3 are the default, 1 is recursive, 2 checks errors. A
    /// static initialiser may put another kind there than 0. None for other objects.
    pub fn kind_offset(self, pointer_bytes: u8) -> Option<u64> {
        match self {
            Sync::Mutex | Sync::PlainMutex => Some(if pointer_bytes == 8 { 16 } else { 12 }),
            Sync::ReadWriteLock
            | Sync::SpinLock
            | Sync::ConditionVariable
            | Sync::Semaphore
            | Sync::Barrier
            | Sync::Once => None,
        }
    }

    /// The word for such an object in messages.
    pub fn word(self) -> &'static str {
        match self {
            Sync::Mutex | Sync::PlainMutex => "mutex",
            Sync::ReadWriteLock => "read-write lock",
            Sync::SpinLock => "spin lock",
            Sync::ConditionVariable => "condition variable",
            Sync::Semaphore => "semaphore",
            Sync::Barrier => "barrier",
            Sync::Once => "pthread_once_t",
        }
    }
}

/// The memory of the program that printing reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// Nothing: what is printed is in the arguments.
    Nothing,
    /// The bytes behind this argument up to and including the first that is 0.
    String(usize),
    /// The format, a string, and what it names among the variable arguments: [`strings_printed`] tells which of them are
    /// strings that are read as well. The argument `arguments` of the call points to a slot of [`ARGUMENT_SLOT`] bytes for
    /// each, or is null if there are none.
    Format { format: usize, arguments: usize },
    /// As many bytes behind the argument `bytes` as the argument `size` says, times the argument `count`.
    Bytes { bytes: usize, size: usize, count: Option<usize> },
}

/// Memory of the program that a call may touch besides synchronisation objects and printed text. Where a pointer may be null,
/// it is not touched then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The position of the argument that holds the address.
    pub argument: usize,
    pub writes: bool,
    pub extent: Extent,
}

/// The length of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// An `int`.
    Int,
    /// A pointer or a handle of a thread.
    Word,
    /// A `struct timespec`. The texts of some calls look at its nanoseconds only, or at nothing if they need not wait.
    Time,
}

impl Extent {
    pub fn bytes(self, pointer_bytes: u8) -> u64 {
        match self {
            Extent::Int => 4,
            Extent::Word => u64::from(pointer_bytes),
            Extent::Time => 2 * u64::from(pointer_bytes),
        }
    }
}

/// Functions that do what effects do not speak of, as lists of names separated by blanks. Where the program itself calls one,
/// an analysis that relies on effects says nothing.
///
/// They cancel threads, which may end at every call that waits or prints; run handlers, in any thread or where a thread or
/// the program ends ([`CLEANUP_PUSH`] stands where `pthread_cleanup_push` does); make a second process; jump out of
/// functions; or make mutexes that outlive their holders. The library's own texts use some of them without such effects.
pub const BEYOND_EFFECTS: [&str; 6] = [
    "pthread_cancel pthread_kill fork vfork",
    LONG_JUMPS,
    SIGNAL_HANDLERS,
    EXIT_HANDLERS,
    CLEANUP_PUSH,
    "at_quick_exit pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np pthread_key_create \
     __pthread_key_create tss_create __pthread_register_cancel _pthread_cleanup_push _pthread_cleanup_push_defer",
];

/// Returns true if effects do not speak of what the function of that name does.
pub fn is_beyond_effects(name: &str) -> bool {
    BEYOND_EFFECTS.iter().any(|names| names.split_whitespace().any(|beyond| beyond == name))
}

/// The effect of the library function of that name, if its row states one.
pub fn effect(name: &str) -> Option<Effect> {
    lookup(name)?.effect
}

/// All names whose rows state an effect, with the effect, in the order of the rows.
pub fn effects() -> impl Iterator<Item = (&'static str, Effect)> {
    ROWS.iter().filter_map(|row| Some((row.name, row.effect?)))
}

/// The accesses of a library function whose row states an effect.
pub fn accesses(name: &str) -> &'static [Access] {
    lookup(name).map_or(&[], |row| row.accesses)
}

/// The bytes from one variable argument to the next where a call packs them.
pub const ARGUMENT_SLOT: u64 = 16;

/// The variable arguments, by number, that printing with this format reads as strings: up to the first byte that is 0, or
/// as many bytes as the precision says. None for formats of which printing does more than to fetch arguments and to read
/// strings: with numbered arguments, amounts from arguments, wide characters, `%n` or `%m`.
pub fn strings_printed(format: &[u8]) -> Option<Vec<usize>> {
    let mut rest = format.split(|byte| *byte == 0).next().unwrap_or(format);
    let (mut strings, mut slot) = (Vec::new(), 0);
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let (conversion, after) = simple_conversion(&rest[at + 1..])?;
        if conversion == b's' {
            strings.push(slot);
        }
        slot += usize::from(conversion != b'%');
        rest = after;
    }
    Some(strings)
}

/// The letter of a conversion specification, which follows a `%`, and what comes after it.
fn simple_conversion(spec: &[u8]) -> Option<(u8, &[u8])> {
    let (_, spec) = split_while(spec, |byte| b"-+ #0".contains(&byte));
    let (width, spec) = split_while(spec, |byte| byte.is_ascii_digit());
    let spec = spec.strip_prefix(b".").unwrap_or(spec);
    let (precision, spec) = split_while(spec, |byte| byte.is_ascii_digit());
    let (_, spec) = split_while(spec, |byte| b"hjztqL".contains(&byte));
    let (longs, spec) = split_while(spec, |byte| byte == b'l');
    let (&letter, after) = spec.split_first()?;
    let known = match letter {
        b'c' | b's' => longs.is_empty(),
        other => b"diouxXpfFeEgGaA%".contains(&other),
    };
    (known && width.len() <= 4 && precision.len() <= 4).then_some((letter, after))
}

fn split_while(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().position(|byte| !belongs(*byte)).unwrap_or(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TIMED, WORKS_AS_ZERO};

    #[test]
    fn the_strings_among_variable_arguments() {
        assert_eq!(strings_printed(b"no arguments"), Some(vec![]));
        assert_eq!(strings_printed(b"%d%% %s of %-5.2s\n\0%n"), Some(vec![1, 2]));
        assert_eq!(strings_printed(b"%lu %5.1f %p %c %s"), Some(vec![4]));
        for odd in ["%n", "%m", "%*d", "%.*s", "%2$s", "%ls", "%lc", "%12345d", "%"] {
            assert_eq!(strings_printed(odd.as_bytes()), None, "{odd}");
        }
    }

    /// A time is read by exactly the calls that may give up after some time.
    #[test]
    fn calls_up_to_a_time_read_it() {
        for (name, effect) in effects() {
            let timed = match effect {
                Effect::Acquire { wait, .. } | Effect::SemaphoreWait { wait, .. } => wait == Wait::Timed,
                Effect::Wait { timed, .. } => timed,
                // They sleep for a time.
                Effect::Nothing => continue,
                Effect::Release { .. }
                | Effect::Signal { .. }
                | Effect::Init { .. }
                | Effect::Destroy { .. }
                | Effect::SemaphorePost { .. }
                | Effect::SemaphoreValue { .. }
                | Effect::BarrierWait { .. }
                | Effect::Once { .. }
                | Effect::Start { .. }
                | Effect::Join { .. }
                | Effect::Detach { .. }
                | Effect::ExitThread { .. }
                | Effect::Print { .. } => false,
            };
            let reads_time = accesses(name).iter().any(|access| access.extent == Extent::Time);
            assert_eq!(timed, reads_time, "{name}");
            assert!(timed || !TIMED.split_whitespace().any(|other| other == name), "{name}");
        }
    }

    #[test]
    fn objects_that_work_as_zero_agree_with_the_list_of_surprises() {
        for kind in WORKS_AS_ZERO {
            let Some(Effect::Init { kind: object, .. }) = effect(kind.init) else {
                panic!("{} initialises nothing", kind.init)
            };
            assert!(object.works_as_zero(), "{}", kind.what);
            assert_eq!(object.word(), kind.what);
        }
    }

    #[test]
    fn effects_do_not_speak_of_what_is_beyond_them() {
        assert!(effects().all(|(name, _)| !is_beyond_effects(name)));
        assert!(is_beyond_effects("pthread_cancel") && is_beyond_effects("longjmp"));
        assert!(effects().count() > 100, "only {} effects", effects().count());
    }
}
