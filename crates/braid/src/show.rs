//! Reports as text: message, source line, threads with their stacks and locks.

use crate::front::Loaded;
use braid_base::diag::excerpt;
use braid_interp::{Report, StackEntry, ThreadView, place_text, render_stack};
use braid_ir::Loc;

/// The violation with its source lines, every thread that takes part, and places that explain it.
pub fn report(loaded: &Loaded, report: &Report) -> String {
    let place = place_text(&loaded.program, report.place);
    let mut out = format!("{place}: violation: {} [{}]\n", report.message, report.check);
    if report.threads.is_empty() {
        out += &line(loaded, report.place);
        out += &stack(loaded, &report.path, &report.stack);
    }
    for view in &report.threads {
        out += &thread(loaded, view);
    }
    for related in &report.related {
        let place = place_text(&loaded.program, related.loc);
        out += &match related.function {
            Some(function) => format!("{place}: note: {} in '{function}'\n", related.text),
            None => format!("{place}: note: {}\n", related.text),
        };
        out += &line(loaded, related.loc);
    }
    out
}

/// Which thread, where there are several, and its call stack.
fn stack(loaded: &Loaded, path: &str, stack: &[StackEntry]) -> String {
    let head = if path == "main" { String::new() } else { format!("  thread {path}\n") };
    head + &render_stack(&loaded.program, stack)
}

/// What a thread does or waits for, its locks and its call stack.
pub fn thread(loaded: &Loaded, view: &ThreadView) -> String {
    let place = place_text(&loaded.program, view.place);
    let holds = match view.holds.as_slice() {
        [] => "holding no lock".to_string(),
        locks => format!("holding {}", locks.join(", ")),
    };
    let mut out = format!("{place}: note: thread {} {}, {holds}\n", view.path, view.text);
    out += &line(loaded, view.place);
    out + &render_stack(&loaded.program, &view.stack)
}

/// Where and why a run cannot go on.
pub fn stop(loaded: &Loaded, what: &str, place: Loc, stack: &[StackEntry]) -> String {
    let head = format!("{}: stopped: {what}\n", place_text(&loaded.program, place));
    head + &line(loaded, place) + &render_stack(&loaded.program, stack)
}

/// The source line with a mark under the column, if the text is at hand.
pub fn line(loaded: &Loaded, loc: Loc) -> String {
    let text = loaded.sources.line_of(loaded.program.file_name(loc.file), loc.line);
    text.map_or(String::new(), |text| excerpt(text, loc.line, loc.column, 1))
}
