//! The engine's side of an instruction: memory that is not the path's own, choices, obligations, synchronisation.
//!
//! [`super::step`] says what an instruction means; a [`World`] says what becomes of it in an engine. Memory that only the
//! running path knows lies in [`State::memory`] as terms, and `step` reads and writes it by itself. All other memory is
//! the world's *shared* memory: `unwind` makes accesses at nodes of it, an engine that sequentialises threads would
//! keep copies of variables.

use crate::{Layout, LogRef, ObjectNo, Objects, Place, State, Value};
use braid_analysis::{Facts, InstanceId};
use braid_ir::{ChoiceKind, FuncId, Instr, InstrId, Loc, Operand, Program, Space, Ty};
use braid_logic::{Term, Terms};
use braid_props::Check;

/// A condition that a step meets, and that must not be reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hazard {
    /// A property is violated.
    Violation(Check),
    /// An invalid access of a kind that is not checked: nothing is known of what follows.
    Invalid(Check),
    /// An operation that is not supported.
    Unsupported(String),
    /// From here on the program stands for only part of the behaviour of the C program, because a library model leaves
    /// some out or, if `bound` is true, because of a bound that the user can raise.
    Partial { what: String, bound: bool },
    /// Control depends on the addresses of objects.
    Addresses,
    /// Control depends on addresses if a read of shared memory uses an address as a number.
    LoadedAddresses,
    /// Control depends on addresses if a pointer moved to before its object is compared near null.
    OutOfObject,
}

/// The origin of a value that the program leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceOf {
    Kind(ChoiceKind),
    Input,
}

/// The effect of an operation on the word of a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockUse {
    /// Acquires the lock, once it is free.
    Acquire,
    /// Acquires the lock if it is free, which the term says.
    Try(Term),
    /// Releases the lock.
    Release,
}

/// The object of a wait.
#[derive(Clone, Debug)]
pub enum Wait {
    /// A lock: conditions, and under each the number of a thread that holds the lock.
    Lock { holders: Vec<(Term, Term)> },
    /// A condition, which no particular thread has to establish.
    Condition,
}

/// The function whose code is executed.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    pub func: FuncId,
    /// The function in its context, as the analyses know it.
    pub instance: Option<InstanceId>,
}

/// A pointer, and the operand it comes from, which the analyses know.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub operand: Operand,
    pub pointer: Value,
}

/// An access of `len` bytes (a pointer-wide term).
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub at: At,
    pub len: Term,
    pub space: Space,
    pub write: bool,
    pub loc: Loc,
}

/// A part of an access that is read or written as one value.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Bytes of the access before it.
    pub start: u64,
    pub bytes: u32,
    /// It is a whole pointer, so that no number is made of an address there.
    pub pointer: bool,
    /// It lies between the members of a record, and does not race.
    pub padding: bool,
    /// It is written or not, depending on what the same instruction reads there.
    pub exchanged: bool,
}

impl Piece {
    /// A value at the beginning of an access.
    pub fn first(bytes: u32) -> Piece {
        Piece { start: 0, bytes, pointer: false, padding: false, exchanged: false }
    }
}

/// A part of an access as the world sees it.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub pointer: Term,
    pub space: Space,
    pub piece: Piece,
}

/// The use that an instruction makes of a pointer.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// It accesses bytes of the object.
    Access(Access),
    /// It ends the object's life, if the condition holds.
    Free(Operand, Term),
    /// It compares addresses: a byte of a live object should be there.
    Compare(Option<Operand>),
}

/// The objects that exist and that a pointer may lead to.
pub struct Resolved<S> {
    /// Objects, each with the condition that the pointer leads there. For an access: the path's own come first.
    pub objects: Vec<(ObjectNo, Term)>,
    /// How many of the objects are the path's own.
    pub own: usize,
    /// The shared part: the other objects, and objects that do not exist yet.
    pub shared: Option<S>,
    /// The structure of the pointer alone tells to which objects it may lead.
    pub known: bool,
    /// The pointer may lead to objects that do not exist yet.
    pub open: bool,
}

/// Bools: what is wrong with a pointer that leads to none of the objects that exist.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// It leads to no object.
    pub null: Term,
    /// It leads to a wrong place in an object.
    pub outside: Term,
    /// It leads to an object whose life has ended.
    pub dead: Term,
}

/// The objects of an access that has been checked.
pub struct Reach<S> {
    /// The path's own: with the condition that it is this one, and where in it.
    pub own: Vec<(ObjectNo, Term, Place)>,
    /// The shared part of the access, and the condition that it goes there.
    pub shared: Option<(Term, S)>,
}

/// An end of the lives of objects.
pub struct Death<'a, S> {
    pub pointer: Term,
    /// Objects, each with the condition that the pointer leads there and the object dies.
    pub objects: &'a [(ObjectNo, Term)],
    /// For a pointer that may lead to objects that do not exist yet: its shared part, and the condition of the end.
    pub open: Option<(&'a S, Term)>,
}

/// An engine's memory and bookkeeping.
pub trait World: Sized {
    /// The part of a path that only the engine knows.
    type Path: Clone;
    /// The shared part of an access.
    type Shared: Clone;

    fn program(&self) -> &Program;
    fn facts(&self) -> &Facts;
    fn objects(&self) -> &Objects;
    fn code(&self) -> Code;

    fn layout(&self) -> Layout {
        self.objects().layout
    }

    /// The execution of an instruction that is written down at this moment.
    fn now(&self) -> LogRef;
    /// The place of that instruction.
    fn place(&self) -> Loc;
    /// Goes back to an earlier part of the same instruction.
    fn go_back(&mut self, to: LogRef);
    /// Returns true if violations of the property are looked for.
    fn checks(&self, check: Check) -> bool;
    /// Set once an address may have been moved to before its object.
    fn strays(&mut self) -> &mut bool;

    /// An instruction begins. Returns false if the path is not followed into it.
    fn begin(&mut self, terms: &mut Terms, state: &State<Self::Path>, instr: &Instr) -> bool;
    /// The instruction that has begun last is complete.
    fn end(&mut self);
    /// The next part of a copy or fill: a step of its own.
    fn next_part(&mut self, terms: &mut Terms, state: &State<Self::Path>, instr: &Instr);
    /// The path comes to an assumption or assertion; an assumption also says when it holds.
    fn mark(&mut self, terms: &mut Terms, state: &State<Self::Path>, instr: InstrId, passed: bool);

    /// Returns true if all the path does now is one step.
    fn is_atomic(&self, state: &State<Self::Path>) -> bool;
    /// Returns true if nothing but this path changes memory or makes objects.
    fn is_alone(&self, state: &State<Self::Path>) -> bool;
    /// Returns true if only this path ends the object's life, and memory of the path says whether it lives.
    fn owns_life(&self, state: &State<Self::Path>, object: ObjectNo) -> bool;
    /// Returns true if the path's own memory has these bytes of the object (without a range, all of them).
    fn owns(
        &self,
        state: &State<Self::Path>,
        object: ObjectNo,
        space: Space,
        range: Option<(u64, u64)>,
    ) -> bool;

    /// Finds the objects that a pointer may lead to.
    fn resolve(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        pointer: Term,
        purpose: Purpose,
    ) -> Resolved<Self::Shared>;
    /// Bools: each of the objects lives, if the pointer leads there.
    fn lives(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        pointer: Term,
        purpose: Purpose,
        resolved: &mut Resolved<Self::Shared>,
    ) -> Vec<Term>;
    /// Bools that say what is wrong with an open pointer that leads to none of the objects.
    fn elsewhere(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        pointer: Term,
        purpose: Purpose,
        resolved: &Resolved<Self::Shared>,
    ) -> Elsewhere;
    /// Reads shared memory; the guard says when. The value is made of bytes.
    fn read(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        touch: &Touch,
        shared: &(Term, Self::Shared),
    ) -> Value;
    /// Writes shared memory.
    fn write(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        touch: &Touch,
        shared: &(Term, Self::Shared),
        value: Value,
    );
    /// Reads a word of 4 bytes of the shared shadow of an object, at a known place, if the condition holds.
    fn peek(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        object: ObjectNo,
        start: u64,
        when: Term,
    ) -> Term;
    /// Adds an object, which comes to life.
    fn allocate(&mut self, terms: &mut Terms, state: &State<Self::Path>, object: crate::Object) -> ObjectNo;
    /// Tells others that lives end.
    fn end_life(&mut self, terms: &mut Terms, state: &State<Self::Path>, death: Death<'_, Self::Shared>);
    /// Any value, for a variable that something outside of the program may write.
    fn volatile(&mut self, terms: &mut Terms, pointer: Term, ty: Ty) -> Option<Value>;

    /// Returns true if synchronisation objects that may be in use lie in the memory.
    fn may_be_in_use(&self, terms: &Terms, state: &State<Self::Path>, reach: &Reach<Self::Shared>) -> bool;
    /// Returns true if a library model may write the word of the lock by itself.
    fn may_be_held_together(&self, terms: &Terms, pointer: Term, reach: &Reach<Self::Shared>) -> bool;
    /// Where in the object threads may take locks: offsets, or `Some(None)` if anywhere.
    fn locks_in(&self, state: &State<Self::Path>, object: ObjectNo) -> Option<Option<Vec<u64>>>;

    /// A value that the program leaves open.
    fn choose(&mut self, terms: &mut Terms, of: ChoiceOf, ty: Ty) -> Value;
    /// Returns true if a choice of this kind can be other than 0.
    fn is_possible(&self, kind: ChoiceKind) -> bool;
    /// The condition holds in every execution.
    fn constrain(&mut self, condition: Term);
    /// The path meets a hazard, if the condition holds.
    fn oblige(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        reached: Term,
        hazard: Hazard,
        loc: Loc,
    );
    /// Control depends on where objects lie, if the condition holds. The hazard is one of addresses.
    fn on_addresses(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        open: Term,
        hazard: Hazard,
        loc: Loc,
    );
    /// Handles are compared, unless the condition holds: they must not depend on which ids threads get.
    fn compares_handles(
        &mut self,
        terms: &mut Terms,
        state: &State<Self::Path>,
        fixed: Term,
        pointers: [Term; 2],
        loc: Loc,
    );
    /// The path ends here, under the condition, in the middle of what it does.
    fn stop(&mut self, state: &State<Self::Path>, reached: Term);

    /// The address of the running thread's variable.
    fn thread_local(&self, global: braid_ir::GlobalId) -> ObjectNo;
    /// The object that stands for the handle of the running thread.
    fn self_handle(&self) -> ObjectNo;
    /// The number by which locks know the running thread.
    fn self_number(&self) -> u32;
    /// The path enters an atomic section.
    fn enter(&mut self, terms: &mut Terms, state: &mut State<Self::Path>);
    /// The path leaves an atomic section.
    fn leave(&mut self, terms: &mut Terms, state: &mut State<Self::Path>);
    /// The path goes on only if the condition holds; with an object of a wait, once it holds.
    fn require(
        &mut self,
        terms: &mut Terms,
        state: &mut State<Self::Path>,
        condition: Term,
        wait: Option<Wait>,
        loc: Loc,
    );
    /// Returns true if it matters for which threads the path would wait.
    fn asks_holders(&self, state: &State<Self::Path>) -> bool;
    /// An operation on a lock begins.
    fn begin_lock(&mut self);
    /// A lock is about to be taken. Returns false if its word is not written.
    fn takes_lock(&mut self, pointer: Term) -> bool;
    /// A lock is about to be released. Returns false if its word is not written.
    fn releases_lock(&mut self, terms: &mut Terms, state: &mut State<Self::Path>, pointer: Term) -> bool;
    /// The operation on a lock that has begun last was this one.
    fn end_lock(&mut self, state: &State<Self::Path>, pointer: Term, lock: LockUse);
    /// A thread is about to wait at a condition variable. Returns true if its word need not keep the mutex.
    fn pairs(&mut self, word: Term, mutex: Term) -> bool;
    /// Operations on threads, and ends of threads and of the program.
    fn synchronise(&mut self, terms: &mut Terms, state: &mut State<Self::Path>, instr: &Instr);
}
