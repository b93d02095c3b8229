//! What a program is called with: options, environment, name; and a few constants of the library.

use super::{Table, module};
use crate::{Fidelity, Module, Op};

static GETOPT: Module = module!("getopt");
static ENVIRON: Module = module!("environ");
static PROGRAM_NAME: Module = module!("program_name");
static ARGUMENTS: Module = module!("arguments");
static IN6ADDR: Module = module!("in6addr");

/// What the environment of the program holds at first.
pub(super) const EMPTY: Fidelity = Fidelity::Assumes("empty environment");

pub(super) fn add(table: &mut Table) {
    table.racing(
        &GETOPT,
        "getopt_state",
        Fidelity::Exact,
        "getopt __posix_getopt getopt_long getopt_long_only",
    );
    table.exact(&GETOPT, "optarg optind opterr optopt");
    table.racing(&ENVIRON, "environ", EMPTY, "getenv secure_getenv");
    table.racing(&ENVIRON, "environ", Fidelity::Exact, "setenv putenv unsetenv clearenv");
    table.exact(&ENVIRON, "environ");
    let other = "changing an environment of the program's own, or of more than 16 variables";
    table.op(Op::Unsupported(other), "__braid_other_environment");
    table.exact(&PROGRAM_NAME, "program_invocation_name program_invocation_short_name __braid_name_program");
    table.exact(&ARGUMENTS, "__braid_any_count");
    table.exact(&IN6ADDR, "in6addr_any in6addr_loopback");
}
