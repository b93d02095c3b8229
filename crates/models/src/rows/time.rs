//! Clocks, calendar time and the locale.

use super::program::EMPTY;
use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};

static TIME: Module = module!("time");
static CALENDAR: Module = module!("calendar");
static LOCALE: Module = module!("locale");

const UTC: Fidelity = Fidelity::Assumes("local time is UTC");

pub(super) fn add(table: &mut Table) {
    table.exact(&TIME, "time clock gettimeofday clock_gettime clock_getres timespec_get difftime");
    table.exact(&CALENDAR, "gmtime_r timegm asctime_r strftime tzname daylight timezone");
    table.add(Def::C(&CALENDAR), UTC, "localtime_r mktime ctime_r tzset");
    table.racing(&CALENDAR, "tmbuf", Fidelity::Exact, "gmtime");
    table.racing(&CALENDAR, "tmbuf", UTC, "localtime");
    table.racing(&CALENDAR, "asctime_buffer", Fidelity::Exact, "asctime");
    table.racing(&CALENDAR, "tmbuf asctime_buffer", UTC, "ctime");
    table.op(Op::Uses("tzname __tzname daylight __daylight timezone __timezone"), "__braid_uses_zone");
    // Which locale the empty name stands for is a matter of the environment.
    table.racing(&LOCALE, "current_locale", EMPTY, "setlocale");
    table.op(Op::Partial("setlocale: a locale other than C may exist"), "__braid_other_locale");
}
