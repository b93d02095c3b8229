//! Atomic operations that are functions: `<stdatomic.h>` without its macros, and the forms of GCC's
//! library for each size, made from one text in which `TYPE` and `SIZE` stand for a type and its size.

use super::{Table, module};
use crate::{Def, Fidelity, Module, Row};
use std::sync::LazyLock;

static ATOMIC: Module = module!("atomic");
static SIZED: [LazyLock<Module>; 4] = [
    LazyLock::new(|| of_size("atomic_1", "unsigned char", "1")),
    LazyLock::new(|| of_size("atomic_2", "unsigned short", "2")),
    LazyLock::new(|| of_size("atomic_4", "unsigned", "4")),
    LazyLock::new(|| of_size("atomic_8", "unsigned long long", "8")),
];

fn of_size(name: &'static str, ty: &str, size: &str) -> Module {
    let text = include_str!("../../c/atomic_n.c.in").replace("TYPE", ty).replace("SIZE", size);
    Module { name, text: text.leak() }
}

const OPERATIONS: &str = "load store exchange compare_exchange fetch_add fetch_sub fetch_and fetch_or \
    fetch_xor fetch_nand";

pub(super) fn add(table: &mut Table) {
    table.exact(&ATOMIC, "atomic_flag_test_and_set atomic_flag_test_and_set_explicit");
    table.exact(&ATOMIC, "atomic_flag_clear atomic_flag_clear_explicit");
    table.exact(&ATOMIC, "atomic_thread_fence atomic_signal_fence __atomic_is_lock_free");
    for (module, size) in SIZED.iter().zip(["1", "2", "4", "8"]) {
        for operation in OPERATIONS.split_whitespace() {
            let name = format!("__atomic_{operation}_{size}").leak();
            table.rows.push(Row::new(name, Fidelity::Exact, Def::C(module)));
        }
    }
}
