//! The heap.

use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};

static ALLOC: Module = module!("alloc");

/// Allocation does not fail, but for sizes no object can have.
const SUCCEEDS: Fidelity = Fidelity::Assumes("malloc succeeds");

pub(super) fn add(table: &mut Table) {
    table.op(Op::Free, "free");
    table.op(Op::Alloca, "alloca");
    table.add(Def::C(&ALLOC), SUCCEEDS, "malloc calloc realloc reallocarray");
    table.add(Def::C(&ALLOC), SUCCEEDS, "aligned_alloc memalign valloc posix_memalign");
    table.add(Def::C(&ALLOC), SUCCEEDS, "strdup __strdup strndup __strndup");
}
