//! What has a part in a violation: a dynamic backward slice.
//!
//! From the instructions the violation stands at, backwards: an instruction is kept if it set a register or a byte
//! that a kept one used, or if it is the branch, call or start of a thread that decided that a kept one happens
//! (Agrawal and Horgan, "Dynamic program slicing", PLDI 1990). That alone loses the point of many bugs of
//! concurrency, so these are kept too: writes to shared bytes that a kept instruction read, even if overwritten
//! before or too late (a lost update is about the write that was lost); uses of the same synchronisation object; the ends of loops that wait; and, for people, what is
//! done to locks that were held at kept accesses, and joins of threads that take part.

use super::control::{Control, control};
use super::ranges::Ranges;
use braid_base::HashSet;
use braid_interp::watch::{Activation, Area, Effect, Event, Link, Shown};
use braid_ir::{Program, Space};

struct Slice<'a> {
    events: &'a [&'a Event],
    control: Control,
    kept: Vec<bool>,
    /// Decided to be kept, by a later event.
    due: Vec<bool>,
    regs: HashSet<(u32, u32)>,
    bytes: [Ranges; 2],
    ends: HashSet<u32>,
    /// Shared bytes that kept instructions read.
    relevant: Ranges,
    /// State of synchronisation objects that kept instructions read.
    synchronises: Ranges,
    /// Threads with something kept.
    involved: HashSet<u32>,
}

/// For each of the events whether it has a part in what the `last` ones are about to do, which are not in
/// the list, or in the loss of a block of `lost`.
pub(super) fn slice(
    program: &Program,
    frames: &[Activation],
    events: &[&Event],
    last: &[Event],
    lost: &[u64],
) -> Vec<bool> {
    let all: Vec<&Event> = events.iter().copied().chain(last).collect();
    let control = control(program, frames, &all);
    let mut slice = Slice {
        events: &all,
        control,
        kept: vec![false; all.len()],
        due: vec![false; all.len()],
        regs: HashSet::default(),
        bytes: [Ranges::default(), Ranges::default()],
        ends: HashSet::default(),
        relevant: Ranges::default(),
        synchronises: Ranges::default(),
        involved: HashSet::default(),
    };
    slice.due[events.len()..].iter_mut().for_each(|due| *due = true);
    for (due, event) in slice.due.iter_mut().zip(events) {
        *due = lost.iter().any(|block| is_about(event, *block));
    }
    // The second time all that kept instructions read is known, so what was written after they read it is kept
    // too: that they have not seen it may be the point.
    slice.go_back();
    slice.go_back();
    slice.add_locks();
    slice.add_joins();
    let mut kept = slice.kept;
    kept.truncate(events.len());
    kept
}

fn index(space: Space) -> usize {
    match space {
        Space::Memory => 0,
        Space::Shadow => 1,
    }
}

impl Slice<'_> {
    fn go_back(&mut self) {
        for at in (0..self.events.len()).rev() {
            let event = self.events[at];
            let waits = self.control.leaves_wait[at] || *event.effect == Effect::Wait;
            let waits = waits && self.involved.contains(&event.thread);
            let misuse = matches!(&*event.effect, Effect::Misuse { .. });
            if self.due[at] || waits || misuse || self.sets_wanted(event) || self.conflicts(event) {
                self.keep(at);
            }
        }
    }

    fn sets_wanted(&self, event: &Event) -> bool {
        event.sets.iter().any(|link| match *link {
            Link::Reg { frame, reg } => self.regs.contains(&(frame, reg)),
            Link::Bytes { space, start, len } => self.bytes[index(space)].touches(start, len),
            Link::End(thread) => self.ends.contains(&thread),
        })
    }

    /// A write to shared bytes that matter, although somebody wrote them again before they were read; or any use of
    /// a synchronisation object that matters.
    fn conflicts(&self, event: &Event) -> bool {
        let synchronises = |link: &Link| match *link {
            Link::Bytes { space: Space::Shadow, start, len } => self.synchronises.touches(start, len),
            Link::Bytes { space: Space::Memory, .. } | Link::Reg { .. } | Link::End(_) => false,
        };
        match &*event.effect {
            Effect::Write { at, .. } => {
                at.shared && self.relevant.touches(at.object.base + at.offset, at.len)
            }
            // The making and the end of an object are no use of it.
            Effect::Alloc(_) | Effect::Free(_) | Effect::Nothing => false,
            _ => event.uses.iter().chain(&event.sets).any(synchronises),
        }
    }

    fn keep(&mut self, at: usize) {
        let event = self.events[at];
        self.kept[at] = true;
        self.involved.insert(event.thread);
        for link in &event.sets {
            match *link {
                Link::Reg { frame, reg } => {
                    self.regs.remove(&(frame, reg));
                }
                // What is copied leaf by leaf has not set everything yet.
                Link::Bytes { space, start, len } if len <= 16 => self.bytes[index(space)].remove(start, len),
                Link::Bytes { .. } => {}
                Link::End(thread) => {
                    self.ends.remove(&thread);
                }
            }
        }
        for link in &event.uses {
            match *link {
                Link::Reg { frame, reg } => {
                    self.regs.insert((frame, reg));
                }
                Link::Bytes { space, start, len } => {
                    self.bytes[index(space)].insert(start, len);
                    if space == Space::Shadow {
                        self.synchronises.insert(start, len);
                    }
                }
                Link::End(thread) => {
                    self.ends.insert(thread);
                }
            }
        }
        if let Effect::Read { at, .. } | Effect::Write { at, .. } = &*event.effect
            && at.shared
        {
            self.relevant.insert(at.object.base + at.offset, at.len);
        }
        if let Some(parent) = self.control.parent[at] {
            self.due[parent as usize] = true;
        }
    }

    /// Keeps what is done to locks that somebody held at a kept access to shared memory.
    fn add_locks(&mut self) {
        let mut held: Vec<(u32, u64)> = Vec::new();
        let mut matters: HashSet<u64> = HashSet::default();
        let count = self.events.len();
        for (at, event) in self.events.iter().enumerate() {
            match &*event.effect {
                // At the end of the list are operations that have not happened.
                Effect::Lock(mutex) if self.kept[at] && self.due[at] => {
                    matters.insert(address(mutex));
                    held.push((event.thread, address(mutex)));
                }
                Effect::Lock(mutex) | Effect::TryLock(mutex, true) => {
                    held.push((event.thread, address(mutex)))
                }
                Effect::Unlock(mutex) => {
                    let found = held.iter().rposition(|lock| *lock == (event.thread, address(mutex)));
                    found.map(|index| held.remove(index));
                }
                Effect::Read { at: area, .. } | Effect::Write { at: area, .. }
                    if self.kept[at] && area.shared =>
                {
                    matters.extend(held.iter().filter(|lock| lock.0 == event.thread).map(|lock| lock.1));
                }
                _ => {}
            }
        }
        for at in 0..count {
            let event = self.events[at];
            if let Effect::Lock(mutex) | Effect::TryLock(mutex, _) | Effect::Unlock(mutex) = &*event.effect
                && matters.contains(&address(mutex))
                && self.involved.contains(&event.thread)
            {
                self.kept[at] = true;
            }
        }
    }

    /// Keeps joins among threads that take part, if anything follows them.
    fn add_joins(&mut self) {
        let mut later: HashSet<u32> = HashSet::default();
        for at in (0..self.events.len()).rev() {
            let event = self.events[at];
            if let Effect::Join { thread } = &*event.effect
                && self.involved.contains(thread)
                && later.contains(&event.thread)
            {
                self.kept[at] = true;
            }
            if self.kept[at] {
                later.insert(event.thread);
            }
        }
    }
}

fn address(mutex: &Area) -> u64 {
    mutex.object.base + mutex.offset
}

/// Whether the event makes the block, or a pointer to it comes or goes.
fn is_about(event: &Event, block: u64) -> bool {
    let points = |value: &Option<Shown>| {
        value.as_ref().and_then(|value| value.target).is_some_and(|(object, _)| object.base == block)
    };
    match &*event.effect {
        Effect::Alloc(object) => object.base == block,
        Effect::Write { old, new, .. } => points(old) || points(new),
        _ => false,
    }
}
