//! Synchronisation objects: where they lie, of what kind they are, and whether they are initialised.
//!
//! *Claim*: the life of an object that [`Run::life`] gives is that of the object that begins there. *Relies on*: the kinds
//! that walks have found at each offset (`survey`). *Proof*: calls change it as they say; every other store to one of
//! its bytes makes it arbitrary, but for one of zero to bytes that are zero.

use super::cells::{Spot, Touch};
use super::memory::any_life;
use super::registers::Run;
use super::survey::Kind as Sort;
use super::{Invalid, all};
use crate::certificate::Kind;
use crate::range::Range;
use crate::state::{Space, life};
use crate::value::{ObjectId, Value};
use braid_ir::Operand;
use braid_models::Sync;

/// The object that a call works on.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub sort: Sync,
    pub operand: Operand,
    pub targets: Vec<(ObjectId, Range)>,
}

impl Subject {
    /// The only place, if there is one.
    pub fn place(&self) -> Option<(ObjectId, i64)> {
        match self.targets.as_slice() {
            [(object, at)] => Some((*object, i64::try_from(at.single()?).ok()?)),
            _ => None,
        }
    }
}

impl Run<'_, '_> {
    /// The object behind an argument. None if a valid call is impossible.
    pub fn subject(&self, sort: Sync, operand: Operand) -> Option<Subject> {
        let size = sort.size(self.cx.program.pointer_bytes);
        let targets = self.targets(&self.operand(operand), size, true);
        self.cx.survey.note(|found| {
            for (object, at) in &targets {
                let uses = found.uses.entry(self.cx.shared(*object)).or_default();
                if !uses.contains(&(*at, Sort::of(sort))) {
                    uses.push((*at, Sort::of(sort)));
                }
            }
        });
        for (object, at) in &targets {
            self.same_kinds(sort, *object, *at);
        }
        (!targets.is_empty()).then_some(Subject { sort, operand, targets })
    }

    /// No two kinds of objects lie over each other, nor do objects of one kind in part.
    fn same_kinds(&self, sort: Sync, object: ObjectId, at: Range) {
        let bytes = |sort: Sync| sort.size(self.cx.program.pointer_bytes);
        let found = self.cx.survey.get();
        let uses = found.uses.get(&self.cx.shared(object)).into_iter().flatten();
        let meeting = uses.filter(|(other, kind)| Range::interferes(at, bytes(sort), *other, bytes(kind.0)));
        for (other, kind) in meeting {
            if *kind != Sort::of(sort) || !lie_alike(at, *other, bytes(sort)) {
                self.doubt(format!(
                    "objects of different kinds may lie at one place of {}",
                    self.cx.name(object)
                ));
            }
        }
    }

    /// The most bytes that an object has which begins there.
    pub fn sync_size(&self, object: ObjectId, at: Range) -> u64 {
        let found = self.cx.survey.get();
        let uses = found.uses.get(&self.cx.shared(object)).into_iter().flatten();
        let here = uses.filter(|(other, _)| Range::interferes(at, 1, *other, 1));
        here.map(|(_, kind)| kind.0.size(self.cx.program.pointer_bytes)).max().unwrap_or(0)
    }

    /// The states in which the object may be.
    pub fn life(&mut self, subject: &Subject) -> Result<Value, Invalid> {
        let mut value = Value::NONE;
        for (object, at) in &subject.targets {
            let spot = Spot::sync(*object, *at);
            value.join(&self.read(spot));
        }
        // A draft does not say yet what the object may be.
        if value.is_none() && self.cx.gaps.is_some() {
            return Err(Invalid::Malformed(String::new()));
        }
        if let [(object, at)] = subject.targets.as_slice() {
            self.learn(Spot::sync(*object, *at), &value);
        }
        Ok(value)
    }

    /// The records of a call at the object.
    pub fn record_sync(&self, subject: &Subject, kind: Kind) -> Result<(), Invalid> {
        let touch = Touch { kind, atomic: true, address: Some((subject.operand, 0)) };
        for (object, at) in subject.targets.iter().filter(|(object, _)| !self.cx.is_own(*object)) {
            self.record(Spot::sync(*object, *at), touch)?;
        }
        Ok(())
    }

    /// The object gets into this state, or may get into it.
    pub fn set_life(&mut self, subject: &Subject, value: i128, sure: bool) -> Result<(), Invalid> {
        let is_one = sure && subject.targets.len() == 1;
        let value = Value::number(Range::point(value));
        for (object, at) in &subject.targets {
            self.write_life(Spot::sync(*object, *at), &value, is_one)?;
        }
        Ok(())
    }

    fn write_life(&mut self, spot: Spot, value: &Value, is_one: bool) -> Result<(), Invalid> {
        if is_one {
            return self.write(spot, value, true);
        }
        let mut both = self.read(spot);
        both.join(value);
        self.write(spot, &both, spot.key().is_some())
    }

    /// Bytes of synchronisation objects may be written to.
    pub fn unsettle_sync(&mut self, spot: Spot, value: &Value) -> Result<(), Invalid> {
        if spot.space == Space::Sync || !self.cx.survey.is_informed() {
            return Ok(());
        }
        let zero = value.constant() == Some(0);
        for at in self.sync_under(spot) {
            let place = Spot::sync(spot.object, at);
            let now = self.read(place);
            if zero && now.numbers == Some(Range::point(life::ZERO)) && self.is_idle(place) {
                continue;
            }
            if !self.cx.is_own(spot.object) {
                self.record(place, Touch { kind: Kind::Write, atomic: false, address: None })?;
            }
            let is_one = place.key().is_some();
            self.write(place, &any_life(), is_one)?;
        }
        Ok(())
    }

    /// Returns true if the bytes may be those of a synchronisation object, which calls change.
    pub fn is_sync(&self, spot: Spot) -> bool {
        self.cx.survey.is_informed() && !self.sync_under(spot).is_empty()
    }

    /// Returns true if no thread can hold the object at such a place, or use it: a store resets it.
    fn is_idle(&self, spot: Spot) -> bool {
        let held =
            self.state.holds.iter().any(|hold| super::locks::meet(&hold.targets, &[(spot.object, spot.at)]));
        let alone = self.cx.is_own(spot.object) || spot.key().is_some_and(|key| self.eligible(key, true));
        alone && !held
    }

    /// The places of synchronisation objects whose bytes a spot may meet.
    fn sync_under(&self, spot: Spot) -> Vec<Range> {
        let found = self.cx.survey.get();
        let uses = found.uses.get(&self.cx.shared(spot.object)).into_iter().flatten();
        let size = |kind: &Sort| kind.0.size(self.cx.program.pointer_bytes);
        uses.filter(|(at, kind)| spot.meets(*at, size(kind))).map(|(at, _)| *at).collect()
    }

    /// All bytes from an offset on are zero now: objects among them are as if they were new.
    pub fn zero_sync(&mut self, object: ObjectId, from: i64, bytes: u64) -> Result<(), Invalid> {
        let whole = Spot::data(object, Range::point(from.into()), bytes);
        for at in self.sync_under(whole) {
            let size = i128::from(self.sync_size(object, at));
            let inside =
                i128::from(from) <= at.lo() && at.hi() + size <= i128::from(from) + i128::from(bytes);
            let spot = Spot::sync(object, at);
            let exact = spot.key().is_some() && (self.cx.is_own(object) || self.cx.single(object));
            if inside && exact && self.is_idle(spot) {
                self.write(spot, &Value::number(Range::point(life::ZERO)), true)?;
            }
        }
        Ok(())
    }

    /// An object is whole: `true` if it is in order for calls of this kind. What it may be else stands in the way.
    pub fn in_order(&self, subject: &Subject, life: &Value) -> bool {
        // The first walk does not know yet.
        if !self.cx.survey.is_informed() {
            return true;
        }
        let may = |state: i128| life.numbers.is_some_and(|numbers| numbers.contains(state));
        let unknown = life.numbers.is_none() || !life.targets.is_empty();
        let raw = may(life::RAW) || may(life::ZERO) && !subject.sort.works_as_zero();
        let kinds = matches!(subject.sort, Sync::Mutex | Sync::PlainMutex);
        let other = may(life::READY_KIND) && !kinds;
        let name = subject.targets.first().map_or(String::new(), |(object, _)| self.cx.name(*object));
        let word = subject.sort.word();
        if raw || unknown {
            self.open(all(), format!("the {word} {name} may never have been initialised"));
        } else if may(life::DESTROYED) {
            self.open(
                super::only(braid_props::Check::LockMisuse),
                format!("the {word} {name} may have been destroyed"),
            );
        } else if other {
            self.open(
                super::only(braid_props::Check::LockMisuse),
                format!("the {word} {name} has attributes"),
            );
        }
        !(raw || unknown || other || may(life::DESTROYED))
    }
}

/// Returns true if objects of such a size at these offsets are the same where they meet at all.
fn lie_alike(a: Range, b: Range, bytes: u64) -> bool {
    let step = |range: Range| range.step() == 0 || range.step() >= bytes;
    let apart = a.lo().abs_diff(b.lo());
    let common = gcd(a.step(), b.step());
    step(a)
        && step(b)
        && if common == 0 {
            apart == 0 || apart >= bytes.into()
        } else {
            apart.is_multiple_of(common.into()) && common >= bytes
        }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
