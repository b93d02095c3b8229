//! Rules for single files: a head that explains, no leftovers, no printing, one file per property.

use super::rust::{self, Kind, Token};
use super::{SourceFile, entries, read};
use std::path::Path;

/// Macros that must not be left in code.
const LEFTOVERS: [&str; 3] = ["todo", "unimplemented", "dbg"];
const PRINTERS: [&str; 4] = ["print", "println", "eprint", "eprintln"];
/// The crates that talk to people.
const MAY_PRINT: [&str; 2] = ["braid", "xtask"];

pub fn problems(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let head = file.text.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
        if !head.starts_with("//!") {
            found.push(format!("{}:1: does not open with '//!'", file.path));
        }
        let tokens = rust::tokens(&file.text);
        for (at, token) in tokens.iter().enumerate() {
            let next = |offset: usize| tokens.get(at + offset).map_or("", |t: &Token| t.text.as_str());
            if token.kind != Kind::Word {
                continue;
            }
            let word = token.text.as_str();
            if LEFTOVERS.contains(&word) && next(1) == "!" {
                found.push(format!("{}:{}: '{word}!'", file.path, token.line));
            }
            if PRINTERS.contains(&word) && next(1) == "!" && !MAY_PRINT.contains(&file.package.as_str()) {
                found.push(format!("{}:{}: only the command line prints", file.path, token.line));
            }
            if word == "unwrap" && next(1) == "(" && at > 0 && tokens[at - 1].text == "." {
                found.push(format!(
                    "{}:{}: 'unwrap()'; say why it holds with 'expect'",
                    file.path, token.line
                ));
            }
        }
    }
    found
}

/// Every file of `props` but its own machinery is a property in the catalogue.
pub fn unlisted_properties(root: &Path) -> Result<Vec<String>, String> {
    let directory = root.join("crates/props/src");
    let catalogue = read(&directory.join("lib.rs"))?;
    let mut found = Vec::new();
    for path in entries(&directory)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name != "lib" && name != "set" && !catalogue.contains(&format!(": {name},\n")) {
            found.push(format!("crates/props/src/{name}.rs: not in the catalogue"));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(package: &str, text: &str) -> usize {
        problems(&[SourceFile { package: package.into(), path: "x.rs".into(), text: text.into() }]).len()
    }

    #[test]
    fn leftovers_and_prints_are_found() {
        assert_eq!(count("lower", "//! Head.\nfn f() { todo!() }"), 1);
        assert_eq!(count("lower", "//! Head.\nfn f() { println!(\"x\") }"), 1);
        assert_eq!(count("braid", "//! Head.\nfn f() { println!(\"x\") }"), 0);
        assert_eq!(count("lower", "fn f() {}"), 1);
        assert_eq!(count("lower", "//! Head.\nfn f() { x.unwrap() } // todo!()"), 1);
        assert_eq!(count("lower", "//! Head.\n#[cfg(test)]\nmod t { fn f() { x.unwrap() } }"), 0);
    }
}
