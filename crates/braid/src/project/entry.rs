//! Where a program of many files starts.
//!
//! A build has several programs, and each has its `main`. One of them is meant: that of `--entry`, or that in the
//! file of `--function`. The other files that define `main` are left out.

use super::{list, note_left_out, paths};
use braid_base::Symbol;
use braid_syntax::ast::{FunctionDef, Item, TranslationUnit};
use std::path::{Path, PathBuf};

/// A parsed file of the program.
pub struct Parsed {
    pub path: PathBuf,
    pub tree: TranslationUnit,
}

/// Which files stay, one truth value for each; or what is wrong.
pub fn choose(parsed: &[Parsed], function: Option<&str>, entry: Option<&Path>) -> Result<Vec<bool>, String> {
    let start = function.unwrap_or("main");
    let mains: Vec<&Parsed> = parsed.iter().filter(|file| defines(&file.tree, "main")).collect();
    let stays: Box<dyn Fn(&Parsed) -> bool> = match entry {
        Some(entry) => {
            let file = parsed.iter().find(|file| paths::same(&file.path, entry));
            let file = file.ok_or_else(|| no_such_entry(entry, &mains))?;
            if !defines(&file.tree, start) {
                return Err(format!("--entry: {} does not define '{start}'", entry.display()));
            }
            Box::new(|other| other.path == file.path)
        }
        None if mains.len() < 2 => Box::new(|_| true),
        None if start == "main" => return Err(several_mains(&mains)),
        None => Box::new(|file| defines(&file.tree, start)),
    };
    let stays: Vec<bool> = parsed.iter().map(|file| stays(file) || !defines(&file.tree, "main")).collect();
    let left_out = parsed.iter().zip(&stays).filter(|(_, stays)| !**stays);
    let left_out: Vec<PathBuf> = left_out.map(|(file, _)| file.path.clone()).collect();
    note_left_out("because they define another main", &left_out);
    Ok(stays)
}

fn several_mains(mains: &[&Parsed]) -> String {
    format!(
        "several files define 'main': {}\nnote: choose one by --entry FILE; the others are then left out",
        paths_of(mains)
    )
}

fn no_such_entry(entry: &Path, mains: &[&Parsed]) -> String {
    let known = if mains.is_empty() {
        "no file defines 'main'".to_string()
    } else {
        format!("'main' is defined in {}", paths_of(mains))
    };
    format!("--entry: {} is no file of the program\nnote: {known}", entry.display())
}

fn paths_of(files: &[&Parsed]) -> String {
    list(&files.iter().map(|file| file.path.clone()).collect::<Vec<_>>())
}

/// Whether a file defines a function.
pub fn defines(tree: &TranslationUnit, name: &str) -> bool {
    let name = Symbol::intern(name);
    let is_it = |function: &FunctionDef| function.declarator.name.is_some_and(|(known, _)| known == name);
    tree.items.iter().any(|item| match item {
        Item::Function(function) => is_it(function),
        Item::Declaration(_) | Item::StaticAssert(_) | Item::Asm(_) => false,
    })
}
