//! The guide and the README: every command in them is run, and what they show of its output is there.
//!
//! A block of `sh` has one command a line, its exit code behind `#`. A block of `text` after it has lines of what the
//! last command printed, in order; `...` stands for any lines in between, `…` for any text within a line. A block of `toml` is the configuration that the
//! last command was given.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands of the README that would take the test itself, or the system.
const NOT_RUN: [&str; 2] = ["cargo test --workspace", "cargo install --path crates/braid"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A directory with copies of what the documents speak of, for what their commands write.
fn workplace(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("braid-documents-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    for directory in ["examples", "docs/examples"] {
        copy(&root().join(directory), &place.join(directory));
    }
    place
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let goal = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &goal);
        } else {
            std::fs::copy(&path, goal).expect("a copy");
        }
    }
}

/// Runs a line; its output and how it should have ended.
fn run(place: &Path, line: &str) -> String {
    let (command, note) = line.split_once('#').unwrap_or((line, " exit 10"));
    let expected: i32 =
        note.trim().strip_prefix("exit ").and_then(|code| code.parse().ok()).expect("an exit code");
    let words: Vec<&str> = command.split_whitespace().collect();
    let args = match words.as_slice() {
        ["braid", args @ ..] | ["cargo", "run", "--release", "--", args @ ..] => args,
        _ => panic!("'{line}' is no command of Braid's"),
    };
    let mut braid = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = braid.args(args).current_dir(place).env("COLUMNS", "100").output().expect("braid runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(expected), "{line}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns true if the line is the one that is shown, where `…` stands for any text.
fn fits(line: &str, shown: &str) -> bool {
    if line == shown {
        return true;
    }
    match shown.split_once('…') {
        Some((head, tail)) => {
            line.len() >= head.len() + tail.len() && line.starts_with(head) && line.ends_with(tail)
        }
        None => false,
    }
}

/// Whether the lines are there, in order and each piece in one go.
fn shows(output: &str, expected: &[&str]) -> bool {
    let lines: Vec<&str> = output.lines().collect();
    let mut from = 0;
    expected.split(|line| *line == "...").filter(|piece| !piece.is_empty()).all(|piece| {
        let rest = &lines[from.min(lines.len())..];
        let same = |window: &[&str]| window.iter().zip(piece).all(|(line, shown)| fits(line, shown));
        let found = rest.windows(piece.len()).position(same);
        from += found.unwrap_or(0) + piece.len();
        found.is_some()
    })
}

/// Runs a document; how many commands it has.
fn follow(name: &str) -> usize {
    let place = workplace(&name.replace('/', "-"));
    let text = std::fs::read_to_string(root().join(name)).expect("a document");
    let (mut output, mut count, mut config) = (String::new(), 0, PathBuf::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "sh" => {
                for line in block.iter().filter(|line| !NOT_RUN.contains(line)) {
                    output = run(&place, line);
                    count += 1;
                    let mut words = line.split_whitespace().skip_while(|word| *word != "--config").skip(1);
                    config = place.join(words.next().unwrap_or_default());
                }
            }
            // Synopses are checked against the parser elsewhere.
            "text" if block.iter().any(|line| line.starts_with("braid ")) => {}
            "text" => {
                assert!(shows(&output, &block), "{name}: not shown:\n{}\nbut:\n{output}", block.join("\n"))
            }
            "toml" => {
                let file = std::fs::read_to_string(&config).expect("the last command has a --config");
                assert_eq!(file.lines().collect::<Vec<_>>(), block, "{name}: {}", config.display());
            }
            other => panic!("{name}: a block of '{other}'"),
        }
    }
    std::fs::remove_dir_all(place).expect("our own directory");
    count
}

#[test]
fn the_guide_is_true() {
    assert!(follow("docs/guide.md") >= 40);
}

#[test]
fn the_readme_is_true() {
    assert_eq!(follow("README.md"), 1);
}

/// The version of Rust that the README asks for is the one that Cargo enforces, for every crate.
#[test]
fn the_readme_names_the_version_of_rust() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("a file");
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.expect("the workspace has a rust-version");
    let asked = format!("You need Rust ({version} or newer)");
    assert!(read("README.md").contains(&asked), "the README does not say: {asked}");
    for entry in std::fs::read_dir(root().join("crates")).expect("a directory") {
        let name = entry.expect("an entry").path().join("Cargo.toml");
        let text = std::fs::read_to_string(&name).expect("a manifest");
        assert!(
            text.contains("rust-version.workspace = true"),
            "{} has a version of its own",
            name.display()
        );
    }
}

#[test]
fn pieces_come_in_order() {
    let output = "a\nb\nc\nd\n";
    assert!(shows(output, &["a", "...", "c", "d"]));
    assert!(!shows(output, &["a", "c"]));
    assert!(!shows(output, &["c", "...", "a"]));
    assert!(!shows(output, &["e"]));
    assert!(shows("checked: a, b; c\n", &["checked: …; c"]));
    assert!(shows("checked: a\n", &["checked: …"]));
    assert!(!shows("checked: a, b; d\n", &["checked: …; c"]));
    assert!(!shows("ab\n", &["ab…ab"]));
}
