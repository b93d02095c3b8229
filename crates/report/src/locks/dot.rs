//! The lock-order graph for Graphviz.

use super::Discipline;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub fn render(table: &Discipline) -> String {
    let mut out = String::from("digraph locks {\n  node [shape=box];\n");
    let mut edges: BTreeMap<(&str, &str), (bool, BTreeSet<String>)> = BTreeMap::new();
    for edge in &table.lock_order {
        let (circular, places) = edges.entry((&edge.held, &edge.awaited)).or_default();
        *circular |= edge.circular;
        places.insert(format!("{}:{}", edge.place.file, edge.place.line));
    }
    let names: BTreeSet<&str> = edges.keys().flat_map(|(held, awaited)| [*held, *awaited]).collect();
    for name in names {
        let _ = writeln!(out, "  {};", quoted(name));
    }
    for ((held, awaited), (circular, places)) in &edges {
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let colour = if *circular { ", color=red" } else { "" };
        let label = quoted(&places.join("\n"));
        let _ = writeln!(out, "  {} -> {} [label={label}{colour}];", quoted(held), quoted(awaited));
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
