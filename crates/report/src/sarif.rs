//! Violations as SARIF 2.1.0 (OASIS standard), for code hosts and editors.
//!
//! One result per violation; rule ids are the properties'. The story is one code flow with one thread flow per
//! thread, whose locations carry the step's number as execution order. Fingerprints stay the same when lines move:
//! they are made of the property, the function and the text of the source lines.

use crate::task::{Task, hash};
use crate::{Context, words};
use braid_ir::Loc;
use braid_props::ALL;
use braid_verdict::story::{Step, Story};
use braid_verdict::{Counterexample, Reason};
use serde_json::{Value, json};

/// The log of one run. Steps without a part in a violation are left out unless `full`.
pub fn render(
    context: Context<'_>,
    task: &Task<'_>,
    found: &[Counterexample],
    reasons: &[Reason],
    full: bool,
) -> String {
    let log = Log { context, task, full };
    let results: Vec<Value> = found.iter().map(|found| log.result(found)).collect();
    let notifications: Vec<Value> = reasons.iter().map(|reason| log.notification(reason)).collect();
    let value = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Braid",
                "version": task.version,
                "semanticVersion": task.version,
                "rules": rules(),
            }},
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": task.exit_code,
                "endTimeUtc": task.time,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&value).expect("the log has only string keys") + "\n"
}

fn rules() -> Vec<Value> {
    let rule = |property: &&braid_props::Property| {
        json!({
            "id": property.id,
            "shortDescription": {"text": property.summary},
            "fullDescription": {"text": property.manual},
            "defaultConfiguration": {"level": "error"},
        })
    };
    ALL.iter().map(rule).collect()
}

struct Log<'a> {
    context: Context<'a>,
    task: &'a Task<'a>,
    full: bool,
}

impl Log<'_> {
    fn physical(&self, loc: Loc) -> Value {
        let path = self.task.relative(self.context.file(loc));
        let artifact = if path.starts_with('/') {
            json!({"uri": format!("file://{}", escape(&path))})
        } else {
            json!({"uri": escape(&path), "uriBaseId": "%SRCROOT%"})
        };
        // A region without columns is the whole line.
        let region = match loc.column {
            0 => json!({"startLine": loc.line}),
            column => json!({"startLine": loc.line, "startColumn": column}),
        };
        json!({"artifactLocation": artifact, "region": region})
    }

    fn location(&self, loc: Loc, text: &str) -> Value {
        let message = json!({"text": text});
        if loc.line == 0 {
            return json!({"message": message});
        }
        json!({"physicalLocation": self.physical(loc), "message": message})
    }

    fn result(&self, found: &Counterexample) -> Value {
        let report = found.report();
        let index = ALL.iter().position(|property| property.check == report.check);
        let mut related: Vec<Value> = Vec::new();
        for view in &report.threads {
            related.push(self.location(view.place, &format!("thread {} {}", view.path, view.text)));
        }
        related.extend(report.related.iter().map(|related| self.location(related.loc, &related.text)));
        let text = [report.message.clone()].into_iter().chain(found.story().why.iter().cloned());
        let mut result = json!({
            "ruleId": report.check.id(),
            "ruleIndex": index,
            "level": "error",
            "message": {"text": text.collect::<Vec<_>>().join(" ")},
            "relatedLocations": related,
            "codeFlows": [self.code_flow(found.story())],
            "partialFingerprints": {"braidViolation/v1": self.fingerprint(found)},
        });
        if report.place.line > 0 {
            result["locations"] = json!([{"physicalLocation": self.physical(report.place)}]);
        }
        result
    }

    fn code_flow(&self, story: &Story) -> Value {
        let shown = |step: &&Step| (self.full || step.essential) && step.place.line > 0;
        let flow = |(number, thread): (usize, &braid_verdict::story::StoryThread)| {
            let own = story.steps.iter().filter(shown).filter(|step| step.thread == number);
            let locations: Vec<Value> = own.map(|step| self.flow_location(story, step)).collect();
            (!locations.is_empty()).then(|| json!({"id": thread.path, "locations": locations}))
        };
        let flows: Vec<Value> = story.threads.iter().enumerate().filter_map(flow).collect();
        json!({"threadFlows": flows})
    }

    fn flow_location(&self, story: &Story, step: &Step) -> Value {
        let phrases = words::phrases(story, step);
        let text =
            if phrases.is_empty() { self.context.line(step.place).to_string() } else { phrases.join(", ") };
        let importance = match (step.violates(), step.essential) {
            (true, _) => "essential",
            (false, true) => "important",
            (false, false) => "unimportant",
        };
        json!({
            "location": self.location(step.place, &text),
            "executionOrder": step.number,
            "nestingLevel": step.stack.len().saturating_sub(1),
            "importance": importance,
        })
    }

    fn notification(&self, reason: &Reason) -> Value {
        let mut value = json!({
            "level": "warning",
            "message": {"text": reason.text(self.context.program)},
            "descriptor": {"id": reason.kind()},
        });
        if let Some(place) = reason.place() {
            value["locations"] = json!([{"physicalLocation": self.physical(place)}]);
        }
        value
    }

    /// Tells violations apart, wherever their lines move to.
    fn fingerprint(&self, found: &Counterexample) -> String {
        let report = found.report();
        let mut parts =
            vec![report.check.id().to_string(), self.task.relative(self.context.file(report.place))];
        let mut places: Vec<Loc> = report.threads.iter().map(|view| view.place).collect();
        if places.is_empty() {
            places.push(report.place);
        }
        parts.extend(places.iter().map(|place| self.context.line(*place).to_string()));
        let function = report.stack.iter().find(|entry| !entry.internal);
        parts.extend(function.map(|entry| entry.function.to_string()));
        hash(parts.join("\n").as_bytes())[..32].to_string()
    }
}

/// A path as a URI reference.
fn escape(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'+' | b'@' => {
                out.push(char::from(byte));
            }
            other => out += &format!("%{other:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn uris() {
        assert_eq!(super::escape("a b/ä.c"), "a%20b/%C3%A4.c");
    }
}
