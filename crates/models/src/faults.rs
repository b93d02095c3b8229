//! Deliberate faults in the C texts (see `braid_base::faults`): each replaces one passage.

use crate::Module;
use braid_base::faults::active;
use std::borrow::Cow;

struct Patch {
    fault: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

const PATCHES: &[Patch] = &[
    Patch {
        fault: "signal-wakes-all",
        module: "cond",
        from: "int bit = pick((unsigned)all);",
        to: "int bit = all;",
    },
    Patch { fault: "signal-wakes-first", module: "cond", from: "if (!__braid_wake())", to: "if (1)" },
    Patch {
        fault: "broadcast-wakes-nobody",
        module: "cond",
        from: "set_bit(woken(cond), __braid_shadow_load(waiting(cond)));",
        to: "",
    },
    Patch {
        fault: "wait-unlocks-early",
        module: "cond",
        from: "__braid_atomic_begin();\n    result = *(int *)cond ? -refuse(cond) : -pthread_mutex_unlock(mutex);",
        to: "result = -pthread_mutex_unlock(mutex);\n    __braid_atomic_begin();",
    },
    Patch {
        fault: "wait-does-not-relock",
        module: "cond",
        from: "end_wait(cond, bit);\n    __braid_atomic_end();\n    return pthread_mutex_lock(mutex);",
        to: "end_wait(cond, bit);\n    __braid_atomic_end();\n    return 0;",
    },
    Patch {
        fault: "wait-wakes-alone",
        module: "cond",
        from: "__braid_atomic_begin_when((__braid_shadow_load(word) & bit) != 0);",
        to: "__braid_atomic_begin();",
    },
    Patch {
        fault: "semaphore-does-not-wait",
        module: "semaphore",
        from: "__braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*(int *)sem != 0));",
        to: "__braid_atomic_begin();",
    },
    Patch { fault: "post-is-lost", module: "semaphore", from: "add(sem, 1);", to: "add(sem, 0);" },
    Patch {
        fault: "barrier-takes-one-more",
        module: "barrier",
        from: "__builtin_popcount((unsigned)all) + 1 ==",
        to: "__builtin_popcount((unsigned)all) ==",
    },
    Patch {
        fault: "reader-passes-writer",
        module: "rwlock",
        from: "if (__braid_shadow_load(lock) != SHARED) {\n            __braid_lock(lock);",
        to: "if (0) {\n            __braid_lock(lock);",
    },
    Patch {
        fault: "writer-passes-readers",
        module: "rwlock",
        from: "__braid_lock(lock);\n        __braid_shadow_store(own_place(lock), -__braid_self_number());",
        to: "if (!reader(lock))\n            __braid_lock(lock);\n        __braid_shadow_store(own_place(lock), -__braid_self_number());",
    },
    Patch {
        fault: "once-does-not-wait",
        module: "once",
        from: "__braid_atomic_begin_when(__braid_shadow_load(once) != RUNNING);",
        to: "__braid_atomic_begin();",
    },
    Patch {
        fault: "trylock-says-yes",
        module: "mutex",
        from: "return __braid_trylock(mutex) ? 0 : otherwise;",
        to: "__braid_trylock(mutex);\n        return 0;",
    },
    Patch {
        fault: "recursion-not-counted",
        module: "mutex",
        from: "if (depth(mutex) > 1) {",
        to: "if (depth(mutex) > 2) {",
    },
    Patch {
        fault: "error-checking-forgotten",
        module: "mutex",
        from: "if (kind == ERRORCHECK)\n        return refusal;\n",
        to: "",
    },
    Patch {
        fault: "destroy-leaves-no-mark",
        module: "mutex",
        from: "*kind_of(mutex) = __braid_destroyed;",
        to: "",
    },
    Patch {
        fault: "garbage-is-a-mutex",
        module: "mutex",
        from: "    if (kind & ~3)\n        return refuse(mutex, kind);\n    if (is_simple(kind)) {",
        to: "    if (1) {",
    },
    Patch {
        fault: "waiter-not-seen",
        module: "cond",
        from: "waits = __braid_shadow_load(first);",
        to: "waits = 0;",
    },
    Patch {
        fault: "semaphore-waiter-not-seen",
        module: "semaphore",
        from: "__braid_shadow_store(waiting(sem), all | (int)(1u << slot));",
        to: "",
    },
    Patch {
        fault: "second-joiner-goes-on",
        module: "thread",
        from: "__braid_atomic_begin_when(0);",
        to: "__braid_atomic_begin();",
    },
    Patch { fault: "join-value-dropped", module: "thread", from: "*value = result;", to: "*value = 0;" },
    Patch {
        fault: "destructors-not-run",
        module: "thread",
        from: "value = routine(value);\n    if (data_end)\n        data_end();",
        to: "value = routine(value);",
    },
    Patch {
        fault: "futex-forgets-word",
        module: "futex",
        from: "if ((unsigned)waiting >> i & 1 && places[i] == word)",
        to: "if ((unsigned)waiting >> i & 1)",
    },
    Patch { fault: "dead-frames-live", module: "jump", from: "depth = outside;", to: "" },
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
