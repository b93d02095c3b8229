//! `<stdlib.h>` without the heap: the end of a program, numbers from text, sorting, random numbers.

use super::{Table, module};
use crate::{Def, Fidelity, Module, Op};
use braid_ir::ChoiceKind;

static STDLIB: Module = module!("stdlib");
static NUMBER: Module = module!("number");
static STRTOD: Module = module!("strtod");
static SORT: Module = module!("sort");
static RANDOM: Module = module!("random");

/// Where a program is checked; glibc's numbers depend on the seed alone.
const ANY_NUMBER: Fidelity = Fidelity::Over("any number in its range");

pub(super) fn add(table: &mut Table) {
    table.op(Op::Abort, "abort");
    table.exact(&STDLIB, "exit _exit _Exit quick_exit atexit at_quick_exit on_exit __cxa_atexit");
    table.exact(&STDLIB, "__braid_has_exit_handlers __braid_plain_exit");
    table.exact(&STDLIB, "abs labs llabs imaxabs div ldiv lldiv imaxdiv getpid");

    table.exact(&NUMBER, "atoi atol atoll strtol strtoll strtoq strtoimax");
    table.exact(&NUMBER, "strtoul strtoull strtouq strtoumax");
    table.exact(&NUMBER, "__isoc23_strtol __isoc23_strtoll __isoc23_strtoimax");
    table.exact(&NUMBER, "__isoc23_strtoul __isoc23_strtoull __isoc23_strtoumax");
    table.exact(&STRTOD, "atof strtod strtof strtold __braid_parse_double __braid_parse_float");

    table.exact(&SORT, "qsort qsort_r bsearch lfind lsearch");

    table.add(Def::C(&RANDOM), ANY_NUMBER, "rand random");
    table.exact(&RANDOM, "srand srandom rand_r __braid_random_is_open");
    table.racing(&RANDOM, "drand48_state", ANY_NUMBER, "drand48 lrand48 mrand48");
    table.racing(&RANDOM, "drand48_state", Fidelity::Exact, "srand48 seed48 lcong48 erand48 nrand48 jrand48");
    table.op(Op::Nondet(ChoiceKind::Random), "__braid_random_int __braid_random_long_long");
}
