//! `<string.h>` and `<strings.h>`, and their checking forms.

use super::{Table, module};
use crate::{Fidelity, Module, Op};

static MEMORY: Module = module!("memory");
static STRING: Module = module!("string");
static SEARCH: Module = module!("search");
static FORTIFY: Module = module!("fortify");

pub(super) fn add(table: &mut Table) {
    table.op(Op::Copy, "memcpy");
    table.op(Op::Move, "memmove");
    table.op(Op::Fill, "memset");
    table.exact(&MEMORY, "memcmp bcmp memchr rawmemchr memrchr memmem");
    table.exact(&MEMORY, "mempcpy __mempcpy memccpy bzero explicit_bzero bcopy swab");
    table.exact(&MEMORY, "ffs ffsl ffsll");

    table.exact(&STRING, "strlen strnlen");
    table.exact(&STRING, "strcpy strncpy stpcpy __stpcpy stpncpy strcat strncat strlcpy strlcat");
    table.exact(&STRING, "strcmp strncmp strcasecmp strncasecmp strcoll strxfrm");

    table.exact(&SEARCH, "strchr strchrnul strrchr index rindex strstr strcasestr");
    table.exact(&SEARCH, "strspn strcspn strpbrk strsep strtok_r __strtok_r");
    table.racing(&SEARCH, "strtok_state", Fidelity::Exact, "strtok");

    table.exact(&FORTIFY, "__chk_fail __stack_chk_fail");
    table.exact(&FORTIFY, "__memcpy_chk __mempcpy_chk __memmove_chk __memset_chk");
    table.exact(&FORTIFY, "__strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk");
    table.exact(&FORTIFY, "__strcat_chk __strncat_chk __fgets_chk __fread_chk __read_chk");
}
