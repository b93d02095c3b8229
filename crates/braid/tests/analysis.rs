//! Facts against executions: whatever random runs do must be what `braid_analysis` said they may do.
//!
//! Threads are stepped one instruction at a time, at random, by the interpreter. In every state, for every
//! pair of threads about to touch common bytes: the pair is a conflict, a race is a possible race. For
//! every instruction about to run: its pointers point where they may, the locks said to be held are held,
//! registers have one of the values they may have.

use braid_analysis::{Facts, LockId, Object, Offset, Options as FactOptions};
use braid_interp::footprint::{Area, Touch};
use braid_interp::object::Kind;
use braid_interp::state::{Status, Thread};
use braid_interp::value::{Prov, Value};
use braid_interp::{ExploreOptions, Image, Limits, Machine, Options, Outcome, RunEnv, explore};
use braid_ir::*;
use braid_props::{Check, CheckSet};
use braid_syntax::preprocess::{self, Preprocess};
use braid_testkit::fixture::{self, Fixture};
use braid_testkit::frontend;
use braid_testkit::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Instructions of one run.
const STEPS: usize = 1500;

/// Runs of one program, with each set of checks.
const RUNS: u64 = 4;

/// Where the exploration of a program is cut.
const STATES: u64 = 5_000;

/// Attempts in a row that had to wait, after which a run is given up.
const WAITS: u32 = 30;

/// What one program's runs have shown.
#[derive(Default)]
struct Seen {
    steps: usize,
    pairs: BTreeSet<(InstrId, InstrId)>,
    races: usize,
    /// Races that exploration found.
    explored: usize,
    locks: usize,
    pointers: usize,
    /// What was not foreseen.
    wrong: BTreeSet<String>,
}

/// A step of the image: where, and what (`None` for the end of a block).
type Step<'p> = (FuncId, InstrId, Option<&'p Op>);

struct Watcher<'a> {
    program: &'a Program,
    facts: &'a Facts,
    image: &'a Image<'a>,
    /// Base addresses of static objects.
    bases: BTreeMap<GlobalId, u64>,
    seen: Seen,
}

impl<'a> Watcher<'a> {
    fn complain(&mut self, text: String) {
        self.seen.wrong.insert(text);
    }

    fn at(&self, thread: &Thread) -> Step<'a> {
        let (instr, op) = self.image.step(thread.frame.pc);
        (thread.frame.func, instr, op)
    }

    fn pairs(&mut self, machine: &Machine) {
        let threads = &machine.state.threads;
        let pending: Vec<_> = (0..threads.len()).map(|thread| machine.pending(thread)).collect();
        for (first, one) in pending.iter().enumerate() {
            for (second, other) in pending.iter().enumerate().skip(first + 1) {
                let (Some(one), Some(other)) = (one, other) else { continue };
                for touch in one.footprint.touches() {
                    for another in other.footprint.touches() {
                        self.pair((&threads[first], touch), (&threads[second], another));
                    }
                }
            }
        }
    }

    fn pair(&mut self, (one, touch): (&Thread, &Touch), (other, another): (&Thread, &Touch)) {
        let (_, a, _) = self.at(one);
        let (_, b, _) = self.at(other);
        let memory = |touch: &Touch| matches!(touch.area, Area::Memory | Area::Shadow);
        let common = touch.start < another.start + another.len && another.start < touch.start + touch.len;
        let conflict =
            memory(touch) && touch.area == another.area && common && (touch.write || another.write);
        let race = touch.races_with(another);
        if !conflict && !race {
            return;
        }
        self.seen.pairs.insert((a.min(b), a.max(b)));
        self.seen.races += usize::from(race);
        match self.facts.conflict(a, b) {
            None => self.complain(format!("no conflict of {a} and {b}: {touch:?} {another:?}")),
            Some(found) if race && !found.may_race() => self.complain(format!("no race: {found:?}")),
            Some(_) => {}
        }
        if !self.facts.threads.may_run_in_parallel(a, b) {
            self.complain(format!("{a} and {b} are not parallel"));
        }
    }

    /// Every race that exploration finds is foreseen.
    fn explored_races(&mut self, image: &Image, machine: Options) {
        let values = vec![0, 1];
        let options = ExploreOptions { machine, values, max_states: Some(STATES), ..Default::default() };
        let found = explore(image, &options, &AtomicBool::new(false), &mut |_| ());
        let found = found.expect("a program that can be run");
        let races = found.violations.iter().filter(|found| found.report.check == Check::DataRace);
        for end in races.filter_map(|found| found.trace.violation.as_ref()) {
            let [one, other] = end.at.as_slice() else { panic!("a race has two sides: {end:?}") };
            self.seen.explored += 1;
            let (a, b) = (one.instr, other.instr);
            if !self.facts.conflict(a, b).is_some_and(|found| found.may_race()) {
                self.complain(format!("exploration finds a race of {a} and {b}"));
            }
        }
    }

    fn thread(&mut self, machine: &Machine, thread: &Thread) {
        let (func, instr, op) = self.at(thread);
        if !self.facts.threads.is_executed(instr) {
            self.complain(format!("{instr} is executed"));
        }
        for lock in self.facts.locksets.held(&self.facts.pointers, func, instr) {
            self.seen.locks += usize::from(lock != LockId::SECTION);
            self.lock(thread, instr, lock);
        }
        for pointer in op.map_or(Vec::new(), pointers) {
            if let Operand::Reg(reg) = pointer {
                let value = thread.frame_regs()[reg.0 as usize];
                self.pointer(machine, (func, instr), pointer, value);
            }
        }
        if let Some(Op::Assign { value: Expr::Use(Operand::Reg(reg)), .. }) = op {
            self.value(func, instr, *reg, thread.frame_regs()[reg.0 as usize]);
        }
    }

    fn lock(&mut self, thread: &Thread, instr: InstrId, lock: LockId) {
        let held = match self.facts.locksets.locks[lock] {
            None => thread.section > 0,
            Some((object, offset)) => match self.facts.pointers.object(object) {
                Object::Global(id) => {
                    thread.held.contains(&(self.bases.get(&id).copied().unwrap_or(0) + offset))
                }
                _ => !thread.held.is_empty(),
            },
        };
        if !held {
            self.complain(format!("{lock} is not held at {instr}"));
        }
    }

    fn value(&mut self, func: FuncId, instr: InstrId, reg: RegId, value: Value) {
        let instances = self.facts.pointers.instances_of(func).iter();
        let lists: Option<Vec<&[u128]>> = instances.map(|i| self.facts.constants.of(*i, reg)).collect();
        let Some(lists) = lists else { return };
        if !lists.iter().any(|list| list.contains(&value.bits)) {
            self.complain(format!("{reg} at {instr} is {}", value.bits));
        }
    }

    fn pointer(
        &mut self,
        machine: &Machine,
        (func, instr): (FuncId, InstrId),
        operand: Operand,
        value: Value,
    ) {
        let Prov::Object(id) = value.prov else { return };
        let Some(identity) = machine.state.memory.identity(id) else { return };
        self.seen.pointers += 1;
        let offset = value.address().wrapping_sub(identity.base);
        let set = self.facts.pointers.points_to(func, operand);
        let matches = |object: Object| match (identity.kind, object) {
            (Kind::Global(a), Object::Global(b)) => a == b,
            (Kind::ThreadLocal(a), Object::ThreadLocal(b)) => a == b,
            (Kind::Function(a), Object::Function(b)) => a == b,
            (Kind::Local(f, l), Object::Local(instance, local)) => {
                f == self.facts.pointers.instances()[instance].func && l == local
            }
            (Kind::Heap | Kind::Stack, Object::Block(instance, made, _)) => {
                // The interpreter remembers the user's place: that of the call into the library.
                let at = self.facts.pointers.instances()[instance].context.unwrap_or(made);
                let place = self.program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instrs);
                let internal =
                    self.program.functions[self.facts.pointers.instances()[instance].func].internal;
                let shared = internal && self.facts.pointers.instances()[instance].context.is_none();
                shared || place.filter(|i| i.id == at).any(|i| i.loc == identity.born.loc)
            }
            _ => false,
        };
        let found = set.targets.iter().any(|(object, at)| {
            matches(self.facts.pointers.object(*object)) && (*at == Offset::Any || *at == Offset::At(offset))
        });
        // What a handle is the address of is no memory; the facts keep handles apart.
        let known = !set.handles.is_empty() || set.may_be_unknown;
        let handle = matches!(identity.kind, Kind::Thread(_)) && known;
        if !found && !handle {
            let what = identity.describe(self.program);
            self.complain(format!("{instr}: {operand:?} points to offset {offset} of {what}, not {set:?}"));
        }
        let escaped = machine.state.memory.get(id).is_some_and(|object| object.escaped);
        let known = set.targets.iter().any(|(object, _)| {
            matches(self.facts.pointers.object(*object)) && self.facts.escape.escapes(*object)
        });
        if found && escaped && !known {
            self.complain(format!("{} has escaped", identity.describe(self.program)));
        }
    }
}

/// The pointers an operation follows.
fn pointers(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Rmw { ptr, .. } | Op::Free { ptr, .. } => {
            vec![*ptr]
        }
        Op::CmpXchg(c) => vec![c.ptr],
        Op::Copy { dst, src, .. } => vec![*dst, *src],
        Op::Fill { dst, .. } => vec![*dst],
        Op::Lock { mutex } | Op::TryLock { mutex, .. } | Op::Unlock { mutex } => vec![*mutex],
        Op::Call { callee: Callee::Pointer(pointer), args, .. } => {
            args.iter().copied().chain([*pointer]).collect()
        }
        Op::Call { args, .. } => args.clone(),
        Op::Spawn { func, arg, .. } => vec![*func, *arg],
        _ => Vec::new(),
    }
}

/// One random run, an instruction at a time.
fn run(watcher: &mut Watcher, image: &Image, options: Options, rng: &mut Rng) {
    let mut machine = Machine::new(image, options).expect("a program that can be run");
    watcher.bases = machine
        .state
        .memory
        .live()
        .filter_map(|(_, object)| match object.identity.kind {
            Kind::Global(id) => Some((id, object.identity.base)),
            _ => None,
        })
        .collect();
    let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), Some(rng.next()));
    let mut inside: Option<(usize, braid_interp::state::State)> = None;
    let mut blocked = 0;
    for _ in 0..STEPS {
        if machine.state.frozen || blocked > WAITS {
            return;
        }
        let ready: Vec<usize> = (0..machine.state.threads.len())
            .filter(|thread| machine.state.threads[*thread].status == Status::Ready)
            .collect();
        if ready.is_empty() {
            return;
        }
        let chosen = inside.as_ref().map(|(thread, _)| *thread);
        let next = chosen.unwrap_or_else(|| pick(&machine, &ready, rng));
        watcher.pairs(&machine);
        machine.state.switch_to(next);
        watcher.seen.steps += 1;
        let thread = machine.state.threads[next].clone();
        watcher.thread(&machine, &thread);
        let before = machine.state.clone();
        if thread.unentered {
            machine.state.threads[next].unentered = false;
            machine.state.threads[next].section += 1;
        }
        let result = machine.step(&mut env);
        match result.map_err(|outcome| *outcome) {
            Ok(()) => blocked = 0,
            Err(Outcome::Blocked { .. }) => {
                blocked += 1;
                if let Some((_, before)) = inside.take() {
                    machine.state = before;
                }
            }
            Err(Outcome::AssumeFailed { place }) => match inside.take() {
                Some((_, before)) => {
                    blocked += 1;
                    machine.state = before;
                }
                None => machine.state.retire(Status::Stopped(place)),
            },
            Err(_) => return,
        }
        let at = &machine.state.threads[next];
        if at.section == 0 || at.status != Status::Ready {
            inside = None;
        } else if inside.is_none() {
            inside = Some((next, before));
        }
    }
}

/// Mostly a thread whose next step nobody can notice: so threads meet before steps that matter.
fn pick(machine: &Machine, ready: &[usize], rng: &mut Rng) -> usize {
    let quiet: Vec<usize> =
        ready.iter().copied().filter(|thread| machine.pending(*thread).is_none()).collect();
    let from = if quiet.is_empty() || rng.one_in(10) { ready } else { &quiet };
    from[rng.below(from.len())]
}

fn check(program: &Program, seed: u64, runs: u64) -> Seen {
    let mut seen = Seen::default();
    for checks in [CheckSet::default(), CheckSet::parse("data-race").expect("a property")] {
        let options = FactOptions { misuse_ends: checks.contains(Check::LockMisuse), one_use: false };
        let facts = Facts::new(program, options);
        let limits = Limits { memory: 1 << 28, ..Limits::default() };
        let options = Options { question: braid_ir::Question::about(checks), limits, ..Options::default() };
        let image = Image::new(program, checks).expect("a program that can be run");
        let mut watcher = Watcher { program, facts: &facts, image: &image, bases: BTreeMap::new(), seen };
        for index in 0..runs {
            let mut rng = Rng::new(seed * 1000 + index);
            run(&mut watcher, &image, options, &mut rng);
        }
        watcher.explored_races(&image, options);
        seen = watcher.seen;
    }
    seen
}

fn compile(name: &str, path: &Path) -> Option<Program> {
    let loaded = preprocess::load(path, &Preprocess::default()).ok()?;
    let program = frontend::compile(name, loaded.text).program?;
    program.entry.is_some().then_some(program)
}

/// How much of what was seen there was; the error lists what was not foreseen.
fn sum(all: Vec<(String, Seen)>) -> Result<[usize; 6], String> {
    let mut total = [0; 6];
    let mut wrong = Vec::new();
    for (name, seen) in all {
        let counts = [seen.steps, seen.pairs.len(), seen.races, seen.explored, seen.locks, seen.pointers];
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        if !seen.wrong.is_empty() {
            let lines: Vec<String> = seen.wrong.into_iter().take(5).collect();
            wrong.push(format!("{name}:\n  {}", lines.join("\n  ")));
        }
    }
    if wrong.is_empty() { Ok(total) } else { Err(wrong.join("\n")) }
}

/// Nothing was unforeseen, and there was enough to foresee.
fn require(all: Vec<(String, Seen)>) {
    let total = sum(all).unwrap_or_else(|wrong| panic!("{wrong}"));
    let [steps, pairs, races, explored, locks, pointers] = total;
    eprintln!(
        "{steps} steps, {pairs} pairs, {races} races ({explored} explored), {locks} locks, {pointers} pointers"
    );
    assert!(pairs > 50 && races > 100 && explored > 40 && locks > 1000 && pointers > 10_000);
}

/// Topics of many programs that look alike: they would take as long as the others together.
const LEFT_OUT: [&str; 4] = ["addresses", "deadlocks", "livelock", "races"];

#[test]
fn fixtures_do_what_the_facts_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").canonicalize().expect("fixtures");
    let left_out = |name: &str| LEFT_OUT.iter().any(|topic| name.split('/').next() == Some(topic));
    let mut fixtures = fixture::find(&root).expect("fixtures");
    fixtures.retain(|one| fixture::is_explored(one) && !left_out(&one.name));
    let mut all = Vec::new();
    for Fixture { name, path, .. } in fixtures {
        if let Some(program) = compile(&name, &path) {
            all.push((name, check(&program, 1, RUNS)));
        }
    }
    assert!(all.len() > 100, "{} programs", all.len());
    require(all);
}

#[test]
fn generated_programs_do_what_the_facts_say() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut all = Vec::new();
    for seed in 0..150 {
        let path = scratch.join(format!("facts{seed}.c"));
        std::fs::write(&path, braid_testkit::threads::program(seed).text()).expect("a file");
        let program = compile("t.c", &path).expect("a program that compiles");
        all.push((format!("seed {seed}"), check(&program, seed, RUNS)));
        let _ = std::fs::remove_file(&path);
    }
    require(all);
}
