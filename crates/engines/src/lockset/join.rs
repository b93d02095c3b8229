//! The join of two states, and widening.

use super::solver::Solver;
use braid_ir::RegId;
use braid_proof::InstanceId;
use braid_proof::eval::width;
use braid_proof::{
    Below, Bound, Hold, Key, Known, Mode, ObjectId, Own, Range, Space, State, Team, ThreadId, Value, life,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The memory of a join in the making.
struct Merged<'w> {
    known: BTreeMap<Key, Known>,
    own: BTreeMap<ObjectId, Own>,
    widen: Option<&'w Vec<i128>>,
}

impl Solver<'_> {
    /// The join of a state that was there before with a new one. With thresholds what grows is widened.
    pub fn join(
        &mut self,
        instance: InstanceId,
        old: &State,
        new: &State,
        widen: Option<&Vec<i128>>,
    ) -> State {
        let old = &*self.as_pristine(old, new.pristine);
        let new = &*self.as_pristine(new, old.pristine);
        let mut joined = State {
            registers: self.join_registers(instance, old, new, widen),
            forms: common(&old.forms, &new.forms),
            loaded: common(&old.loaded, &new.loaded),
            tried: common(&old.tried, &new.tried),
            known: Rc::default(),
            own: BTreeMap::new(),
            pristine: old.pristine && new.pristine,
            holds: join_holds(&old.holds, &new.holds),
            released: join_ranges(&old.released, &new.released),
            alive: union(&old.alive, &new.alive),
            solo: join_certain(&old.solo, &new.solo, &old.alive, &new.alive),
            joinable: join_certain(&old.joinable, &new.joinable, &old.started, &new.started),
            teams: join_teams(old, new),
            below: join_below(old, new),
            touched: union(&old.touched, &new.touched),
            made: union(&old.made, &new.made),
            started: union(&old.started, &new.started),
            ended: union(&old.ended, &new.ended),
            lost: union(&old.lost, &new.lost),
        };
        self.join_memory(instance, old, new, &mut joined, widen);
        let weaker = |state: &State| state.holds != joined.holds || state.alive != joined.alive;
        if !joined.known.is_empty() && (weaker(old) || weaker(new)) {
            self.settle(instance, &mut joined);
        }
        joined
    }

    /// A state that is not pristine if the other one is not.
    fn as_pristine<'s>(&mut self, state: &'s State, other: bool) -> std::borrow::Cow<'s, State> {
        if !state.pristine || other {
            return std::borrow::Cow::Borrowed(state);
        }
        let mut state = state.clone();
        self.lose_pristine(&mut state);
        std::borrow::Cow::Owned(state)
    }

    fn join_registers(
        &self,
        instance: InstanceId,
        old: &State,
        new: &State,
        widen: Option<&Vec<i128>>,
    ) -> BTreeMap<RegId, Value> {
        let function = &self.program.functions[self.instances[instance].function];
        let mut joined = BTreeMap::new();
        for reg in old.registers.keys().chain(new.registers.keys()) {
            if joined.contains_key(reg) {
                continue;
            }
            let bits = width(self.program, function.regs[*reg].ty);
            let value = match (old.registers.get(reg), new.registers.get(reg)) {
                (Some(a), Some(b)) => match widen {
                    Some(thresholds) => widened(a, b, bits, thresholds),
                    None => union_of(a, b, bits),
                },
                (Some(one), None) | (None, Some(one)) => union_of(one, &Value::any(bits), bits),
                (None, None) => continue,
            };
            if value != Value::any(bits) {
                joined.insert(*reg, value);
            }
        }
        joined
    }

    fn join_memory(
        &mut self,
        instance: InstanceId,
        old: &State,
        new: &State,
        joined: &mut State,
        widen: Option<&Vec<i128>>,
    ) {
        let mut merged = Merged { known: BTreeMap::new(), own: old.own.clone(), widen };
        let own = &mut merged.own;
        for (object, contents) in &new.own {
            match own.get_mut(object) {
                Some(mine) => {
                    grow(&mut mine.data, &contents.data, widen);
                    grow(&mut mine.sync, &contents.sync, widen);
                }
                None => _ = own.insert(*object, contents.clone()),
            }
        }
        for (key, a) in old.known.iter() {
            match new.known.get(key) {
                Some(b) => {
                    let bits = bits_of(*key);
                    let value = match widen {
                        Some(thresholds) => widened(&a.value, &b.value, bits, thresholds),
                        None => union_of(&a.value, &b.value, bits),
                    };
                    // A state that was there before may be older than what others are known to look at.
                    if a.dirty != b.dirty && !self.objects.is_own(key.object) {
                        let dirty = if a.dirty { a } else { b };
                        self.publish(instance, *key, &dirty.value);
                    }
                    merged.known.insert(*key, Known { value, dirty: a.dirty && b.dirty });
                }
                None => self.join_lone(instance, (*key, a), new, &mut merged),
            }
        }
        for (key, b) in new.known.iter() {
            if !old.known.contains_key(key) {
                self.join_lone(instance, (*key, b), old, &mut merged);
            }
        }
        // Entries that came from one side each may interfere.
        let Merged { mut known, mut own, .. } = merged;
        let keys: Vec<Key> = known.keys().copied().collect();
        for pair in keys.windows(2) {
            let [a, b] = pair else { continue };
            if interfere(a, b) {
                for key in [a, b] {
                    if let Some(entry) = known.remove(key)
                        && let Some(mine) = own.get_mut(&key.object)
                    {
                        let part = if key.space == Space::Data { &mut mine.data } else { &mut mine.sync };
                        grow(part, &super::memory::mix(&entry.value), widen);
                    }
                }
            }
        }
        joined.known = Rc::new(known);
        joined.own = own;
    }

    /// An entry that one of two states has.
    fn join_lone(
        &mut self,
        instance: InstanceId,
        (key, entry): (Key, &Known),
        other: &State,
        merged: &mut Merged,
    ) {
        let Merged { known, own, widen } = merged;
        let widen = *widen;
        if !self.objects.is_own(key.object) {
            if entry.dirty {
                self.publish(instance, key, &entry.value);
            }
            return;
        }
        let Some(contents) = other.own.get(&key.object) else {
            // The other state has no such object, or none that is own.
            known.insert(key, entry.clone());
            return;
        };
        let rest = if key.space == Space::Data { &contents.data } else { &contents.sync };
        let clean = other.known.keys().all(|there| there.object != key.object || !interfere(there, &key));
        if clean {
            let bits = bits_of(key);
            let value = match widen {
                Some(thresholds) => widened(&entry.value, rest, bits, thresholds),
                None => union_of(&entry.value, rest, bits),
            };
            known.insert(key, Known { value, dirty: true });
        } else if let Some(mine) = own.get_mut(&key.object) {
            let part = if key.space == Space::Data { &mut mine.data } else { &mut mine.sync };
            grow(part, &super::memory::mix(&entry.value), widen);
        }
    }
}

/// The width of what a place holds.
pub fn bits_of(key: Key) -> u8 {
    match key.space {
        Space::Data => (8 * key.bytes).clamp(1, 128) as u8,
        Space::Sync => 8,
    }
}

/// Returns true if two places have a common byte.
pub fn interfere(a: &Key, b: &Key) -> bool {
    let end = |key: &Key| key.offset.saturating_add_unsigned(key.bytes);
    a.object == b.object && a.space == b.space && a.offset < end(b) && b.offset < end(a)
}

/// The life of an object that may be in any state.
pub fn any_life() -> Value {
    Value::number(Range::interval(life::RAW, life::DESTROYED))
}

fn grow(value: &mut Value, more: &Value, widen: Option<&Vec<i128>>) {
    match widen {
        Some(_) => _ = value.widen(more, 64),
        None => _ = value.join(more),
    }
}

fn union_of(a: &Value, b: &Value, bits: u8) -> Value {
    let mut joined = a.clone();
    if joined.join(b) {
        joined.numbers = joined.numbers.map(|range| range.normal(bits));
    }
    joined
}

/// The join of two values, moved on to the next thresholds where it has grown.
fn widened(old: &Value, new: &Value, bits: u8, thresholds: &[i128]) -> Value {
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
            *now = before.widen(*now, 64);
        }
    }
    joined
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
    a.iter()
        .filter(|(key, value)| b.get(key) == Some(value))
        .map(|(key, value)| (*key, value.clone()))
        .collect()
}

fn union<T: Ord + Copy>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> BTreeSet<T> {
    a | b
}

/// What holds in both states, or in one where the other has nothing that it could be false of.
fn join_certain(
    a: &BTreeSet<ThreadId>,
    b: &BTreeSet<ThreadId>,
    a_has: &BTreeSet<ThreadId>,
    b_has: &BTreeSet<ThreadId>,
) -> BTreeSet<ThreadId> {
    let in_a = a.iter().filter(|t| b.contains(t) || !b_has.contains(t));
    let in_b = b.iter().filter(|t| a.contains(t) || !a_has.contains(t));
    in_a.chain(in_b).copied().collect()
}

fn join_ranges(a: &BTreeMap<ObjectId, Range>, b: &BTreeMap<ObjectId, Range>) -> BTreeMap<ObjectId, Range> {
    let mut joined = a.clone();
    for (object, range) in b {
        add_range(&mut joined, *object, *range);
    }
    joined
}

/// Adds offsets to those of an object. A range that grows again is any offset.
pub fn add_range(ranges: &mut BTreeMap<ObjectId, Range>, object: ObjectId, range: Range) {
    match ranges.get_mut(&object) {
        Some(known) if known.includes(range) => {}
        Some(known) => *known = known.widen(range, 64),
        None => _ = ranges.insert(object, range),
    }
}

/// The holds of either state. What is certain in both stays so; other relative names mean nothing.
fn join_holds(a: &[Hold], b: &[Hold]) -> Vec<Hold> {
    let mut joined: Vec<Hold> = Vec::new();
    for hold in a.iter().chain(b) {
        let certain_in = |list: &[Hold]| {
            list.iter().any(|other| other.certain && (other.name, other.mode) == (hold.name, hold.mode))
        };
        let certain = certain_in(a) && certain_in(b);
        add_hold(&mut joined, Hold { certain, ..hold.clone() });
    }
    joined
}

/// Adds a hold to a list.
pub fn add_hold(holds: &mut Vec<Hold>, hold: Hold) {
    if !hold.certain && hold.mode == Mode::Passed {
        return;
    }
    match holds.iter_mut().find(|known| (known.name, known.mode) == (hold.name, hold.mode)) {
        Some(known) => {
            known.certain |= hold.certain;
            for (object, range) in hold.targets {
                match known.targets.iter_mut().find(|(other, _)| *other == object) {
                    Some((_, at)) if at.includes(range) => {}
                    Some((_, at)) => *at = at.widen(range, 64),
                    None => known.targets.push((object, range)),
                }
            }
            known.targets.sort();
        }
        None => {
            holds.push(hold);
            holds.sort();
        }
    }
}

/// The number that a bound is in a state, if it is one.
pub fn bound_value(state: &State, bound: Bound) -> Option<i64> {
    match bound {
        Bound::Const(value) => Some(value),
        Bound::Register(reg, offset) => {
            let value = i64::try_from(state.registers.get(&reg)?.constant()?).ok()?;
            value.checked_add(offset)
        }
        Bound::Outer(..) => None,
    }
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

fn join_teams(a: &State, b: &State) -> BTreeMap<ThreadId, Team> {
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
            (Some(_), None) => empty_in(b, *thread, team),
            (None, _) => empty_in(a, *thread, team),
        };
        if let Some(team) = both {
            joined.insert(*thread, team);
        }
    }
    joined
}

/// The team, if it is right in a state without such threads: it has no members there.
fn empty_in(state: &State, thread: ThreadId, team: &Team) -> Option<Team> {
    let (lo, hi) = (bound_value(state, team.lo), bound_value(state, team.hi));
    (!state.alive.contains(&thread) && lo.is_some() && lo == hi).then_some(*team)
}

fn join_below(a: &State, b: &State) -> BTreeMap<ThreadId, Below> {
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
