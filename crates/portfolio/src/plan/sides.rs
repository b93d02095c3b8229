//! Two workers, each with an engine: the exhaustive search is first in rank, `order` second.
//!
//! The search goes on from where it paused, in the thread that began it: its states are shared within a thread only.
//! `order` works in another one and sends what the watcher is to know.

use super::{End, Images, Progress, Session};
use crate::Request;
use crate::pace::{self, Lane, Moment, Pace};
use crate::record::{Event, PhaseRecord};
use braid_interp::ExploreOptions;
use braid_ir::Program;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::ScopedJoinHandle;

/// What `order` tells the one who may speak to the watcher.
enum Message {
    Begin(String),
    Searching(String, braid_interp::Progress),
    End(PhaseRecord),
    Violation,
}

impl Message {
    fn event(&self) -> Event<'_> {
        match self {
            Message::Begin(name) => Event::Begin(name),
            Message::Searching(name, progress) => Event::Searching(name, progress),
            Message::End(record) => Event::End(record),
            Message::Violation => Event::Violation,
        }
    }
}

impl From<Event<'_>> for Message {
    fn from(event: Event<'_>) -> Message {
        match event {
            Event::Begin(name) => Message::Begin(name.to_string()),
            Event::Searching(name, progress) => Message::Searching(name.to_string(), *progress),
            Event::End(record) => Message::End(record.clone()),
            Event::Violation => Message::Violation,
        }
    }
}

/// What `order` works on.
struct Task<'a> {
    program: &'a Program,
    request: &'a Request,
    options: &'a ExploreOptions,
}

/// What has become of `order`.
struct Worked {
    result: Result<(), End>,
    /// It has an answer that counts.
    wins: bool,
    phases: Vec<(Moment, PhaseRecord)>,
    order: Progress,
}

/// Units take about the same time, give or take a factor of two. The exhaustive search has a head start and runs ahead
/// of `order` by a third: what it decides at all it mostly decides soon.
const PACES: [Pace; 2] = [Pace { head: 8192, per_unit: 6 }, Pace { head: 0, per_unit: 8 }];

fn is_answer(result: &Result<(), End>) -> bool {
    match result {
        Err(End::Answer(_) | End::Found(_) | End::Trouble(_)) => true,
        Ok(()) | Err(End::Stopped(_)) => false,
    }
}

impl Session<'_> {
    /// `order` and an exhaustive search at the same time.
    pub(super) fn side_by_side(&mut self) -> Result<(), End> {
        let deadline = self.request.machine.limits.deadline;
        let lanes = pace::lanes(&PACES, &self.request.interrupt, deadline);
        let (first, second) = (&lanes[0], &lanes[1]);
        let (sender, receiver) = mpsc::channel();
        let task = Task { program: self.program, request: self.request, options: self.options };
        let before = self.phases.len();
        let ((explicit, searched), mut order) = std::thread::scope(|scope| {
            let order = scope.spawn(|| task.order(second, sender));
            let explicit = self.search_beside(first, &receiver);
            for message in receiver {
                (self.watch)(message.event());
            }
            (explicit, joined(order))
        });
        let mut searches = self.phases.split_off(before);
        if searched {
            // How far the other one came beyond this moment depends on the machine.
            order.phases.retain(|(moment, _)| *moment < first.now());
        } else if order.wins && explicit.is_err() {
            for (_, record) in &mut searches {
                record.result = "not needed any more".to_string();
                record.states = None;
            }
        }
        self.phases.append(&mut order.phases);
        self.phases.append(&mut searches);
        self.order = order.order;
        if searched || (!order.wins && explicit.is_err()) { explicit } else { order.result }
    }

    /// Goes on with the exhaustive search in its lane. What `order` tells meanwhile reaches the watcher, too. The
    /// outcome, and whether it is an answer that counts.
    fn search_beside(&mut self, lane: &Arc<Lane>, told: &Receiver<Message>) -> (Result<(), End>, bool) {
        let _leaves = Leaving(lane);
        let watch = &mut *self.watch;
        let mut both = |event: Event<'_>| {
            told.try_iter().for_each(|message| watch(message.event()));
            watch(event);
        };
        let mut session = Session::new(self.program, self.request, self.images, self.options, &mut both);
        session.lane = Some(Arc::clone(lane));
        session.paused = self.paused.take();
        let result = session.exhaustive(None);
        self.phases.append(&mut session.phases);
        self.search = session.search.or(self.search.take());
        let wins = lane.leave(is_answer(&result));
        (result, wins)
    }
}

impl Task<'_> {
    /// Lets `order` work in its lane.
    fn order(&self, lane: &Arc<Lane>, sender: Sender<Message>) -> Worked {
        let _leaves = Leaving(lane);
        // The receiver outlives the worker.
        let mut tell = |event: Event<'_>| drop(sender.send(event.into()));
        // It was made before, so this succeeds; memory images are not shared between threads.
        let images = Images::new(self.program, self.request).expect("an image");
        let mut session = Session::new(self.program, self.request, &images, self.options, &mut tell);
        session.lane = Some(Arc::clone(lane));
        let result = session.deepen().and_then(|()| match &session.order {
            Progress::Proved(coverage) => Err(End::Answer(session.safe(coverage.clone()))),
            Progress::NotRun | Progress::Open(_) => Ok(()),
        });
        let wins = lane.leave(is_answer(&result));
        Worked { result, wins, phases: session.phases, order: session.order }
    }
}

/// A worker that panics does not keep the other waiting.
struct Leaving<'a>(&'a Lane);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.leave(false);
        }
    }
}

fn joined<T>(worker: ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
