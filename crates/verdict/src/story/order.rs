//! The order in which a story is told.
//!
//! The interpreter runs a thread up to its next visible step at once, so what nobody else can notice is executed
//! early. As in schedule files, such instructions are told just before their thread's next visible one: a thread
//! then shows up only when it does something that matters to others. The rest of a source line is told with its
//! visible part. Nothing is told of what a thread did after
//! its last visible step, unless the violation is there.

use braid_base::HashMap;
use braid_interp::watch::{Activation, Event};

/// Events in the order of the story, and activations whose causes are the events of this list.
pub(super) struct Told<'a> {
    pub events: Vec<&'a Event>,
    /// By event: its place in the execution.
    pub places: Vec<usize>,
    pub frames: Vec<Activation>,
    /// From here on the events are those that nobody noticed of the threads at which the violation stands.
    pub tail: usize,
}

/// Puts the events in order; the threads in `last` are told to their ends.
pub(super) fn order<'a>(events: &'a [Event], frames: &[Activation], last: &[u32]) -> Told<'a> {
    let mut waiting: HashMap<u32, Vec<usize>> = HashMap::default();
    let mut order: Vec<usize> = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        let own = waiting.entry(event.thread).or_default();
        own.push(index);
        let goes_on = own.len() == 1 && order.last().is_some_and(|last| same_line(&events[*last], event));
        if event.visible || goes_on {
            order.append(own);
        }
    }
    let tail = order.len();
    for thread in last {
        order.extend(waiting.remove(thread).into_iter().flatten());
    }
    let mut place: Vec<Option<u32>> = vec![None; events.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old] = Some(new as u32);
    }
    let moved = |frame: &Activation| {
        let cause = frame.cause.and_then(|cause| place.get(cause as usize).copied().flatten());
        Activation { cause, ..*frame }
    };
    Told {
        events: order.iter().map(|index| &events[*index]).collect(),
        places: order,
        frames: frames.iter().map(moved).collect(),
        tail,
    }
}

/// Whether both belong to one line of one thread's function.
fn same_line(one: &Event, other: &Event) -> bool {
    let line = |event: &Event| (event.thread, event.user_frame, event.site.file, event.site.line);
    line(one) == line(other)
}
