//! Actions of a step in words.

use braid_verdict::schedule::ChoiceName;
use braid_verdict::story::{Action, Step, Story};

/// What a step does that has a part in the story, one phrase each.
pub fn phrases(story: &Story, step: &Step) -> Vec<String> {
    let told = step.actions.iter().filter(|action| tells(step, action));
    told.filter_map(|action| phrase(story, action)).collect()
}

/// Everything a step does, one phrase each.
pub fn all_phrases(story: &Story, step: &Step) -> Vec<String> {
    let mut all: Vec<String> = step.actions.iter().filter_map(|action| phrase(story, action)).collect();
    for action in &step.actions {
        match action {
            Action::Return { value: Some(value) } => all.push(format!("returns {value}")),
            Action::Return { value: None } => all.push("returns".to_string()),
            Action::End => all.push("the thread ends".to_string()),
            _ => {}
        }
    }
    all
}

/// Whether the action says something that the others of its step do not.
fn tells(step: &Step, action: &Action) -> bool {
    let others = || step.actions.iter().filter(|other| *other != action);
    match action {
        // The change says what was there before.
        Action::Read { variable, value } => !others().any(
            |other| matches!(other, Action::Assign { variable: same, old, .. } if same == variable && old == value),
        ),
        // The changes of its parts say more.
        Action::Assign { variable, new: None, .. } => !others().any(
            |other| matches!(other, Action::Assign { variable: part, new: Some(_), .. } if part.starts_with(variable)),
        ),
        // Names that begin like this belong to macros of the compiler and the library.
        Action::Assign { variable, shared: false, .. } => !variable.starts_with("__"),
        // A library function that looks at its lock's own state.
        Action::Lock { mutex } => !is_brief(step, mutex),
        Action::Unlock { mutex } => !is_brief(step, mutex),
        _ => true,
    }
}

/// Whether a step does nothing but take a lock and let it go.
fn is_brief(step: &Step, lock: &str) -> bool {
    let changes =
        step.actions.iter().any(|action| matches!(action, Action::Assign { .. } | Action::Read { .. }));
    let taken = step.actions.iter().position(|a| matches!(a, Action::Lock { mutex } if mutex == lock));
    let left = step.actions.iter().position(|a| matches!(a, Action::Unlock { mutex } if mutex == lock));
    !changes && taken.zip(left).is_some_and(|(taken, left)| taken < left)
}

/// The action in words; `None` for what only a full trace says.
fn phrase(story: &Story, action: &Action) -> Option<String> {
    let thread = |index: &usize| {
        story.threads.get(*index).map_or("a thread".to_string(), |thread| thread.path.clone())
    };
    match action {
        Action::Assign { variable, old: Some(old), new: Some(new), shared } if old != new || *shared => {
            Some(format!("{variable}: {old} → {new}"))
        }
        Action::Assign { variable, new: Some(new), .. } => Some(format!("{variable} = {new}")),
        Action::Assign { variable, new: None, .. } => Some(format!("{variable} changes")),
        Action::Read { variable, value: Some(value) } => Some(format!("reads {variable} = {value}")),
        Action::Read { variable, value: None } => Some(format!("reads {variable}")),
        Action::Lock { mutex } | Action::TryLock { mutex, taken: true } => Some(format!("locks {mutex}")),
        Action::TryLock { mutex, taken: false } => Some(format!("finds {mutex} locked")),
        Action::Refuse { text, error: Some(error) } => Some(format!("fails with {error}: {text}")),
        Action::Refuse { text, error: None } => Some(text.clone()),
        Action::Unlock { mutex } => Some(format!("unlocks {mutex}")),
        Action::Start { thread: index, function, .. } => {
            Some(format!("starts {} ({function})", thread(index)))
        }
        Action::Join { thread: index } => Some(format!("{} has ended", thread(index))),
        Action::Allocate { block, bytes: 1 } => Some(format!("allocates {block} (1 byte)")),
        Action::Allocate { block, bytes } => Some(format!("allocates {block} ({bytes} bytes)")),
        Action::Free { block } => Some(format!("frees {block}")),
        Action::Choose { choice, value, .. } => choice_text(*choice, value),
        Action::Violate { text } => Some(format!("✗ {text}")),
        Action::Call { function, arguments } => {
            let values: Vec<String> =
                arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            Some(format!("calls {function}({})", values.join(", ")))
        }
        Action::Return { .. } | Action::End => None,
    }
}

/// What came of something that the program leaves open; `None` if nothing did.
fn choice_text(choice: ChoiceName, value: &str) -> Option<String> {
    let happens = |text: &str| (value != "0").then(|| text.to_string());
    match choice {
        ChoiceName::Value => Some(format!("any value: {value}")),
        ChoiceName::Uninitialised => Some(format!("uninitialised: {value}")),
        ChoiceName::Clock => Some(format!("the time is {value}")),
        ChoiceName::Input if value == "-1" => Some("end of the input".to_string()),
        ChoiceName::Input => Some(format!("reads input byte {value}")),
        ChoiceName::Timeout => happens("times out"),
        ChoiceName::WeakFail => happens("fails although the values are equal"),
        ChoiceName::AllocFail => happens("the allocation fails"),
        ChoiceName::Spurious => happens("wakes up for no reason"),
        ChoiceName::Base => happens("gets the address of a block that was freed"),
        ChoiceName::CallFail => happens("the call fails"),
        ChoiceName::Random => Some(format!("random number made of {value}")),
        ChoiceName::Wake => None,
    }
}
