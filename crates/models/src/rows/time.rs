//! Clocks.

use super::{Table, module};
use crate::Module;

static TIME: Module = module!("time");

pub(super) fn add(table: &mut Table) {
    table.exact(&TIME, "time clock gettimeofday clock_gettime clock_getres timespec_get difftime");
}
