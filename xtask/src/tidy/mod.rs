//! `cargo xtask tidy`: the rules of the code base that a compiler does not check.
//!
//! * [`engines`]: nothing but the plan names an engine, and only one file calls the judge.
//! * [`faults`]: the list of deliberate faults and their switches agree.
//! * [`layers`]: a crate depends only on crates above it.
//! * [`models`]: every library function has a fixture; nothing but `models` knows library names.
//! * [`sources`]: file heads, forbidden macros, who may print, one file per property.
//!
//! The same checks run as a test.

mod engines;
mod faults;
mod layers;
mod models;
mod rust;
mod sources;

use crate::workspace;
use std::path::{Path, PathBuf};

pub fn run() -> Result<bool, String> {
    let problems = problems(&workspace::root())?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: all rules hold"),
        n => println!("tidy: {n} problems"),
    }
    Ok(problems.is_empty())
}

/// Everything that breaks a rule.
fn problems(root: &Path) -> Result<Vec<String>, String> {
    let files = source_files(root)?;
    let mut found = layers::problems(root)?;
    found.extend(engines::problems(&files));
    found.extend(faults::problems(root, &files)?);
    found.extend(models::without_fixture(root)?);
    found.extend(models::known_elsewhere(&files));
    found.extend(sources::problems(&files));
    found.extend(sources::unlisted_properties(root)?);
    Ok(found)
}

/// A Rust file of a crate's `src`.
pub struct SourceFile {
    /// The crate's folder: `lower`, `xtask`.
    pub package: String,
    /// Relative to the root.
    pub path: String,
    pub text: String,
}

fn source_files(root: &Path) -> Result<Vec<SourceFile>, String> {
    let mut packages = vec![("xtask".to_string(), root.join("xtask"))];
    for directory in entries(&root.join("crates"))? {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        packages.push((name, directory));
    }
    let mut files = Vec::new();
    for (package, directory) in packages {
        let mut pending = vec![directory.join("src")];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending.extend(entries(&path)?);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = read(&path)?;
                let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                files.push(SourceFile { package: package.clone(), path, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let test_modules: Vec<String> = files.iter().flat_map(test_modules).collect();
    files.retain(|file| !test_modules.contains(&file.path));
    Ok(files)
}

/// The files that a file declares as modules for tests only: `#[cfg(test)] mod name;`.
fn test_modules(file: &SourceFile) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let path = Path::new(&file.path);
    let parent = path.parent().unwrap_or(Path::new(""));
    let own = match path.file_stem().and_then(|s| s.to_str()) {
        Some("lib" | "main" | "mod") | None => parent.to_path_buf(),
        Some(stem) => parent.join(stem),
    };
    let declared = lines
        .windows(2)
        .filter(|pair| pair[0] == "#[cfg(test)]")
        .filter_map(|pair| pair[1].trim_start_matches("pub(crate) ").strip_prefix("mod ")?.strip_suffix(';'));
    declared.map(|name| own.join(format!("{name}.rs")).to_string_lossy().into_owned()).collect()
}

/// The entries of a directory, in order.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let read = std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut paths: Vec<PathBuf> = read.filter_map(|e| e.ok()).map(|e| e.path()).collect();
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn modules_for_tests_are_known() {
        let text = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod inline {}\nmod other;\n".to_string();
        let at = |path: &str| {
            super::test_modules(&super::SourceFile {
                package: "p".into(),
                path: path.into(),
                text: text.clone(),
            })
        };
        assert_eq!(at("crates/p/src/lib.rs"), ["crates/p/src/tests.rs"]);
        assert_eq!(at("crates/p/src/parse.rs"), ["crates/p/src/parse/tests.rs"]);
    }

    #[test]
    fn the_code_base_is_tidy() {
        let problems = super::problems(&crate::workspace::root()).expect("the sources can be read");
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
