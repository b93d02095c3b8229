//! The files of a program and how each is compiled: by the command line, or by a compilation database.
//!
//! A database lists every file of a build. Those in other languages are left out, and of two entries for a file the
//! first counts; both are said. Files on the command line choose among those of the database. Which of several files
//! with a `main` is meant is decided by [`entry`], once they are parsed.

mod database;
pub mod entry;
mod flags;
pub mod paths;
mod words;

use crate::args::InputArgs;
use crate::exit;
use crate::terminal::errln;
use braid_syntax::preprocess::Preprocess;
use database::{Database, Entry};
use flags::{Flags, OPENMP};
use std::path::{Path, PathBuf};

/// A file, and how it is compiled.
pub struct Unit {
    pub path: PathBuf,
    pub preprocess: Preprocess,
}

impl Unit {
    /// Returns true if the file is compiled with OpenMP.
    pub fn has_openmp(&self) -> bool {
        self.preprocess.flags.iter().any(|flag| flag == OPENMP)
    }
}

/// The files of a program. On failure everything has been said and the exit code comes back.
pub fn units(input: &InputArgs) -> Result<Vec<Unit>, u8> {
    let common = preprocess(input);
    let Some(path) = &input.compile_commands else {
        if input.files.is_empty() {
            errln!(
                "error: no files given; name the C files or a compilation database (-p PATH), here or in braid.toml"
            );
            return Err(exit::USAGE);
        }
        let unit = |path: &PathBuf| Unit { path: path.clone(), preprocess: common.clone() };
        return Ok(input.files.iter().map(unit).collect());
    };
    of_database(input, path, &common).map_err(|problem| {
        errln!("error: {problem}");
        exit::INPUT
    })
}

/// What the command line says about every file.
fn preprocess(input: &InputArgs) -> Preprocess {
    Preprocess {
        compiler: None,
        include_dirs: input.include_dirs.clone(),
        system_dirs: input.system_dirs.clone(),
        defines: input.defines.clone(),
        undefs: input.undefines.clone(),
        includes: input.includes.clone(),
        flags: input.openmp.then(|| OPENMP.to_string()).into_iter().collect(),
        std: input.std.clone(),
        bits32: input.is_32(),
        unsigned_char: input.unsigned_char,
        headers64: input.headers64,
    }
}

fn of_database(input: &InputArgs, path: &Path, common: &Preprocess) -> Result<Vec<Unit>, String> {
    let database = Database::read(path)?;
    let chosen = chosen(&database, &input.files)?;
    let (mut units, mut foreign) = (Vec::new(), Vec::new());
    for (path, entry) in chosen {
        let about = |problem| format!("{}: {}: {problem}", database.path.display(), path.display());
        let flags = Flags::of(entry).map_err(about)?;
        if is_c(&path, &flags) {
            units.push(Unit { path, preprocess: with_flags(input, common, flags) });
        } else {
            foreign.push(path);
        }
    }
    note_left_out("because they are not in C", &foreign);
    if units.is_empty() {
        return Err(format!("{}: there is no C file in it", database.path.display()));
    }
    agree(&units, "for 32 bits", "--32 or --64", |unit| unit.preprocess.bits32)?;
    agree(&units, "with unsigned char", "--unsigned-char", |unit| unit.preprocess.unsigned_char)?;
    Ok(units)
}

/// The entries that count, with the paths of their files: all of them, or those of some files.
fn chosen<'a>(database: &'a Database, files: &[PathBuf]) -> Result<Vec<(PathBuf, &'a Entry)>, String> {
    let mut known: Vec<(PathBuf, &Entry)> = Vec::new();
    let mut repeated: Vec<PathBuf> = Vec::new();
    let mut seen = braid_base::HashSet::default();
    for entry in &database.entries {
        let path = entry.resolve(&entry.file.to_string_lossy());
        if seen.insert(path.clone()) {
            known.push((path, entry));
        } else if !repeated.contains(&path) {
            repeated.push(path);
        }
    }
    let wanted = |path: &Path| files.is_empty() || files.iter().any(|file| paths::same(file, path));
    let place = database.path.display();
    if let Some(file) = files.iter().find(|file| !known.iter().any(|(path, _)| paths::same(file, path))) {
        return Err(format!(
            "{}: it has no entry in {place}\nnote: name files that have one, or give its flags instead of a database",
            file.display()
        ));
    }
    for path in repeated.iter().filter(|path| wanted(path)) {
        errln!("note: {place}: {} has several entries; the first counts", path.display());
    }
    known.retain(|(path, _)| wanted(path));
    Ok(known)
}

fn with_flags(input: &InputArgs, common: &Preprocess, flags: Flags) -> Preprocess {
    let Flags { preprocessor: mut flags, std, bits32, unsigned_char, language: _ } = flags;
    flags.extend(common.flags.iter().cloned());
    // The preprocessor warns of a second definition unless the first is taken back.
    flags.extend(common.defines.iter().map(|define| format!("-U{}", macro_name(define))));
    Preprocess {
        flags,
        std: common.std.clone().or(std),
        bits32: if input.names_model() { common.bits32 } else { bits32.unwrap_or(false) },
        unsigned_char: common.unsigned_char || unsigned_char,
        ..common.clone()
    }
}

/// The name in `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`.
pub fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}

fn is_c(path: &Path, flags: &Flags) -> bool {
    match flags.language.as_deref() {
        Some(language) => matches!(language, "c" | "cpp-output"),
        None => path.extension().is_some_and(|extension| extension == "c" || extension == "i"),
    }
}

/// Refuses files of one program that are compiled differently where they must not be.
fn agree(units: &[Unit], what: &str, flag: &str, is: impl Fn(&Unit) -> bool) -> Result<(), String> {
    match (units.iter().find(|unit| is(unit)), units.iter().find(|unit| !is(unit))) {
        (Some(one), Some(other)) => Err(format!(
            "{} is compiled {what}, but {} is not\nnote: choose by {flag}, or name the files of one program",
            one.path.display(),
            other.path.display()
        )),
        (None, _) | (_, None) => Ok(()),
    }
}

/// Says which files are no part of the program.
fn note_left_out(why: &str, paths: &[PathBuf]) {
    if !paths.is_empty() {
        errln!("note: left out, {why}: {}", list(paths));
    }
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}
