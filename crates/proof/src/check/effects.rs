//! Calls of the library that have an effect: they are not entered.
//!
//! *Claim*: the paths after such a call describe what its text leaves behind. *Relies on*: `braid_models::Effect`, whose
//! tables are compared with the texts by tests of their own. *Proof*: each effect is one of the operations of `locks`,
//! `threads` and `sync`; memory that the call touches besides is read or written here, and results are arbitrary.

use super::cells::Spot;
use super::forms;
use super::memory::{Address, How};
use super::registers::Run;
use super::step::Paths;
use super::survey::Awaited;
use super::sync::Subject;
use super::threads::Start;
use super::{Invalid, all, only};
use crate::certificate::Kind;
use crate::range::Range;
use crate::state::{Hold, Mode, life};
use crate::value::Value;
use braid_ir::{Global, Operand, RegId};
use braid_models::{ARGUMENT_SLOT, Effect, Sync, Text, Wait};
use braid_props::Check;

impl<'c, 'a> Run<'c, 'a> {
    /// A call of the library.
    pub fn library(
        mut self,
        dst: Option<RegId>,
        effect: Effect,
        name: &str,
        args: &[Operand],
    ) -> Result<Paths<'c, 'a>, Invalid> {
        if !self.touch_memory(effect, name, args)? {
            return Ok(Vec::new());
        }
        let one = |index: usize| args.get(index).copied();
        let goes_on = match effect {
            Effect::Start { handle, attribute, routine, argument } => {
                let all = one(handle).zip(one(routine)).zip(one(argument));
                let Some(((handle, routine), argument)) = all else { return self.too_few() };
                let attribute = attribute.and_then(one);
                return self.start(dst, Start { handle, attribute, routine, argument });
            }
            Effect::Join { handle, result } => {
                let Some(handle) = one(handle) else { return self.too_few() };
                let bytes = |at: usize| {
                    let access = braid_models::accesses(name).iter().find(|access| access.argument == at);
                    access.map_or(self.cx.pointer_bytes(), |access| {
                        access.extent.bytes(self.cx.program.pointer_bytes)
                    })
                };
                let result = result.and_then(|at| Some((one(at)?, bytes(at))));
                return self.join(dst, handle, result);
            }
            Effect::Once { control, routine } => {
                let Some((control, routine)) = one(control).zip(one(routine)) else { return self.too_few() };
                return self.once(dst, control, routine);
            }
            Effect::Detach { handle } => {
                let Some(handle) = one(handle) else { return self.too_few() };
                self.detach(dst, handle);
                return Ok(vec![self]);
            }
            Effect::ExitThread { value } => {
                let Some(value) = one(value) else { return self.too_few() };
                let value = self.operand(value);
                self.exit_thread(value)?;
                return Ok(Vec::new());
            }
            Effect::Acquire { .. }
            | Effect::Release { .. }
            | Effect::Wait { .. }
            | Effect::Signal { .. }
            | Effect::Init { .. }
            | Effect::Destroy { .. }
            | Effect::SemaphoreWait { .. }
            | Effect::SemaphorePost { .. }
            | Effect::SemaphoreValue { .. }
            | Effect::BarrierWait { .. } => self.at_object(dst, effect, args)?,
            Effect::Print { stream, text } => self.print(stream.and_then(one), text, args)?,
            Effect::Nothing => true,
        };
        if let (Some(dst), false) = (dst, matches!(effect, Effect::Acquire { .. })) {
            let ok = matches!(effect, Effect::Init { kind, .. } if self.init_succeeds(kind, args));
            match ok {
                true => self.set(dst, Value::null()),
                false => self.set_any(dst),
            }
        }
        Ok(if goes_on { vec![self] } else { Vec::new() })
    }

    fn too_few(self) -> Result<Paths<'c, 'a>, Invalid> {
        self.doubt("the call has too few arguments");
        Ok(Vec::new())
    }

    /// Calls that work on one or two objects.
    fn at_object(&mut self, dst: Option<RegId>, effect: Effect, args: &[Operand]) -> Result<bool, Invalid> {
        let subject = |run: &Self, sort: Sync, index: usize| match args.get(index) {
            Some(operand) => run.subject(sort, *operand),
            None => {
                run.doubt("the call has too few arguments");
                None
            }
        };
        match effect {
            Effect::Acquire { lock, mode, object, wait } => {
                let Some(lock) = subject(self, object, lock) else { return Ok(false) };
                let mode = match mode {
                    braid_models::Mode::Exclusive => Mode::Exclusive,
                    braid_models::Mode::Shared => Mode::Shared,
                };
                self.acquire(&lock, mode, wait, dst)?;
            }
            Effect::Release { lock, object } => {
                let Some(lock) = subject(self, object, lock) else { return Ok(false) };
                self.release(&lock)?;
            }
            Effect::Wait { cond, mutex, timed: _ } => {
                let cond = subject(self, Sync::ConditionVariable, cond);
                let mutex = subject(self, Sync::Mutex, mutex);
                let Some((cond, mutex)) = cond.zip(mutex) else { return Ok(false) };
                self.wait(&cond, &mutex)?;
            }
            Effect::Init { object, kind, attribute } => {
                let Some(object) = subject(self, kind, object) else { return Ok(false) };
                let kind_of = self.initial_kind(kind, attribute.and_then(|at| args.get(at)).copied());
                let sure = self.init_succeeds(kind, args);
                if kind == Sync::Barrier {
                    self.note_barrier(&object, args.get(2));
                }
                self.init(&object, kind_of, sure)?;
            }
            Effect::Destroy { object, kind } => {
                let Some(object) = subject(self, kind, object) else { return Ok(false) };
                self.destroy(&object)?;
            }
            Effect::Signal { cond: at } => {
                let Some(object) = subject(self, Sync::ConditionVariable, at) else { return Ok(false) };
                self.visit(&object)?;
            }
            Effect::SemaphorePost { semaphore: at } | Effect::SemaphoreValue { semaphore: at, .. } => {
                let Some(object) = subject(self, Sync::Semaphore, at) else { return Ok(false) };
                self.visit(&object)?;
            }
            Effect::SemaphoreWait { semaphore: at, wait } => {
                let Some(object) = subject(self, Sync::Semaphore, at) else { return Ok(false) };
                self.visit(&object)?;
                if wait == Wait::Blocks {
                    self.open(only(Check::Deadlock), "a wait at a semaphore may never end");
                }
            }
            Effect::BarrierWait { barrier: at } => {
                let Some(object) = subject(self, Sync::Barrier, at) else { return Ok(false) };
                self.visit(&object)?;
                self.pass(&object);
                self.open(only(Check::Deadlock), "a wait at a barrier may never end");
            }
            Effect::Once { .. }
            | Effect::Start { .. }
            | Effect::Join { .. }
            | Effect::Detach { .. }
            | Effect::ExitThread { .. }
            | Effect::Print { .. }
            | Effect::Nothing => unreachable!("these work on no object"),
        }
        Ok(true)
    }

    /// A call at an object that must be in order.
    fn visit(&mut self, object: &Subject) -> Result<(), Invalid> {
        self.record_sync(object, Kind::Read)?;
        let life = self.life(object)?;
        self.in_order(object, &life);
        Ok(())
    }

    fn initial_kind(&self, kind: Sync, attribute: Option<Operand>) -> i128 {
        let value = attribute.map(|attribute| self.operand(attribute));
        let is_default = match (kind, value) {
            (_, None) => true,
            (Sync::PlainMutex, Some(value)) => value.constant().is_some_and(|kind| kind % 2 == 0),
            (_, Some(value)) => value.constant() == Some(0),
        };
        if is_default { life::READY } else { life::READY_KIND }
    }

    /// Returns true if the call surely returns 0.
    fn init_succeeds(&self, kind: Sync, args: &[Operand]) -> bool {
        let number = args.get(2).and_then(|arg| self.operand(*arg).only_numbers());
        let within =
            |least: i128| number.is_some_and(|range| range.lo() >= least && range.hi() <= i32::MAX.into());
        let good = match kind {
            Sync::Semaphore => within(0),
            Sync::Barrier => within(1),
            Sync::Mutex
            | Sync::PlainMutex
            | Sync::ReadWriteLock
            | Sync::SpinLock
            | Sync::ConditionVariable => true,
            Sync::Once => false,
        };
        good && !self.cx.question.calls_may_fail
    }

    /// The routine runs with the control held, or has run before.
    fn once(
        mut self,
        dst: Option<RegId>,
        control: Operand,
        routine: Operand,
    ) -> Result<Paths<'c, 'a>, Invalid> {
        let Some(subject) = self.subject(Sync::Once, control) else { return Ok(Vec::new()) };
        self.record_sync(&subject, Kind::Read)?;
        let life = self.life(&subject)?;
        let good = self.in_order(&subject, &life);
        let good = good && (!self.cx.survey.is_informed() || life.constant() == Some(life::ZERO));
        let name = self.lock_name(&subject);
        self.note_wait(Awaited::Lock(subject.targets.clone(), Mode::Exclusive));
        let hold = |mode: Mode| Hold {
            name,
            mode,
            targets: subject.targets.clone(),
            certain: good && name.is_some(),
        };
        let mut paths = vec![self.clone()];
        for function in self.functions(&self.operand(routine)) {
            let mut first = self.clone();
            first.state.holds.push(hold(Mode::Exclusive));
            super::locks::merge(&mut first.state.holds);
            if let Some(mut after) = first.enter(None, function, &[])? {
                let held = |hold: &Hold| {
                    hold.mode == Mode::Exclusive && (hold.name == name || hold.targets == subject.targets)
                };
                after.state.holds.retain(|hold| !held(hold));
                for (object, range) in &subject.targets {
                    super::locks::add_released(&mut after.state.released, *object, *range);
                }
                after.settle()?;
                paths.push(after);
            }
        }
        for path in &mut paths {
            path.state.holds.push(hold(Mode::Passed));
            super::locks::merge(&mut path.state.holds);
            if let Some(dst) = dst {
                path.set(dst, Value::null());
            }
        }
        Ok(paths)
    }
}

/// Memory that calls touch besides objects.
impl Run<'_, '_> {
    /// Returns false if a valid access is impossible.
    fn touch_memory(&mut self, effect: Effect, name: &str, args: &[Operand]) -> Result<bool, Invalid> {
        for access in braid_models::accesses(name) {
            let Some(operand) = args.get(access.argument).copied() else { continue };
            let bytes = access.extent.bytes(self.cx.program.pointer_bytes);
            let (elsewhere, optional) = match effect {
                Effect::Start { handle, attribute, .. } => {
                    (access.argument == handle, attribute == Some(access.argument))
                }
                Effect::Join { result, .. } => (result == Some(access.argument), false),
                Effect::Init { attribute, .. } => (false, attribute == Some(access.argument)),
                Effect::Acquire { .. }
                | Effect::Release { .. }
                | Effect::Wait { .. }
                | Effect::Signal { .. }
                | Effect::Destroy { .. }
                | Effect::SemaphoreWait { .. }
                | Effect::SemaphorePost { .. }
                | Effect::SemaphoreValue { .. }
                | Effect::BarrierWait { .. }
                | Effect::Once { .. }
                | Effect::Detach { .. }
                | Effect::ExitThread { .. }
                | Effect::Print { .. }
                | Effect::Nothing => (false, false),
            };
            if elsewhere {
                continue;
            }
            let Some(address) = self.unless_null(operand, optional) else { continue };
            let possible = match access.writes {
                true => {
                    self.store_bytes(&address, Value::any(super::cells::bits(bytes)), bytes, How::Plain)?
                }
                false => self.look_at(&address, bytes)?,
            };
            if !possible {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The address, where null means that nothing is touched; none if it is null.
    fn unless_null(&self, operand: Operand, optional: bool) -> Option<Address> {
        let mut address = self.address(operand);
        if optional && address.value.numbers == Some(Range::point(0)) {
            address.value.numbers = None;
            if address.value.is_none() {
                return None;
            }
        }
        Some(address)
    }

    /// Reads bytes, in pieces that need not be cells.
    fn look_at(&mut self, address: &Address, bytes: u64) -> Result<bool, Invalid> {
        let word = self.cx.pointer_bytes();
        if bytes <= word {
            return Ok(self.load_bytes(address, bytes, How::Plain)?.is_some());
        }
        for index in 0..bytes / word {
            if self.load_bytes(&address.shifted((index * word) as i64), word, How::Plain)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn print(&mut self, stream: Option<Operand>, text: Text, args: &[Operand]) -> Result<bool, Invalid> {
        if let Some(stream) = stream
            && self.targets(&self.operand(stream), 1, false).is_empty()
        {
            return Ok(false);
        }
        let missing = |run: &Self| {
            run.doubt("the call has too few arguments");
            Ok(false)
        };
        match text {
            Text::Nothing => Ok(true),
            Text::String(at) => match args.get(at) {
                Some(operand) => self.read_string(self.operand(*operand)),
                None => missing(self),
            },
            Text::Bytes { bytes, size, count } => {
                let size = args.get(size).map(|size| self.most(*size));
                let count = count.map_or(Some(1), |count| args.get(count).map(|count| self.most(*count)));
                let (Some(operand), Some(size), Some(count)) = (args.get(bytes), size, count) else {
                    return missing(self);
                };
                self.read_bytes(self.operand(*operand), size.saturating_mul(count))
            }
            Text::Format { format, arguments } => {
                let Some(format) = args.get(format) else { return missing(self) };
                let slots = args.get(arguments).copied();
                self.read_format(self.operand(*format), slots)
            }
        }
    }

    fn most(&self, operand: Operand) -> u64 {
        let bounds =
            self.operand(operand).only_numbers().and_then(|range| range.unsigned(self.cx.pointer_bits()));
        bounds.and_then(|(_, hi)| u64::try_from(hi).ok()).unwrap_or(u64::MAX >> 2).min(u64::MAX >> 2)
    }

    fn read_bytes(&mut self, pointer: Value, bytes: u64) -> Result<bool, Invalid> {
        if bytes == 0 {
            return Ok(true);
        }
        let targets = self.targets(&pointer, bytes, false);
        for (object, at) in &targets {
            let last = at.hi() + i128::from(bytes) - 1;
            self.read_each(*object, Range::interval(at.lo(), last.min(i64::MAX.into())))?;
        }
        Ok(!targets.is_empty())
    }

    /// Single bytes at such offsets are read.
    fn read_each(&mut self, object: crate::value::ObjectId, at: Range) -> Result<(), Invalid> {
        if self.cx.is_own(object) {
            return Ok(());
        }
        let touch = super::cells::Touch { kind: Kind::Read, atomic: false, address: None };
        self.record(Spot::data(object, at, 1), touch)
    }

    /// The bytes up to the first that is 0. Only constant text surely has one.
    fn read_string(&mut self, pointer: Value) -> Result<bool, Invalid> {
        let targets = self.targets(&pointer, 1, false);
        for (object, at) in &targets {
            let ends = self.cx.global(*object).filter(|_| self.cx.is_constant(*object));
            let ends = ends.is_some_and(|global| constant_text(global, at.hi()).is_some());
            if !ends {
                self.doubt(format!("the text in {} may have no end", self.cx.name(*object)));
                let last = self.cx.most_size(*object).map_or(i64::MAX.into(), |size| size - 1);
                self.read_each(*object, Range::interval(at.lo(), last.max(at.lo())))?;
            }
        }
        Ok(!targets.is_empty())
    }

    fn read_format(&mut self, format: Value, slots: Option<Operand>) -> Result<bool, Invalid> {
        let text = forms::exact(&format).and_then(|(object, at)| {
            let global = self.cx.global(object).filter(|_| self.cx.is_constant(object))?;
            constant_text(global, at.into())
        });
        let Some(strings) = text.as_deref().and_then(braid_models::strings_printed) else {
            self.open(all(), "what is printed with this format is not followed");
            return self.read_string(format);
        };
        let used = conversions(text.as_deref().unwrap_or_default());
        if used == 0 {
            return Ok(true);
        }
        let Some(slots) = slots.filter(|slots| self.operand(*slots).constant() != Some(0)) else {
            self.doubt("printing may read arguments that there are not");
            return Ok(true);
        };
        let address = self.address(slots);
        if self.targets(&address.value, used * ARGUMENT_SLOT, false).is_empty() {
            return Ok(false);
        }
        for slot in strings {
            let at = address.shifted((slot as u64 * ARGUMENT_SLOT) as i64);
            let Some(pointer) = self.load_bytes(&at, self.cx.pointer_bytes(), How::Plain)? else {
                return Ok(false);
            };
            if !self.read_string(pointer)? {
                return Ok(false);
            }
        }
        self.read_slots(&address)
    }

    /// Slots are read as far as there are any; they are the caller's own as a rule.
    fn read_slots(&mut self, address: &Address) -> Result<bool, Invalid> {
        for (object, at) in self.targets(&address.value, 1, false) {
            if !self.cx.is_own(object) {
                let last = self.cx.most_size(object).map_or(i64::MAX.into(), |size| size - 1);
                self.read_each(object, Range::interval(at.lo(), last.max(at.lo())))?;
            }
        }
        Ok(true)
    }
}

/// The arguments that a simple format fetches.
fn conversions(format: &[u8]) -> u64 {
    let mut count = 0;
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let spec = &rest[at + 1..];
        let letter = spec.iter().position(|byte| byte.is_ascii_alphabetic() && !b"hlqjztL".contains(byte));
        let end = spec.iter().position(|byte| *byte == b'%');
        // A second `%` before any letter makes the first one mean itself.
        match (letter, end) {
            (Some(letter), end) if end.is_none_or(|end| letter < end) => {
                count += 1;
                rest = &spec[letter + 1..];
            }
            (_, Some(end)) => rest = &spec[end + 1..],
            (_, None) => return count,
        }
    }
    count
}

/// The bytes of a constant text before the first that is 0, if there is one.
fn constant_text(global: &Global, at: i128) -> Option<Vec<u8>> {
    let at = u64::try_from(at).ok().filter(|at| *at < global.size)?;
    let mut text = Vec::new();
    for offset in at..global.size.min(at + (1 << 16)) {
        let data = global.init.data.iter();
        let byte = data.filter_map(|(from, bytes)| {
            bytes.get(usize::try_from(offset.checked_sub(*from)?).ok()?).copied()
        });
        match byte.into_iter().next().unwrap_or(0) {
            0 => return Some(text),
            byte => text.push(byte),
        }
    }
    None
}
