//! Assertions as a file, for other solvers and for reports of defects: SMT-LIB 2 or DIMACS, by the
//! file's name.
//!
//! The file appears complete or not at all: it is written beside its place and then moved there. A
//! DIMACS file says in comments which variables are the bits of which symbol, the lowest first.
//! Formulas that compare whole arrays have no DIMACS form here, because their clauses are found during
//! the search.

use crate::answer::Failure;
use crate::blast::Blaster;
use crate::limits::{Limits, Watch};
use crate::lit::{Cnf, Lit};
use braid_logic::smtlib::script;
use braid_logic::{Sort, Term, Terms};
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why there is no file.
#[derive(Debug)]
pub enum DumpError {
    /// The name ends neither in `.smt2` nor in `.cnf`.
    Format(PathBuf),
    Write(PathBuf, io::Error),
    Translation(Failure),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DumpError::Format(path) => {
                write!(f, "cannot tell the format of '{}': end it in .smt2 or .cnf", path.display())
            }
            DumpError::Write(path, error) => write!(f, "cannot write '{}': {error}", path.display()),
            DumpError::Translation(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for DumpError {}

/// The form of a dump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    SmtLib,
    Dimacs,
}

impl Format {
    /// The form a file's name asks for. Good to know before a long run.
    pub fn of(path: &Path) -> Result<Format, DumpError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("smt2") => Ok(Format::SmtLib),
            Some("cnf") => Ok(Format::Dimacs),
            Some(_) | None => Err(DumpError::Format(path.to_path_buf())),
        }
    }
}

/// Writes the conjunction of the assertions.
pub fn dump(path: &Path, terms: &Terms, assertions: &[Term], limits: &Limits) -> Result<(), DumpError> {
    let text = match Format::of(path)? {
        Format::SmtLib => script(terms, assertions),
        Format::Dimacs => dimacs(terms, assertions, limits).map_err(DumpError::Translation)?,
    };
    write_completely(path, &text).map_err(|error| DumpError::Write(path.to_path_buf(), error))
}

/// The assertions as clauses.
fn dimacs(terms: &Terms, assertions: &[Term], limits: &Limits) -> Result<String, Failure> {
    let watch = Watch::new(limits);
    let mut blaster = Blaster::new(Cnf::new());
    for assertion in assertions {
        blaster.assert(terms, *assertion, &watch)?;
    }
    if blaster.arrays.compares_arrays() {
        return Err(Failure::Unsupported("comparison of arrays in DIMACS; dump to .smt2".to_string()));
    }
    let mut text = symbol_comments(terms, assertions, &blaster);
    let cnf = blaster.gates.sink();
    push(&mut text, format_args!("p cnf {} {}\n", cnf.variables(), cnf.len()));
    for clause in cnf.clauses() {
        clause.iter().for_each(|number| push(&mut text, format_args!("{number} ")));
        text.push_str("0\n");
    }
    Ok(text)
}

/// A line for each symbol with its variables.
fn symbol_comments(terms: &Terms, assertions: &[Term], blaster: &Blaster<Cnf>) -> String {
    let mut text = String::new();
    for symbol in terms.free_symbols(assertions) {
        let term = terms.symbol_term(symbol);
        let bits: Vec<Lit> = match terms.sort(term) {
            Sort::Bool => blaster.known_literal(term).into_iter().collect(),
            Sort::BitVec(_) => blaster.known_bits(term).unwrap_or_default().to_vec(),
            Sort::Array { .. } | Sort::Int => continue,
        };
        let name = terms.symbol_name(symbol).replace(char::is_control, "?");
        push(&mut text, format_args!("c {name}:"));
        bits.iter().for_each(|bit| push(&mut text, format_args!(" {}", bit.number())));
        text.push('\n');
    }
    text
}

fn push(text: &mut String, what: fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string does not fail");
}

/// Writes a file beside its place, then moves it there.
fn write_completely(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = write_file(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Nothing half-written stays; that it cannot be removed either adds nothing to the error.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(text.as_bytes())?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// A directory of its own; removed in the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("braid-dump-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn files(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn formula(terms: &mut Terms) -> Term {
        let x = terms.symbol("x", Sort::bits(2));
        let p = terms.symbol("p", Sort::Bool);
        let one = terms.bits(2, 1);
        let less = terms.ult(x, one);
        terms.and(less, p)
    }

    #[test]
    fn both_formats() {
        let scratch = Scratch::new("formats");
        let mut terms = Terms::new();
        let goal = formula(&mut terms);
        for name in ["a.smt2", "a.cnf"] {
            dump(&scratch.0.join(name), &terms, &[goal], &Limits::default()).unwrap();
        }
        let text = fs::read_to_string(scratch.0.join("a.smt2")).unwrap();
        assert!(text.starts_with("(set-logic QF_BV)\n") && text.ends_with("(check-sat)\n"), "{text}");
        let text = fs::read_to_string(scratch.0.join("a.cnf")).unwrap();
        let header = text.lines().find(|line| line.starts_with("p cnf ")).unwrap();
        let counts: Vec<usize> = header[6..].split(' ').map(|n| n.parse().unwrap()).collect();
        assert_eq!(text.lines().filter(|line| line.ends_with(" 0")).count(), counts[1]);
        let bits = text.lines().find_map(|line| line.strip_prefix("c x: ")).unwrap();
        assert_eq!(bits.split(' ').count(), 2, "{text}");
        let mut files = scratch.files();
        files.sort();
        assert_eq!(files, ["a.cnf", "a.smt2"]);
    }

    #[test]
    fn a_failed_dump_leaves_nothing() {
        let scratch = Scratch::new("failures");
        let mut terms = Terms::new();
        let goal = formula(&mut terms);
        let none = Limits::default();
        assert!(matches!(dump(&scratch.0.join("a.txt"), &terms, &[goal], &none), Err(DumpError::Format(_))));
        let missing = scratch.0.join("no/such/a.smt2");
        assert!(matches!(dump(&missing, &terms, &[goal], &none), Err(DumpError::Write(..))));
        fs::create_dir(scratch.0.join("b.cnf")).unwrap();
        let taken = dump(&scratch.0.join("b.cnf"), &terms, &[goal], &none);
        assert!(matches!(taken, Err(DumpError::Write(..))));
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let stopped = dump(&scratch.0.join("c.cnf"), &terms, &[goal], &late);
        assert!(matches!(stopped, Err(DumpError::Translation(Failure::Stopped(_)))));
        let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::array(4, 4)));
        let equal = terms.eq(a, b);
        let arrays = dump(&scratch.0.join("d.cnf"), &terms, &[equal], &none);
        assert!(matches!(arrays, Err(DumpError::Translation(Failure::Unsupported(_)))));
        assert_eq!(scratch.files(), ["b.cnf"]);
    }
}
