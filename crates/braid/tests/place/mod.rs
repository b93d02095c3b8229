//! A fresh directory with files, and Braid called in it.

use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use expect_test::Expect;
use std::path::{Path, PathBuf};

pub struct Place(Braid);

impl Place {
    /// A directory of that name for this test alone.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // There is nothing to remove the first time.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        let place = Place::at(path);
        files.iter().for_each(|(file, text)| place.write(file, text));
        place
    }

    /// A directory that exists.
    pub fn at(path: PathBuf) -> Place {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_braid"));
        Place(Braid { binary, scratch: path, environment: Vec::new() })
    }

    /// A directory in this one.
    pub fn below(&self, name: &str) -> Place {
        let path = self.0.scratch.join(name);
        std::fs::create_dir_all(&path).expect("a directory");
        Place::at(path)
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.0.scratch.join(file);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub fn call(&self, args: &str) -> Outcome {
        self.0.call(&args.split_whitespace().collect::<Vec<_>>()).expect("a run")
    }

    /// Exit code and last line.
    pub fn answer(&self, args: &str) -> (i32, String) {
        let outcome = self.call(args);
        let last = outcome.stdout_text().lines().last().unwrap_or("").to_string();
        (outcome.code, last)
    }

    /// The command that replays what a check finds.
    pub fn replay(&self, args: &str) -> String {
        let text = self.call(args).stdout_text();
        let found = text.lines().find_map(|line| line.trim().strip_prefix("replay: braid "));
        found.unwrap_or_else(|| panic!("no replay:\n{text}")).to_string()
    }

    /// Everything said, and the exit code.
    #[track_caller]
    pub fn expect(&self, args: &str, expected: &Expect) {
        let outcome = self.call(args);
        let text = format!("{}{}exit {}\n", outcome.stdout_text(), outcome.stderr_text(), outcome.code);
        expected.assert_eq(&text);
    }
}
