//! Memory objects, and what is remembered of them after their life.

use crate::contents::Contents;
use braid_ir::{FuncId, GlobalId, Loc, LocalId, Program};

/// Where something happened: the innermost place that is not inside a library model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub func: FuncId,
    pub loc: Loc,
}

impl Site {
    pub const NOWHERE: Site = Site { func: FuncId(u32::MAX), loc: Loc::NONE };
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Function(FuncId),
    Global(GlobalId),
    /// A thread's instance of a thread-local variable.
    ThreadLocal(GlobalId),
    Local(FuncId, LocalId),
    /// `alloca` or a variable-length array.
    Stack,
    Heap,
    /// What a thread's handle is the address of: nothing is there, and nobody knows where. Ends when the
    /// thread is joined, or has ended and been detached. With the thread's number.
    Thread(u32),
}

impl Kind {
    /// Whether its life ends with a frame.
    pub fn is_frame(self) -> bool {
        match self {
            Kind::Local(..) | Kind::Stack => true,
            Kind::Function(_) | Kind::Global(_) | Kind::ThreadLocal(_) | Kind::Heap | Kind::Thread(_) => {
                false
            }
        }
    }
}

/// What stays the same from an object's birth on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Identity {
    pub kind: Kind,
    pub base: u64,
    pub size: u64,
    /// The base is a multiple of it whatever base is chosen; a power of two.
    pub align: u64,
    pub read_only: bool,
    pub born: Site,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub identity: Identity,
    pub contents: Contents,
    /// The second address space, for models; made when first written.
    pub shadow: Option<Box<Contents>>,
    /// Threads other than its owner may reach it (see [`crate::escape`]).
    pub escaped: bool,
}

impl Object {
    /// The bytes were written: a synchronisation object there is as new.
    #[inline]
    pub fn reset_shadow(&mut self, offset: u64, len: u64, used: &mut u64) {
        let Some(shadow) = &mut self.shadow else { return };
        if !shadow.is_zero(offset, len) {
            shadow.fill(offset, len as usize, 0, used);
        }
    }
}

/// An object whose life has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tomb {
    pub identity: Identity,
    pub died: Site,
    /// Of a thread's id: threads from this number on may have got the same one.
    pub reused_from: u32,
}

/// A place as people write it: `x.c:5:9`, or `x.c:5` where the column is not known.
pub fn place_text(program: &Program, loc: Loc) -> String {
    if loc.line == 0 {
        return "an unknown place".into();
    }
    let (file, line) = (program.file_name(loc.file), loc.line);
    if loc.column == 0 { format!("{file}:{line}") } else { format!("{file}:{line}:{}", loc.column) }
}

impl Identity {
    /// Whether the address is of one of its bytes, or its base.
    pub fn holds(&self, address: u64) -> bool {
        address == self.base || address.wrapping_sub(self.base) < self.size
    }

    /// The object in words, for a sentence such as "offset 40 of …".
    pub fn describe(&self, program: &Program) -> String {
        let size = bytes_text(self.size);
        let block = |what: &str| {
            let place = place_text(program, self.born.loc);
            format!("{what} of {size} allocated at {place}")
        };
        match self.kind {
            Kind::Function(func) => format!("function '{}'", program.functions[func].name),
            Kind::Global(id) | Kind::ThreadLocal(id) => {
                let global = &program.globals[id];
                if global.read_only && global.name.as_str().starts_with("str.") {
                    format!("a string literal ({size})")
                } else {
                    format!("'{}' ({size})", global.name)
                }
            }
            Kind::Local(func, local) => match program.functions[func].locals[local].name {
                Some(name) => format!("'{name}' ({size})"),
                None => format!("a temporary of '{}' ({size})", program.functions[func].name),
            },
            Kind::Stack => block("a stack block"),
            Kind::Heap => block("a heap block"),
            Kind::Thread(_) => "a thread's id".into(),
        }
    }
}

pub fn bytes_text(count: u64) -> String {
    if count == 1 { "1 byte".into() } else { format!("{count} bytes") }
}
