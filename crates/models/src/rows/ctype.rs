//! `<ctype.h>`: functions, and the tables behind glibc's macros.

use super::{Table, module};
use crate::Module;

static CTYPE: Module = module!("ctype");

pub(super) fn add(table: &mut Table) {
    table.exact(&CTYPE, "isalpha isdigit isalnum isspace isupper islower ispunct isprint isgraph");
    table.exact(&CTYPE, "iscntrl isxdigit isblank isascii isctype tolower toupper toascii");
    table.exact(&CTYPE, "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max");
}
