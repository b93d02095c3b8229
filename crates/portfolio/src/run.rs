//! Goes through the stages of a plan until there is an answer.
//!
//! `SAFE` needs a proof of every property that was asked for. A property is proved by one engine alone; that engine checks
//! all properties that it decides at once, and an execution ends at the first violation, so a proof of a property relies on
//! the other properties of the same proof and on no further one.

use crate::pace::{self, Pace};
use crate::plan::{self, Entry, Stage};
use crate::record::{Event, PhaseRecord};
use crate::worker::{Command, Found, Job, Message, Others, Worker};
use crate::{Report, Request, Trouble};
use braid_base::stack;
use braid_engines::{Certificate, Clear, Engine, Finding, Judge, Known, SolverChoice};
use braid_interp::Options;
use braid_ir::Program;
use braid_props::CheckSet;
use braid_solver::{Failure, Process, Stop};
use braid_verdict::{Bound, Counterexample, Coverage, Reason, Verdict, assumptions};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Scope, ScopedJoinHandle};

/// Does what the request asks for.
pub fn run(
    program: &Program,
    request: &Request,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Trouble> {
    let options = Options { question: request.question, limits: request.limits, ..Options::default() };
    // A program that cannot be set up to run is known before engines are started.
    let judge = match Judge::new(program, options) {
        Ok(judge) => judge,
        Err(error) => return Ok(Report::new(Verdict::Unknown(vec![Reason::Setup(error)]), Vec::new())),
    };
    let stages = plan::stages(program, request, &judge);
    check_solver(request, &stages)?;
    std::thread::scope(|scope| Session::new(scope, program, request, watch).go(stages))
}

/// A solver that cannot be started is better known at once.
fn check_solver(request: &Request, stages: &[Stage]) -> Result<(), Trouble> {
    let needed = stages.iter().flatten().any(|entry| entry.engine.has_formula);
    match &request.setup.solver {
        SolverChoice::Process(name) if needed => Process::start(name).map(|_| ()).map_err(Trouble::Solver),
        SolverChoice::Process(_) | SolverChoice::Embedded => Ok(()),
    }
}

/// Returns true for a limit of the user's: no other engine is tried.
pub fn is_users(stop: Stop) -> bool {
    match stop {
        Stop::Deadline | Stop::Memory | Stop::Interrupted => true,
        Stop::Conflicts | Stop::TooLarge | Stop::GaveUp => false,
    }
}

/// The end of the work, before all of it is done.
enum End {
    Answer(Verdict),
    /// A violation, and the worker that found it.
    Violation(usize, Box<Counterexample>),
    Trouble(Trouble),
    /// A limit of the user's.
    Stopped,
}

/// A worker and what has come out of it.
struct Player<'s> {
    engine: &'static Engine,
    commands: Sender<Command>,
    thread: Option<ScopedJoinHandle<'s, ()>>,
    /// It has searched.
    tried: bool,
    /// Its bounds may go on growing.
    further: bool,
    /// The limit that ended its last search.
    stopped: Option<Reason>,
    open: Vec<(CheckSet, Reason)>,
}

struct Session<'s, 'e, 'w> {
    scope: &'s Scope<'s, 'e>,
    program: &'e Program,
    request: &'e Request,
    watch: &'w mut dyn FnMut(Event<'_>),
    players: Vec<Player<'s>>,
    sender: Sender<(usize, Message)>,
    receiver: Receiver<(usize, Message)>,
    phases: Vec<PhaseRecord>,
    /// Proofs in the order of their making.
    proofs: Vec<(CheckSet, &'static str, Coverage)>,
    certificates: Vec<Certificate>,
}

impl<'s, 'e, 'w> Session<'s, 'e, 'w> {
    fn new(
        scope: &'s Scope<'s, 'e>,
        program: &'e Program,
        request: &'e Request,
        watch: &'w mut dyn FnMut(Event<'_>),
    ) -> Self {
        let (sender, receiver) = mpsc::channel();
        Session {
            scope,
            program,
            request,
            watch,
            players: Vec::new(),
            sender,
            receiver,
            phases: Vec::new(),
            proofs: Vec::new(),
            certificates: Vec::new(),
        }
    }

    fn go(mut self, stages: Vec<Stage>) -> Result<Report, Trouble> {
        let mut last = Vec::new();
        for stage in stages {
            let stage: Stage = stage.into_iter().filter(|entry| self.may_help(entry)).collect();
            if stage.is_empty() {
                continue;
            }
            last = stage.iter().map(|entry| self.player(entry.engine)).collect();
            match self.stage(&stage, &last) {
                Ok(()) => {}
                Err(End::Answer(verdict)) => return Ok(self.report(verdict)),
                Err(End::Violation(player, first)) => return Ok(self.with_others(player, *first)),
                Err(End::Trouble(trouble)) => return Err(trouble),
                Err(End::Stopped) => {
                    let verdict = Verdict::Unknown(self.stopped(&last));
                    return Ok(self.report(verdict));
                }
            }
        }
        let reasons = self.open(&last);
        Ok(self.report(Verdict::Unknown(reasons)))
    }

    /// Returns false if an engine has been tried and more of the same leads nowhere.
    fn may_help(&self, entry: &Entry) -> bool {
        let Some(player) = self.players.iter().find(|player| player.engine == entry.engine) else {
            return true;
        };
        let lacks = |bound: Bound| player.open.iter().all(|(_, reason)| reason.raises() == Some(bound));
        match (entry.for_proof, entry.deepens) {
            (true, _) => lacks(Bound::States),
            (false, Some(_)) => !player.tried || player.further,
            (false, None) => true,
        }
    }

    /// The number of the worker of an engine, which begins to wait for commands if there is none.
    fn player(&mut self, engine: &'static Engine) -> usize {
        if let Some(index) = self.players.iter().position(|player| player.engine == engine) {
            return index;
        }
        let index = self.players.len();
        let (commands, receiver) = mpsc::channel();
        let sender = self.sender.clone();
        let worker = Worker { engine, program: self.program, request: self.request, index, sender };
        let builder = std::thread::Builder::new().name(engine.name.to_string()).stack_size(stack::ENGINE);
        let thread = builder.spawn_scoped(self.scope, move || worker.run(&receiver));
        let thread = Some(thread.expect("the system gives a thread"));
        let open = Vec::new();
        let player = Player { engine, commands, thread, tried: false, further: false, stopped: None, open };
        self.players.push(player);
        index
    }

    /// Lets the engines of a stage work. Their results are known then, unless there is an answer.
    fn stage(&mut self, stage: &Stage, players: &[usize]) -> Result<(), End> {
        let paces: Vec<Pace> = stage.iter().map(|entry| entry.pace).collect();
        let mut lanes = match stage.len() {
            1 => Vec::new(),
            _ => pace::lanes(&paces, &self.request.interrupt, self.request.limits.deadline),
        }
        .into_iter();
        let proved = self.proved();
        for (entry, player) in stage.iter().zip(players) {
            let job = Job { entry: entry.clone(), lane: lanes.next(), proved };
            self.command(*player, Command::Search(job));
        }
        let mut results: Vec<Option<Found>> = players.iter().map(|_| None).collect();
        while results.iter().any(Option::is_none) {
            let (player, message) = self.receive();
            if let Message::Found(found) = message
                && let Some(rank) = players.iter().position(|known| *known == player)
            {
                results[rank] = Some(*found);
            }
        }
        let mut results: Vec<Found> = results.into_iter().flatten().collect();
        let winner =
            results.iter().position(|found| if stage.len() == 1 { found.answers } else { found.wins });
        self.note_phases(&mut results, winner);
        if let Some(rank) = winner {
            let found = results.swap_remove(rank);
            return Err(self.answer(players[rank], found));
        }
        let mut stopped = false;
        for (found, player) in results.into_iter().zip(players) {
            stopped |= self.note(*player, found)?;
        }
        self.conclude_proofs()?;
        if stopped { Err(End::Stopped) } else { Ok(()) }
    }

    fn command(&self, player: usize, command: Command) {
        // A worker that is gone has said so.
        let _ = self.players[player].commands.send(command);
    }

    /// The next message; the watcher is told about it.
    fn receive(&mut self) -> (usize, Message) {
        let (player, message) = self.receiver.recv().expect("the session has a sender itself");
        if let Message::Gone = message {
            let thread = self.players[player].thread.take().map(ScopedJoinHandle::join);
            if let Some(Err(panic)) = thread {
                std::panic::resume_unwind(panic);
            }
        }
        if let Some(event) = message.event() {
            (self.watch)(event);
        }
        (player, message)
    }

    /// Keeps the records of phases, those of the winner last. The progress of the others after the winner had its answer
    /// depends on the machine, so phases that began later are dropped, and those that were cut short say so.
    fn note_phases(&mut self, results: &mut [Found], winner: Option<usize>) {
        let end = winner.filter(|_| results.len() > 1).map(|rank| results[rank].at);
        let others = (0..results.len()).filter(|rank| winner != Some(*rank));
        for rank in others.chain(winner) {
            for timed in std::mem::take(&mut results[rank].phases) {
                let mut record = timed.record;
                if let Some(end) = end.filter(|_| winner != Some(rank)) {
                    if timed.begin >= end {
                        continue;
                    }
                    if timed.end >= end {
                        record.result = "not needed any more".to_string();
                        record.statistics = Default::default();
                    }
                }
                self.phases.push(record);
            }
        }
    }

    /// The end that an answer is.
    fn answer(&mut self, player: usize, found: Found) -> End {
        let engine = self.players[player].engine;
        match found.finding {
            Ok(Finding::Violation(first)) => End::Violation(player, first),
            Ok(Finding::Clear(clear)) => self.proof(engine, clear),
            Ok(Finding::Stopped { reason, .. }) => End::Answer(Verdict::Unknown(vec![reason])),
            Err(failure) => failed(engine, failure),
        }
    }

    /// The end of a search that answers everything: with a proof, or because no engine can say more.
    fn proof(&mut self, engine: &'static Engine, clear: Clear) -> End {
        let Clear { proved, open, coverage, certificates, .. } = clear;
        self.certificates.extend(certificates);
        self.proofs.extend(coverage.map(|coverage| (proved, engine.name, coverage)));
        match self.conclude_proofs() {
            Err(end) => end,
            Ok(()) => End::Answer(Verdict::Unknown(open.into_iter().map(|(_, reason)| reason).collect())),
        }
    }

    /// Ends the work if all properties are proved.
    fn conclude_proofs(&self) -> Result<(), End> {
        let left = self.request.question.checks.without(self.proved());
        match self.proofs.last() {
            Some((.., coverage)) if left.is_empty() => {
                let assumptions = assumptions(self.program, &self.request.question.lifted());
                Err(End::Answer(Verdict::Safe { assumptions, coverage: coverage.clone() }))
            }
            _ => Ok(()),
        }
    }

    fn proved(&self) -> CheckSet {
        self.proofs.iter().flat_map(|(checks, ..)| checks.iter()).collect()
    }

    /// Notes a result that is no answer. Returns true if a limit of the user's ended the search.
    fn note(&mut self, player: usize, found: Found) -> Result<bool, End> {
        let engine = self.players[player].engine;
        let finding = found.finding.map_err(|failure| failed(engine, failure))?;
        let player = &mut self.players[player];
        (player.tried, player.further, player.stopped) = (true, found.further, None);
        match finding {
            Finding::Violation(_) => Ok(false),
            Finding::Clear(Clear { proved, open, coverage, certificates, .. }) => {
                player.open = open;
                self.certificates.extend(certificates);
                self.proofs.extend(coverage.map(|coverage| (proved, engine.name, coverage)));
                Ok(false)
            }
            Finding::Stopped { by, reason, open } => {
                (player.stopped, player.open) = (Some(reason), open);
                Ok(is_users(by))
            }
        }
    }

    /// The reasons why nothing is decided, when everything has been tried: those of the engine that is last in rank and
    /// has some.
    fn open(&self, last: &[usize]) -> Vec<Reason> {
        let proved = self.proved();
        let players = last.iter().rev().map(|index| &self.players[*index]);
        let mut lists = players.map(|player| {
            let is_open = |checks: CheckSet| checks.is_empty() || !checks.without(proved).is_empty();
            let open = player.open.iter().filter(|(checks, _)| is_open(*checks));
            player.stopped.iter().chain(open.map(|(_, reason)| reason)).cloned().collect::<Vec<Reason>>()
        });
        let found = lists.find(|list| !list.is_empty());
        found.unwrap_or_else(|| self.undecided())
    }

    /// No engine was asked, because none looks for the properties.
    fn undecided(&self) -> Vec<Reason> {
        let checks = self.request.question.checks;
        let engine = self.request.engine.map_or("portfolio", |engine| engine.name);
        let by = checks.iter().next().map_or_else(Vec::new, braid_engines::registry::deciding);
        vec![Reason::Undecided { checks, engine, by }]
    }

    /// The reasons when a limit of the user's ended the work: first what is known to stand in the way of a proof, however
    /// much time there were; then the limits, and what was open by then.
    fn stopped(&self, last: &[usize]) -> Vec<Reason> {
        let open = self.players.iter().flat_map(|player| &player.open).map(|(_, reason)| reason);
        let mut left: Vec<Reason> = open.filter(|reason| reason.is_obstacle()).cloned().collect();
        left.extend(last.iter().filter_map(|index| self.players[*index].stopped.clone()));
        left.extend(self.open(last));
        left
    }

    /// The report of a first violation, and of the others if they are asked for.
    fn with_others(&mut self, player: usize, first: Counterexample) -> Report {
        (self.watch)(Event::Violation);
        let mut known = Known::NONE;
        known.add(first.report().check, first.report().racy_places());
        let left = self.request.question.checks.without(known.checks);
        let mut others = Others::default();
        if !self.request.stop_at_first && !left.is_empty() {
            self.command(player, Command::Others(known));
            others = loop {
                if let (_, Message::Others(others)) = self.receive() {
                    break others;
                }
            };
        }
        self.phases.extend(others.phase);
        let found = std::iter::once(first).chain(others.found).collect();
        let report = self.report(Verdict::Unsafe(found));
        Report { more_races: others.more_races, defect: others.defect, ..report }
    }

    fn report(&mut self, verdict: Verdict) -> Report {
        let proved = self.proofs.iter().map(|(checks, engine, _)| (*checks, *engine)).collect();
        let certificates = std::mem::take(&mut self.certificates);
        Report { proved, certificates, ..Report::new(verdict, std::mem::take(&mut self.phases)) }
    }
}

/// A solver that fails is a reason, unless it is our own.
fn failed(engine: &Engine, failure: Failure) -> End {
    match failure {
        Failure::NotInstalled { .. } => End::Trouble(Trouble::Solver(failure)),
        Failure::Internal(what) => End::Trouble(Trouble::Internal(format!("{}: {what}", engine.name))),
        Failure::Unsupported(_) | Failure::Process { .. } | Failure::Stopped(_) => {
            End::Answer(Verdict::Unknown(vec![Reason::Solver(failure.to_string())]))
        }
    }
}

#[cfg(test)]
mod tests;
