//! A violation in words: message, source line, threads with their stacks and locks, places that explain it.

use crate::{Context, Style, Tone};
use braid_interp::{Report, StackEntry, ThreadView, place_text, render_stack};
use braid_ir::Loc;

/// The violation with its source lines, every thread that takes part, and places that explain it.
pub fn report(context: Context<'_>, style: Style, report: &Report) -> String {
    let place = place_text(context.program, report.place);
    let head = format!("violation: {} [{}]", report.message, report.check);
    let mut out = format!("{place}: {}\n", style.paint(Tone::Bad, &head));
    if report.threads.is_empty() {
        out += &context.excerpt(report.place);
        out += &stack(context, &report.path, &report.stack);
    }
    for view in &report.threads {
        out += &thread(context, view);
    }
    for related in &report.related {
        let place = place_text(context.program, related.loc);
        out += &match related.function {
            Some(function) => format!("{place}: note: {} in '{function}'\n", related.text),
            None => format!("{place}: note: {}\n", related.text),
        };
        out += &context.excerpt(related.loc);
    }
    out
}

/// Which thread, where there are several, and its call stack.
fn stack(context: Context<'_>, path: &str, stack: &[StackEntry]) -> String {
    let head = if path == "main" { String::new() } else { format!("  thread {path}\n") };
    head + &render_stack(context.program, stack)
}

/// What a thread does or waits for, its locks and its call stack.
pub fn thread(context: Context<'_>, view: &ThreadView) -> String {
    let place = place_text(context.program, view.place);
    let holds = match view.holds.as_slice() {
        [] => "holding no lock".to_string(),
        locks => format!("holding {}", locks.join(", ")),
    };
    let mut out = format!("{place}: note: thread {} {}, {holds}\n", view.path, view.text);
    out += &context.excerpt(view.place);
    out + &render_stack(context.program, &view.stack)
}

/// Where and why a run cannot go on.
pub fn stop(context: Context<'_>, what: &str, place: Loc, stack: &[StackEntry]) -> String {
    let head = format!("{}: stopped: {what}\n", place_text(context.program, place));
    head + &context.excerpt(place) + &render_stack(context.program, stack)
}
