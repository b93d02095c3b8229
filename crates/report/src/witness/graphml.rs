//! GraphML 1.0: an automaton with one edge per step.
//!
//! The keys `enterFunction` and `returnFromFunction` are not used: they only narrow down what a line and a thread say
//! already, and witnesslint's strict mode knows no function of the program and one call stack for all threads, so it
//! accepts neither.

use super::tells;
use crate::Context;
use crate::task::Task;
use braid_verdict::Counterexample;
use braid_verdict::story::{Action, Step};

/// Keys of the format that are used here: name, what it belongs to, type.
const KEYS: [(&str, &str, &str); 15] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("originfile", "edge", "string"),
    ("startline", "edge", "int"),
    ("assumption", "edge", "string"),
    ("threadId", "edge", "int"),
    ("createThread", "edge", "int"),
];

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c < ' ' && c != '\n' && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

fn data(indent: &str, key: &str, value: &str) -> String {
    format!("{indent}<data key=\"{key}\">{}</data>\n", escape(value))
}

fn document(task: &Task<'_>, kind: &str, specification: &str, graph: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
    for (name, of, ty) in KEYS {
        let open = format!("  <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\" id=\"{name}\"");
        let default = ty == "boolean";
        out += &if default {
            format!("{open}>\n    <default>false</default>\n  </key>\n")
        } else {
            format!("{open}/>\n")
        };
    }
    out += "  <graph edgedefault=\"directed\">\n";
    let first = task.files.first();
    let head = [
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".to_string()),
        ("producer", format!("Braid {}", task.version)),
        ("specification", specification.to_string()),
        ("programfile", first.map_or(String::new(), |file| task.relative(&file.path))),
        ("programhash", first.map_or(String::new(), |file| file.hash.clone())),
        ("architecture", if task.bits32 { "32bit" } else { "64bit" }.to_string()),
        ("creationtime", task.time.clone()),
    ];
    for (key, value) in head {
        out += &data("    ", key, &value);
    }
    out + graph + "  </graph>\n</graphml>\n"
}

pub fn correctness(task: &Task<'_>) -> String {
    let graph = format!("    <node id=\"N0\">\n{}    </node>\n", data("      ", "entry", "true"));
    document(task, "correctness_witness", &task.specification(None), &graph)
}

pub fn violation(context: Context<'_>, task: &Task<'_>, found: &Counterexample) -> String {
    let steps: Vec<&Step> = found.story().steps.iter().filter(|step| tells(step)).collect();
    let mut graph = format!("    <node id=\"N0\">\n{}    </node>\n", data("      ", "entry", "true"));
    for (index, step) in steps.iter().enumerate() {
        let last = index + 1 == steps.len();
        let mark = if last { data("      ", "violation", "true") } else { String::new() };
        graph += &format!("    <node id=\"N{}\">\n{mark}    </node>\n", index + 1);
        graph += &format!("    <edge source=\"N{index}\" target=\"N{}\">\n", index + 1);
        graph += &edge(context, task, step);
        graph += "    </edge>\n";
    }
    document(task, "violation_witness", &task.specification(Some(found.report().check)), &graph)
}

fn edge(context: Context<'_>, task: &Task<'_>, step: &Step) -> String {
    let indent = "      ";
    let mut out = data(indent, "originfile", &task.relative(context.file(step.place)));
    out += &data(indent, "startline", &step.place.line.to_string());
    out += &data(indent, "threadId", &step.thread.to_string());
    for action in &step.actions {
        if let Action::Start { thread, .. } = action {
            out += &data(indent, "createThread", &thread.to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped() {
        assert_eq!(super::escape("a < b && c > \"d\"\u{1}"), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
    }
}
