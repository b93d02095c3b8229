//! `braid init-ci`: a workflow for GitHub Actions that checks a project and uploads what was found.

use super::manual;

const WORKFLOW: &str = include_str!("init_ci.yml");

pub fn run() -> u8 {
    manual::print(WORKFLOW.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_commands_are_commands() {
        let steps = WORKFLOW.lines().filter_map(|line| line.trim().strip_prefix("run: braid "));
        let commands: Vec<Vec<&str>> = steps.map(|words| words.split_whitespace().collect()).collect();
        assert_eq!(commands.len(), 1);
        for command in &commands {
            crate::args::command()
                .try_get_matches_from(std::iter::once(&"braid").chain(command))
                .unwrap_or_else(|error| panic!("{error}"));
        }
        // Flags that are only spoken of exist, too.
        for flag in ["--bounded-ok", "--entry=a.c"] {
            let all = std::iter::once("braid").chain(commands[0].iter().copied()).chain([flag]);
            assert!(crate::args::command().try_get_matches_from(all).is_ok(), "{flag}");
        }
        assert!(WORKFLOW.contains("--bounded-ok") && WORKFLOW.contains("--entry FILE"));
    }

    #[test]
    fn what_is_written_is_uploaded() {
        let file = |before: &str| {
            let (_, rest) = WORKFLOW.split_once(before).expect(before);
            rest.split_whitespace().next().expect("a name").to_string()
        };
        assert_eq!(file("--sarif "), file("sarif_file: "));
    }
}
