//! The table and the lock-order graph as one page without scripts or network.

use super::{Discipline, Edge, Entry};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
/// The picture of the lock order, in pixels.
const SIZE: f64 = 420.0;

pub fn render(table: &Discipline, title: &str) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n<h1>{0}</h1>\n",
        escaped(title)
    );
    out.push_str("<h2>Which lock protects what</h2>\n");
    if table.variables.is_empty() {
        out.push_str("<p>No variable is accessed by more than one thread.</p>\n");
    }
    table.variables.iter().for_each(|entry| variable(&mut out, entry));
    if !table.lock_order.is_empty() {
        out.push_str("<h2>Lock order</h2>\n");
        graph(&mut out, &table.lock_order);
        out.push_str("<ul>\n");
        for Edge { held, awaited, place, circular } in &table.lock_order {
            let note = if *circular { " <strong>on a cycle</strong>" } else { "" };
            let (held, awaited) = (escaped(held), escaped(awaited));
            let _ = writeln!(
                out,
                "<li><code>{held}</code> before <code>{awaited}</code>, at {}{note}",
                escaped(&place.to_string())
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</html>\n");
    out
}

fn variable(out: &mut String, entry: &Entry) {
    let open = if entry.protection == "none" { " open" } else { "" };
    let _ = writeln!(
        out,
        "<details class=\"{}\"{open}><summary><code>{}</code> <span>{}</span></summary>\n<table>\n<tr><th>where<th>function<th>access<th>threads<th>locks",
        entry.protection,
        escaped(&entry.name),
        escaped(&entry.summary)
    );
    for access in &entry.accesses {
        let bare = if access.needs_protection && access.locks.is_empty() { " class=\"bare\"" } else { "" };
        let atomic = if access.atomic { " atomically" } else { "" };
        let _ = writeln!(
            out,
            "<tr{bare}><td>{}<td>{}()<td>{}{atomic}<td>{}<td>{}",
            escaped(&access.place.to_string()),
            escaped(&access.function),
            access.kind,
            escaped(&access.threads.join(", ")),
            escaped(&access.locks.join(", "))
        );
    }
    out.push_str("</table>\n</details>\n");
}

/// The locks on a circle, with arrows in the order in which they are taken.
fn graph(out: &mut String, edges: &[Edge]) {
    let mut names: Vec<&str> =
        edges.iter().flat_map(|edge| [edge.held.as_str(), edge.awaited.as_str()]).collect();
    names.sort_unstable();
    names.dedup();
    let centre = SIZE / 2.0;
    let at = |index: usize| {
        let angle = std::f64::consts::TAU * index as f64 / names.len() as f64 - std::f64::consts::FRAC_PI_2;
        (centre + 0.36 * SIZE * angle.cos(), centre + 0.36 * SIZE * angle.sin())
    };
    let places: BTreeMap<&str, (f64, f64)> =
        names.iter().enumerate().map(|(i, name)| (*name, at(i))).collect();
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {SIZE} {SIZE}\" width=\"{SIZE}\" role=\"img\" aria-label=\"lock order\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    );
    let mut drawn: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for edge in edges {
        *drawn.entry((&edge.held, &edge.awaited)).or_default() |= edge.circular;
    }
    for ((held, awaited), circular) in drawn {
        let ((x, y), (to_x, to_y)) = (places[held], places[awaited]);
        let class = if circular { "circular" } else { "edge" };
        if held == awaited {
            let _ = writeln!(
                out,
                "<path class=\"{class}\" d=\"M{:.0} {:.0}c-40 -50 40 -50 8 0\" marker-end=\"url(#tip)\"/>",
                x - 4.0,
                y - 12.0
            );
            continue;
        }
        // A little to the side, so that both directions can be seen, and short of the names.
        let (dx, dy) = (to_x - x, to_y - y);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (sx, sy) = (-uy * 6.0, ux * 6.0);
        let (x1, y1, x2, y2) =
            (x + ux * 16.0 + sx, y + uy * 16.0 + sy, to_x - ux * 18.0 + sx, to_y - uy * 18.0 + sy);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x1:.0} {y1:.0}L{x2:.0} {y2:.0}\" marker-end=\"url(#tip)\"/>"
        );
    }
    for (name, (x, y)) in places {
        let _ = writeln!(out, "<text x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", escaped(name));
    }
    out.push_str("</svg>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
