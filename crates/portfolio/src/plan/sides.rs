//! Two workers, each with an engine: the exhaustive search is first in rank, `order` second.

use super::{End, Images, LARGEST, Progress, Session};
use crate::Request;
use crate::pace::{self, Lane};
use crate::record::{Event, PhaseRecord};
use braid_interp::Exploration;
use braid_ir::Program;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::ScopedJoinHandle;

/// What a worker tells the one who may speak to the watcher.
enum Message {
    Begin(String),
    Searching(String, braid_interp::Progress),
    End(PhaseRecord),
}

impl Message {
    fn event(&self) -> Event<'_> {
        match self {
            Message::Begin(name) => Event::Begin(name),
            Message::Searching(name, progress) => Event::Searching(name, progress),
            Message::End(record) => Event::End(record),
        }
    }
}

impl From<Event<'_>> for Message {
    fn from(event: Event<'_>) -> Message {
        match event {
            Event::Begin(name) => Message::Begin(name.to_string()),
            Event::Searching(name, progress) => Message::Searching(name.to_string(), *progress),
            Event::End(record) => Message::End(record.clone()),
        }
    }
}

/// What both work on.
struct Task<'a> {
    program: &'a Program,
    request: &'a Request,
}

/// What has become of a worker.
struct Worked {
    result: Result<(), End>,
    phases: Vec<(u32, PhaseRecord)>,
    search: Option<Exploration>,
    order: Progress,
}

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
        let [first, second] = pace::lanes(&self.request.interrupt, deadline).map(Arc::new);
        let (sender, receiver) = mpsc::channel();
        let (searching, deepening) = (sender.clone(), sender);
        let task = Task { program: self.program, request: self.request };
        let (mut explicit, mut order) = std::thread::scope(|scope| {
            let explicit = scope.spawn(|| task.explicit(&first, searching));
            let order = scope.spawn(|| task.order(&second, deepening));
            for message in receiver {
                (self.watch)(message.event());
            }
            (joined(explicit), joined(order))
        });
        let (searched, proved) = (is_answer(&explicit.result), is_answer(&order.result));
        if searched {
            // How far the other one came in this epoch depends on the machine.
            order.phases.retain(|(epoch, _)| *epoch < first.epoch());
        } else if proved && explicit.result.is_err() {
            for (_, record) in &mut explicit.phases {
                record.result = "not needed any more".to_string();
            }
        }
        self.phases.append(&mut order.phases);
        self.phases.append(&mut explicit.phases);
        self.search = explicit.search;
        self.order = order.order;
        if searched || (!proved && explicit.result.is_err()) { explicit.result } else { order.result }
    }
}

impl Task<'_> {
    fn explicit(&self, lane: &Arc<Lane>, sender: Sender<Message>) -> Worked {
        self.work(lane, sender, |session| session.exhaustive(Some(LARGEST)))
    }

    fn order(&self, lane: &Arc<Lane>, sender: Sender<Message>) -> Worked {
        self.work(lane, sender, |session| {
            session.deepen()?;
            match &session.order {
                Progress::Proved(coverage) => Err(End::Answer(session.safe(coverage.clone()))),
                Progress::NotRun | Progress::Open(_) => Ok(()),
            }
        })
    }

    /// Lets a session work in a lane.
    fn work(
        &self,
        lane: &Arc<Lane>,
        sender: Sender<Message>,
        work: impl FnOnce(&mut Session) -> Result<(), End>,
    ) -> Worked {
        let _leaves = Leaving(lane);
        // The receiver outlives the workers.
        let mut tell = |event: Event<'_>| drop(sender.send(event.into()));
        // It was made before, so this succeeds; memory images are not shared between threads.
        let images = Images::new(self.program, self.request).expect("an image");
        let mut session = Session::new(self.program, self.request, &images, &mut tell);
        session.lane = Some(Arc::clone(lane));
        let result = work(&mut session);
        lane.leave(is_answer(&result));
        Worked { result, phases: session.phases, search: session.search, order: session.order }
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
