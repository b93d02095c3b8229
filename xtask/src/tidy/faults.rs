//! Deliberate faults: `docs/faults.md` and the switches in the sources name the same ones.

use super::{SourceFile, read};
use braid_testkit::faults::rows;
use std::collections::BTreeSet;
use std::path::Path;

const LIST: &str = "docs/faults.md";
/// A switch in Rust code, and one in the texts of library models.
const SWITCHES: [&str; 2] = ["active(\"", "fault: \""];

/// Faults without a switch, switches without a row, and rows that occur twice.
pub fn problems(root: &Path, files: &[SourceFile]) -> Result<Vec<String>, String> {
    let text = read(&root.join(LIST))?;
    let listed: Vec<&str> = rows(&text)?.into_iter().map(|(name, _)| name).collect();
    let unique: BTreeSet<&str> = listed.iter().copied().collect();
    let switches: BTreeSet<&str> =
        files.iter().filter(|file| file.package != "xtask").flat_map(|file| switches(&file.text)).collect();
    let mut found = Vec::new();
    if unique.len() != listed.len() {
        found.push(format!("{LIST}: a fault is listed twice"));
    }
    found.extend(switches.difference(&unique).map(|name| format!("{LIST}: no row for the fault '{name}'")));
    found
        .extend(unique.difference(&switches).map(|name| format!("{LIST}: the fault '{name}' has no switch")));
    Ok(found)
}

/// The names of the faults that a text switches on, without those in comments.
fn switches(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| {
        SWITCHES.iter().flat_map(move |switch| {
            line.match_indices(switch).filter_map(move |(at, _)| line[at + switch.len()..].split('"').next())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_found_in_code_only() {
        let text = "if active(\"a-b\") || active(\"c\") {\nPatch { fault: \"d\", module: \"e\" }\n// active(\"f\")\n";
        assert_eq!(switches(text).collect::<BTreeSet<_>>(), BTreeSet::from(["a-b", "c", "d"]));
    }
}
