//! Deliberate faults in the C texts (see `braid_base::faults`): each replaces one passage.

use crate::Module;
use braid_base::faults::{Fault, active};
use std::borrow::Cow;

struct Patch {
    fault: Fault,
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

const PATCHES: &[Patch] = &[
    Patch {
        fault: Fault::SignalWakesAll,
        module: "cond",
        from: "int bit = pick((unsigned)all);",
        to: "int bit = all;",
    },
    Patch { fault: Fault::SignalWakesFirst, module: "cond", from: "if (!__braid_wake())", to: "if (1)" },
    Patch {
        fault: Fault::BroadcastWakesNobody,
        module: "cond",
        from: "set_bit(woken(cond), __braid_shadow_load(waiting(cond)));",
        to: "",
    },
    Patch {
        fault: Fault::WaitUnlocksEarly,
        module: "cond",
        from: "__braid_atomic_begin();\n    result = *(int *)cond ? -refuse(cond) : -pthread_mutex_unlock(mutex);",
        to: "result = -pthread_mutex_unlock(mutex);\n    __braid_atomic_begin();",
    },
    Patch {
        fault: Fault::WaitDoesNotRelock,
        module: "cond",
        from: "end_wait(cond, bit);\n    __braid_atomic_end();\n    return pthread_mutex_lock(mutex);",
        to: "end_wait(cond, bit);\n    __braid_atomic_end();\n    return 0;",
    },
    Patch {
        fault: Fault::WaitWakesAlone,
        module: "cond",
        from: "__braid_atomic_begin_when((__braid_shadow_load(word) & bit) != 0);",
        to: "__braid_atomic_begin();",
    },
    Patch {
        fault: Fault::SemaphoreDoesNotWait,
        module: "semaphore",
        from: "__braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*(int *)sem != 0));",
        to: "__braid_atomic_begin();",
    },
    Patch { fault: Fault::PostIsLost, module: "semaphore", from: "add(sem, 1);", to: "add(sem, 0);" },
    Patch {
        fault: Fault::BarrierTakesOneMore,
        module: "barrier",
        from: "__builtin_popcount((unsigned)all) + 1 ==",
        to: "__builtin_popcount((unsigned)all) ==",
    },
    Patch {
        fault: Fault::ReaderPassesWriter,
        module: "rwlock",
        from: "if (__braid_shadow_load(lock) != SHARED) {\n            __braid_lock(lock);",
        to: "if (0) {\n            __braid_lock(lock);",
    },
    Patch {
        fault: Fault::WriterPassesReaders,
        module: "rwlock",
        from: "__braid_lock(lock);\n        __braid_shadow_store(own_place(lock), -__braid_self_number());",
        to: "if (!reader(lock))\n            __braid_lock(lock);\n        __braid_shadow_store(own_place(lock), -__braid_self_number());",
    },
    Patch {
        fault: Fault::OnceDoesNotWait,
        module: "once",
        from: "__braid_atomic_begin_when(__braid_shadow_load(once) != RUNNING);",
        to: "__braid_atomic_begin();",
    },
    Patch {
        fault: Fault::TrylockSaysYes,
        module: "mutex",
        from: "return __braid_trylock(mutex) ? 0 : otherwise;",
        to: "__braid_trylock(mutex);\n        return 0;",
    },
    Patch {
        fault: Fault::RecursionNotCounted,
        module: "mutex",
        from: "if (depth(mutex) > 1) {",
        to: "if (depth(mutex) > 2) {",
    },
    Patch {
        fault: Fault::ErrorCheckingForgotten,
        module: "mutex",
        from: "if (kind == ERRORCHECK)\n        return refusal;\n",
        to: "",
    },
    Patch {
        fault: Fault::DestroyLeavesNoMark,
        module: "mutex",
        from: "*kind_of(mutex) = __braid_destroyed;",
        to: "",
    },
    Patch {
        fault: Fault::GarbageIsAMutex,
        module: "mutex",
        from: "    if (kind & ~3)\n        return refuse(mutex, kind);\n    if (is_simple(kind)) {",
        to: "    if (1) {",
    },
    Patch {
        fault: Fault::WaiterNotSeen,
        module: "cond",
        from: "waits = __braid_shadow_load(first);",
        to: "waits = 0;",
    },
    Patch {
        fault: Fault::SemaphoreWaiterNotSeen,
        module: "semaphore",
        from: "__braid_shadow_store(waiting(sem), all | (int)(1u << slot));",
        to: "",
    },
    Patch {
        fault: Fault::SecondJoinerGoesOn,
        module: "thread",
        from: "__braid_atomic_begin_when(0);",
        to: "__braid_atomic_begin();",
    },
    Patch { fault: Fault::JoinValueDropped, module: "thread", from: "*value = result;", to: "*value = 0;" },
    Patch {
        fault: Fault::DestructorsNotRun,
        module: "thread",
        from: "value = routine(value);\n    if (data_end)\n        data_end();",
        to: "value = routine(value);",
    },
    Patch {
        fault: Fault::FutexForgetsWord,
        module: "futex",
        from: "if ((unsigned)waiting >> i & 1 && places[i] == word)",
        to: "if ((unsigned)waiting >> i & 1)",
    },
    Patch { fault: Fault::DeadFramesLive, module: "jump", from: "depth = outside;", to: "" },
];

/// The module's text, with the fault that is turned on, if it is one of these.
pub fn text_of(module: &Module) -> Cow<'static, str> {
    match PATCHES.iter().find(|patch| active(patch.fault) && patch.module == module.name) {
        Some(patch) => Cow::Owned(module.text.replace(patch.from, patch.to)),
        None => Cow::Borrowed(module.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Def, ROWS};

    #[test]
    fn every_patch_fits_its_text_exactly_once() {
        for patch in PATCHES {
            let mut modules = ROWS.iter().filter_map(|row| match row.def {
                Def::C(module) if module.name == patch.module => Some(module),
                Def::C(_) | Def::Op(_) => None,
            });
            let module = modules.next().unwrap_or_else(|| panic!("no module '{}'", patch.module));
            assert_eq!(module.text.matches(patch.from).count(), 1, "{:?}", patch.fault);
        }
    }
}
