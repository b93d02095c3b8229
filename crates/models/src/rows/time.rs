//! Clocks, calendar time and the locale.

use super::{Table, module};
use crate::{Def, Fidelity, Module};

static TIME: Module = module!("time");
static CALENDAR: Module = module!("calendar");
static LOCALE: Module = module!("locale");

const UTC: Fidelity = Fidelity::Under("local time is UTC");
const ONE_LOCALE: Fidelity = Fidelity::Under("the only locale is C");

pub(super) fn add(table: &mut Table) {
    table.exact(&TIME, "time clock gettimeofday clock_gettime clock_getres timespec_get difftime");
    table.exact(&CALENDAR, "gmtime gmtime_r timegm asctime asctime_r strftime");
    table.add(Def::C(&CALENDAR), UTC, "localtime localtime_r mktime ctime ctime_r");
    table.add(Def::C(&LOCALE), ONE_LOCALE, "setlocale");
}
