//! A page to step through executions: one file, no network.
//!
//! The page is a template with a style sheet and a script, and the violations as JSON. The script computes nothing
//! about the program: it shows the steps of the story and adds up what they say they changed.

use crate::{Context, json};
use braid_verdict::Counterexample;
use serde::Serialize;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

#[derive(Serialize)]
struct Data<'a> {
    version: &'a str,
    verdict: &'a str,
    assumptions: &'a [String],
    violations: Vec<json::Violation<'a>>,
    /// Source lines by file name.
    sources: BTreeMap<String, Vec<String>>,
}

/// A page of violations; `verdict` is the line that sums up.
pub fn render(
    context: Context<'_>,
    found: &[Counterexample],
    verdict: &str,
    assumptions: &[String],
    version: &str,
) -> String {
    let data = Data {
        version,
        verdict,
        assumptions,
        violations: found.iter().map(|found| json::violation(context, found, None)).collect(),
        sources: sources(context, found),
    };
    let data = serde_json::to_string(&data).expect("the data has only string keys");
    // A script element ends at the first end tag, whatever it stands in.
    let data = data.replace("</", "<\\/").replace("<!--", "<\\u0021--");
    PAGE.replace("{{style}}", STYLE).replace("{{script}}", SCRIPT).replace("{{data}}", &data)
}

/// The files that steps stand in, from their first line on.
fn sources(context: Context<'_>, found: &[Counterexample]) -> BTreeMap<String, Vec<String>> {
    let mut files = BTreeMap::new();
    let steps = found.iter().flat_map(|found| &found.story().steps);
    let places = steps.flat_map(|step| step.stack.iter().map(|call| call.place).chain([step.place]));
    for place in places.filter(|place| place.line > 0) {
        let name = context.file(place);
        files.entry(name.to_string()).or_insert_with(|| {
            let lines = (1..).map_while(|line| context.sources.line_of(name, line));
            lines.map(str::to_string).collect()
        });
    }
    files
}
