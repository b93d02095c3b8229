//! The table as text: a line for each variable, and below it a line for each access.

use super::{Access, Discipline};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub fn render(table: &Discipline) -> String {
    let mut out = String::new();
    for entry in &table.variables {
        let _ = writeln!(out, "{}: {}", entry.name, entry.summary);
        let width = entry.accesses.iter().map(|access| access.place.to_string().len()).max().unwrap_or(0);
        for access in &entry.accesses {
            let place = access.place.to_string();
            let _ = writeln!(out, "    {place:width$}  {}", what(access));
        }
    }
    if table.variables.is_empty() {
        out.push_str("no variable is accessed by more than one thread\n");
    }
    let mut pairs: BTreeMap<(&str, &str, bool), Vec<String>> = BTreeMap::new();
    for edge in &table.lock_order {
        pairs.entry((&edge.held, &edge.awaited, edge.circular)).or_default().push(edge.place.to_string());
    }
    if !pairs.is_empty() {
        out.push_str("\nlock order:\n");
    }
    for ((held, awaited, circular), places) in pairs {
        let note = if circular { "  (on a cycle)" } else { "" };
        let _ = writeln!(out, "    {held} before {awaited}, at {}{note}", places.join(", "));
    }
    out
}

fn what(access: &Access) -> String {
    let atomically = if access.atomic { " atomically" } else { "" };
    let locks = match (access.locks.as_slice(), access.needs_protection) {
        ([], true) => ", no lock held".to_string(),
        ([], false) => String::new(),
        (locks, _) => format!(", holding {}", locks.join(" and ")),
    };
    let alone = if access.needs_protection { "" } else { ", no conflict" };
    let Access { kind, function, threads, .. } = access;
    format!("{kind}{atomically} in {function}(), by {}{locks}{alone}", threads.join(", "))
}
