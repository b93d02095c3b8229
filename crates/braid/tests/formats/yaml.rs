//! YAML witnesses 2.2: read as indented lines, then looked at as the format's description demands. With PyYAML
//! installed the text is read by it as well.

use std::process::{Command, Stdio};

/// The value of the first `key: value` below an indentation.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let find = |line: &'t str| {
        let line = line.trim_start().trim_start_matches("- ");
        line.strip_prefix(key)?.strip_prefix(": ")
    };
    text.lines().find_map(find)
}

fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

fn metadata(text: &str) {
    assert_eq!(value(text, "format_version"), Some("\"2.2\""));
    let uuid = unquoted(value(text, "uuid").expect("a uuid"));
    assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    assert_eq!(value(text, "creation_time"), Some("\"1970-01-01T00:00:00Z\""));
    assert_eq!(value(text, "name"), Some("\"Braid\""));
    assert!(value(text, "specification").is_some_and(|text| text.starts_with("\"CHECK( init(main()), LTL(")));
    assert_eq!(value(text, "data_model"), Some("LP64"));
    assert_eq!(value(text, "language"), Some("C"));
    assert!(text.contains("\n      input_files:\n") && text.contains("\n      input_file_hashes:\n"));
    loads(text, "assert isinstance(it, list) and len(it) == 1");
}

/// A workflow of GitHub Actions: what triggers it, and jobs with steps.
pub fn workflow(text: &str) {
    // The key `on` is a truth value for PyYAML.
    loads(
        text,
        "assert set(it) >= {'name', True, 'permissions', 'jobs'}; \
         steps = [step for job in it['jobs'].values() for step in job['steps']]; \
         assert len(steps) == 5 and all(('run' in step) != ('uses' in step) for step in steps); \
         assert it['permissions']['security-events'] == 'write'",
    );
}

/// PyYAML reads it, if it is there, and what it read is as `claims` say about `it`.
fn loads(text: &str, claims: &str) {
    let script = format!("import sys,yaml; it = yaml.safe_load(sys.stdin); {claims}");
    let known = Command::new("python3").args(["-c", "import yaml"]).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: PyYAML is not installed");
        return;
    }
    let mut child =
        Command::new("python3").args(["-c", &script]).stdin(Stdio::piped()).spawn().expect("python3");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes()).expect("it reads");
    assert!(child.wait().expect("it ends").success(), "{text}");
}

pub fn violation(text: &str, fixture: &str, race: bool) {
    assert!(text.starts_with("- entry_type: violation_sequence\n"));
    metadata(text);
    let content = text.split_once("\n  content:\n").expect("content").1;
    let segments: Vec<&str> = content.split("    - segment:\n").skip(1).collect();
    let mut threads = 1;
    for (index, segment) in segments.iter().enumerate() {
        let waypoints: Vec<&str> = segment.split("        - waypoint:\n").skip(1).collect();
        let last = index + 1 == segments.len();
        assert_eq!(waypoints.len(), if last && race { 2 } else { 1 }, "{segment}");
        for waypoint in waypoints {
            let kind = value(waypoint, "type").expect("a type");
            assert_eq!(kind == "target", last, "the target is in the last segment");
            assert_eq!(value(waypoint, "action"), Some("follow"));
            let thread: usize = value(waypoint, "thread_id").expect("a thread").parse().expect("a number");
            assert!(thread < threads, "thread {thread} acts before it is started");
            assert_eq!(value(waypoint, "file_name").map(unquoted), Some(fixture));
            for key in ["line", "column"] {
                assert!(
                    value(waypoint, key).is_some_and(|number| number.parse::<u32>().is_ok_and(|n| n > 0))
                );
            }
            let constrained = value(waypoint, "value").is_some();
            match kind {
                "assumption" | "function_return" => assert!(constrained, "{waypoint}"),
                "function_enter" => threads += 1,
                "target" => assert!(!constrained, "{waypoint}"),
                other => panic!("waypoint of type {other}"),
            }
        }
    }
}

pub fn correctness(text: &str) {
    assert!(text.starts_with("- entry_type: invariant_set\n"));
    metadata(text);
    assert!(text.ends_with("\n  content: []\n"));
}
