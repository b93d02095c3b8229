//! Clocks, calendar time and the locale.

use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};

static TIME: Module = module!("time");
static CALENDAR: Module = module!("calendar");
static LOCALE: Module = module!("locale");

const UTC: Fidelity = Fidelity::Assumes("local time is UTC");
/// Which locale the empty name stands for is a matter of the environment.
const EMPTY: Fidelity = Fidelity::Assumes("empty environment");

pub(super) fn add(table: &mut Table) {
    table.exact(&TIME, "time clock gettimeofday clock_gettime clock_getres timespec_get difftime");
    table.exact(&CALENDAR, "gmtime gmtime_r timegm asctime asctime_r strftime");
    table.add(Def::C(&CALENDAR), UTC, "localtime localtime_r mktime ctime ctime_r");
    table.add(Def::C(&LOCALE), EMPTY, "setlocale");
    table.op(Op::Partial("setlocale: a locale other than C may exist"), "__braid_other_locale");
}
