//! `--stats` of `braid check`: what each phase took.

use crate::terminal::outln;
use braid_engines::engine::{Count, Statistics, Table};
use braid_portfolio::PhaseRecord;
pub use braid_portfolio::peak_memory;

/// Rows of a table that are shown.
const SHOWN: usize = 8;

pub fn print(phases: &[PhaseRecord]) {
    outln!("phases:");
    for phase in phases {
        outln!("  {}", line(phase));
        print_details(&phase.statistics);
    }
    if let Some(bytes) = peak_memory() {
        outln!("peak memory: {} MiB", bytes >> 20);
    }
}

/// A phase in one line.
pub fn line(phase: &PhaseRecord) -> String {
    let counts: String =
        phase.statistics.brief.iter().map(|(unit, count)| format!(", {count} {unit}")).collect();
    format!("{}: {}{counts}, {:.3} seconds", phase.name, phase.result, phase.time.as_secs_f64())
}

fn print_details(statistics: &Statistics) {
    for group in &statistics.groups {
        outln!("    {}", counts(group));
    }
    let parts: Vec<String> =
        statistics.parts.iter().map(|(name, time)| format!("{name} {:.3}", time.as_secs_f64())).collect();
    if !parts.is_empty() {
        outln!("    seconds: {}", parts.join(", "));
    }
    statistics.tables.iter().for_each(print_table);
}

/// `12 threads, 3 events`.
fn counts(list: &[Count]) -> String {
    let list: Vec<String> = list.iter().map(|(unit, count)| format!("{count} {unit}")).collect();
    list.join(", ")
}

fn print_table(table: &Table) {
    for (name, row) in table.rows.iter().take(SHOWN) {
        outln!("    {name}: {}", counts(row));
    }
    if table.rows.len() > SHOWN {
        outln!("    and {} smaller {}", table.rows.len() - SHOWN, table.name);
    }
}
