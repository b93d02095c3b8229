//! The join of two states of a point, and widening.
//!
//! The result is first what seems best, and then what the checker's inclusion finds: a part in which it does not include one of
//! the two states is given up, or made larger, until it includes both.

use braid_ir::{Program, RegId};
use braid_proof::check::Point;
use braid_proof::check::draft::{Draft, Gap, Part, join_passed};
use braid_proof::eval::width;
use braid_proof::{
    Below, Bound, Hold, Key, Known, Mode, ObjectId, Own, Range, Space, State, Team, ThreadId, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Rounds in which parts are given up.
const REPAIRS: usize = 64;

pub struct Join<'j, 'a> {
    pub program: &'a Program,
    pub draft: &'j Draft<'a>,
    pub point: Point,
    /// Numbers that grow go on to the next of these.
    pub widen: Option<&'j [i128]>,
}

/// The result of a join.
pub struct Joined {
    pub state: State,
    /// What the draft lacks for the two states to be within the result.
    pub gaps: Vec<Gap>,
    /// The result includes both states; false if that could not be reached.
    pub complete: bool,
}

impl Join<'_, '_> {
    pub fn states(&self, old: &State, new: &State) -> Joined {
        let mut gaps = Vec::new();
        let old = self.without_lost(old.clone(), new, &mut gaps);
        let new = self.without_lost(new.clone(), &old, &mut gaps);
        let mut state = self.candidate(&old, &new);
        for _ in 0..REPAIRS {
            let mut parts = Vec::new();
            let mut needed = Vec::new();
            for one in [&old, &new] {
                let within = self.draft.within(self.point, one, &state);
                parts.extend(within.parts);
                needed.extend(within.list);
            }
            if parts.is_empty() {
                gaps.extend(needed);
                return Joined { state, gaps, complete: true };
            }
            parts.iter().for_each(|part| self.give_up(&mut state, *part, &old, &new));
        }
        Joined { state, gaps, complete: false }
    }

    /// Own objects that are shared ones in the other state are that here, too.
    fn without_lost(&self, mut state: State, other: &State, gaps: &mut Vec<Gap>) -> State {
        loop {
            let lost = |object: &&ObjectId| self.draft.cannot_be_own(self.point, other, **object);
            let Some(object) = state.own.keys().find(lost).copied() else { return state };
            let (shared, more) = self.draft.shared(self.point, &state, object);
            gaps.extend(more.list);
            if shared.own.contains_key(&object) {
                return state;
            }
            state = shared;
        }
    }

    fn candidate(&self, old: &State, new: &State) -> State {
        let registers = matches!(self.point, Point::Entry(_) | Point::Block(..));
        let (known, own) = self.memory(old, new);
        let mut forms = old.forms.clone();
        forms.extend(new.forms.iter().filter(|(reg, _)| !old.forms.contains_key(reg)));
        forms
            .retain(|reg, form| self.draft.entails(old, *reg, *form) && self.draft.entails(new, *reg, *form));
        let mut state = State {
            registers: if registers { self.registers(old, new) } else { BTreeMap::new() },
            forms: if registers { forms } else { BTreeMap::new() },
            loaded: common(&old.loaded, &new.loaded),
            tried: common(&old.tried, &new.tried),
            known: Arc::new(known),
            own,
            pristine: old.pristine && new.pristine,
            holds: self.holds(&old.holds, &new.holds),
            released: self.ranges(&old.released, &new.released),
            passed: join_passed(&old.passed, &new.passed, self.widen.is_some()),
            alive: &old.alive | &new.alive,
            solo: certain((&old.solo, &old.alive), (&new.solo, &new.alive)),
            joinable: certain((&old.joinable, &old.started), (&new.joinable, &new.started)),
            teams: teams(old, new),
            below: below(old, new),
            touched: &old.touched | &new.touched,
            started: &old.started | &new.started,
            ended: &old.ended | &new.ended,
            lost: &old.lost | &new.lost,
            over: &old.over | &new.over,
        };
        if !registers {
            state.loaded.clear();
            state.tried.clear();
        }
        let (known, own) = (&state.known, &state.own);
        state.loaded.retain(|_, loaded| match loaded {
            braid_proof::Loaded::Place(key) => known.contains_key(key) || own.contains_key(&key.object),
            braid_proof::Loaded::Element(..) => true,
        });
        state
    }

    fn registers(&self, old: &State, new: &State) -> BTreeMap<RegId, Value> {
        let (Point::Entry(instance) | Point::Block(instance, ..) | Point::Exit(instance)) = self.point;
        let function = &self.program.functions[self.draft.certificate.instances[instance].function];
        let mut joined = BTreeMap::new();
        let is_live = |reg: &RegId| match self.point {
            Point::Block(id, block, _) => {
                self.draft.live(self.draft.certificate.instances[id].function, block).contains(reg)
            }
            Point::Entry(_) | Point::Exit(_) => true,
        };
        for reg in old.registers.keys().chain(new.registers.keys()) {
            if joined.contains_key(reg) || !is_live(reg) {
                continue;
            }
            let bits = width(self.program, function.regs[*reg].ty);
            let any = Value::any(bits);
            let value = match (old.registers.get(reg), new.registers.get(reg)) {
                (Some(a), Some(b)) => self.value(a, b, bits),
                (Some(one), None) | (None, Some(one)) => self.value(one, &any, bits),
                (None, None) => continue,
            };
            if value != any {
                joined.insert(*reg, value);
            }
        }
        joined
    }

    pub fn value(&self, old: &Value, new: &Value, bits: u8) -> Value {
        match self.widen {
            Some(thresholds) => widened(old, new, bits, thresholds),
            None => union_of(old, new, bits),
        }
    }

    fn memory(&self, old: &State, new: &State) -> (BTreeMap<Key, Known>, BTreeMap<ObjectId, Own>) {
        let mut own = old.own.clone();
        for (object, contents) in &new.own {
            match own.get_mut(object) {
                Some(mine) => {
                    self.uniform(&mut mine.data, &contents.data);
                    mine.sync.join(&contents.sync);
                }
                None => _ = own.insert(*object, contents.clone()),
            }
        }
        let mut known = BTreeMap::new();
        for (key, a) in old.known.iter() {
            match new.known.get(key) {
                Some(b) => {
                    let value = self.value(&a.value, &b.value, bits_of(*key));
                    known.insert(*key, Known { value, dirty: a.dirty && b.dirty });
                }
                None => self.lone(*key, a, new, &mut known),
            }
        }
        for (key, b) in new.known.iter().filter(|(key, _)| !old.known.contains_key(key)) {
            self.lone(*key, b, old, &mut known);
        }
        // Entries that came from one side each may interfere.
        let keys: Vec<Key> = known.keys().copied().collect();
        for (index, key) in keys.iter().enumerate() {
            if keys[..index]
                .iter()
                .rev()
                .take_while(|other| other.object == key.object)
                .any(|other| interfere(other, key))
            {
                known.remove(key);
            }
        }
        for state in [old, new] {
            for (key, entry) in state.known.iter().filter(|(key, _)| !known.contains_key(key)) {
                if let Some(mine) = own.get_mut(&key.object) {
                    self.draft.lose(mine, *key, entry);
                }
            }
        }
        (known, own)
    }

    /// An entry that one of two states has. Those of shared objects are not known any more.
    fn lone(&self, key: Key, entry: &Known, other: &State, known: &mut BTreeMap<Key, Known>) {
        if !self.draft.is_own(key.object) {
            return;
        }
        if !other.own.contains_key(&key.object) {
            known.insert(key, entry.clone());
            return;
        }
        let there = other.known.keys().any(|there| interfere(there, &key));
        if !there {
            let rest = self.draft.value_at(self.point, other, key);
            let value = self.value(&entry.value, &rest, bits_of(key));
            known.insert(key, Known { value, dirty: true });
        }
    }

    /// Contents that are the same everywhere: zero bytes, or any numbers, and addresses.
    fn uniform(&self, data: &mut Value, more: &Value) {
        let zero = |value: &Value| value.numbers.is_none_or(|numbers| numbers == Range::point(0));
        let numbers = match (data.numbers, more.numbers) {
            (None, None) => None,
            _ if zero(data) && zero(more) => Some(Range::point(0)),
            _ => Some(Range::full(64)),
        };
        if self.widen.is_some() {
            data.widen(more, 64);
        } else {
            data.join(more);
        }
        data.numbers = numbers;
    }

    fn ranges(
        &self,
        a: &BTreeMap<ObjectId, Range>,
        b: &BTreeMap<ObjectId, Range>,
    ) -> BTreeMap<ObjectId, Range> {
        let mut joined = a.clone();
        for (object, range) in b {
            add_range(&mut joined, *object, *range, self.widen.is_some());
        }
        joined
    }

    /// The holds of either state. What is certain in both stays so.
    fn holds(&self, a: &[Hold], b: &[Hold]) -> Vec<Hold> {
        let mut joined: BTreeMap<_, Hold> = BTreeMap::new();
        // Names that move along with pointers would be new in every round of a loop.
        let is_old = |hold: &Hold| a.iter().any(|old| (old.name, old.mode) == (hold.name, hold.mode));
        let later = b.iter().map(|hold| match self.widen.is_some() && !is_old(hold) {
            true => Hold { name: None, certain: false, ..hold.clone() },
            false => hold.clone(),
        });
        for hold in a.iter().cloned().chain(later) {
            let in_list = |list: &[Hold]| {
                let as_strong =
                    |mode: Mode| mode == hold.mode || (mode, hold.mode) == (Mode::Exclusive, Mode::Shared);
                list.iter().any(|other| other.certain && other.name == hold.name && as_strong(other.mode))
            };
            let certain = in_list(a) && in_list(b);
            match joined.get_mut(&(hold.name, hold.mode)) {
                Some(known) => {
                    let mut targets: BTreeMap<ObjectId, Range> = known.targets.iter().copied().collect();
                    for (object, range) in &hold.targets {
                        add_range(&mut targets, *object, *range, self.widen.is_some());
                    }
                    known.targets = targets.into_iter().collect();
                }
                None => _ = joined.insert((hold.name, hold.mode), Hold { certain, ..hold }),
            }
        }
        let mut holds: Vec<Hold> = joined.into_values().collect();
        holds.sort();
        holds
    }

    /// A part that does not include one of the states is made larger.
    fn give_up(&self, state: &mut State, part: Part, old: &State, new: &State) {
        match part {
            Part::Register(reg) => self.drop_register(state, reg, old, new),
            Part::Form(reg) => _ = state.forms.remove(&reg),
            Part::Loaded(reg) => _ = state.loaded.remove(&reg),
            Part::Tried(reg) => _ = state.tried.remove(&reg),
            Part::Pristine => state.pristine = false,
            Part::Known(key) => {
                Arc::make_mut(&mut state.known).remove(&key);
                for one in [old, new] {
                    if let Some(mine) = state.own.get_mut(&key.object)
                        && let Some(entry) = one.known.get(&key)
                    {
                        self.draft.lose(mine, key, entry);
                    }
                }
            }
            Part::Own | Part::Shared(_) | Part::Alive | Part::Passed | Part::Sets => {}
            Part::Contents(object) => {
                if let Some(mine) = state.own.get_mut(&object) {
                    let values = [old, new].into_iter().flat_map(|one| {
                        let entries = one.known.iter().filter(|(key, _)| key.object == object);
                        entries
                            .map(|(_, known)| &known.value)
                            .chain(one.own.get(&object).map(|own| &own.data))
                    });
                    for value in values {
                        mine.data.join(&Value { numbers: None, ..value.clone() });
                    }
                    mine.data.numbers = Some(Range::full(64));
                    mine.sync =
                        Value::number(Range::interval(braid_proof::life::RAW, braid_proof::life::DESTROYED));
                }
            }
            Part::Holds => {
                for hold in &mut state.holds {
                    hold.certain = false;
                }
                for hold in old.holds.iter().chain(&new.holds) {
                    state.holds.push(Hold { name: None, certain: false, ..hold.clone() });
                }
                state.holds = self.holds(&state.holds, &[]);
            }
            Part::Solo => state.solo.clear(),
            Part::Joinable => state.joinable.clear(),
            Part::Team(thread) => _ = state.teams.remove(&thread),
            Part::Below(thread) => _ = state.below.remove(&thread),
        }
    }

    /// The register may have any number, and all addresses of both.
    fn drop_register(&self, state: &mut State, reg: RegId, old: &State, new: &State) {
        let (Point::Entry(instance) | Point::Block(instance, ..) | Point::Exit(instance)) = self.point;
        let function = &self.program.functions[self.draft.certificate.instances[instance].function];
        let mut value = Value::any(width(self.program, function.regs[reg].ty));
        for one in [old, new] {
            let addresses = one.registers.get(&reg).map(|value| Value { numbers: None, ..value.clone() });
            value.join(&addresses.unwrap_or_default());
        }
        state.registers.insert(reg, value);
    }
}

/// The width of what a place holds.
fn bits_of(key: Key) -> u8 {
    match key.space {
        Space::Data => (8 * key.bytes).clamp(1, 128) as u8,
        Space::Sync => 8,
    }
}

/// Returns true if two places have a common byte.
fn interfere(a: &Key, b: &Key) -> bool {
    let end = |key: &Key| key.offset.saturating_add_unsigned(key.bytes);
    a.object == b.object && a.space == b.space && a.offset < end(b) && b.offset < end(a)
}

fn union_of(a: &Value, b: &Value, bits: u8) -> Value {
    let mut joined = a.clone();
    if joined.join(b) {
        joined.numbers = joined.numbers.map(|range| range.normal(bits));
    }
    joined
}

/// The join of two values, moved on to the next thresholds where it has grown.
pub fn widened(old: &Value, new: &Value, bits: u8, thresholds: &[i128]) -> Value {
    let mut joined = union_of(old, new, bits);
    if joined == *old {
        return joined;
    }
    if let (Some(before), Some(now)) = (old.numbers, joined.numbers)
        && before != now
    {
        let below = thresholds.iter().rev().find(|t| **t <= now.lo());
        let above = thresholds.iter().find(|t| **t >= now.hi());
        let next = match (now.lo() < before.lo(), now.hi() > before.hi()) {
            (false, true) => above.and_then(|hi| stretched(now, now.lo(), *hi)),
            (true, false) => below.and_then(|lo| stretched(now, *lo, now.hi())),
            (true, true) => below.zip(above).and_then(|(lo, hi)| stretched(now, *lo, *hi)),
            (false, false) => None,
        };
        let fits = |range: &Range| range.is_normal(bits);
        joined.numbers = Some(next.filter(fits).unwrap_or_else(|| before.widen(now, bits)));
    }
    for (object, before) in &old.targets {
        if let Some((_, now)) = joined.targets.iter_mut().find(|(other, _)| other == object) {
            *now = unbounded(*before, *now);
        }
    }
    joined
}

/// Offsets that have grown go on without bounds.
fn unbounded(before: Range, now: Range) -> Range {
    let all = Range::UNBOUNDED;
    let (lo, hi) = (
        if now.lo() < before.lo() { all.lo() } else { now.lo() },
        if now.hi() > before.hi() { all.hi() } else { now.hi() },
    );
    match (lo, hi) == (now.lo(), now.hi()) {
        true => now,
        false => stretched(now, lo, hi).unwrap_or(all),
    }
}

/// The range with other bounds, as far as its stride allows.
fn stretched(range: Range, lo: i128, hi: i128) -> Option<Range> {
    let step = i128::from(range.step().max(1));
    let lo = range.lo() - (range.lo() - lo) / step * step;
    let hi = range.hi() + (hi - range.hi()) / step * step;
    Range::new(lo, hi, if lo == hi { 0 } else { range.step().max(1) })
}

/// What both maps say.
fn common<K: Ord + Copy, V: PartialEq + Clone>(a: &BTreeMap<K, V>, b: &BTreeMap<K, V>) -> BTreeMap<K, V> {
    let both = a.iter().filter(|(key, value)| b.get(key) == Some(value));
    both.map(|(key, value)| (*key, value.clone())).collect()
}

type Threads = BTreeSet<ThreadId>;

/// What holds in both states, or in one where the other has nothing that it could be false of.
fn certain((a, a_has): (&Threads, &Threads), (b, b_has): (&Threads, &Threads)) -> Threads {
    let in_a = a.iter().filter(|t| b.contains(t) || !b_has.contains(t));
    let in_b = b.iter().filter(|t| a.contains(t) || !a_has.contains(t));
    in_a.chain(in_b).copied().collect()
}

/// Adds offsets to those of an object.
fn add_range(ranges: &mut BTreeMap<ObjectId, Range>, object: ObjectId, range: Range, widen: bool) {
    match ranges.get_mut(&object) {
        Some(known) if known.includes(range) => {}
        Some(known) if widen => *known = unbounded(*known, known.join(range)),
        Some(known) => *known = known.join(range),
        None => _ = ranges.insert(object, range),
    }
}

/// The number that a bound is in a state, if it is one.
fn bound_value(state: &State, bound: Bound) -> Option<i64> {
    match bound {
        Bound::Const(value) => Some(value),
        Bound::Register(reg, offset) => {
            let value = i64::try_from(state.registers.get(&reg)?.constant()?).ok()?;
            value.checked_add(offset)
        }
        Bound::Outer(..) => None,
    }
}

/// Bounds of teams that mention registers which are not read any more become numbers where the registers are.
pub fn fix_bounds(state: &mut State, live: &BTreeSet<RegId>) {
    let bound = |state: &State, bound: Bound| match bound {
        Bound::Register(reg, _) if !live.contains(&reg) => {
            bound_value(state, bound).map_or(bound, Bound::Const)
        }
        Bound::Register(..) | Bound::Const(_) | Bound::Outer(..) => bound,
    };
    let fixed = state.teams.iter().map(|(thread, team)| {
        let (lo, hi) = (bound(state, team.lo), bound(state, team.hi));
        (*thread, Team { lo, hi, ..*team })
    });
    state.teams = fixed.collect();
}

fn join_bound(a: (&State, Bound), b: (&State, Bound)) -> Option<Bound> {
    let holds_in = |(state, own): (&State, Bound), bound: Bound| {
        own == bound || bound_value(state, own).is_some_and(|value| bound_value(state, bound) == Some(value))
    };
    let common = || {
        // Both are numbers, and a register is as far from both.
        let (x, y) = (bound_value(a.0, a.1)?, bound_value(b.0, b.1)?);
        a.0.registers.keys().find_map(|reg| {
            let from = bound_value(a.0, Bound::Register(*reg, 0))?;
            let to = bound_value(b.0, Bound::Register(*reg, 0))?;
            (from != to && x - from == y - to).then_some(Bound::Register(*reg, x - from))
        })
    };
    [a.1, b.1].into_iter().find(|bound| holds_in(a, *bound) && holds_in(b, *bound)).or_else(common)
}

fn teams(a: &State, b: &State) -> BTreeMap<ThreadId, Team> {
    let mut joined = BTreeMap::new();
    for (thread, team) in a.teams.iter().chain(&b.teams) {
        if joined.contains_key(thread) {
            continue;
        }
        let both = match (a.teams.get(thread), b.teams.get(thread)) {
            (Some(x), Some(y)) => {
                let same = (x.array, x.base, x.stride) == (y.array, y.base, y.stride);
                let lo = join_bound((a, x.lo), (b, y.lo));
                let hi = join_bound((a, x.hi), (b, y.hi));
                match (same, lo, hi) {
                    (true, Some(lo), Some(hi)) => Some(Team { lo, hi, ..*x }),
                    _ => None,
                }
            }
            (Some(_), None) => empty_in((b, a), *thread, team),
            (None, _) => empty_in((a, b), *thread, team),
        };
        if let Some(team) = both {
            joined.insert(*thread, team);
        }
    }
    joined
}

/// The team, if it is right in a state without such threads: it has no members there.
fn empty_in((state, other): (&State, &State), thread: ThreadId, team: &Team) -> Option<Team> {
    if state.alive.contains(&thread) {
        return None;
    }
    let (lo, hi) = (bound_value(state, team.lo), bound_value(state, team.hi));
    if lo.is_some() && lo == hi {
        return Some(*team);
    }
    // The number of members, in terms of a register that is where the team begins in the one state.
    let (first, last) = (bound_value(other, team.lo)?, bound_value(other, team.hi)?);
    let reg = state.registers.keys().find(|reg| {
        let reg = Bound::Register(**reg, 0);
        bound_value(state, reg) == Some(first) && bound_value(other, reg) == Some(last)
    })?;
    Some(Team { lo: Bound::Const(first), hi: Bound::Register(*reg, 0), ..*team })
}

fn below(a: &State, b: &State) -> BTreeMap<ThreadId, Below> {
    let mut joined = BTreeMap::new();
    for (thread, below) in a.below.iter().chain(&b.below) {
        let both = match (a.below.get(thread), b.below.get(thread)) {
            (Some(x), Some(y)) => {
                let same = (x.object, x.register, x.scale) == (y.object, y.register, y.scale);
                same.then(|| Below { offset: x.offset.max(y.offset), ..*x })
            }
            (Some(_), None) => (!b.alive.contains(thread)).then_some(*below),
            (None, _) => (!a.alive.contains(thread)).then_some(*below),
        };
        if let Some(below) = both {
            joined.insert(*thread, below);
        }
    }
    joined
}
