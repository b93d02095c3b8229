//! Calls of the library by what their rows say.

use super::access::{Spot, place};
use super::join::{add_hold, add_range, bound_value};
use super::step::Step;
use braid_ir::{FuncId, Operand, RegId};
use braid_models::{Effect, Mode as HowHeld, Sync, Wait};
use braid_proof::{
    Below, Bound, Form, Hold, Key, Kind, Latest, Loaded, LockName, Mode, ObjectId, Range, Space, State, Team,
    ThreadId, Value, eval, life,
};
use std::collections::BTreeSet;

impl Step<'_, '_> {
    /// Executes a call of a function of the library. Returns false if nothing follows it.
    pub fn apply(&mut self, effect: Effect, dst: Option<RegId>, args: &[Operand], target: FuncId) -> bool {
        let arg = |index: usize| args.get(index).copied();
        let null = |step: &Self, index: Option<usize>| {
            index.and_then(arg).is_none_or(|arg| step.value(arg).constant() == Some(0))
        };
        let mut result = dst.map(|dst| self.any(dst));
        let zero = Some(Value::null());
        match effect {
            Effect::Acquire { lock, mode, object, wait } => {
                let Some(lock) = arg(lock) else { return false };
                let mode = if mode == HowHeld::Exclusive { Mode::Exclusive } else { Mode::Shared };
                return self.acquire(dst, lock, mode, object, wait);
            }
            Effect::Release { lock, object } => {
                let Some(lock) = arg(lock) else { return false };
                self.look_at_life(lock, object);
                self.release(lock);
            }
            Effect::Wait { mutex, cond, timed } => {
                let (Some(mutex), Some(cond)) = (arg(mutex), arg(cond)) else { return false };
                self.look_at_life(cond, Sync::ConditionVariable);
                let held: Vec<Hold> = self.state.holds.clone();
                let name = self.lock_name(mutex);
                self.release(mutex);
                let certain =
                    name.is_some_and(|name| held.iter().any(|hold| hold.certain && hold.name == Some(name)));
                let targets = self.value(mutex).targets;
                add_hold(&mut self.state.holds, Hold { name, mode: Mode::Exclusive, targets, certain });
                if !timed {
                    result = zero;
                }
            }
            Effect::Signal { cond } => {
                let Some(cond) = arg(cond) else { return false };
                self.look_at_life(cond, Sync::ConditionVariable);
            }
            Effect::Init { object, kind, attribute } => {
                let Some(object) = arg(object) else { return false };
                let plain = match kind {
                    Sync::PlainMutex => attribute
                        .and_then(arg)
                        .is_some_and(|arg| self.value(arg).constant().is_some_and(|kind| kind & 1 == 0)),
                    _ => null(self, attribute),
                };
                let state = if plain { life::READY } else { life::READY_KIND };
                self.write_life(object, kind, Value::number(Range::point(state)));
                if !self.solver.question.calls_may_fail {
                    result = zero;
                }
            }
            Effect::Destroy { object, kind } => {
                let Some(object) = arg(object) else { return false };
                self.look_at_life(object, kind);
                self.write_life(object, kind, Value::number(Range::point(life::DESTROYED)));
            }
            Effect::SemaphoreWait { semaphore, .. } | Effect::SemaphorePost { semaphore } => {
                let Some(semaphore) = arg(semaphore) else { return false };
                self.look_at_life(semaphore, Sync::Semaphore);
            }
            Effect::SemaphoreValue { semaphore, value } => {
                let (Some(semaphore), Some(value)) = (arg(semaphore), arg(value)) else { return false };
                self.look_at_life(semaphore, Sync::Semaphore);
                let target = self.value(value);
                let visit = self.visit(Kind::Write, false, &[], None);
                self.store_at(&target, 4, Value::any(32), &visit);
            }
            Effect::BarrierWait { barrier } => {
                let Some(barrier) = arg(barrier) else { return false };
                self.look_at_life(barrier, Sync::Barrier);
            }
            Effect::Once { control, routine } => {
                let (Some(control), Some(routine)) = (arg(control), arg(routine)) else { return false };
                self.once(control, routine);
                result = zero;
            }
            Effect::Start { handle, attribute, routine, argument } => {
                let (Some(handle), Some(routine), Some(argument)) =
                    (arg(handle), arg(routine), arg(argument))
                else {
                    return false;
                };
                let plain = null(self, attribute);
                if !self.start(handle, routine, argument, plain) {
                    return false;
                }
                if !self.solver.question.calls_may_fail {
                    result = zero;
                }
            }
            Effect::Join { handle, result: to } => {
                let Some(handle) = arg(handle) else { return false };
                let (sure, threads) = self.join_thread(handle);
                if sure {
                    result = zero;
                }
                self.store_result(to.and_then(arg), &threads);
            }
            Effect::Detach { handle } => {
                let Some(handle) = arg(handle) else { return false };
                self.detach(handle);
            }
            Effect::ExitThread { value } => {
                let value = arg(value).map_or(Value::NONE, |value| self.value(value));
                self.end_thread(value);
                return false;
            }
            Effect::Print { .. } | Effect::Nothing => {}
        }
        let name = self.solver.program.functions[target].name.as_str();
        self.touch(name, effect, args);
        if let (Some(dst), Some(value)) = (dst, result) {
            self.set(dst, value);
        }
        true
    }

    /// Memory that the call reads and writes besides.
    fn touch(&mut self, name: &str, effect: Effect, args: &[Operand]) {
        if matches!(effect, Effect::Start { .. } | Effect::Join { .. }) {
            return;
        }
        for access in braid_models::accesses(name) {
            let Some(arg) = args.get(access.argument) else { continue };
            let bytes = access.extent.bytes(self.solver.program.pointer_bytes);
            let target = self.value(*arg);
            if access.writes {
                let visit = self.visit(Kind::Write, false, &[], None);
                let any = Value::any((8 * bytes).min(128) as u8);
                self.store_at(&target, bytes, any, &visit);
            } else {
                let visit = self.visit(Kind::Read, false, &[], None);
                for (object, at) in target.targets {
                    self.solver.read(&mut self.state, Spot::data(object, at, bytes), &visit);
                }
            }
        }
    }

    /// The name of the lock behind a pointer.
    fn lock_name(&self, lock: Operand) -> Option<LockName> {
        let value = self.value(lock);
        if let ([(object, at)], None) = (value.targets.as_slice(), value.numbers)
            && let Some(offset) = at.single().and_then(|at| i64::try_from(at).ok())
            && (self.solver.objects.is_single(self.solver.program, *object))
        {
            return Some(LockName::Place(*object, offset));
        }
        let (base, distance) = self.bases(lock).pop()?;
        Some(LockName::Relative(base, distance))
    }

    /// The life of the object behind a pointer.
    fn look_at_life(&mut self, pointer: Operand, kind: Sync) -> Value {
        let bytes = kind.size(self.solver.program.pointer_bytes);
        let visit = self.visit(Kind::Read, true, &[], None);
        let mut life = Value::NONE;
        for (object, at) in self.value(pointer).targets {
            if eval::as_function(self.solver.program, object).is_none() {
                self.solver.note_sort(object, at, bytes);
                life.join(&self.solver.read(&mut self.state, Spot::life(object, at), &visit));
            }
        }
        life
    }

    fn write_life(&mut self, pointer: Operand, kind: Sync, life: Value) {
        let bytes = kind.size(self.solver.program.pointer_bytes);
        let visit = self.visit(Kind::Write, true, &[], None);
        let value = self.value(pointer);
        let exact = match value.targets.as_slice() {
            [(object, at)] => {
                let single = self.solver.objects.is_own(*object) || self.solver.exact(*object, *at).is_some();
                place(*object, Space::Sync, *at, 1).filter(|_| single)
            }
            _ => None,
        };
        for (object, at) in value.targets {
            if eval::as_function(self.solver.program, object).is_some() {
                continue;
            }
            self.solver.note_sort(object, at, bytes);
            match exact {
                Some(key) => self.solver.write_exactly(&mut self.state, key, &life, &visit),
                None => {
                    self.solver.write_somewhere(&mut self.state, Spot::life(object, at), &life, &visit);
                }
            }
        }
    }

    /// Returns true if an object with such a life can be used.
    fn is_usable(&self, life: &Value, kind: Sync) -> bool {
        let Some(range) = life.only_numbers() else { return false };
        let least = if kind.works_as_zero() { life::ZERO } else { life::READY };
        range.lo() >= least && range.hi() <= life::READY_KIND
    }

    fn acquire(&mut self, dst: Option<RegId>, lock: Operand, mode: Mode, kind: Sync, wait: Wait) -> bool {
        let life = self.look_at_life(lock, kind);
        let usable = self.is_usable(&life, kind);
        let name = self.lock_name(lock);
        let targets = self.value(lock).targets;
        let sure = usable && wait == Wait::Blocks && name.is_some();
        let known = self.state.holds.iter().any(|hold| hold.name == name && hold.mode == mode);
        // The same lock may have been tried before.
        self.state.tried.retain(|_, (tried, _)| Some(*tried) != name);
        add_hold(&mut self.state.holds, Hold { name, mode, targets, certain: sure });
        let Some(dst) = dst else { return true };
        let relative = name.is_some_and(|name| matches!(name, LockName::Relative(reg, _) if reg == dst));
        let value = if sure { Value::null() } else { self.any(dst) };
        self.set(dst, value);
        if let (true, false, false, Some(name), false) = (usable, sure, known, name, relative) {
            self.state.tried.insert(dst, (name, mode));
        }
        true
    }

    fn release(&mut self, lock: Operand) {
        let name = self.lock_name(lock);
        let targets = self.value(lock).targets;
        self.state.tried.retain(|_, (tried, _)| Some(*tried) != name);
        for (object, range) in &targets {
            add_range(&mut self.state.released, *object, *range);
        }
        let names: Vec<LockName> = match name {
            Some(LockName::Relative(..)) => self
                .bases(lock)
                .into_iter()
                .map(|(base, distance)| LockName::Relative(base, distance))
                .collect(),
            _ => name.into_iter().collect(),
        };
        let here =
            |hold: &Hold| hold.name.is_some_and(|name| names.contains(&name)) && hold.mode != Mode::Passed;
        let certain = self.state.holds.iter().any(|hold| hold.certain && here(hold));
        let exact = certain || matches!(name, Some(LockName::Place(..)));
        let (gone, kept): (Vec<Hold>, Vec<Hold>) =
            std::mem::take(&mut self.state.holds).into_iter().partition(|hold| exact && here(hold));
        drop(gone);
        let touches = |hold: &Hold| {
            hold.targets.iter().any(|(object, at)| {
                targets.iter().any(|(other, range)| object == other && Range::interferes(*at, 1, *range, 1))
            })
        };
        for mut hold in kept {
            // A lock that was certainly held under this name is another one than those with other names.
            if hold.mode != Mode::Passed && !certain && touches(&hold) {
                hold.certain = false;
            }
            add_hold(&mut self.state.holds, hold);
        }
        self.settle();
    }

    pub fn settle(&mut self) {
        let mut state = std::mem::take(&mut self.state);
        self.solver.settle(self.instance, &mut state);
        self.state = state;
    }

    fn once(&mut self, control: Operand, routine: Operand) {
        let life = self.look_at_life(control, Sync::Once);
        let usable = self.is_usable(&life, Sync::Once);
        let name = self.lock_name(control).filter(|name| usable && matches!(name, LockName::Place(..)));
        let targets = self.value(control).targets;
        let before = self.state.clone();
        let hold = |mode| Hold { name, mode, targets: targets.clone(), certain: name.is_some() };
        add_hold(&mut self.state.holds, hold(Mode::Exclusive));
        let returned = self.call(None, braid_ir::Callee::Pointer(routine), &[]);
        let mut after = before;
        if returned {
            self.state.holds.retain(|held| (held.name, held.mode) != (name, Mode::Exclusive));
            self.settle();
            let state = std::mem::take(&mut self.state);
            after = self.solver.join(self.instance, &after, &state, None);
        }
        if name.is_some() {
            add_hold(&mut after.holds, hold(Mode::Passed));
        }
        self.state = after;
    }

    /// Starts one of the threads that a call may start.
    fn start(&mut self, handle: Operand, routine: Operand, argument: Operand, joinable: bool) -> bool {
        let before = self.state.clone();
        let mut after: Option<State> = None;
        for (object, _) in self.value(routine).targets {
            let Some(root) = eval::as_function(self.solver.program, object) else { continue };
            if self.solver.program.functions[root].blocks.is_empty() {
                continue;
            }
            self.state = before.clone();
            self.start_one(root, handle, argument, joinable);
            let state = std::mem::take(&mut self.state);
            after = Some(match after {
                None => state,
                Some(known) => self.solver.join(self.instance, &known, &state, None),
            });
        }
        let started = after.is_some();
        self.state = after.unwrap_or(before);
        started
    }

    fn start_one(&mut self, root: FuncId, handle: Operand, argument: Operand, joinable: bool) {
        let thread = self.thread_of(root);
        self.forget_latest(thread);
        let to = self.value(handle);
        let team = self.grown_team(thread, handle, &to).filter(|_| joinable);
        let (bases, own) = (self.bases(handle), None);
        let visit = self.visit(Kind::Write, false, &bases, own);
        let bytes = u64::from(self.solver.program.pointer_bytes);
        self.store_at(&to, bytes, Value::handle(thread, Latest::Yes), &visit);
        match team {
            Some(team) => _ = self.state.teams.insert(thread, team),
            None => _ = self.state.teams.remove(&thread),
        }
        let given = self.value(argument);
        let mut given = self.leak(&given);
        let form = self.argument_form(argument, &given);
        let parents = self.solver.instances[self.instance].threads.clone();
        let solver = &mut *self.solver;
        let alone = parents.len() == 1 && parents.iter().all(|parent| solver.threads.list[*parent].single);
        if (!alone || self.state.started.contains(&thread)) && solver.threads.list[thread].single {
            solver.threads.list[thread].single = false;
            solver.threads.changed = true;
        }
        solver.threads.descend(&parents, thread);
        for other in self.state.alive.clone() {
            solver.threads.overlap(thread, other);
        }
        // What runs beside the thread that starts this one, runs beside this one.
        for parent in &parents {
            for other in solver.threads.list[*parent].overlap.clone() {
                solver.threads.overlap(thread, other);
            }
        }
        self.set_apart(thread, form, alone);
        self.come_alive(thread, joinable);
        self.solver.lose_pristine(&mut self.state);
        self.settle();
        self.forget_all_latest(&mut given);
        let solver = &mut *self.solver;
        let function = &solver.program.functions[root];
        let ended = self.state.ended.iter().copied().filter(|object| !solver.objects.is_own(*object));
        let mut entry = State { ended: ended.collect(), ..State::default() };
        if let Some(param) = function.params.first() {
            let bits = eval::width(solver.program, function.regs[*param].ty);
            given.numbers = given.numbers.map(|range| range.normal(bits));
            if given != Value::any(bits) {
                entry.registers.insert(*param, given);
            }
        }
        let instance = solver.threads.list[thread].root;
        solver.enter(instance, entry);
    }

    /// The thread that is started here in a function.
    fn thread_of(&mut self, root: FuncId) -> ThreadId {
        let solver = &mut *self.solver;
        let site = (self.instance, self.instr, root);
        if let Some(thread) = solver.starts.get(&site) {
            return *thread;
        }
        let instance = solver.new_instance(root, None);
        let thread = solver.threads.add(instance);
        solver.instances[instance].threads.insert(thread);
        solver.starts.insert(site, thread);
        thread
    }

    fn come_alive(&mut self, thread: ThreadId, joinable: bool) {
        let family = self.solver.threads.family(thread);
        let descendants = &self.solver.threads.list[thread].descendants;
        match self.state.alive.contains(&thread) || descendants.contains(&thread) {
            true => _ = self.state.solo.remove(&thread),
            false => _ = self.state.solo.insert(thread),
        }
        self.state.solo.retain(|other| !descendants.contains(other));
        self.state.alive.extend(family);
        match joinable {
            true => _ = self.state.joinable.insert(thread),
            false => _ = self.state.joinable.remove(&thread),
        }
        self.state.touched.insert(thread);
        self.state.started.insert(thread);
    }

    /// The argument of a thread as a linear function of a register that holds a number.
    fn argument_form(&self, argument: Operand, given: &Value) -> Option<(Option<ObjectId>, Form)> {
        let form = self.address_form(argument)?;
        if self.function.regs[form.base].ty == braid_ir::Ty::Ptr {
            return None;
        }
        match (given.targets.as_slice(), given.numbers) {
            ([], Some(_)) => Some((None, form)),
            ([(object, _)], None) if self.solver.objects.is_single(self.solver.program, *object) => {
                Some((Some(*object), form))
            }
            _ => None,
        }
    }

    /// Notes the distance of the argument from those of threads that may be alive.
    fn set_apart(&mut self, thread: ThreadId, form: Option<(Option<ObjectId>, Form)>, alone: bool) {
        let root = self.solver.instances[self.solver.threads.list[thread].root].function;
        let param = self.solver.program.functions[root].params.first().copied();
        let alive = self.state.alive.contains(&thread);
        let before = self.state.below.remove(&thread);
        let distance = match (form, before) {
            _ if !alone => None,
            (Some((object, form)), Some(below))
                if (below.object, below.register, below.scale) == (object, form.base, form.scale) =>
            {
                form.offset.checked_sub(below.offset).filter(|distance| *distance > 0)
            }
            _ => None,
        };
        if let Some(param) = param
            && (alive || !alone)
        {
            self.solver.threads.apart(thread, param, distance);
        }
        if let Some((object, Form { base, scale, offset })) = form
            && (!alive || distance.is_some())
            && scale > 0
        {
            self.state.below.insert(thread, Below { object, register: base, scale, offset });
        }
    }

    /// The team with the thread that is being started, whose handle goes to a place.
    fn grown_team(&self, thread: ThreadId, handle: Operand, to: &Value) -> Option<Team> {
        let [(array, at)] = to.targets.as_slice() else { return None };
        let single =
            self.solver.objects.is_own(*array) || self.solver.objects.is_single(self.solver.program, *array);
        (to.numbers.is_none() && single).then_some(())?;
        let private = self.solver.objects.is_own(*array);
        private.then_some(())?;
        let bytes = i64::from(self.solver.program.pointer_bytes);
        let before = self.state.teams.get(&thread);
        let form =
            self.address_form(handle).filter(|form| self.function.regs[form.base].ty != braid_ir::Ty::Ptr);
        let offset = at.single().and_then(|at| i64::try_from(at).ok());
        let (base, stride) = match (before, form, offset) {
            (Some(team), ..) => {
                (team.array == *array).then_some(())?;
                (team.base, team.stride)
            }
            (None, Some(form), _) if form.scale >= bytes => (form.offset.rem_euclid(form.scale), form.scale),
            (None, _, Some(offset)) => (offset.rem_euclid(bytes), bytes),
            (None, ..) => return None,
        };
        let index = self.index(form, offset, base, stride)?;
        match before {
            Some(team) => self.same_bound(team.hi, index).then_some(Team { hi: self.next(index)?, ..*team }),
            None => {
                // The first one: there are no others.
                let lo = bound_value(&self.state, index).map_or(index, Bound::Const);
                let fresh = !self.state.alive.contains(&thread);
                fresh.then_some(Team { array: *array, base, stride, lo, hi: self.next(index)? })
            }
        }
    }

    /// The position in an array of which an address is a place.
    fn index(&self, form: Option<Form>, offset: Option<i64>, base: i64, stride: i64) -> Option<Bound> {
        if let Some(form) = form
            && form.scale == stride
            && (form.offset - base) % stride == 0
        {
            return Some(Bound::Register(form.base, (form.offset - base) / stride));
        }
        let distance = offset?.checked_sub(base)?;
        (distance % stride == 0).then(|| Bound::Const(distance / stride))
    }

    fn next(&self, bound: Bound) -> Option<Bound> {
        match bound {
            Bound::Const(value) => value.checked_add(1).map(Bound::Const),
            Bound::Register(reg, offset) => offset.checked_add(1).map(|offset| Bound::Register(reg, offset)),
            Bound::Outer(..) => None,
        }
    }

    fn same_bound(&self, a: Bound, b: Bound) -> bool {
        let value = |bound| bound_value(&self.state, bound);
        a == b || value(a).is_some_and(|a| Some(a) == value(b))
    }

    /// Older handles of a thread are not the latest ones any more.
    fn forget_latest(&mut self, thread: ThreadId) {
        for value in self.state.registers.values_mut() {
            value.forget_latest(thread);
        }
        let has = |value: &Value| value.handles.binary_search(&(thread, Latest::Yes)).is_ok();
        if self.state.known.values().any(|entry| has(&entry.value)) {
            for entry in std::rc::Rc::make_mut(&mut self.state.known).values_mut() {
                entry.value.forget_latest(thread);
            }
        }
        for contents in self.state.own.values_mut() {
            contents.data.forget_latest(thread);
        }
    }

    /// Joins a thread. Returns true if the call certainly does, and the threads that it may be.
    fn join_thread(&mut self, handle: Operand) -> (bool, Vec<ThreadId>) {
        let value = self.value(handle);
        let touched: BTreeSet<ThreadId> = value.handles.iter().map(|(thread, _)| *thread).collect();
        self.state.touched.extend(&touched);
        if let Some((thread, team)) = self.team_of(handle, &value) {
            match self.same_bound(team.lo, team.hi) && matches!(team.lo, Bound::Const(_)) {
                true => self.solver.gone(&mut self.state, thread),
                false => _ = self.state.teams.insert(thread, team),
            }
            return (true, vec![thread]);
        }
        let exact = match (value.handles.as_slice(), value.numbers, value.targets.is_empty()) {
            ([(thread, Latest::Yes)], None, true) => Some(*thread),
            _ => None,
        };
        let sure =
            |thread: &ThreadId| self.state.joinable.contains(thread) && self.state.solo.contains(thread);
        if let Some(thread) = exact.filter(sure) {
            self.solver.gone(&mut self.state, thread);
            return (true, vec![thread]);
        }
        let any = value.numbers.is_some() || !value.targets.is_empty() || value.handles.is_empty();
        let threads: Vec<ThreadId> = match any {
            true => (0..self.solver.threads.list.len() as u32).map(ThreadId).collect(),
            false => touched.into_iter().collect(),
        };
        for thread in &threads {
            self.state.touched.insert(*thread);
            self.state.joinable.remove(thread);
            self.state.teams.remove(thread);
        }
        (false, threads)
    }

    /// The team whose first member is joined, without it.
    fn team_of(&self, handle: Operand, value: &Value) -> Option<(ThreadId, Team)> {
        let (thread, _) = value.handles.first()?;
        value.handles.iter().all(|(other, _)| other == thread).then_some(())?;
        let team = *self.state.teams.get(thread)?;
        let Operand::Reg(reg) = handle else { return None };
        let (object, index) = match self.state.loaded.get(&reg)? {
            Loaded::Place(Key { object, offset, .. }) => {
                (*object, self.index(None, Some(*offset), team.base, team.stride)?)
            }
            Loaded::Element(object, form, _) => {
                (*object, self.index(Some(*form), None, team.base, team.stride)?)
            }
        };
        (object == team.array && self.same_bound(index, team.lo)).then_some(())?;
        (!self.same_bound(team.lo, team.hi)).then_some(())?;
        // There is such a member: the position is below the end.
        self.is_below(index, team.hi).then_some(())?;
        Some((*thread, Team { lo: self.next(index)?, ..team }))
    }

    /// Returns true if one bound is certainly less than another.
    fn is_below(&self, a: Bound, b: Bound) -> bool {
        let range = |bound| match bound {
            Bound::Const(value) => Some((i128::from(value), i128::from(value))),
            Bound::Register(reg, offset) => {
                let bits = eval::width(self.solver.program, self.function.regs[reg].ty);
                let (lo, hi) = self.value(Operand::Reg(reg)).only_numbers()?.signed(bits);
                Some((lo + i128::from(offset), hi + i128::from(offset)))
            }
            Bound::Outer(..) => None,
        };
        match (a, b) {
            (Bound::Register(x, i), Bound::Register(y, j)) if x == y => i < j,
            _ => range(a).zip(range(b)).is_some_and(|((_, hi), (lo, _))| hi < lo),
        }
    }

    /// Stores what a joined thread has left.
    fn store_result(&mut self, to: Option<Operand>, threads: &[ThreadId]) {
        let Some(to) = to else { return };
        let target = self.value(to);
        if target.targets.is_empty() {
            return;
        }
        let bytes = u64::from(self.solver.program.pointer_bytes);
        let visit = self.visit(Kind::Write, false, &[], None);
        let mut value = Value::any(64);
        for thread in threads {
            value.join(&self.solver.threads.results.get(thread).cloned().unwrap_or_default());
        }
        self.forget_all_latest(&mut value);
        self.store_at(&target, bytes, value, &visit);
    }

    /// Handles are those of older threads, for others than the one who started them.
    fn forget_all_latest(&self, value: &mut Value) {
        for (thread, _) in value.handles.clone() {
            value.forget_latest(thread);
        }
    }

    fn detach(&mut self, handle: Operand) {
        let value = self.value(handle);
        if let ([(thread, Latest::Yes)], None, true) =
            (value.handles.as_slice(), value.numbers, value.targets.is_empty())
        {
            self.state.joinable.remove(thread);
            self.state.touched.insert(*thread);
            self.state.teams.remove(thread);
            return;
        }
        let threads = (0..self.solver.threads.list.len() as u32).map(ThreadId);
        self.state.touched.extend(threads);
        self.state.joinable.clear();
        self.state.teams.clear();
    }
}
