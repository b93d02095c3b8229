//! Threads: how they start, end and are joined, and which of them may be alive at the same time.
//!
//! *Claim*: `alive` has every descendant of the running thread that is alive, and with a thread all its descendants; two
//! threads of which neither descends from the other are never alive at the same time unless they overlap. *Relies on*: the
//! thread facts of the certificate, each of which is looked at where it comes about. *Proof*: take two such threads and the
//! thread from which both descend. When it starts the one branch that comes later, the earlier branch is alive, so that all of
//! its threads are in `alive` then, and all of the new branch overlap with all of these. A join takes away what has surely
//! ended: the only thread of its kind, and descendants that no other branch can have.

use super::calls::coerce;
use super::memory::{Address, How};
use super::registers::Run;
use super::step::Paths;
use super::survey::Awaited;
use super::{Invalid, Missing, all, only};
use crate::range::Range;
use crate::state::{LockName, Mode, State};
use crate::value::{Latest, ThreadId, Value};
use braid_ir::{FuncId, Operand, RegId, Ty};
use braid_props::{Check, CheckSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The arguments of a call that starts a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub handle: Operand,
    pub attribute: Option<Operand>,
    pub routine: Operand,
    pub argument: Operand,
}

impl<'c, 'a> Run<'c, 'a> {
    /// The call fails, if calls may, or starts one thread.
    pub fn start(self, dst: Option<RegId>, start: Start) -> Result<Paths<'c, 'a>, Invalid> {
        let mut paths = Vec::new();
        if self.cx.question.calls_may_fail {
            let mut failed = self.clone();
            if let Some(dst) = dst {
                failed.set(dst, Value::number(Range::interval(1, i32::MAX.into())));
            }
            paths.push(failed);
        }
        for function in self.functions(&self.operand(start.routine)) {
            let mut started = self.clone();
            if started.start_one(start, function)? {
                if let Some(dst) = dst {
                    started.set(dst, Value::null());
                }
                paths.push(started);
            }
        }
        Ok(paths)
    }

    fn start_one(&mut self, start: Start, function: FuncId) -> Result<bool, Invalid> {
        let program = self.cx.program;
        if program.functions[function].blocks.is_empty() {
            self.doubt(format!(
                "a thread in {}(), which has no definition",
                program.functions[function].name
            ));
            return Ok(false);
        }
        let starts = &self.cx.certificate.starts;
        let at =
            starts.binary_search_by_key(&(self.instance, self.instr, function), |(n, i, f, _)| (*n, *i, *f));
        let Ok(at) = at else {
            return self.lacks(
                Missing::Start(function),
                "a start that the certificate does not have",
                &program.functions[function].name,
                &"",
            );
        };
        let thread = starts[at].3;
        let facts = &self.cx.certificate.threads[thread];
        self.forget_latest(thread);
        let address = self.address(start.handle);
        let handle = Value::handle(thread, Latest::Yes);
        let word = self.cx.pointer_bytes();
        let before = self.state.teams.get(&thread).copied();
        let was_alive = self.state.alive.contains(&thread);
        if !self.store_bytes(&address, handle, word, How::Plain)? {
            return Ok(false);
        }
        let goes_on = self.extend_team(thread, before, was_alive, &address);
        self.starts_at_most(thread, goes_on || !self.state.started.contains(&thread))?;
        let argument = self.operand(start.argument);
        let argument = self.expose(argument, None)?;
        if argument.targets.iter().any(|(object, _)| self.cx.is_thread_local(*object)) {
            self.doubt("the address of a thread-local variable may become known to other threads");
        }
        self.facts(thread)?;
        self.keeps_apart(thread, start.argument, &argument)?;
        let joinable = match start.attribute {
            Some(attribute) => self.operand(attribute).constant() == Some(0),
            None => true,
        };
        if !joinable {
            self.state.teams.remove(&thread);
        }
        self.come_alive(thread, joinable);
        if self.state.pristine {
            self.leave_pristine(&self.state)?;
            self.state.pristine = false;
        }
        self.settle()?;
        let from = self.type_of(start.argument);
        let entry = self.root_entry(function, argument, from);
        self.include_entry(facts.root, entry, program.functions[function].atomic)?;
        Ok(true)
    }

    /// Handles of the latest thread of a kind are those of an older one.
    fn forget_latest(&mut self, thread: ThreadId) {
        for value in self.state.registers.values_mut() {
            value.forget_latest(thread);
        }
        let has = |value: &Value| value.handles.contains(&(thread, Latest::Yes));
        if self.state.known.values().any(|known| has(&known.value)) {
            for known in Arc::make_mut(&mut self.state.known).values_mut() {
                known.value.forget_latest(thread);
            }
        }
        for own in self.state.own.values_mut() {
            own.data.forget_latest(thread);
        }
    }

    /// What is claimed of the threads is so for this start.
    fn facts(&self, thread: ThreadId) -> Result<(), Invalid> {
        let threads = &self.cx.certificate.threads;
        let facts = &threads[thread];
        let runs = &self.cx.certificate.instances[facts.root].threads;
        if !runs.contains(&thread) {
            let missing = Missing::Threads(facts.root, BTreeSet::from([thread]));
            self.needs(missing, format!("threads that execute the root of {thread}"), &thread, runs)?;
        }
        let own = self.cx.threads(self.instance);
        let alone = matches!(own.iter().collect::<Vec<_>>().as_slice(), [one] if threads[**one].single);
        if facts.single && (!alone || self.state.started.contains(&thread)) {
            let missing = Missing::Many(thread);
            self.needs(missing, format!("{thread} is single"), &(own, &self.state.started), &true)?;
        }
        let new: BTreeSet<ThreadId> = facts.descendants.iter().copied().chain([thread]).collect();
        for starter in own {
            if !new.is_subset(&threads[*starter].descendants) {
                let missing = Missing::Descendants(*starter, new.clone());
                let known = &threads[*starter].descendants;
                self.needs(missing, format!("descendants of {starter}"), &new, known)?;
            }
        }
        for one in &new {
            if !self.state.alive.is_subset(&threads[*one].overlap) {
                let missing = Missing::Overlap(*one, self.state.alive.clone());
                let part = format!("threads that overlap {one}");
                self.needs(missing, part, &self.state.alive, &threads[*one].overlap)?;
            }
        }
        self.cx.survey.note(|found| {
            let before =
                self.state.started.iter().flat_map(|t| threads[*t].descendants.iter().chain([t])).copied();
            found.before.entry(thread).or_default().extend(before);
            found.starters.entry(thread).or_default().extend(own);
        });
        Ok(())
    }

    fn come_alive(&mut self, thread: ThreadId, joinable: bool) {
        let descendants = &self.cx.certificate.threads[thread].descendants;
        let state = &mut self.state;
        if state.alive.contains(&thread) || descendants.contains(&thread) {
            state.solo.remove(&thread);
        } else {
            state.solo.insert(thread);
        }
        state.solo.retain(|other| !descendants.contains(other));
        if joinable {
            state.joinable.insert(thread);
        } else {
            state.joinable.remove(&thread);
        }
        state.alive.insert(thread);
        state.alive.extend(descendants);
        state.started.insert(thread);
        state.touched.insert(thread);
    }

    /// The state in which a new thread begins.
    fn root_entry(&self, function: FuncId, argument: Value, from: Ty) -> State {
        let callee = &self.cx.program.functions[function];
        let mut registers = BTreeMap::new();
        for (index, param) in callee.params.iter().enumerate() {
            let ty = callee.regs[*param].ty;
            let value = match index {
                0 => {
                    let mut seen = argument.clone();
                    for thread in self.cx.certificate.threads.ids() {
                        seen.forget_latest(thread);
                    }
                    coerce(self, seen, from, ty)
                }
                _ => Value::any(self.width(ty)),
            };
            registers.insert(*param, value);
        }
        let ended = self.state.ended.iter().copied().filter(|object| !self.cx.is_own(*object)).collect();
        State { registers, ended, ..State::default() }
    }
}

/// Ends.
impl Run<'_, '_> {
    /// The running thread, which is of this kind, ends with a value.
    pub fn thread_end(&mut self, thread: ThreadId, value: Option<Value>) -> Result<(), Invalid> {
        if self.state.holds.iter().any(|hold| hold.name == Some(LockName::Section)) {
            self.open(only(Check::Deadlock), "a thread may end inside of an atomic section");
        }
        let is_lock =
            |name: Option<LockName>, mode: Mode| mode != Mode::Passed && name != Some(LockName::Section);
        if self.state.holds.iter().any(|hold| is_lock(hold.name, hold.mode)) {
            let checks = CheckSet::from_iter([Check::Deadlock, Check::LockMisuse]);
            self.open(checks, "a thread may end with a lock that it holds");
        }
        if thread != ThreadId(0) {
            let left = &self.cx.certificate.threads[thread].left;
            if !self.state.alive.is_subset(left) {
                let missing = Missing::Left(thread, self.state.alive.clone());
                let part = format!("descendants that {thread} leaves alive");
                self.needs(missing, part, &self.state.alive, left)?;
            }
        }
        let value = match value {
            Some(value) => self.expose(value, None)?,
            None => Value::NONE,
        };
        if value.targets.iter().any(|(object, _)| self.cx.is_thread_local(*object)) {
            self.doubt("the address of a thread-local variable may become known to other threads");
        }
        self.cx.survey.note(|found| {
            found.results.entry(thread).or_insert(Value::NONE).join(&value);
        });
        self.publish_all()
    }

    /// The running thread ends where it stands.
    pub fn exit_thread(&mut self, value: Value) -> Result<(), Invalid> {
        self.end_all_frames()?;
        for thread in self.cx.threads(self.instance) {
            self.clone().thread_end(*thread, Some(value.clone()))?;
        }
        Ok(())
    }
}

/// Joins.
impl<'c, 'a> Run<'c, 'a> {
    /// Waits for the end of a thread. The result is stored in so many bytes.
    pub fn join(
        mut self,
        dst: Option<RegId>,
        handle: Operand,
        result: Option<(Operand, u64)>,
    ) -> Result<Paths<'c, 'a>, Invalid> {
        let value = self.operand(handle);
        let known = matches!(value.handles.as_slice(), [(_, Latest::Yes)])
            && value.numbers.is_none()
            && value.targets.is_empty();
        let latest = value.handles.first().map(|(thread, _)| *thread).filter(|_| known);
        let sure = latest.filter(|t| self.state.solo.contains(t) && self.state.joinable.contains(t));
        if let Some(thread) = sure {
            self.note_wait(Awaited::End(thread));
            self.has_ended(thread);
            self.state.teams.remove(&thread);
            return self.joined_surely(dst, thread, result);
        }
        if let Some(thread) = self.join_of_team(handle) {
            self.note_wait(Awaited::End(thread));
            return self.joined_surely(dst, thread, result);
        }
        let checks = CheckSet::from_iter([Check::ThreadMisuse, Check::Deadlock]);
        self.open(checks, "what is joined may be no thread that can be joined");
        let any = value.numbers.is_some() || !value.targets.is_empty() || value.handles.is_empty();
        let threads: Vec<ThreadId> = match any {
            true => self.cx.certificate.threads.ids().collect(),
            false => value.handles.iter().map(|(thread, _)| *thread).collect(),
        };
        self.cx.survey.note(|found| found.contested.extend(&threads));
        for thread in &threads {
            self.note_wait(Awaited::End(*thread));
            self.state.touched.insert(*thread);
            self.state.joinable.remove(thread);
            self.state.teams.remove(thread);
        }
        let mut failed = self.clone();
        if let Some(dst) = dst {
            failed.set_any(dst);
        }
        let mut paths = self.joined(dst, &threads, result)?;
        paths.push(failed);
        Ok(paths)
    }

    /// The thread has ended. Where another one may join it, too, the call may fail because that has happened.
    fn joined_surely(
        self,
        dst: Option<RegId>,
        thread: ThreadId,
        result: Option<(Operand, u64)>,
    ) -> Result<Paths<'c, 'a>, Invalid> {
        let contested = self.cx.survey.get().contested.contains(&thread);
        let mut failed = self.clone();
        let mut paths = self.joined(dst, &[thread], result)?;
        if contested {
            failed.state.touched.insert(thread);
            if let Some(dst) = dst {
                failed.set_any(dst);
            }
            paths.push(failed);
        }
        Ok(paths)
    }

    /// The call returns 0, and one of these threads has been joined.
    fn joined(
        mut self,
        dst: Option<RegId>,
        threads: &[ThreadId],
        result: Option<(Operand, u64)>,
    ) -> Result<Paths<'c, 'a>, Invalid> {
        self.state.touched.extend(threads);
        let wanted = result.map(|(operand, bytes)| (self.operand(operand), operand, bytes));
        if let Some((pointer, operand, bytes)) = wanted.filter(|(pointer, ..)| pointer.constant() != Some(0))
        {
            let mut value = Value::any(self.cx.pointer_bits());
            if bytes == self.cx.pointer_bytes() {
                for thread in threads {
                    let found = self.cx.survey.get();
                    found.results.get(thread).iter().for_each(|result| {
                        value.join(result);
                    });
                }
            } else {
                value = Value::any(32);
            }
            for thread in self.cx.certificate.threads.ids() {
                value.forget_latest(thread);
            }
            // Where the pointer may be null, nothing is stored then.
            let null = pointer.numbers == Some(Range::point(0));
            let mut without = self.clone();
            let address = Address {
                value: if null { Value { numbers: None, ..pointer } } else { pointer },
                operand: Some((operand, 0)),
            };
            let mut paths = Vec::new();
            if self.store_bytes(&address, value, bytes, How::Plain)? {
                if let Some(dst) = dst {
                    self.set(dst, Value::null());
                }
                paths.push(self);
            }
            if null {
                if let Some(dst) = dst {
                    without.set(dst, Value::null());
                }
                paths.push(without);
            }
            return Ok(paths);
        }
        if let Some(dst) = dst {
            self.set(dst, Value::null());
        }
        Ok(vec![self])
    }

    /// All threads of a kind that the running one has started have been joined.
    pub fn has_ended(&mut self, thread: ThreadId) {
        self.state.joinable.remove(&thread);
        let threads = &self.cx.certificate.threads;
        let facts = &threads[thread];
        let others: Vec<ThreadId> =
            self.state.started.iter().copied().filter(|other| *other != thread).collect();
        let elsewhere = |t: &ThreadId| {
            let itself = *t != thread && others.contains(t);
            itself || others.iter().any(|other| threads[*other].descendants.contains(t))
        };
        let ended = |t: &ThreadId| *t == thread || facts.descendants.contains(t);
        self.state.alive.retain(|t| !ended(t) || facts.left.contains(t) || elsewhere(t));
    }

    /// Gives up the right to join a thread.
    pub fn detach(&mut self, dst: Option<RegId>, handle: Operand) {
        let value = self.operand(handle);
        let known = matches!(value.handles.as_slice(), [(_, Latest::Yes)])
            && value.numbers.is_none()
            && value.targets.is_empty();
        let latest = value.handles.first().map(|(thread, _)| *thread).filter(|_| known);
        match latest.filter(|thread| self.state.joinable.contains(thread)) {
            Some(thread) => {
                self.state.joinable.remove(&thread);
                self.state.touched.insert(thread);
                self.state.teams.remove(&thread);
                if let Some(dst) = dst {
                    self.set(dst, Value::null());
                }
            }
            None => {
                self.open(
                    all(),
                    "what is detached may be another thread than the last one that was started here",
                );
                let threads: Vec<ThreadId> = self.cx.certificate.threads.ids().collect();
                self.state.touched.extend(threads);
                self.state.joinable.clear();
                self.state.teams.clear();
                if let Some(dst) = dst {
                    self.set_any(dst);
                }
            }
        }
    }
}
