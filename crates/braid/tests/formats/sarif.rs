//! SARIF 2.1.0: what the standard (OASIS, sections 3.13 to 3.58) demands of the parts that are used.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Panics at the first thing that is wrong.
pub fn check(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    for run in list(log, "runs") {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = list(driver, "rules");
        for rule in rules {
            assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string(), "{rule}");
        }
        for invocation in list(run, "invocations") {
            assert!(invocation["executionSuccessful"].is_boolean());
            for notification in list(invocation, "toolExecutionNotifications") {
                assert!(notification["message"]["text"].is_string(), "{notification}");
                list(notification, "locations").iter().for_each(location);
            }
        }
        assert!(run["results"].is_array(), "a run that was done has results, if only an empty list");
        list(run, "results").iter().for_each(|found| result(found, rules));
    }
}

fn result(result: &Value, rules: &[Value]) {
    assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    list(result, "locations").iter().chain(list(result, "relatedLocations")).for_each(location);
    assert!(
        result["partialFingerprints"].as_object().is_some_and(|prints| prints.values().all(Value::is_string))
    );
    for flow in list(result, "codeFlows") {
        let threads = list(flow, "threadFlows");
        assert!(!threads.is_empty(), "a code flow has at least one thread flow");
        for thread in threads {
            assert!(!list(thread, "locations").is_empty(), "a thread flow has at least one location");
            let order: Vec<u64> = list(thread, "locations").iter().map(flow_location).collect();
            assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
        }
    }
}

fn flow_location(value: &Value) -> u64 {
    location(&value["location"]);
    assert!(value["nestingLevel"].is_u64());
    assert!(["essential", "important", "unimportant"].contains(&value["importance"].as_str().unwrap_or("")));
    value["executionOrder"].as_u64().expect("an order")
}

fn location(value: &Value) {
    let Some(physical) = value.get("physicalLocation") else {
        assert!(value["message"]["text"].is_string(), "{value}");
        return;
    };
    let uri = physical["artifactLocation"]["uri"].as_str().expect("a file");
    let absolute = uri.starts_with("file:///");
    assert_eq!(absolute, physical["artifactLocation"].get("uriBaseId").is_none(), "{physical}");
    assert!(!uri.contains([' ', '\\']) && !uri.starts_with("./"), "{uri}");
    let position = |name: &str| physical["region"][name].as_u64().is_some_and(|number| number >= 1);
    assert!(position("startLine") && position("startColumn"), "{physical}");
}

/// Where Debian and others put the schema, and one that the user may name.
const PLACES: [&str; 2] =
    ["/usr/share/sarif/sarif-schema-2.1.0.json", "/usr/local/share/sarif-schema-2.1.0.json"];

/// The published schema, if it is installed together with a validator; else says that it was not used.
pub fn against_published_schema(directory: &Path) {
    let named = std::env::var("SARIF_SCHEMA").ok();
    let schema = named.into_iter().chain(PLACES.map(str::to_string)).find(|path| Path::new(path).exists());
    let Some(schema) = schema else {
        eprintln!("SKIPPED: no published SARIF schema is installed (set SARIF_SCHEMA to its path)");
        return;
    };
    let script = "import json,sys,jsonschema; jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))";
    let log = directory.join("a.sarif");
    let mut command = Command::new("python3");
    match command.args(["-c", script, &schema]).arg(&log).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => eprintln!("SKIPPED: the published SARIF schema needs python3: {error}"),
    }
}
