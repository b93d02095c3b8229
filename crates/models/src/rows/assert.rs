//! `<assert.h>` as glibc's macros expand.

use super::{Table, module};
use crate::{Module, Op};

static ASSERT: Module = module!("assert");

pub(super) fn add(table: &mut Table) {
    table.op(Op::AssertFail { then: "__braid_assert_failed" }, "__assert_fail");
    table.op(Op::AssertFail { then: "__braid_assert_failed_old" }, "__assert");
    table.op(Op::AssertFail { then: "__braid_assert_perror_failed" }, "__assert_perror_fail");
    table.exact(&ASSERT, "__braid_assert_failed __braid_assert_failed_old __braid_assert_perror_failed");
    table.op(Op::Assert, "__braid_assert");
    table.exact(&ASSERT, "assert __VERIFIER_assert");
}
