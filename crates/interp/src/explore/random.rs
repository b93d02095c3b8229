//! Random threaded programs: the search with and without reduction, and one in which every single
//! instruction is a visible step, must come to the same outcomes and violations.

use super::search::Search;
use super::{EndKind, Exploration, ExploreOptions, Share};
use crate::testing::{TestEnv, program};
use crate::{Image, Machine, Options, Outcome, Report, Run, Schedule, Trace};
use braid_ir::Loc;
use braid_props::CheckSet;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// Programs with more states are left alone.
const STATES: u64 = 40_000;

struct Random {
    state: u64,
    line: u32,
    labels: u32,
}

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// A place of its own for every operation.
    fn place(&mut self) -> String {
        self.line += 1;
        format!(" @ 0:{}:1", self.line)
    }

    /// A label; those of a function are numbered in the end.
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("<{}>", self.labels)
    }

    fn access(&mut self) -> String {
        let var = self.pick(&["@x", "@y", "@x", "@s", "@s+4"]);
        let order = self.pick(&["", "", " seq_cst", " relaxed"]);
        let place = self.place();
        match self.below(6) {
            0 => format!("store i32 {var}, {}:i32{order}{place}", self.below(3)),
            1 => format!("store i32 {var}, %0{order}{place}"),
            2 | 3 => format!("%0 = load i32 {var}{order}{place}"),
            4 => format!("%0 = rmw add i32 {var}, 1:i32 seq_cst{place}"),
            _ => format!("%6, %0 = cmpxchg i32 {var}, 0:i32, 2:i32 seq_cst relaxed{place}"),
        }
    }

    fn section(&mut self) -> String {
        let (begin, one, two) = (self.place(), self.access(), self.access());
        match self.below(4) {
            0 => format!("atomic-begin{begin}\n{one}\n{two}\natomic-end"),
            1 => format!("atomic-begin{begin}\n{one}\n%4 = eq i32 %0, 0:i32\nassume %4\n{two}\natomic-end"),
            2 => format!(
                "atomic-begin when %4{begin} {{\n%1 = load i32 @y\n%4 = eq i32 %1, {}:i32\n}}\n{one}\natomic-end",
                self.below(2)
            ),
            _ => format!(
                "atomic-begin{begin}\nlock @m{}\n{one}\natomic-end\nunlock @m{}",
                self.place(),
                self.place()
            ),
        }
    }

    fn through_pointer(&mut self) -> String {
        let places = [self.place(), self.place(), self.place()];
        let [a, b, c] = &places;
        match self.below(6) {
            0 => format!("store i32 %8, 5:i32{a}\nstore ptr @p, %8 seq_cst{b}\nstore i32 %8, 6:i32{c}"),
            1 => format!(
                "%9 = alloc heap 4:i64, 4:i64{a}\nstore i32 %9, 1:i32{b}\nstore ptr @p, %9 seq_cst{c}"
            ),
            2 => format!("%9 = load ptr @p seq_cst{a}\nfree heap %9{b}"),
            _ => format!("%9 = load ptr @p seq_cst{a}\n%0 = load i32 %9{b}"),
        }
    }

    fn operation(&mut self, depth: u32) -> String {
        let places = [self.place(), self.place()];
        let [a, b] = &places;
        match self.below(24) {
            0..=6 => self.access(),
            7 => format!("lock @m{a}\n{}\nunlock @m{b}", self.access()),
            8 => format!("lock @{}{a}", self.pick(&["m", "n"])),
            9 => format!("unlock @{}{a}", self.pick(&["m", "n"])),
            10 => format!("%4 = trylock @m{a}\n%0 = zext i1 %4 to i32"),
            11 | 12 => self.section(),
            13 => self.through_pointer(),
            14 => format!("copy @s, @{}, 8:i64 s2{a}", self.pick(&["q", "r"])),
            15 => format!("fill @s, 1:i8, 8:i64 s2{a}"),
            16 => format!("%4 = nondet i1 value{a}\n%0 = zext i1 %4 to i32"),
            17 => format!("%4 = ne i32 %0, {}:i32\nassert assertion, %4{a}", self.below(3)),
            18 => format!("%4 = ne i32 %0, {}:i32\nassume %4{a}", self.below(3)),
            19 => format!("call &whole(){a}"),
            20 => format!("call &stray(){a}"),
            21 => format!("%5 = spawn &leaf, null{a}"),
            22 => format!("%5 = spawn &leaf, %8{a}\njoin %5{b}"),
            _ if depth == 0 => {
                let inside = self.operation(1);
                let (block, next) = (self.label(), self.label());
                format!(
                    "%4 = eq i32 %0, {}:i32\nbr %4, {block}, {next}\n{block}:\n{inside}\njump {next}\n{next}:",
                    self.below(2)
                )
            }
            _ => match self.below(3) {
                0 => format!("exit-thread null\nunreachable\n{}:", self.label()),
                1 => format!("exit 3:i32\nunreachable\n{}:", self.label()),
                _ => "%0 = add i32 %0, 1:i32".into(),
            },
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "file 0 \"t.c\"\nshape s0 = i32\nshape s1 = ptr\nshape s2 = struct size 8 { 0 s0, 4 s0 }\n\
             global @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\nglobal @m s0 size 4 align 4\n\
             global @n s0 size 4 align 4\nglobal @p s1 size 8 align 8\nglobal @s s2 size 8 align 4\n\
             global @q s2 size 8 align 4 = { 0: \"\\01\\00\\00\\00\\01\" }\nglobal @r s2 size 8 align 4\nentry &main\n\
             fn &whole() atomic {\nreg %0 i32\nb0:\n%0 = load i32 @x @ 0:901:1\n%0 = add i32 %0, 1:i32\n\
             store i32 @x, %0 @ 0:902:1\nret\n}\n\
             fn &stray() {\nreg %0 ptr, %1 i32\nlocal l0 \"w\" s0 size 4 align 4\nb0:\nlive l0\n%0 = local l0\n\
             store i32 %0, 1:i32 @ 0:903:1\nstore ptr @p, %0 seq_cst @ 0:904:1\n%1 = load i32 %0 @ 0:905:1\nret @ 0:906:1\n}\n\
             fn &leaf(%0) -> ptr {\nreg %0 ptr, %1 i32\nb0:\n%1 = rmw add i32 @y, 1:i32 seq_cst @ 0:907:1\nret %0 @ 0:908:1\n}\n",
        );
        let count = 2 + self.below(2);
        for thread in 1..=count {
            let mut body = String::new();
            for _ in 0..2 + self.below(if count == 2 { 4 } else { 2 }) {
                let line = self.operation(0);
                let _ = writeln!(body, "{line}");
            }
            let (end, body) = (self.place(), numbered(&body));
            let _ = writeln!(
                text,
                "fn &t{thread}(%7) -> ptr {{\nreg %0 i32, %1 i32, %2 i32, %3 i32, %4 i1, %5 i64, %6 i1, %7 ptr, %8 ptr, %9 ptr\n\
                 local l0 \"v\" s0 size 4 align 4\nb0:\nlive l0\n%8 = local l0\n{body}ret null{end}\n}}"
            );
        }
        let _ = writeln!(text, "fn &main() -> i32 {{\nreg %0 i32, %1 i32, %2 i64, %3 i64, %4 i64\nb0:");
        for thread in 1..=count {
            let _ = writeln!(text, "%{} = spawn &t{thread}, null", 1 + thread);
        }
        if self.below(3) == 0 {
            let access = self.access();
            if !access.contains("cmpxchg") {
                let _ = writeln!(text, "{access}");
            }
        }
        for thread in 1..=count {
            let _ = writeln!(text, "join %{}{}", 1 + thread, self.place());
        }
        text.push_str("%0 = load i32 @x\n%1 = load i32 @s\n%0 = add i32 %0, %1\nexit %0\nunreachable\n}\n");
        text
    }
}

/// Gives the labels numbers in the order in which they are defined.
fn numbered(body: &str) -> String {
    let mut text = body.to_string();
    let defined: Vec<&str> = body.lines().filter_map(|line| line.strip_suffix(":")).collect();
    for (index, label) in defined.iter().enumerate() {
        text = text.replace(label, &format!("b{}", index + 1));
    }
    text
}

/// What the searches must agree on.
#[derive(PartialEq, Eq, Debug)]
struct Summary {
    outcomes: BTreeSet<(String, u128)>,
    violations: BTreeSet<(u8, Vec<Loc>)>,
}

impl Summary {
    fn new(result: &Exploration) -> Summary {
        let outcome = |end: &super::End| (format!("{:?}", end.kind), end.globals);
        let violation = |found: &super::Found| {
            let mut places: Vec<Loc> = found.report.threads.iter().map(|view| view.place).collect();
            if places.is_empty() {
                places.push(found.report.place);
            }
            places.sort();
            (found.report.check as u8, places)
        };
        Summary {
            outcomes: result.outcomes.iter().map(outcome).collect(),
            violations: result.violations.iter().map(violation).collect(),
        }
    }
}

fn search(image: &Image, reduction: bool, every_step: bool) -> Exploration {
    let mut options = ExploreOptions { reduction, max_states: Some(STATES), ..ExploreOptions::default() };
    options.machine.question.checks = CheckSet::all();
    let mut search = Search::new(image, std::rc::Rc::new(options.clone()), options.machine).unwrap();
    if every_step {
        search.see_every_step();
    }
    let share = Share { states: options.max_states, work: None, memory: options.machine.limits.memory };
    search.run(share, &AtomicBool::new(false), &mut |_| {})
}

fn run(image: &Image, schedule: &Schedule) -> Run {
    let options = Options { question: braid_ir::Question::about(CheckSet::all()), ..Options::default() };
    let mut machine = Machine::new(image, options).unwrap();
    machine.run_scheduled(&mut TestEnv::default(), schedule, true).unwrap_or_else(|error| panic!("{error}"))
}

/// The schedule of every violation leads to it.
fn violations_replay(image: &Image, result: &Exploration, text: &str) {
    for found in &result.violations {
        let run = run(image, &Schedule::Replay(found.trace.clone()));
        let Outcome::Violation(report) = &run.outcome else { panic!("{found:#?}\n{run:#?}\n{text}") };
        assert_eq!(**report, found.report, "{:#?}\n{text}", found.trace);
    }
}

/// A random run ends in a way the search knows, and its recording leads there again.
fn runs_are_among_the_explored(image: &Image, result: &Exploration, text: &str) {
    for seed in 0..4 {
        let run_once = run(image, &Schedule::Random(seed));
        let known = |report: &Report| {
            let key = |report: &Report| {
                let mut places: Vec<Loc> = report.threads.iter().map(|view| view.place).collect();
                places.sort();
                // Of two that race the writer comes first, and who writes may depend on the state.
                let place = if places.is_empty() { report.place } else { places[0] };
                (report.check as u8, place, places)
            };
            result.violations.iter().any(|found| key(&found.report) == key(report))
        };
        assert!(run_once.recorded.iter().all(known), "seed {seed}: {run_once:#?}\n{text}");
        match &run_once.outcome {
            Outcome::Violation(report) => assert!(known(report), "seed {seed}: {report:#?}\n{text}"),
            Outcome::Exited { code } => {
                assert!(result.outcomes.iter().any(|end| end.kind == EndKind::Exit(*code)), "{text}");
            }
            _ => {}
        }
        let again = run(image, &Schedule::Replay(Trace { violation: None, ..run_once.trace }));
        assert_eq!(again.outcome, run_once.outcome, "seed {seed}:\n{text}");
    }
}

/// Schedules that are a little wrong are followed or refused.
fn spoilt_schedules_are_harmless(image: &Image, trace: &Trace, random: &mut Random) {
    for _ in 0..4 {
        let mut trace = trace.clone();
        let (i, j) = (random.below(trace.steps.len() as u64), random.below(trace.steps.len() as u64));
        let (i, j) = (i as usize, j as usize);
        match random.below(4) {
            0 => trace.steps.swap(i, j),
            1 => trace.steps[i].occurrence += 1,
            2 => trace.steps[i].thread = trace.steps[j].thread.child(1),
            _ => drop(trace.steps.remove(i)),
        }
        let options = Options { question: braid_ir::Question::about(CheckSet::all()), ..Options::default() };
        let mut machine = Machine::new(image, options).unwrap();
        if let Err(error) = machine.run_scheduled(&mut TestEnv::default(), &Schedule::Replay(trace), true) {
            assert!(error.to_string().starts_with("step ") && !error.found.is_empty());
        }
    }
}

#[test]
fn all_ways_of_searching_agree() {
    let count = std::env::var("BRAID_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let (mut decided, mut unsafe_ones, mut blocked) = (0, 0, 0);
    for seed in 0..count {
        let mut random = Random { state: seed * 7919 + 5, line: 0, labels: 0 };
        let text = random.program();
        let Ok(parsed) = braid_ir::parse(&text) else { panic!("{text}") };
        if braid_ir::verify(&parsed).is_err() {
            panic!("{:?}\n{text}", braid_ir::verify(&parsed));
        }
        let program = program(&text);
        let image = Image::new(&program, CheckSet::all()).unwrap();
        let every = search(&image, false, true);
        let full = search(&image, false, false);
        let reduced = search(&image, true, false);
        if [&every, &full, &reduced].iter().any(|result| !result.cuts.is_empty()) {
            continue;
        }
        assert_eq!(Summary::new(&reduced), Summary::new(&full), "reduction, seed {seed}:\n{text}");
        assert_eq!(Summary::new(&full), Summary::new(&every), "visible steps, seed {seed}:\n{text}");
        assert!(reduced.transitions <= full.transitions && full.states <= every.states);
        violations_replay(&image, &reduced, &text);
        if let Some(found) = reduced.violations.first() {
            spoilt_schedules_are_harmless(&image, &found.trace, &mut random);
        }
        runs_are_among_the_explored(&image, &full, &text);
        decided += 1;
        unsafe_ones += u32::from(!full.violations.is_empty());
        blocked += u32::from(full.outcomes.iter().any(|end| end.kind == EndKind::Blocked));
    }
    assert!(decided * 10 >= count * 9, "only {decided} of {count} decided");
    assert!(
        unsafe_ones * 4 > decided as u32 && unsafe_ones < decided as u32 && blocked > 2,
        "{decided} {unsafe_ones} {blocked}"
    );
}
