//! The HTML page in a real browser: it loads, steps by keyboard, and its last step shows the violation. Without
//! Chromium the test says that it was skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Fixture and property.
const PAGES: [(&str, &str); 3] = [
    ("tests/c/locks/lock_cycle_of_three.c", "deadlock"),
    ("tests/c/cond/cond_if.c", "assertion"),
    ("examples/lost_update.c", "data-race"),
];

/// Plays a person with a keyboard: from the last step to the first, forward to the end, then all steps. What it sees
/// goes where the dump of the page shows it.
const PERSON: &str = r##"<script>
window.addEventListener("load", () => {
  const log = [];
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const see = (what) => log.push(`${what} ${document.body.dataset.step} ${document.body.dataset.violated} ` +
    `${document.querySelectorAll(".lane.current").length} ${document.querySelectorAll("#source .here").length}`);
  see("loaded");
  press("Home");
  see("home");
  let rounds = 0;
  while (!document.getElementById("forward").disabled && rounds++ < 1000) press("ArrowRight");
  see("end");
  log.push("shown " + document.querySelector(".lane.current .bad").textContent);
  log.push("lanes " + document.querySelectorAll(".lane").length);
  press("ArrowLeft");
  press("a");
  log.push("all " + document.querySelectorAll(".lane").length);
  press("End");
  see("end");
  log.push("message " + document.getElementById("message").textContent);
  log.push("locks " + [...document.querySelectorAll("#locks tr")].map((row) => row.textContent).join(";"));
  const report = document.createElement("pre");
  report.id = "report";
  report.textContent = log.join("\n");
  document.body.append(report);
});
</script></body>"##;

fn browser() -> Option<&'static str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    NAMES.iter().find(runs).copied()
}

fn page(directory: &Path, fixture: &str, property: &str) -> PathBuf {
    let path = directory.join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["check", fixture, "--property", property, "--html"]).arg(&path);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let output = command.output().expect("braid runs");
    assert_eq!(output.status.code(), Some(10), "{}", String::from_utf8_lossy(&output.stderr));
    path
}

/// What the person saw, line by line.
fn play(browser: &str, directory: &Path, page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("the page");
    std::fs::write(page, text.replace("</body>", PERSON)).expect("the page");
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=5000",
        "--dump-dom",
    ]);
    command.arg(format!("--user-data-dir={}", directory.join("profile").display()));
    let output =
        command.arg(format!("file://{}", page.display())).stderr(Stdio::null()).output().expect("a browser");
    let dump = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = dump.split_once("<pre id=\"report\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (report, _) = report.unwrap_or_else(|| panic!("the page did not come to its end: {dump}"));
    report.lines().map(|line| line.replace("&gt;", ">").replace("&amp;", "&")).collect()
}

#[test]
fn a_person_can_step_to_the_violation() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no Chromium is installed");
        return;
    };
    let directory = std::env::temp_dir().join(format!("braid-browser-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    for (fixture, property) in PAGES {
        let page = page(&directory, fixture, property);
        let seen = play(browser, &directory, &page);
        let fields = |line: &str| -> Vec<String> { line.split(' ').map(str::to_string).collect() };
        let [loaded, home, end] = [&seen[0], &seen[1], &seen[2]].map(|line| fields(line));
        assert_eq!(loaded[1..], end[1..], "{fixture}: a page begins where the violation is");
        assert_eq!(end[2..], ["true", "1", "1"], "{fixture}: the last step shows it: {seen:?}");
        assert_eq!(home[3..], ["1", "1"], "{fixture}: {seen:?}");
        assert_ne!(home[1], end[1], "{fixture}");
        assert!(seen[3].starts_with("shown ✗ "), "{fixture}: {seen:?}");
        let count = |line: &str| line.rsplit(' ').next().and_then(|count| count.parse::<usize>().ok());
        assert!(count(&seen[4]) <= count(&seen[5]) && count(&seen[4]) > Some(1), "{fixture}: {seen:?}");
        assert_eq!(fields(&seen[6])[1..], end[1..], "{fixture}: all steps end in the same one");
        assert!(seen[7].ends_with(&format!("[{property}]")), "{fixture}: {seen:?}");
        if property == "deadlock" {
            assert_eq!(seen[8], "locks fork[2]main;fork[0]main/1;fork[1]main/2", "{fixture}");
        }
    }
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// Without any browser: nothing is loaded from elsewhere, and no text ends the script early.
#[test]
fn the_page_is_one_file() {
    let directory = std::env::temp_dir().join(format!("braid-page-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let text = std::fs::read_to_string(page(&directory, PAGES[0].0, PAGES[0].1)).expect("the page");
    for word in ["http:", "https:", " src=", "<link", "@import", "{{"] {
        assert!(!text.contains(word), "{word}");
    }
    assert_eq!(text.matches("</script>").count(), 2);
    std::fs::remove_dir_all(directory).expect("our own directory");
}
