//! Data races: two threads about to touch common bytes, one to write, not both atomically.
//!
//! Looked for in every state at a scheduling point, and inside sections at every access. A race is
//! recorded once per pair of source places, and execution goes on.

use crate::footprint::Touch;
use crate::machine::Machine;
use crate::naming;
use crate::object::bytes_text;
use crate::report::Report;
use crate::trace::OpRef;
use crate::visible::{Pending, StepKind};
use crate::watch::Moment;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet};
use braid_ir::{InstrId, Loc};
use braid_props::Check;

/// Of so many threads all pairs are compared.
const FEW: usize = 8;

/// A place in the source; the instruction where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Spot {
    loc: Loc,
    instr: InstrId,
}

/// What makes two findings the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FindingKey {
    pub check: Check,
    pub spots: Vec<Spot>,
}

/// A violation after which execution goes on.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub key: FindingKey,
    pub report: Report,
    /// The operations it stands at.
    pub at: Vec<OpRef>,
    /// When it was found, in an execution that is watched.
    pub moment: Moment,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    known: HashSet<FindingKey>,
    list: Vec<Finding>,
}

impl Findings {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    pub fn knows(&self, key: &FindingKey) -> bool {
        self.known.contains(key)
    }

    pub fn push(&mut self, finding: Finding) {
        self.known.insert(finding.key.clone());
        self.list.push(finding);
    }

    pub fn truncate(&mut self, len: usize) {
        for finding in self.list.drain(len..) {
            self.known.remove(&finding.key);
        }
    }
}

impl Machine<'_> {
    pub(crate) fn looks_for_races(&self) -> bool {
        self.options.question.checks.contains(Check::DataRace)
    }

    /// Where the instruction stands that the running thread is executing.
    pub(crate) fn running_spot(&self) -> Spot {
        self.spot_at(self.state.current, self.pc())
    }

    /// Where the instruction stands that the thread is about to execute.
    pub(crate) fn spot(&self, thread: usize) -> Spot {
        self.spot_at(thread, self.state.threads[thread].frame.pc)
    }

    fn spot_at(&self, thread: usize, at: u32) -> Spot {
        let thread = &self.state.threads[thread];
        let loc = self.site_of(thread, at).loc;
        let instr = if loc.line == 0 { self.image.origin[at as usize].0 } else { InstrId(0) };
        Spot { loc, instr }
    }

    /// Looks for races between the steps the threads stand before.
    pub(crate) fn find_races(&mut self, pending: &[Option<Pending>]) {
        if !self.looks_for_races() {
            return;
        }
        let racing = self.representatives(pending);
        for (index, (first, one)) in racing.iter().enumerate() {
            for (second, other) in &racing[index + 1..] {
                let pair = one.footprint.touches().find_map(|touch| {
                    let found = other.footprint.touches().find(|another| touch.races_with(another));
                    found.map(|another| (*touch, *another))
                });
                if let Some((touch, another)) = pair {
                    self.race_found((*first, touch), (*second, another));
                }
            }
        }
    }

    /// The threads whose next steps can race. Of threads that stand at the same place and touch the same, the first
    /// two are enough: races are told apart by places, so any other pair would be one that is known already.
    fn representatives<'p>(&self, pending: &'p [Option<Pending>]) -> Vec<(usize, &'p Pending)> {
        let steps = pending.iter().enumerate();
        let mut racing: Vec<(usize, &Pending)> =
            steps.filter_map(|(thread, p)| p.as_ref().filter(|p| can_race(p)).map(|p| (thread, p))).collect();
        if racing.len() > FEW {
            let mut known: HashMap<(Spot, Touch), u32> = HashMap::default();
            racing.retain(|(thread, pending)| {
                let mut touches = pending.footprint.touches();
                let (Some(touch), None) = (touches.next(), touches.next()) else { return true };
                let count = known.entry((self.spot(*thread), *touch)).or_default();
                *count += 1;
                *count <= 2
            });
        }
        racing
    }

    #[cold]
    pub(crate) fn race_found(&mut self, mut one: (usize, Touch), mut other: (usize, Touch)) {
        let rank = |machine: &Self, (thread, touch): &(usize, Touch)| (!touch.write, machine.spot(*thread));
        if rank(self, &other) < rank(self, &one) {
            std::mem::swap(&mut one, &mut other);
        }
        let mut spots = vec![self.spot(one.0), self.spot(other.0)];
        spots.sort();
        let key = FindingKey { check: Check::DataRace, spots };
        if self.findings.knows(&key) {
            return;
        }
        let views: Vec<_> =
            [one, other].map(|(thread, touch)| self.view(thread, self.access_text(thread, touch))).into();
        let [first, second] = views.as_slice() else { return };
        let message = format!("{} {} while {} {}", first.path, first.text, second.path, second.text);
        let report = Report {
            check: Check::DataRace,
            message,
            place: first.place,
            thread: first.number,
            path: first.path.clone(),
            stack: first.stack.clone(),
            related: Vec::new(),
            threads: views,
        };
        let at = vec![self.next_op(one.0), self.next_op(other.0)];
        let moment = self.moment(&[(one.0, None), (other.0, None)]);
        self.findings.push(Finding { key, report, at, moment });
    }

    fn access_text(&self, thread: usize, touch: Touch) -> String {
        let memory = &self.state.memory;
        let object = memory.object_at(touch.start).and_then(|id| memory.identity(id));
        let (text, base) = match &object {
            Some(object) => (object.describe(self.image.program), object.base),
            None => ("an object".into(), touch.start),
        };
        let frees = self.step_at(&self.state.threads[thread]).is_some_and(|p| p.kind == StepKind::Free);
        if frees {
            return format!("frees {text}");
        }
        let how = if touch.atomic { "atomically " } else { "" };
        let what = if touch.write { "writes" } else { "reads" };
        let program = self.image.program;
        let named = object.as_ref().and_then(|object| {
            let name = naming::declared(program, object)?;
            Some(name + &naming::path(program, object, touch.start - object.base, touch.len)?)
        });
        if let Some(name) = named {
            return format!("{how}{what} '{name}'");
        }
        format!("{how}{what} {} at offset {} of {text}", bytes_text(touch.len), touch.start - base)
    }
}

fn can_race(pending: &Pending) -> bool {
    if pending.kind == StepKind::Free && active("free-does-not-race") {
        return false;
    }
    matches!(pending.kind, StepKind::Access | StepKind::Free)
}
