//! The table itself, one file per area of the library.
//!
//! Adding a function:
//! 1. If calls of it are one IR operation, add a line with [`Table::op`] in the file of its area.
//!    Otherwise define it in one of the texts under `c/` (or a new one) on the operations that
//!    `c/prelude.h` declares, and add its name to that text's line. The text is parsed without a
//!    preprocessor; helpers are `static`; a function shared between texts is called `__braid_…`, is
//!    declared in the prelude and has a row, too.
//! 2. State the fidelity: what the model allows beyond, or leaves out of, the real function.
//! 3. Add a program that uses it to `tests/c/models/` and name it in its `//@ model:` line; if it can
//!    be misused, add one that shows how.
//! 4. If it is about threads, state its effect ([`Table::effect`]) and the memory it touches ([`Table::touch`]).
//! 5. If glibc computes the same without side effects, add it to `tests/native/driver.c`.

mod alloc;
mod assert;
mod atomic;
mod ctype;
mod intrinsics;
pub mod math;
mod program;
mod stdio;
mod stdlib;
mod string;
mod sync;
mod system;
mod thread;
mod threads_h;
mod time;
mod verifier;

use crate::{Access, Def, Effect, Extent, Fidelity, Module, Op, Row};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// All rows, in the order of the files above.
pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut table = Table { rows: Vec::new() };
    for area in [
        intrinsics::add,
        alloc::add,
        string::add,
        ctype::add,
        stdio::add,
        stdlib::add,
        assert::add,
        math::add,
        time::add,
        thread::add,
        sync::add,
        threads_h::add,
        atomic::add,
        program::add,
        verifier::add,
        system::add,
    ] {
        area(&mut table);
    }
    table.rows
});

/// Rows by name, for look-up only.
pub static INDEX: LazyLock<HashMap<&'static str, &'static Row>> =
    LazyLock::new(|| ROWS.iter().map(|row| (row.name, row)).collect());

/// Variables of texts that threads can race on, for look-up only: what rows declare, and rows that are variables.
pub static RACY: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let declared = ROWS.iter().flat_map(|row| row.races.split_whitespace());
    declared.chain(VARIABLES.split_whitespace()).collect()
});

/// The library's own variables that programs see, and that functions of the library write.
const VARIABLES: &str = "environ optarg optind opterr optopt tzname daylight timezone";

impl Row {
    /// A row that says no more than it must.
    fn new(name: &'static str, fidelity: Fidelity, def: Def) -> Row {
        Row { name, fidelity, def, races: "", overrides: false, effect: None, accesses: &[] }
    }
}

/// The table while it is filled. `names` are separated by blanks.
struct Table {
    rows: Vec<Row>,
}

impl Table {
    fn add(&mut self, def: Def, fidelity: Fidelity, names: &'static str) {
        self.rows.extend(names.split_whitespace().map(|name| Row::new(name, fidelity, def)));
    }

    /// Functions defined by a text whose calls race with each other on these objects of it.
    fn racing(
        &mut self,
        module: &'static Module,
        races: &'static str,
        fidelity: Fidelity,
        names: &'static str,
    ) {
        let first = self.rows.len();
        self.add(Def::C(module), fidelity, names);
        self.rows[first..].iter_mut().for_each(|row| row.races = races);
    }

    /// Exact functions that are one operation.
    fn op(&mut self, op: Op, names: &'static str) {
        self.add(Def::Op(op), Fidelity::Exact, names);
    }

    /// Functions whose call is the operation, whatever the program's own definition.
    fn overriding(&mut self, op: Op, names: &'static str) {
        let first = self.rows.len();
        self.op(op, names);
        self.rows[first..].iter_mut().for_each(|row| row.overrides = true);
    }

    /// The effect of functions that have been added.
    fn effect(&mut self, effect: Effect, names: &'static str) {
        self.of_rows(names, |row| row.effect = Some(effect));
    }

    /// The memory that functions with an effect touch.
    fn touch(&mut self, accesses: &[Access], names: &'static str) {
        let accesses: &[Access] = accesses.to_vec().leak();
        self.of_rows(names, |row| row.accesses = accesses);
    }

    fn of_rows(&mut self, names: &'static str, change: impl Fn(&mut Row)) {
        for name in names.split_whitespace() {
            let row = self.rows.iter_mut().rev().find(|row| row.name == name);
            change(row.unwrap_or_else(|| panic!("{name} has no row yet")));
        }
    }

    /// Exact functions defined by a text.
    fn exact(&mut self, module: &'static Module, names: &'static str) {
        self.add(Def::C(module), Fidelity::Exact, names);
    }
}

/// What a call reads behind the argument at this position.
fn reads(argument: usize, extent: Extent) -> Access {
    Access { argument, writes: false, extent }
}

/// What a call writes behind the argument at this position.
fn writes(argument: usize, extent: Extent) -> Access {
    Access { argument, writes: true, extent }
}

/// The text of a file under `c/`.
macro_rules! module {
    ($name:literal) => {
        $crate::Module { name: $name, text: include_str!(concat!("../../c/", $name, ".c")) }
    };
}
use module;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let mut seen = BTreeSet::new();
        for row in ROWS.iter() {
            assert!(seen.insert(row.name), "two rows for {}", row.name);
        }
        assert!(seen.len() > 300, "the table has only {} rows", seen.len());
    }

    /// Every name that a text defines without `static` must be a row, and every row must be defined:
    /// otherwise a program could call what it cannot reach, or names could clash between texts.
    #[test]
    fn rows_and_definitions_agree() {
        let mut modules: Vec<&'static Module> = Vec::new();
        for row in ROWS.iter() {
            if let Def::C(module) = row.def
                && !modules.contains(&module)
            {
                modules.push(module);
            }
        }
        for module in modules {
            let defined: BTreeSet<&str> = defined_names(module.text).collect();
            let rows: BTreeSet<&str> = ROWS
                .iter()
                .filter(|row| matches!(row.def, Def::C(m) if m == module))
                .map(|row| row.name)
                .collect();
            assert_eq!(defined, rows, "in {}", module.name);
        }
    }

    #[test]
    fn objects_that_race_are_defined_by_the_text() {
        for row in ROWS.iter().filter(|row| !row.races.is_empty()) {
            let Def::C(module) = row.def else { panic!("{} is no text", row.name) };
            for object in row.races.split_whitespace() {
                let defined = [
                    format!(" {object};"),
                    format!("*{object};"),
                    format!("{object}["),
                    format!("*{object} ="),
                ];
                assert!(defined.iter().any(|text| module.text.contains(text)), "{object} of {}", row.name);
            }
        }
    }

    #[test]
    fn accesses_are_part_of_an_effect() {
        for row in ROWS.iter().filter(|row| !row.accesses.is_empty()) {
            assert!(row.effect.is_some(), "{}", row.name);
        }
    }

    #[test]
    fn what_is_assumed_or_left_out_belongs_to_a_text() {
        let exact = |row: &&Row| row.fidelity == Fidelity::Exact;
        for row in ROWS.iter().filter(|row| !exact(row)) {
            assert!(matches!(row.def, Def::C(_)), "{} is an operation", row.name);
        }
    }

    /// External definitions of a text, by its layout: a function's head starts in column 0 and its
    /// body's brace stands alone on the next line; a variable has an initialiser.
    fn defined_names(text: &str) -> impl Iterator<Item = &str> {
        let lines: Vec<&str> = text.lines().collect();
        (0..lines.len()).filter_map(move |i| {
            let head = lines[i];
            if head.starts_with([' ', '}', '/', '#'])
                || head.starts_with("static ")
                || head.starts_with("enum ")
            {
                return None;
            }
            let body = lines[i + 1..].iter().find(|line| !line.starts_with(' ')).is_some_and(|l| *l == "{");
            if head.contains('(') && !head.ends_with(';') && body {
                head.split('(').next()?.rsplit([' ', '*']).next()
            } else if head.contains(" = ") && !head.contains('(') {
                head.split(" = ").next()?.split('[').next()?.rsplit([' ', '*']).next()
            } else {
                None
            }
        })
    }
}
