//! Sentences that explain a violation: what orders nothing in a race, who waits for whom in a deadlock, who
//! allocated and who freed a block.

use super::build::Material;
use super::names::Names;
use braid_interp::object::{Identity, Kind, place_text};
use braid_interp::watch::{Effect, Event};
use braid_interp::{Report, ThreadView};
use braid_props::Check;

pub(super) fn explain(
    material: &Material<'_>,
    events: &[&Event],
    last: &[Event],
    names: &Names<'_>,
) -> Vec<String> {
    let report = material.report;
    match report.check {
        Check::DataRace => race(report, last),
        Check::Deadlock => deadlock(report, last, names),
        check if check.is_memory_error() => {
            let target = last.first().and_then(|event| event.target.as_deref());
            target.map_or(Vec::new(), |object| history(material, events, object, names))
        }
        // The message says all there is to say.
        _ => Vec::new(),
    }
}

fn race(report: &Report, last: &[Event]) -> Vec<String> {
    let [one, other] = report.threads.as_slice() else { return Vec::new() };
    let mut why = Vec::new();
    let common = one.holds.iter().any(|lock| other.holds.contains(lock));
    why.push(match (one.holds.is_empty(), other.holds.is_empty()) {
        (true, true) => format!("Neither {} nor {} holds a lock.", one.path, other.path),
        _ if common => "They hold the same lock, one of them shared with others.".to_string(),
        _ => format!("{}; {}: no lock is held by both.", holding(one), holding(other)),
    });
    let atomic = |event: &Event| {
        matches!(*event.effect, Effect::Read { atomic: true, .. } | Effect::Write { atomic: true, .. })
    };
    if last.iter().any(atomic) {
        why.push("Only one of the two accesses is atomic.".to_string());
    }
    why.push(
        "Both accesses can come next: no lock, join or other wait puts one before the other.".to_string(),
    );
    why
}

fn holding(view: &ThreadView) -> String {
    match view.holds.as_slice() {
        [] => format!("{} holds no lock", view.path),
        locks => format!("{} holds {}", view.path, locks.join(", ")),
    }
}

/// Who waits for whom, if they go round: main/1 waits for a, held by main/2, who waits for b, held by main/1.
fn deadlock(report: &Report, last: &[Event], names: &Names<'_>) -> Vec<String> {
    if report.threads.len() < 2 || !report.message.starts_with("cycle of waits") {
        return Vec::new();
    }
    let part = |view: &ThreadView| {
        let event = last.iter().find(|event| event.thread == view.number);
        let lock = match event.map(|event| &*event.effect) {
            Some(Effect::Lock(at)) => names.lock(at),
            Some(_) | None => "end".to_string(),
        };
        format!("{} ─{lock}→ ", view.path)
    };
    let way: String = report.threads.iter().map(part).collect();
    vec![format!("They wait in a circle: {way}{}.", report.threads[0].path)]
}

/// Who made the block and who ended it.
fn history(material: &Material<'_>, events: &[&Event], object: &Identity, names: &Names<'_>) -> Vec<String> {
    if object.kind != Kind::Heap {
        return Vec::new();
    }
    let mut why = Vec::new();
    for event in events {
        let word = match &*event.effect {
            Effect::Alloc(made) if made.base == object.base => "allocated",
            Effect::Free(freed) if freed.base == object.base => "freed",
            _ => continue,
        };
        let who = material.threads.get(event.thread as usize).map_or(String::new(), |path| path.to_string());
        let place = place_text(material.program, event.site);
        why.push(format!("{} ({} bytes) was {word} by {who} at {place}.", names.block(object), object.size));
    }
    why
}
