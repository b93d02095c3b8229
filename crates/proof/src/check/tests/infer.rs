//! A small engine for tests: it adds to a certificate what the checker finds missing, until nothing is.

use super::super::{Invalid, Leaves, Missing, Point, Verdict, check};
use crate::certificate::{Access, Cell, Certificate, Instance, Object, Place, Thread, VERSION};
use crate::eval;
use crate::range::Range;
use crate::state::{Bound, Hold, InstanceId, Known, Loaded, LockName, Mode, Own, Space, State, Team, life};
use crate::value::{ObjectId, ThreadId, Value};
use braid_base::IndexVec;
use braid_ir::{FuncId, Program, Question, RegId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values of a point are joined as often before they are widened.
const PATIENCE: u32 = 16;

pub struct Infer<'p> {
    program: &'p Program,
    pub certificate: Certificate,
    /// Instances of functions that are called.
    called: BTreeMap<(BTreeSet<ThreadId>, FuncId), InstanceId>,
    sized: BTreeSet<ObjectId>,
    visits: BTreeMap<String, u32>,
}

/// A state that includes nothing.
fn nothing() -> State {
    let section = Some(LockName::Section);
    let hold = Hold { name: section, mode: Mode::Exclusive, targets: Vec::new(), certain: true };
    let hold_too = Hold { mode: Mode::Passed, ..hold.clone() };
    State { pristine: true, holds: vec![hold, hold_too], ..State::default() }
}

fn is_nothing(state: &State) -> bool {
    state.holds.iter().any(|hold| hold.mode == Mode::Passed && hold.name == Some(LockName::Section))
}

pub fn infer(program: &Program, question: &Question) -> Result<(Certificate, Verdict), String> {
    let mut infer = Infer::new(program);
    let mut last = String::new();
    let begin = std::time::Instant::now();
    for _ in 0..5_000 {
        if begin.elapsed().as_secs() > 10 {
            break;
        }
        match check(program, question, &infer.certificate) {
            Ok(verdict) => return Ok((infer.certificate, verdict)),
            Err(Invalid::Step(at)) if at.missing != Missing::Other => {
                infer.add(&at);
                last = Invalid::Step(at).to_string();
            }
            Err(invalid) => return Err(invalid.to_string()),
        }
    }
    Err(format!("no end: {last}"))
}

impl<'p> Infer<'p> {
    fn new(program: &'p Program) -> Infer<'p> {
        let mut infer = Infer {
            program,
            certificate: Certificate {
                version: VERSION,
                objects: Vec::new(),
                instances: IndexVec::new(),
                calls: Vec::new(),
                starts: Vec::new(),
                threads: IndexVec::new(),
                memory: (0..eval::first_made(program)).map(|_| Vec::new()).collect(),
            },
            called: BTreeMap::new(),
            sized: BTreeSet::new(),
            visits: BTreeMap::new(),
        };
        let entry = program.entry.expect("an entry");
        infer.thread(entry);
        infer
    }

    fn instance(&mut self, function: FuncId, threads: BTreeSet<ThreadId>) -> InstanceId {
        let blocks = self.program.functions[function].blocks.iter().map(|_| None).collect();
        self.certificate.instances.push(Instance { function, threads, entry: nothing(), blocks, exit: None })
    }

    fn thread(&mut self, function: FuncId) -> ThreadId {
        let id = ThreadId(self.certificate.threads.len() as u32);
        let root = self.instance(function, BTreeSet::from([id]));
        self.certificate.threads.push(Thread {
            root,
            single: true,
            descendants: BTreeSet::new(),
            overlap: BTreeSet::new(),
            left: BTreeSet::new(),
            apart: None,
        })
    }

    fn add(&mut self, at: &Leaves) {
        let certificate = &mut self.certificate;
        match at.missing.clone() {
            Missing::Cell(object, space, range, bytes) => {
                let cells = &mut certificate.memory[object];
                add_cell(cells, space, range, bytes);
                let is_static = (object.0 as usize) < self.program.globals.len();
                if let Some(cell) = cells.last_mut().filter(|_| is_static && space == Space::Sync) {
                    cell.value.join(&Value::number(Range::point(life::ZERO)));
                }
            }
            Missing::Access(object, cell, access) => {
                add_access(&mut certificate.memory[object][cell], access)
            }
            Missing::Value(object, cell, value) => {
                let cell = &mut certificate.memory[object][cell];
                let visits = self.visits.entry(format!("{object} {:?}", cell.at)).or_insert(0);
                *visits += 1;
                let width = (8 * cell.bytes.min(16)) as u8;
                let changed = if *visits > PATIENCE {
                    cell.value.widen(&value, width)
                } else {
                    cell.value.join(&value)
                };
                cell.mixed |= !changed;
            }
            Missing::Parts(object, cell) => certificate.memory[object][cell].mixed = true,
            Missing::Object(place, _) => {
                let own = Object { place, own: true, size: Some(Range::point(0)), single: true };
                certificate.objects.push(own.clone());
                certificate.objects.push(Object { own: false, ..own });
                certificate.memory.push(Vec::new());
                certificate.memory.push(Vec::new());
            }
            Missing::Size(object, size) => {
                let index = (object.0 - eval::first_made(self.program)) as usize;
                let known = certificate.objects[index].size.filter(|_| !self.sized.insert(object));
                certificate.objects[index].size = Some(known.map_or(size, |known| known.join(size)));
            }
            Missing::Several(object) => {
                let index = (object.0 - eval::first_made(self.program)) as usize;
                certificate.objects[index].single = false;
                certificate.objects[index - 1].single = false;
            }
            Missing::Call(function) => {
                let threads = certificate.instances[at.instance].threads.clone();
                let callee = match self.called.get(&(threads.clone(), function)).copied() {
                    Some(callee) => callee,
                    None => {
                        let callee = self.instance(function, threads.clone());
                        self.called.insert((threads, function), callee);
                        callee
                    }
                };
                self.certificate.calls.push((at.instance, at.instr, function, callee));
                self.certificate.calls.sort_unstable();
            }
            Missing::Start(function) => {
                let thread = self.thread(function);
                self.certificate.starts.push((at.instance, at.instr, function, thread));
                self.certificate.starts.sort_unstable();
            }
            Missing::Threads(instance, threads) => certificate.instances[instance].threads.extend(threads),
            Missing::Descendants(thread, more) => {
                certificate.threads[thread].descendants.extend(more);
                let ids: Vec<ThreadId> = certificate.threads.ids().collect();
                for _ in &ids {
                    for id in &ids {
                        let below = certificate.threads[*id].descendants.clone();
                        let more: Vec<ThreadId> =
                            below.iter().flat_map(|t| certificate.threads[*t].descendants.clone()).collect();
                        certificate.threads[*id].descendants.extend(more);
                    }
                }
            }
            Missing::Overlap(thread, more) => {
                for other in &more {
                    certificate.threads[*other].overlap.insert(thread);
                }
                certificate.threads[thread].overlap.extend(more);
            }
            Missing::Left(thread, more) => certificate.threads[thread].left.extend(more),
            Missing::Many(thread) => certificate.threads[thread].single = false,
            Missing::Apart(thread, _) => certificate.threads[thread].apart = None,
            Missing::State(point, state) => self.include(point, *state),
            Missing::Result(instance, value) => {
                let width = 64;
                let visits = self.visits.entry(format!("result {instance}")).or_insert(0);
                *visits += 1;
                if let Some((_, result)) = &mut certificate.instances[instance].exit {
                    if *visits > PATIENCE {
                        result.widen(&value, width);
                    } else {
                        result.join(&value);
                    }
                }
            }
            Missing::Unknown(point, key) => {
                let state = match point {
                    Point::Entry(id) => Some(&mut certificate.instances[id].entry),
                    Point::Block(id, block) => certificate.instances[id].blocks[block].as_mut(),
                    Point::Exit(id) => certificate.instances[id].exit.as_mut().map(|(state, _)| state),
                };
                if let Some(state) = state {
                    state.loaded.retain(|_, from| *from != Loaded::Place(key));
                    let known = Arc::make_mut(&mut state.known);
                    match known.get_mut(&key).filter(|known| known.dirty) {
                        Some(entry) => entry.dirty = false,
                        None => {
                            known.remove(&key);
                        }
                    }
                }
            }
            Missing::Other => unreachable!("nothing can be added"),
        }
    }

    fn include(&mut self, point: Point, new: State) {
        let (id, exit) = match point {
            Point::Entry(id) | Point::Block(id, _) => (id, false),
            Point::Exit(id) => (id, true),
        };
        let function = &self.program.functions[self.certificate.instances[id].function];
        let visits = self.visits.entry(format!("{point:?}")).or_insert(0);
        *visits += 1;
        let width = |reg: braid_ir::RegId| eval::width(self.program, function.regs[reg].ty);
        let locals: BTreeSet<ObjectId> = {
            let first = eval::first_made(self.program);
            let places = self.certificate.objects.iter().enumerate();
            let local = places.filter(|(_, object)| object.own && matches!(object.place, Place::Local(..)));
            local.map(|(index, _)| ObjectId(first + index as u32)).collect()
        };
        let join = Join {
            widen: *visits > PATIENCE,
            width: &width,
            locals: &locals,
            first: eval::first_made(self.program),
        };
        let mut new = new;
        if exit {
            new.registers.clear();
            new.forms.clear();
            new.loaded.clear();
            new.tried.clear();
        }
        let instance = &mut self.certificate.instances[id];
        match point {
            Point::Entry(_) if is_nothing(&instance.entry) => instance.entry = new,
            Point::Entry(_) => join.states(&mut instance.entry, &new),
            Point::Block(_, block) => match &mut instance.blocks[block] {
                Some(state) => join.states(state, &new),
                none => *none = Some(new),
            },
            Point::Exit(_) => match &mut instance.exit {
                Some((state, _)) => join.states(state, &new),
                none => *none = Some((new, Value::NONE)),
            },
        }
    }
}

fn add_cell(cells: &mut Vec<Cell>, space: Space, at: Range, bytes: u64) {
    let mut new = Cell { space, at, bytes, mixed: false, value: Value::NONE, accesses: Vec::new() };
    while let Some(index) = cells
        .iter()
        .position(|cell| cell.space == space && Range::interferes(cell.at, cell.bytes, new.at, new.bytes))
    {
        let old = cells.remove(index);
        let joined = old.at.join(new.at);
        let alike = old.bytes == new.bytes && (joined.step() == 0 || joined.step() >= new.bytes);
        if alike {
            new.at = joined;
            new.mixed |= old.mixed;
        } else {
            let end = |cell: &Cell| cell.at.hi() + i128::from(cell.bytes);
            let (lo, hi) = (old.at.lo().min(new.at.lo()), end(&old).max(end(&new)));
            new.at = Range::point(lo);
            new.bytes = (hi - lo) as u64;
            new.mixed = true;
        }
        new.value.join(&old.value);
        new.accesses.extend(old.accesses);
    }
    cells.push(new);
}

fn add_access(cell: &mut Cell, access: Access) {
    let same = |old: &&mut Access| {
        old.instance == access.instance && old.instr == access.instr && old.kind == access.kind
    };
    match cell.accesses.iter_mut().find(same) {
        Some(old) => {
            old.alive.extend(&access.alive);
            old.held.retain(|held| access.held.contains(held));
            old.atomic &= access.atomic;
            if old.own != access.own {
                old.own = None;
            }
        }
        None => cell.accesses.push(access),
    }
}

struct Join<'j> {
    widen: bool,
    width: &'j dyn Fn(braid_ir::RegId) -> u8,
    locals: &'j BTreeSet<ObjectId>,
    first: u32,
}

impl Join<'_> {
    fn value(&self, a: &mut Value, b: &Value, width: u8) {
        if self.widen {
            a.widen(b, width);
        } else {
            a.join(b);
        }
    }

    fn is_own(&self, object: ObjectId) -> bool {
        object.0 >= self.first && (object.0 - self.first).is_multiple_of(2)
    }

    fn states(&self, a: &mut State, b: &State) {
        self.threads(a, b);
        let regs: BTreeSet<_> = a.registers.keys().chain(b.registers.keys()).copied().collect();
        for reg in regs {
            match (a.registers.get_mut(&reg), b.registers.get(&reg)) {
                (Some(x), Some(y)) => self.value(x, y, (self.width)(reg)),
                (x, y) => {
                    let gone = x.is_some();
                    let mut any = Value::any((self.width)(reg));
                    any.join(x.map(|x| &*x).or(y).expect("one of them"));
                    if any.only_numbers().is_some() {
                        a.registers.remove(&reg);
                    } else if gone || !any.is_none() {
                        a.registers.insert(reg, any);
                    }
                }
            }
        }
        a.forms.retain(|reg, form| b.forms.get(reg) == Some(form));
        a.loaded.retain(|reg, from| b.loaded.get(reg) == Some(from));
        a.tried.retain(|reg, tried| b.tried.get(reg) == Some(tried));
        self.own(a, b);
        let known = Arc::clone(&a.known);
        a.loaded.retain(|_, loaded| match loaded {
            Loaded::Place(key) => self.is_own(key.object) || known.contains_key(key),
            Loaded::Element(..) => true,
        });
        a.pristine &= b.pristine;
        self.holds(a, b);
        for (object, range) in &b.released {
            let entry = a.released.entry(*object).or_insert(*range);
            *entry = entry.join(*range);
        }
        a.touched.extend(&b.touched);
        a.made.extend(&b.made);
        a.started.extend(&b.started);
        a.ended.extend(&b.ended);
        a.lost.extend(&b.lost);
    }

    fn threads(&self, a: &mut State, b: &State) {
        let solo: BTreeSet<ThreadId> = a
            .solo
            .union(&b.solo)
            .copied()
            .filter(|t| {
                (a.solo.contains(t) || !a.alive.contains(t)) && (b.solo.contains(t) || !b.alive.contains(t))
            })
            .collect();
        let joinable: BTreeSet<ThreadId> = a
            .joinable
            .union(&b.joinable)
            .copied()
            .filter(|t| {
                (a.joinable.contains(t) || !a.started.contains(t))
                    && (b.joinable.contains(t) || !b.started.contains(t))
            })
            .collect();
        let teams: Vec<ThreadId> = a.teams.keys().chain(b.teams.keys()).copied().collect();
        for thread in teams {
            match (a.teams.get(&thread), b.teams.get(&thread)) {
                (Some(x), Some(y)) if x == y => {}
                (Some(x), Some(y)) => {
                    let team = both(x, y, a, b);
                    a.teams.remove(&thread);
                    a.teams.extend(team.map(|team| (thread, team)));
                }
                (Some(x), None) if !b.alive.contains(&thread) => {
                    if !is_empty(x, b) {
                        a.teams.remove(&thread);
                    }
                }
                (None, Some(y)) if !a.alive.contains(&thread) => {
                    if let Some(team) = in_registers(y, a, b) {
                        a.teams.insert(thread, team);
                    }
                }
                _ => {
                    a.teams.remove(&thread);
                }
            }
        }
        a.below.retain(|thread, below| b.below.get(thread) == Some(below));
        a.solo = solo;
        a.joinable = joinable;
        a.alive.extend(&b.alive);
    }

    fn holds(&self, a: &mut State, b: &State) {
        let mut holds: BTreeMap<(Option<LockName>, Mode), (Hold, u32)> = BTreeMap::new();
        for hold in a.holds.iter().chain(&b.holds) {
            let entry = holds.entry((hold.name, hold.mode)).or_insert((hold.clone(), 0));
            entry.0.certain &= hold.certain;
            entry.1 += 1;
            let mut targets = Value { targets: entry.0.targets.clone(), ..Value::NONE };
            targets.join(&Value { targets: hold.targets.clone(), ..Value::NONE });
            entry.0.targets = targets.targets;
        }
        a.holds = holds
            .into_values()
            .map(|(hold, count)| Hold { certain: hold.certain && count == 2, ..hold })
            .collect();
        a.holds.sort();
    }

    fn own(&self, a: &mut State, b: &State) {
        let lost =
            |state: &State, object: &ObjectId| self.locals.contains(object) && state.lost.contains(object);
        let before: BTreeSet<ObjectId> = a.own.keys().copied().collect();
        let objects: BTreeSet<ObjectId> = a.own.keys().chain(b.own.keys()).copied().collect();
        let mut gone = BTreeSet::new();
        for object in &objects {
            let lost_there = lost(a, object);
            match (a.own.get_mut(object), b.own.get(object)) {
                (Some(x), Some(y)) => {
                    uniform_join(x, y);
                }
                (Some(_), None) if lost(b, object) => {
                    a.own.remove(object);
                    gone.insert(*object);
                }
                (None, Some(_)) if lost_there => {
                    gone.insert(*object);
                }
                (None, Some(y)) => {
                    a.own.insert(*object, y.clone());
                }
                (Some(_), None) | (None, None) => {}
            }
        }
        let keys: BTreeSet<_> = a.known.keys().chain(b.known.keys()).copied().collect();
        let mut known = BTreeMap::new();
        for key in keys {
            let (x, y) = (a.known.get(&key), b.known.get(&key));
            let shared = !self.is_own(key.object);
            let has_a = shared || before.contains(&key.object);
            let has_b = shared || b.own.contains_key(&key.object);
            let entry = match (x, y) {
                _ if gone.contains(&key.object) => None,
                (Some(x), Some(y)) => {
                    let mut value = x.value.clone();
                    self.value(&mut value, &y.value, (8 * key.bytes.min(16)) as u8);
                    Some(Known { value, dirty: x.dirty && y.dirty })
                }
                (Some(x), None) if !has_b => Some(x.clone()),
                (None, Some(y)) if !has_a => Some(y.clone()),
                (Some(one), None) | (None, Some(one)) => {
                    if let Some(own) = a.own.get_mut(&key.object) {
                        uniform_join(own, &Own { data: one.value.clone(), sync: Value::NONE });
                        if key.space == Space::Sync {
                            own.sync.join(&one.value);
                        }
                    }
                    None
                }
                (None, None) => None,
            };
            if let Some(entry) = entry {
                known.insert(key, entry);
            }
        }
        a.known = Arc::new(known);
    }
}

fn number(state: &State, reg: RegId) -> Option<i64> {
    state.registers.get(&reg).and_then(Value::constant).and_then(|number| i64::try_from(number).ok())
}

/// A team that is one in either state.
fn both(x: &Team, y: &Team, a: &State, b: &State) -> Option<Team> {
    let value = |bound: Bound, state: &State| match bound {
        Bound::Const(number) => Some(number),
        Bound::Register(reg, offset) => number(state, reg).map(|number| number + offset),
        Bound::Outer(..) => None,
    };
    let bound = |x: Bound, y: Bound| {
        if x == y {
            return Some(x);
        }
        if value(x, a).is_some() && value(x, a) == value(y, a) {
            return Some(y);
        }
        if value(y, b).is_some() && value(x, b) == value(y, b) {
            return Some(x);
        }
        let (x, y) = (value(x, a)?, value(y, b)?);
        let same = |reg: &RegId| number(a, *reg) == Some(x) && number(b, *reg) == Some(y);
        let reg = a.registers.keys().copied().find(same).map(|reg| Bound::Register(reg, 0));
        if x == y { Some(Bound::Const(x)) } else { reg }
    };
    let alike = x.array == y.array && x.base == y.base && x.stride == y.stride;
    let (lo, hi) = (bound(x.lo, y.lo)?, bound(x.hi, y.hi)?);
    alike.then_some(Team { lo, hi, ..*x })
}

fn is_empty(team: &Team, state: &State) -> bool {
    let number = |bound: Bound| match bound {
        Bound::Const(number) => Some(number),
        Bound::Register(reg, offset) => number(state, reg).map(|number| number + offset),
        Bound::Outer(..) => None,
    };
    number(team.lo).is_some() && number(team.lo) == number(team.hi)
}

/// The team of `there` in terms of a register, so that it is empty in `here`.
fn in_registers(team: &Team, here: &State, there: &State) -> Option<Team> {
    let (Bound::Const(lo), Bound::Const(hi)) = (team.lo, team.hi) else {
        return is_empty(team, here).then_some(*team);
    };
    let mut registers = here.registers.keys().copied();
    let reg = registers.find(|reg| number(here, *reg) == Some(lo) && number(there, *reg) == Some(hi))?;
    Some(Team { hi: Bound::Register(reg, 0), ..*team })
}

fn uniform_join(a: &mut Own, b: &Own) {
    let zero = |value: &Value| value.numbers.is_none_or(|numbers| numbers == Range::point(0));
    let numbers = match zero(&a.data) && zero(&b.data) {
        true => Some(Range::point(0)),
        false => Some(Range::full(64)),
    };
    a.data.join(&b.data);
    a.data.numbers = numbers;
    a.sync.join(&b.sync);
}
