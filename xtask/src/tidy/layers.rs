//! A crate may depend only on crates above it in the table of the design.

use super::{entries, read};
use std::path::Path;

/// The stations of the pipeline, in order.
const LAYERS: &[&str] = &[
    "base",
    "syntax",
    "sema",
    "props",
    "ir",
    "models",
    "lower",
    "proof",
    "analysis",
    "passes",
    "interp",
    "translate",
    "verdict",
    "logic",
    "solver",
    "symex",
    "bounded",
    "unwind",
    "engines",
    "portfolio",
    "report",
    "braid",
    "testkit",
    "xtask",
];

/// What only tests may use.
const TEST_ONLY: &str = "testkit";

pub fn problems(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut packages = vec![("xtask".to_string(), root.join("xtask"))];
    for directory in entries(&root.join("crates"))? {
        packages.push((directory.file_name().unwrap_or_default().to_string_lossy().into_owned(), directory));
    }
    for (name, directory) in packages {
        let manifest = read(&directory.join("Cargo.toml"))?;
        found.extend(check(&name, &manifest));
    }
    Ok(found)
}

/// What is wrong with one crate's manifest.
fn check(name: &str, manifest: &str) -> Vec<String> {
    let Some(layer) = LAYERS.iter().position(|l| *l == name) else {
        return vec![format!("crates/{name}: not in the table of layers")];
    };
    let mut found = Vec::new();
    for (section, dependency) in dependencies(manifest) {
        let above = LAYERS.iter().position(|l| *l == dependency).is_some_and(|d| d < layer);
        let for_tests = section == "dev-dependencies";
        let test_only = dependency == TEST_ONLY && name != "xtask";
        if test_only && !for_tests {
            found.push(format!("{name}: depends on {dependency} outside its tests"));
        } else if !(above || (for_tests && test_only)) {
            found.push(format!("{name}: may not depend on {dependency}, which is not above it"));
        }
    }
    found
}

/// The workspace's own crates among the dependencies, each with its section.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = name.to_string();
        } else if section.ends_with("dependencies") {
            let key: String =
                line.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
            if let Some(name) = key.strip_prefix("braid-") {
                found.push((section.clone(), name.to_string()));
            } else if key == "braid" || key == "xtask" {
                found.push((section.clone(), key));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_point_up() {
        let good = "[dependencies]\nbraid-base.workspace = true\n[dev-dependencies]\nbraid-testkit.workspace = true\n";
        assert!(check("syntax", good).is_empty());
        assert_eq!(check("base", "[dependencies]\nbraid-syntax = { path = \"x\" }\n").len(), 1);
        assert_eq!(check("syntax", "[dependencies]\nbraid-testkit.workspace = true\n").len(), 1);
        assert_eq!(check("interp", "[dev-dependencies]\nbraid-braid.workspace = true\n").len(), 1);
        assert_eq!(check("novelty", "").len(), 1);
        assert!(check("xtask", "[dependencies]\nbraid-testkit.workspace = true\n").is_empty());
    }
}
