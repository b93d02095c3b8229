//! YAML 2.2: segments of waypoints, with the thread of each.
//!
//! Strings are written in double quotes with the escapes of JSON, which YAML shares.

use super::tells;
use crate::Context;
use crate::task::{Task, hash};
use braid_interp::Report;
use braid_ir::Loc;
use braid_props::Check;
use braid_verdict::Counterexample;
use braid_verdict::schedule::ChoiceName;
use braid_verdict::story::{Action, Step};

const VERSION: &str = "2.2";

fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a string serialises")
}

/// A UUID (RFC 4122) made of a hash.
fn uuid(text: &str) -> String {
    let hash = hash(text.as_bytes());
    format!("{}-{}-5{}-a{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}

fn metadata(task: &Task<'_>, specification: &str, content: &str) -> String {
    let identity = format!("{}{}{specification}{content}", task.time, task.version);
    let mut out = format!(
        "  metadata:\n    format_version: {}\n    uuid: {}\n    creation_time: {}\n    producer:\n      \
         name: \"Braid\"\n      version: {}\n    task:\n",
        quote(VERSION),
        quote(&uuid(&identity)),
        quote(&task.time),
        quote(task.version)
    );
    out += "      input_files:\n";
    for file in &task.files {
        out += &format!("        - {}\n", quote(&task.relative(&file.path)));
    }
    out += "      input_file_hashes:\n";
    for file in &task.files {
        out += &format!("        {}: {}\n", quote(&task.relative(&file.path)), quote(&file.hash));
    }
    let model = if task.bits32 { "ILP32" } else { "LP64" };
    out += &format!(
        "      specification: {}\n      data_model: {model}\n      language: C\n",
        quote(specification)
    );
    out
}

pub fn correctness(task: &Task<'_>) -> String {
    let head = metadata(task, &task.specification(None), "");
    format!("- entry_type: invariant_set\n{head}  content: []\n")
}

pub fn violation(context: Context<'_>, task: &Task<'_>, found: &Counterexample) -> String {
    let writer = Writer { context, task };
    let steps: Vec<&Step> = found.story().steps.iter().filter(|step| tells(step)).collect();
    let mut content = String::new();
    for step in &steps {
        content += &writer.segments(step);
    }
    content += &writer.target(found.report(), &steps);
    let head = metadata(task, &task.specification(Some(found.report().check)), &content);
    format!("- entry_type: violation_sequence\n{head}  content:\n{content}")
}

struct Writer<'a> {
    context: Context<'a>,
    task: &'a Task<'a>,
}

impl Writer<'_> {
    /// A waypoint of a step, at a place of its own. Its column may be left out where it is not known.
    fn waypoint(&self, step: &Step, kind: &str, constraint: Option<&str>, place: Loc) -> String {
        let Loc { line, column, .. } = place;
        let file = quote(&self.task.relative(self.context.file(place)));
        let mut out = format!("        - waypoint:\n            type: {kind}\n            action: follow\n");
        out += &format!("            thread_id: {}\n", step.thread);
        if let Some(value) = constraint {
            out += &format!(
                "            constraint:\n              value: {}\n              format: c_expression\n",
                quote(value)
            );
        }
        out +=
            &format!("            location:\n              file_name: {file}\n              line: {line}\n");
        if column > 0 {
            out += &format!("              column: {column}\n");
        }
        if let Some(function) = step.function() {
            out += &format!("              function: {}\n", quote(function.as_str()));
        }
        out
    }

    fn segment(&self, waypoints: &str) -> String {
        format!("    - segment:\n{waypoints}")
    }

    /// What a step has to say besides being the target: threads that start, values that were chosen, and
    /// that it happens here in the order of the others.
    fn segments(&self, step: &Step) -> String {
        let mut out = String::new();
        for action in &step.actions {
            match action {
                Action::Start { place, .. } => {
                    let end = self.end_of_call(*place);
                    out += &self.segment(&self.waypoint(step, "function_enter", None, end));
                }
                Action::Choose { choice: ChoiceName::Value, value, place } => {
                    let constraint = format!("\\result == {value}");
                    let end = self.end_of_call(*place);
                    out += &self.segment(&self.waypoint(step, "function_return", Some(&constraint), end));
                }
                _ => {}
            }
        }
        if out.is_empty() && !step.violates() {
            out = self.segment(&self.waypoint(step, "assumption", Some("1"), step.place));
        }
        out
    }

    /// Where the call at a place ends: at its closing parenthesis, as the format has it.
    fn end_of_call(&self, call: Loc) -> Loc {
        let line = self.context.sources.line_of(self.context.file(call), call.line).unwrap_or("");
        Loc { column: closing_parenthesis(line, call.column), ..call }
    }

    /// The final segment: for a race both accesses, else where the violation stands.
    fn target(&self, report: &Report, steps: &[&Step]) -> String {
        let count = if report.check == Check::DataRace { 2 } else { 1 };
        let targets = steps.iter().filter(|step| step.violates()).take(count);
        let waypoints: String =
            targets.map(|step| self.waypoint(step, "target", None, violated_at(report, step))).collect();
        self.segment(&waypoints)
    }
}

/// Where on its line a step violates the property: the step itself begins where its leftmost part does.
fn violated_at(report: &Report, step: &Step) -> Loc {
    let view = report.threads.iter().find(|view| view.number as usize == step.thread);
    let place = view.map_or(report.place, |view| view.place);
    let same_line = (place.file, place.line) == (step.place.file, step.place.line);
    if same_line { place } else { step.place }
}

/// The column of the parenthesis that closes the call at a column; the column itself if there is none, or if it is not
/// known.
fn closing_parenthesis(line: &str, column: u32) -> u32 {
    if column == 0 {
        return 0;
    }
    let mut depth = 0;
    for (index, c) in line.chars().enumerate().skip(column as usize - 1) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return index as u32 + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_at_their_parenthesis() {
        assert_eq!(closing_parenthesis("  f(a, g(b)); h();", 3), 12);
        assert_eq!(closing_parenthesis("  f(a,", 3), 3);
        assert_eq!(closing_parenthesis("", 9), 9);
        assert_eq!(closing_parenthesis("f();", 0), 0);
    }

    #[test]
    fn uuids_have_their_form() {
        let id = uuid("x");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!((&id[14..15], &id[19..20]), ("5", "a"));
    }
}
