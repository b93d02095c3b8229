//! Schedules of violations as files, and the command that replays one.

use crate::args::{InputArgs, RaceArgs, RaceModelArg};
use crate::files;
use crate::front::Loaded;
use braid_props::CheckSet;
use braid_verdict::schedule::SequentialEntry;
use braid_verdict::{Counterexample, ScheduleFile};
use std::path::{Path, PathBuf};

/// A schedule file that was written.
pub struct Written {
    pub path: PathBuf,
    /// The command line that replays it.
    pub replay: String,
    /// The command line that makes the sequential program for which the file has choices.
    pub native: Option<String>,
}

/// What a replay must be told besides the schedule.
pub struct Replay<'a> {
    pub input: &'a InputArgs,
    pub checks: CheckSet,
    pub race: &'a RaceArgs,
    /// Arguments of the program.
    pub args: &'a [String],
    /// Tells the choices of a sequential program for a violation.
    pub sequential: &'a dyn Fn(&Counterexample) -> Option<SequentialEntry>,
}

/// Writes the schedules that were asked for: of the first violation to a file, or of all to a directory.
pub fn write(
    path: Option<&Path>,
    loaded: &Loaded,
    counterexamples: &[Counterexample],
    replay: &Replay<'_>,
) -> Result<Vec<Written>, u8> {
    let Some(path) = path.filter(|_| !counterexamples.is_empty()) else { return Ok(Vec::new()) };
    if !files::is_directory_name(path) {
        return Ok(vec![write_one(loaded, &counterexamples[0], path.to_path_buf(), replay)?]);
    }
    std::fs::create_dir_all(path).map_err(|error| files::cannot_write(path, &error))?;
    let mut written = Vec::new();
    for (index, counterexample) in counterexamples.iter().enumerate() {
        let name = format!("{:03}-{}.json", index + 1, counterexample.report().check);
        written.push(write_one(loaded, counterexample, path.join(name), replay)?);
    }
    Ok(written)
}

fn write_one(
    loaded: &Loaded,
    counterexample: &Counterexample,
    path: PathBuf,
    replay: &Replay<'_>,
) -> Result<Written, u8> {
    let mut file = ScheduleFile::of_trace(&loaded.program, counterexample.trace());
    file.sequential = (replay.sequential)(counterexample);
    files::write(&path, &file.to_json())?;
    let native = file.sequential.as_ref().map(|sequential| translation(replay, sequential));
    let replay = command(replay, &path);
    Ok(Written { path, replay, native })
}

/// The command that makes the sequential program.
fn translation(replay: &Replay<'_>, sequential: &SequentialEntry) -> String {
    let SequentialEntry { unwind, rounds, property, .. } = sequential;
    let mut words: Vec<String> = replay.input.files.iter().map(|file| file.display().to_string()).collect();
    words.extend(replay.input.flags());
    let bounds = ["--backend", "native", "--unwind", &unwind.to_string(), "--rounds", &rounds.to_string()];
    words.extend(bounds.into_iter().chain(["--property", property]).map(str::to_string));
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    format!("braid seq {}", quoted.join(" "))
}

fn command(replay: &Replay<'_>, file: &Path) -> String {
    let Replay { input, checks, race, args, .. } = replay;
    let mut words = vec!["braid".to_string(), "run".to_string()];
    words.extend(input.files.iter().map(|file| file.display().to_string()));
    words.extend(input.flags());
    if *checks != CheckSet::default() {
        words.extend(["--property".to_string(), checks.list()]);
    }
    if race.race_model == RaceModelArg::Circ {
        words.extend(["--race-model", "circ"].map(str::to_string));
    }
    words.extend(race.race_on.iter().flat_map(|variable| ["--race-on".to_string(), variable.clone()]));
    words.extend(["--schedule".to_string(), file.display().to_string()]);
    if !args.is_empty() {
        words.push("--".to_string());
        words.extend(args.iter().cloned());
    }
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

/// As a shell wants it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quote("a/b-1.c"), "a/b-1.c");
        assert_eq!(quote("my file.c"), "'my file.c'");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote(""), "''");
    }

    #[test]
    fn a_replay_has_the_flags_that_make_the_program() {
        let input = InputArgs {
            files: vec!["a.c".into()],
            defines: vec!["N=1".into()],
            bits32: true,
            error_call: vec!["f".into()],
            ..InputArgs::default()
        };
        let race = RaceArgs { race_model: RaceModelArg::Circ, race_on: Some("x".into()) };
        let checks = CheckSet::parse("shift").unwrap();
        let replay =
            Replay { input: &input, checks, race: &race, args: &["1".to_string()], sequential: &|_| None };
        assert_eq!(
            command(&replay, Path::new("s.json")),
            "braid run a.c -D N=1 --32 --error-call f --property shift --race-model circ --race-on x --schedule s.json -- 1"
        );
    }
}
