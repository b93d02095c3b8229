//! Parts whose values stay within bounds because of a lock: counters, indices, flags, states, divisors.

use super::guard::{Access, Lock};
use super::{Part, Writer};
use crate::cat;
use crate::tree::Tree;

/// A part with one lock, of the name given, and some variables.
fn under_lock(
    writer: &mut Writer<'_>,
    name: &str,
    variables: &'static str,
    setup: &'static str,
    after: &'static str,
    work: fn(&mut Writer<'_>, &Lock) -> Tree,
) -> Part {
    let kind = writer.kind();
    let lock = Lock { kind, address: format!("&{name}") };
    Part {
        globals: cat!(Lock::object(kind, name), variables),
        setup: cat!(lock.initialise(), setup),
        work,
        is_for_main: true,
        after: after.into(),
        lock,
    }
}

/// A counter that is compared with its limit before it grows.
pub(super) fn counter(writer: &mut Writer<'_>) -> Part {
    under_lock(
        writer,
        "used_lock",
        "static int used;\n",
        "",
        "assert(used >= 0 && used <= 1);\n",
        |writer, lock| {
            let bound = if writer.slips_in_values() { "<=" } else { "<" };
            let test = format!("if (used {bound} 1)\n");
            if writer.slips_in_values() {
                let look = writer.guarded(lock, Access::Read, "r = used;\n");
                return cat!(
                    look,
                    writer.guarded(lock, Access::Write, "if (r < 1)\nused++;\nassert(used <= 1);\n")
                );
            }
            let step = *writer.rng.pick(&["used++;\n", "used += 1;\n"]);
            let taken = writer.guarded(lock, Access::Write, cat!(test, step, "assert(used <= 1);\n"));
            let back = writer.rng.one_in(3).then(|| {
                let test = if writer.slips_in_values() { "" } else { "if (used > 0)\n" };
                writer.guarded(lock, Access::Write, cat!(test, "used--;\n"))
            });
            cat!(taken, back.unwrap_or_else(|| "".into()))
        },
    )
}

/// An index that stays below the size.
pub(super) fn index(writer: &mut Writer<'_>) -> Part {
    under_lock(writer, "ring_lock", "static int ring[2], head;\n", "", "r = ring[0];\n", |writer, lock| {
        let limit = if writer.slips_in_values() { 3 } else { 2 };
        let step = match writer.rng.below(3) {
            0 => format!("ring[head] = 1;\nhead = (head + 1) % {limit};\n"),
            1 => format!("ring[head] = 1;\nhead++;\nif (head >= {limit})\nhead = 0;\n"),
            _ => format!("if (head < {limit} - 1) {{\nhead++;\nring[head]++;\n}}\n"),
        };
        let first = writer.guarded(lock, Access::Write, step.clone());
        let again = writer.rng.one_in(3).then(|| writer.guarded(lock, Access::Write, step));
        cat!(first, again.unwrap_or_else(|| "".into()))
    })
}

/// A flag that is 0 or 1.
pub(super) fn flag(writer: &mut Writer<'_>) -> Part {
    under_lock(
        writer,
        "flag_lock",
        "static int flag;\n",
        "",
        "assert(flag == 0 || flag == 1);\n",
        |writer, lock| {
            let value = if writer.slips_in_values() { "flag + 1" } else { "number & 1" };
            let change = *writer.rng.pick(&["flag = 1 - flag;\n", "flag = !flag;\n", ""]);
            let set = writer.guarded(lock, Access::Write, format!("flag = {value};\n{change}"));
            let look = writer.guarded(lock, Access::Read, "assert(flag == 0 || flag == 1);\n");
            cat!(set, look)
        },
    )
}

/// A state that only grows, from 1 on.
pub(super) fn state(writer: &mut Writer<'_>) -> Part {
    under_lock(
        writer,
        "state_lock",
        "static int state;\n",
        "state = 1;\n",
        "assert(state >= 1);\n",
        |writer, lock| {
            let otherwise = if writer.slips_in_values() { "else\nstate = 0;\n" } else { "" };
            let grow = format!("if (state < 2)\nstate++;\n{otherwise}");
            let grown = writer.guarded(lock, Access::Write, grow);
            let look = writer.guarded(lock, Access::Read, "assert(state >= 1);\n");
            cat!(grown, look)
        },
    )
}

/// A divisor that is never less than 1.
pub(super) fn divisor(writer: &mut Writer<'_>) -> Part {
    under_lock(writer, "divisor_lock", "static int divisor = 2;\n", "", "", |writer, lock| {
        let least = if writer.slips_in_values() { 0 } else { 1 };
        let body = format!("r = 6 / divisor;\nif (divisor > {least})\ndivisor--;\n");
        writer.guarded(lock, Access::Write, body)
    })
}
