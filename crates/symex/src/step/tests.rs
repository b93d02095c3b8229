//! Single instructions in the smallest world: one thread, whose globals are either its own or shared.
//!
//! A test is IR text in, text out: the registers and the guard after the code, and all that the world was told.

use super::*;
use crate::object::Kind;
use crate::{LogRef, Memory, Object, Objects, ThreadIx, object};
use braid_analysis::{Facts, Options};
use braid_logic::Sort;
use braid_logic::text::Glossary;
use expect_test::{Expect, expect};

/// Something that the world was told, with the terms it is about.
struct Told {
    what: String,
    terms: Vec<Term>,
}

/// A world of one thread. Memory that is not the path's own gives a new symbol to every read.
struct Tiny {
    program: Program,
    facts: Facts,
    objects: Objects,
    /// Global variables are shared memory.
    shared: bool,
    strays: bool,
    told: Vec<Told>,
}

type Path = u32;
type Paths = State<Path>;

impl Tiny {
    fn tell(&mut self, what: impl Into<String>, terms: &[Term]) {
        self.told.push(Told { what: what.into(), terms: terms.to_vec() });
    }

    fn is_shared(&self, object: ObjectNo) -> bool {
        self.shared && self.objects.get(object).is_some_and(|found| matches!(found.kind, Kind::Global(_)))
    }
}

impl World for Tiny {
    /// The number of atomic sections that the path is in.
    type Path = Path;
    type Shared = ();

    fn program(&self) -> &Program {
        &self.program
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn code(&self) -> Code {
        Code { func: FuncId(0), instance: None }
    }

    fn now(&self) -> LogRef {
        LogRef { thread: ThreadIx(0), index: 0 }
    }

    fn place(&self) -> Loc {
        Loc::NONE
    }

    fn go_back(&mut self, _: LogRef) {}

    fn checks(&self, check: Check) -> bool {
        check != Check::OutOfBounds
    }

    fn strays(&mut self) -> &mut bool {
        &mut self.strays
    }

    fn begin(&mut self, _: &mut Terms, _: &Paths, _: &Instr) -> bool {
        true
    }

    fn end(&mut self) {}

    fn next_part(&mut self, _: &mut Terms, _: &Paths, _: &Instr) {
        self.tell("next part", &[]);
    }

    fn mark(&mut self, _: &mut Terms, _: &Paths, _: InstrId, _: bool) {}

    fn is_atomic(&self, state: &Paths) -> bool {
        state.path > 0
    }

    fn is_alone(&self, _: &Paths) -> bool {
        true
    }

    fn owns_life(&self, _: &Paths, _: ObjectNo) -> bool {
        true
    }

    fn owns(&self, _: &Paths, object: ObjectNo, _: Space, _: Option<(u64, u64)>) -> bool {
        !self.is_shared(object)
    }

    fn resolve(&mut self, terms: &mut Terms, _: &Paths, pointer: Term, _: Purpose) -> Resolved<()> {
        let layout = self.layout();
        let structural = layout.candidates(terms, pointer);
        let known = structural.is_some();
        let list = structural.unwrap_or_else(|| self.objects.iter().map(|(number, _)| number).collect());
        let list = list.into_iter().filter(|number| self.objects.get(*number).is_some());
        let (shared, own): (Vec<ObjectNo>, Vec<ObjectNo>) = list.partition(|number| self.is_shared(*number));
        let mut zone = |number: &ObjectNo| (*number, layout.is_in(terms, pointer, *number));
        let objects = own.iter().chain(&shared).map(&mut zone).collect();
        let there = (!shared.is_empty()).then_some(());
        Resolved { objects, own: own.len(), shared: there, known, open: false }
    }

    fn lives(
        &mut self,
        terms: &mut Terms,
        state: &Paths,
        _: Term,
        _: Purpose,
        resolved: &mut Resolved<()>,
    ) -> Vec<Term> {
        resolved.objects.iter().map(|(number, _)| state.memory.alive(terms, *number)).collect()
    }

    fn elsewhere(&mut self, _: &mut Terms, _: &Paths, _: Term, _: Purpose, _: &Resolved<()>) -> Elsewhere {
        unreachable!("all objects exist")
    }

    fn read(&mut self, terms: &mut Terms, _: &Paths, touch: &Touch, (when, ()): &(Term, ())) -> Value {
        let symbol = terms.fresh("r", Sort::bits(8 * touch.piece.bytes));
        let taint = if touch.piece.pointer { Taint::Address } else { Taint::Loaded };
        self.tell(format!("read {:?}", touch.space), &[touch.pointer, symbol, *when]);
        Value { term: symbol, taint }
    }

    fn write(
        &mut self,
        terms: &mut Terms,
        state: &Paths,
        touch: &Touch,
        (when, ()): &(Term, ()),
        value: Value,
    ) {
        let when = terms.and(state.guard, *when);
        let padding = if touch.piece.padding { " padding" } else { "" };
        self.tell(format!("write {:?}{padding}", touch.space), &[touch.pointer, value.term, when]);
    }

    fn peek(&mut self, terms: &mut Terms, _: &Paths, _: ObjectNo, _: u64, _: Term) -> Term {
        terms.fresh("r", Sort::bits(32))
    }

    fn allocate(&mut self, _: &mut Terms, _: &Paths, object: Object) -> ObjectNo {
        self.tell(format!("allocate {:?}", object.kind), &[object.size]);
        self.objects.add(object)
    }

    fn end_life(&mut self, _: &mut Terms, _: &Paths, death: Death<'_, ()>) {
        for (number, when) in death.objects {
            self.tell(format!("end of {number}"), &[*when]);
        }
    }

    fn volatile(&mut self, _: &mut Terms, _: Term, _: Ty) -> Option<Value> {
        None
    }

    fn may_be_in_use(&self, _: &Terms, _: &Paths, _: &Reach<()>) -> bool {
        false
    }

    fn may_be_held_together(&self, _: &Terms, _: Term, _: &Reach<()>) -> bool {
        false
    }

    fn locks_in(&self, _: &Paths, _: ObjectNo) -> Option<Option<Vec<u64>>> {
        None
    }

    fn choose(&mut self, terms: &mut Terms, of: ChoiceOf, ty: Ty) -> Value {
        let value = terms.fresh("c", Sort::bits(ty.bits(self.program.pointer_bytes)));
        self.tell(format!("choose {of:?}"), &[value]);
        Value::plain(value)
    }

    fn is_possible(&self, kind: ChoiceKind) -> bool {
        kind != ChoiceKind::AllocFail
    }

    fn constrain(&mut self, condition: Term) {
        self.tell("always", &[condition]);
    }

    fn oblige(&mut self, terms: &mut Terms, _: &Paths, reached: Term, hazard: Hazard, _: Loc) {
        if !terms.is_false(reached) {
            self.tell(format!("{hazard:?}"), &[reached]);
        }
    }

    fn on_addresses(&mut self, terms: &mut Terms, state: &Paths, open: Term, hazard: Hazard, loc: Loc) {
        let reached = terms.and(state.guard, open);
        self.oblige(terms, state, reached, hazard, loc);
    }

    fn compares_handles(&mut self, _: &mut Terms, _: &Paths, _: Term, _: [Term; 2], _: Loc) {}

    fn stop(&mut self, _: &Paths, _: Term) {}

    fn thread_local(&self, _: GlobalId) -> ObjectNo {
        ObjectNo::NONE
    }

    fn self_handle(&self) -> ObjectNo {
        ObjectNo::NONE
    }

    fn self_number(&self) -> u32 {
        1
    }

    fn enter(&mut self, _: &mut Terms, state: &mut Paths) {
        state.path += 1;
        self.tell("enter", &[]);
    }

    fn leave(&mut self, _: &mut Terms, state: &mut Paths) {
        state.path -= 1;
        self.tell("leave", &[]);
    }

    fn require(&mut self, terms: &mut Terms, state: &mut Paths, condition: Term, wait: Option<Wait>, _: Loc) {
        self.tell(if wait.is_some() { "wait for" } else { "require" }, &[condition]);
        state.guard = terms.and(state.guard, condition);
    }

    fn asks_holders(&self, _: &Paths) -> bool {
        false
    }

    fn begin_lock(&mut self) {}

    fn takes_lock(&mut self, _: Term) -> bool {
        true
    }

    fn releases_lock(&mut self, _: &mut Terms, _: &mut Paths, _: Term) -> bool {
        true
    }

    fn end_lock(&mut self, _: &Paths, pointer: Term, lock: LockUse) {
        let use_of = match lock {
            LockUse::Acquire => "acquires",
            LockUse::Try(_) => "tries",
            LockUse::Release => "releases",
        };
        self.tell(use_of, &[pointer]);
    }

    fn pairs(&mut self, _: Term, _: Term) -> bool {
        false
    }

    fn synchronise(&mut self, _: &mut Terms, _: &mut Paths, instr: &Instr) {
        let name = if let Op::Join { .. } = instr.op { "join" } else { "another operation on threads" };
        self.tell(name, &[]);
    }
}

/// The variables of all tests: two numbers, a pointer, a record with padding, and six bytes. Registers %0 to %3 are
/// Int(32), %4 to %6 pointers or words, %7 and %8 Int(1); %3 and %6 have arbitrary values.
const HEAD: &str = "shape s0 = i32\nshape s1 = i8\nshape s2 = ptr\nshape s3 = struct size 8 { 0 s1, 4 s0 }\n\
                    shape s4 = bytes 6\nglobal @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\n\
                    global @p s2 size 8 align 8\nglobal @r s3 size 8 align 4\nglobal @b s4 size 6 align 1\n\
                    fn &main() {\nreg %0 i32, %1 i32, %2 i32, %3 i32, %4 ptr, %5 ptr, %6 i64, %7 i1, %8 i1\n\
                    local l0 s0 size 4 align 4\nb0:\n";

/// Executes the code in a world whose variables are shared, or the path's own.
fn run(code: &str, shared: bool) -> String {
    let program = braid_ir::parse(&format!("{HEAD}{code}\nret\n}}\n")).expect("the text is a program");
    let facts = Facts::new(&program, Options::default());
    let mut terms = Terms::new();
    let mut objects = Objects::new(Layout::new(program.pointer_bytes));
    for (id, global) in program.globals.enumerated() {
        let contents = object::initial_contents(&mut terms, &program, &objects, id);
        let size = terms.bits(64, global.size.into());
        let number = objects.add(Object {
            kind: Kind::Global(id),
            place: None,
            size,
            room: global.size,
            read_only: false,
            align: global.align,
            made: None,
            contents,
        });
        objects.know(Const::Global(id, 0), number);
    }
    let mut world = Tiny { program, facts, objects, shared, strays: false, told: Vec::new() };
    let function = world.program.functions[FuncId(0)].clone();
    let mut regs: Vec<Option<Value>> = function.regs.iter().map(|_| None).collect();
    regs[3] = Some(Value::plain(terms.symbol("n", Sort::bits(32))));
    regs[6] = Some(Value::plain(terms.symbol("w", Sort::bits(64))));
    let before = regs.clone();
    let guard = terms.symbol("g", Sort::Bool);
    let (locals, blocks, memory) = (vec![None; function.locals.len()], Vec::new(), Memory::default());
    let mut state = State { guard, regs, locals, blocks, memory, path: 0 };
    for instr in &function.blocks[BlockId(0)].instrs {
        step(&mut terms, &mut world, &mut state, instr);
    }
    let mut lines = std::mem::take(&mut world.told);
    for (index, (value, old)) in state.regs.iter().zip(&before).enumerate() {
        if let Some(value) = value.filter(|value| Some(*value) != *old) {
            lines.push(Told { what: format!("%{index} ="), terms: vec![value.term] });
        }
    }
    lines.push(Told { what: "guard".to_string(), terms: vec![state.guard] });
    show(&terms, &world, &lines)
}

fn show(terms: &Terms, world: &Tiny, lines: &[Told]) -> String {
    let layout = world.layout();
    let address = |term: Term| {
        let (object, offset) = layout.constant(terms, term).filter(|_| terms.width(term) == 64)?;
        let name = match world.objects.get(object)?.kind {
            Kind::Global(id) => world.program.globals[id].name.to_string(),
            Kind::Frame | Kind::Stack | Kind::Heap => format!("{object}"),
            Kind::Function(_) | Kind::ThreadLocal(..) | Kind::Thread(_) => return None,
        };
        Some(if offset == 0 { format!("&{name}") } else { format!("&{name}+{offset}") })
    };
    let leaf = |term: Term| terms.as_bits(term).and_then(|_| address(term));
    let roots: Vec<Term> = lines.iter().flat_map(|line| &line.terms).copied().collect();
    let glossary = Glossary::new(terms, &roots, &leaf);
    let mut text = String::new();
    let line = |Told { what, terms }: &Told| {
        let parts: Vec<&str> = terms.iter().map(|term| glossary.text(*term)).collect();
        format!("{what} {}", parts.join(", ")).trim_end().to_string()
    };
    let all: Vec<String> = lines.iter().map(line).collect();
    for same in all.chunk_by(|a, b| a == b) {
        let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
        text += &format!("{}{times}\n", same[0]);
    }
    for (name, meaning) in glossary.definitions() {
        text += &format!("{name}: {meaning}\n");
    }
    text
}

/// Variables are the path's own.
fn own(code: &str, expected: Expect) {
    expected.assert_eq(&run(code, false));
}

/// Variables are shared.
fn shared(code: &str, expected: Expect) {
    expected.assert_eq(&run(code, true));
}

#[test]
fn own_memory_is_terms() {
    own(
        "store i32 @x, %3\n%0 = load i32 @x\n%1 = add i32 %0, 1:i32\n%2 = load i32 @y",
        expect![[r#"
        %0 = n
        %1 = n + 1
        %2 = 0
        guard g
    "#]],
    );
}

#[test]
fn shared_memory_is_the_worlds() {
    shared(
        "store i32 @x, %3\n%0 = load i32 @x\n%4 = load ptr @p",
        expect![[r#"
        write Memory &x, n, g
        read Memory &x, r!0, true
        read Memory &p, r!1, true
        %0 = r!0
        %4 = r!1
        guard g
    "#]],
    );
}

#[test]
fn what_is_wrong_with_an_access() {
    own(
        "%4 = ptradd null, 0:i64\n%0 = load i32 %4",
        expect![[r#"
        Violation(NullDeref) g
        %4 = 0
        guard false
    "#]],
    );
    own(
        "%4 = ptradd @x, %6\n%0 = load i32 %4",
        expect![[r#"
        Addresses g && !((w + &x)[63:40] == 1)
        Violation(NullDeref) t1 && t4
        Invalid(OutOfBounds) !t5 && (t1 && !t4)
        %0 = 0
        %4 = w + &x
        guard t5 && (t1 && !t4)
        t1: g && ((w + &x)[63:40] == 1)
        t2: (w + &x)[39:0] + 549755813888
        t3: !((w + &x)[39:0] == 549755813888)
        t4: !((w + &x)[63:40] == 5) && ((!((w + &x)[63:40] == 1) && !((w + &x)[63:40] == 2)) && (!((w + &x)[63:40] == 3) && !((w + &x)[63:40] == 4)))
        t5: !(((w + &x)[63:40] == 5) && (2 <u t2)) && ((!(((w + &x)[63:40] == 1) && t3) && !(((w + &x)[63:40] == 2) && t3)) && (!(((w + &x)[63:40] == 3) && (4 <u t2)) && !(((w + &x)[63:40] == 4) && (4 <u t2))))
    "#]],
    );
    own(
        "%4 = alloc heap 4:i64, 4:i64\nfree heap %4\nstore i32 %4, 1:i32",
        expect![[r#"
        allocate Heap 4
        end of #6 true
        Violation(UseAfterFree) g
        %4 = &#6
        guard false
    "#]],
    );
}

#[test]
fn read_modify_write() {
    own(
        "%0 = rmw add i32 @x, %3 seq_cst\n%1 = load i32 @x",
        expect![[r#"
        %0 = 0
        %1 = n
        guard g
    "#]],
    );
    shared(
        "%0 = rmw exchange i32 @x, %3 seq_cst",
        expect![[r#"
        read Memory &x, r!0, true
        write Memory &x, n, g
        %0 = r!0
        guard g
    "#]],
    );
}

#[test]
fn compare_and_exchange() {
    own(
        "%7, %0 = cmpxchg i32 @x, %3, 5:i32 seq_cst seq_cst\n%1 = load i32 @x",
        expect![[r#"
        %0 = 0
        %1 = (n == 0) ? 5 : 0
        %7 = (n == 0) ? 1 : 0
        guard g
    "#]],
    );
    shared(
        "%7, %0 = cmpxchg weak i32 @x, 0:i32, %3 seq_cst seq_cst",
        expect![[r#"
        read Memory &x, r!0, true
        LoadedAddresses g
        choose Kind(WeakFail) c!1
        always true
        write Memory &x, n, g && t1
        %0 = r!0
        %7 = t1 ? 1 : 0
        guard g
        t1: (r!0 == 0) && !(c!1 == 1)
    "#]],
    );
}

#[test]
fn copies_go_leaf_by_leaf() {
    own(
        "store i32 @r, %3\ncopy @b, @r, 6:i64 s1\n%0 = load i32 @b",
        expect![[r#"
        next part, 5 times
        %0 = n
        guard g
    "#]],
    );
    shared(
        "copy @r, @p, 8:i64 s3",
        expect![[r#"
        read Memory &p, r!0, true
        read Memory &p+1, r!1, true
        read Memory &p+2, r!2, true
        read Memory &p+3, r!3, true
        write Memory &r, r!0, g
        write Memory padding &r+1, r!1, g
        write Memory padding &r+2, r!2, g
        write Memory padding &r+3, r!3, g
        next part
        read Memory &p+4, r!4, true
        write Memory &r+4, r!4, g
        guard g
    "#]],
    );
}

#[test]
fn fills() {
    own(
        "fill @b, 1:i8, 6:i64 s1\n%0 = load i32 @b",
        expect![[r#"
        next part, 5 times
        %0 = 16843009
        guard g
    "#]],
    );
    shared(
        "fill @r, 0:i8, 8:i64 s3",
        expect![[r#"
        write Memory &r, 0, g
        write Memory padding &r+1, 0, g
        write Memory padding &r+2, 0, g
        write Memory padding &r+3, 0, g
        next part
        write Memory &r+4, 0, g
        guard g
    "#]],
    );
}

#[test]
fn a_length_that_is_not_fixed_is_bounded() {
    own(
        "copy @b, @x, %6 s1",
        expect![[r#"
        Invalid(OutOfBounds) t2 && (4 <u w)
        Invalid(OutOfBounds) (t2 && !(4 <u w)) && (6 <u w)
        Unsupported("a copy of more bytes than 64 whose number is not fixed") t3 && (64 <u w)
        next part, 7 times
        Invalid(OutOfBounds) t1 && (4 <u w)
        Invalid(OutOfBounds) (6 <u w) && (t1 && !(4 <u w))
        Unsupported("a copy of more bytes than 64 whose number is not fixed") (64 <u w) && t4
        next part, 63 times
        guard !((!(t3 && !(64 <u w)) && !(!(64 <u w) && t4)) && !(g && (w == 0)))
        t1: (g && !(w == 0)) && !(w[2:0] == 0)
        t2: (g && !(w == 0)) && (w[2:0] == 0)
        t3: (t2 && !(4 <u w)) && !(6 <u w)
        t4: !(6 <u w) && (t1 && !(4 <u w))
    "#]],
    );
}

#[test]
fn heap_blocks() {
    own(
        "%4 = alloc heap 8:i64, 8:i64 zeroed\n%0 = load i32 %4\nfree heap %4\nfree heap %4",
        expect![[r#"
        allocate Heap 8
        end of #6 true
        Violation(InvalidFree) g
        %0 = 0
        %4 = &#6
        guard false
    "#]],
    );
    own(
        "free heap @x",
        expect![[r#"
        Violation(InvalidFree) g
        guard false
    "#]],
    );
}

#[test]
fn frame_objects() {
    own(
        "live l0\n%4 = local l0\nstore i32 %4, %3\ndead l0\n%0 = load i32 %4",
        expect![[r#"
        allocate Frame 4
        end of #6 true
        Violation(UseAfterFree) g
        %4 = &#6
        guard false
    "#]],
    );
}

#[test]
fn choices() {
    own(
        "%0 = nondet i32 value\n%7 = nondet i1 timeout\n%8 = nondet i1 alloc-fail\n%1 = input",
        expect![[r#"
            choose Kind(Value) c!0
            choose Kind(Timeout) c!1
            always true
            choose Input c!2
            always !((255 <u c!2) && !(c!2 == 4294967295))
            %0 = c!0
            %1 = c!2
            %7 = c!1
            %8 = 0
            guard g
        "#]],
    );
}

#[test]
fn assertions_and_assumptions() {
    own(
        "%7 = eq i32 %3, 1:i32\nassume %7\nassert assertion, ult i32 %3, 1:i32\n\
         assert signed-overflow, fits add signed i32 %3, 1:i32",
        expect![[r#"
            require n == 1
            Violation(Assertion) (g && (n == 1)) && !(n == 0)
            Violation(SignedOverflow) t1 && t2
            %7 = (n == 1) ? 1 : 0
            guard t1 && !t2
            t1: (g && (n == 1)) && (n == 0)
            t2: ((n + 1)[31:31] == 1) && !((n[31:31] == 1) == ((n + 1)[31:31] == 1))
        "#]],
    );
    own(
        "unsupported \"a thing\"",
        expect![[r#"
        Unsupported("a thing") g
        guard false
    "#]],
    );
}

#[test]
fn addresses_are_no_data() {
    own(
        "%7 = ult ptr @x, @y\n%8 = eq ptr @x, @y\nassume %7",
        expect![[r#"
        Addresses g
        require true
        %7 = 1
        %8 = 0
        guard g
    "#]],
    );
    shared(
        "%0 = load i32 @x\n%7 = eq i32 %0, 0:i32\nassume %7",
        expect![[r#"
        read Memory &x, r!0, true
        LoadedAddresses g
        require r!0 == 0
        %0 = r!0
        %7 = (r!0 == 0) ? 1 : 0
        guard g && (r!0 == 0)
    "#]],
    );
}

#[test]
fn locks_are_words_of_the_shadow() {
    own(
        "lock @x\nunlock @x\n%7 = trylock @x\nlock @x",
        expect![[r#"
        enter
        wait for true
        acquires &x
        leave
        enter
        releases &x
        leave
        enter
        tries &x
        leave
        enter
        Violation(LockMisuse) g
        wait for false
        acquires &x
        leave
        %7 = 1
        guard false
    "#]],
    );
    shared(
        "lock @x",
        expect![[r#"
        enter
        read Shadow &x, r!0, true
        Violation(LockMisuse) g && (r!0 == 1)
        wait for r!0 == 0
        write Shadow &x, 1, t1
        acquires &x
        leave
        guard t1
        t1: (g && !(r!0 == 1)) && (r!0 == 0)
    "#]],
    );
    own(
        "atomic-begin\nstore i32 @x, 1:i32\natomic-end",
        expect![[r#"
        enter
        leave
        guard g
    "#]],
    );
}

#[test]
fn operations_on_threads_are_the_worlds() {
    own(
        "join %6",
        expect![[r#"
        join
        guard g
    "#]],
    );
}
