//! A trace as a table: who runs when, in source lines.
//!
//! Steps of one thread that follow each other on one line of source are one row. Steps of library models
//! show as the user's call.

use crate::front::Loaded;
use braid_interp::{OpRef, Trace};
use braid_ir::Loc;

/// Rows shown of a long trace: the first and the last ones.
const FIRST: usize = 8;
const LAST: usize = 32;

/// Steps of one thread on one line.
pub struct Row {
    pub thread: String,
    pub loc: Loc,
}

/// One line per row: thread, place, source text.
pub fn table(loaded: &Loaded, trace: &Trace) -> String {
    let rows = rows(&trace.steps);
    let thread_width = rows.iter().map(|row| row.thread.len()).max().unwrap_or(0);
    let places: Vec<String> = rows.iter().map(|row| place(loaded, row.loc)).collect();
    let place_width = places.iter().map(String::len).max().unwrap_or(0);
    let skipped = rows.len().saturating_sub(FIRST + LAST);
    let mut out = String::new();
    for (index, (row, place)) in rows.iter().zip(&places).enumerate() {
        if skipped > 0 && index == FIRST {
            out += &format!("    … {skipped} more …\n");
        }
        if index < FIRST || index >= FIRST + skipped {
            let line =
                format!("    {:thread_width$}  {place:place_width$}  {}", row.thread, text(loaded, row.loc));
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}

/// The steps as rows; those without a place in the source are left out.
pub fn rows(steps: &[OpRef]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in steps.iter().filter(|step| step.loc.line > 0) {
        let thread = step.thread.to_string();
        let same = |row: &Row| {
            row.thread == thread && (row.loc.file, row.loc.line) == (step.loc.file, step.loc.line)
        };
        if !rows.last().is_some_and(same) {
            rows.push(Row { thread, loc: step.loc });
        }
    }
    rows
}

fn place(loaded: &Loaded, loc: Loc) -> String {
    let file = loaded.program.file_name(loc.file);
    let base = file.rsplit('/').next().unwrap_or(file);
    format!("{base}:{}", loc.line)
}

fn text(loaded: &Loaded, loc: Loc) -> String {
    let line = loaded.sources.line_of(loaded.program.file_name(loc.file), loc.line);
    line.map_or(String::new(), |line| line.trim().to_string())
}
