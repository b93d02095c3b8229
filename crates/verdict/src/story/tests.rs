//! Stories of small programs, found by exploration.

use super::{Action, Step, Story};
use crate::{Candidate, Counterexample, confirm};
use braid_interp::{ExploreOptions, Image, Options, explore};
use braid_props::{Check, CheckSet};
use std::sync::atomic::AtomicBool;

/// Two threads that run `body`, and what main does afterwards; globals `x`, `noise` and `flag`.
fn program(body: &str, after: &str) -> String {
    format!(
        "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nglobal @noise s0 size 4 align 4\n\
         global @flag s0 size 4 align 4\nentry &main\n\
         fn &t(%0) -> ptr {{\nreg %0 ptr, %1 i32, %2 i1, %3 ptr\n{body}\n}}\n\
         fn &main() {{\nreg %0 i64, %1 i64, %2 ptr, %3 i32, %4 i1, %5 ptr\nb0:\n{after}\nexit 0:i32\nunreachable\n}}\n"
    )
}

/// The first counterexample of a check.
fn found(text: &str, check: Check) -> Counterexample {
    let program = braid_ir::parse::parse(text).expect("a program");
    let checks = [check].into_iter().fold(CheckSet::EMPTY, |mut set, check| {
        set.insert(check);
        set
    });
    let machine = Options { question: braid_ir::Question::about(checks), ..Options::default() };
    let image = Image::new(&program, checks).expect("an image");
    let options = ExploreOptions { machine, ..ExploreOptions::default() };
    let explored = explore(&image, &options, &AtomicBool::new(false), &mut |_| {}).expect("a search");
    let violation = explored.violations.into_iter().find(|found| found.report.check == check);
    let violation = violation.expect("the program is wrong");
    let candidate = Candidate::new(&violation.report, violation.trace);
    confirm(&image, machine, candidate).expect("it replays")
}

/// Lines of the steps, the thread in front; those without a part in the violation in brackets.
fn lines(story: &Story) -> Vec<String> {
    let line = |step: &Step| {
        let text = format!("{}:{}", story.threads[step.thread].path, step.place.line);
        if step.essential { text } else { format!("[{text}]") }
    };
    story.steps.iter().map(line).collect()
}

const COUNT: &str = "b0:\n%1 = load i32 @x @ 0:1:1\n%1 = add i32 %1, 1:i32 @ 0:1:1\nstore i32 @noise, 7:i32 @ 0:2:1\n\
                     store i32 @x, %1 @ 0:3:1\nret null @ 0:4:1";
const TWO: &str = "%0 = spawn &t, null @ 0:11:1\n%1 = spawn &t, null @ 0:12:1\n%2 = join %0 @ 0:13:1\n\
                   %2 = join %1 @ 0:14:1\n";

#[test]
fn a_lost_update_shows_the_write_that_was_lost() {
    let check = "%3 = load i32 @x @ 0:15:1\n%4 = eq i32 %3, 2:i32 @ 0:15:1\nassert assertion, %4 @ 0:15:1";
    let found = found(&program(COUNT, &format!("{TWO}{check}")), Check::Assertion);
    let lines = lines(found.story());
    let count = |line: &str| lines.iter().filter(|other| *other == line).count();
    for line in ["main/1:1", "main/1:3", "main/2:1", "main/2:3", "main:13", "main:14", "main:15"] {
        assert_eq!(count(line), 1, "{line} in {lines:?}");
    }
    assert_eq!(count("[main/1:2]") + count("[main/2:2]"), 2, "{lines:?}");
    let numbers: Vec<usize> = found.story().steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, (1..=lines.len()).collect::<Vec<_>>());
    assert!(found.story().steps.last().is_some_and(Step::violates));
}

#[test]
fn changes_have_old_and_new_values() {
    let check = "%3 = load i32 @x @ 0:15:1\n%4 = eq i32 %3, 2:i32 @ 0:15:1\nassert assertion, %4 @ 0:15:1";
    let found = found(&program(COUNT, &format!("{TWO}{check}")), Check::Assertion);
    let actions = found.story().steps.iter().flat_map(|step| &step.actions);
    let changes: Vec<(&str, &str)> = actions
        .filter_map(|action| match action {
            Action::Assign { variable, old: Some(old), new: Some(new), .. } if variable == "x" => {
                Some((old.as_str(), new.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(changes, [("0", "1"), ("1", "1")]);
}

#[test]
fn a_race_says_why_nothing_orders_it() {
    let found = found(&program(COUNT, TWO), Check::DataRace);
    let why = found.story().why.join(" ");
    assert!(why.starts_with("Neither main/1 nor main/2 holds a lock."), "{why}");
    let violating: Vec<usize> = found.story().violating().map(|step| step.thread).collect();
    assert_eq!(violating.len(), 2, "both accesses");
    assert_ne!(violating[0], violating[1]);
}

/// No branch says that what follows a waiting loop depends on its end.
#[test]
fn the_end_of_a_wait_has_a_part_in_what_follows() {
    let body =
        "b0:\nstore i32 @x, 1:i32 seq_cst @ 0:1:1\nstore i32 @flag, 1:i32 seq_cst @ 0:2:1\nret null @ 0:4:1";
    let after = "%0 = spawn &t, null @ 0:11:1\njump b1 @ 0:12:1\nb1:\n%3 = load i32 @flag seq_cst @ 0:12:1\n\
                 %4 = ne i32 %3, 0:i32 @ 0:12:1\nbr %4, b2, b1 @ 0:12:1\nb2:\n%3 = load i32 @x seq_cst @ 0:13:1\n\
                 %4 = eq i32 %3, 0:i32 @ 0:13:1\nassert assertion, %4 @ 0:13:1";
    let found = found(&program(body, after), Check::Assertion);
    let lines = lines(found.story());
    for line in ["main:11", "main/1:1", "main/1:2", "main:12", "main:13"] {
        assert!(lines.iter().any(|other| other == line), "{line} in {lines:?}");
    }
}

#[test]
fn memory_errors_say_who_made_and_who_freed() {
    let body = "b0:\n%1 = load i32 %0 @ 0:1:1\nret null @ 0:2:1";
    let after = "%5 = alloc heap 4:i64, 16:i64 @ 0:11:1\nstore i32 %5, 1:i32 @ 0:12:1\n%0 = spawn &t, %5 @ 0:13:1\n\
                 free heap %5 @ 0:14:1\n%2 = join %0 @ 0:15:1";
    let found = found(&program(body, after), Check::UseAfterFree);
    assert_eq!(
        found.story().why,
        [
            "block1 (4 bytes) was allocated by main at t.c:11:1.",
            "block1 (4 bytes) was freed by main at t.c:14:1."
        ]
    );
    let lines = lines(found.story());
    assert!(lines.contains(&"main:14".to_string()), "the free has a part in it: {lines:?}");
}

/// What others cannot notice is told with what they can: no switch for it.
#[test]
fn switches_are_those_of_visible_steps() {
    let found = found(&program(COUNT, TWO), Check::DataRace);
    assert_eq!(found.story().switches(), 2, "{:?}", lines(found.story()));
}
