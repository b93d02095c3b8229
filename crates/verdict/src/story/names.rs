//! Names of bytes and values: what the program's author would write.
//!
//! Integers are shown as signed unless they are known not to be. Heap blocks are numbered in the order of their
//! allocation.

use braid_base::HashMap;
use braid_interp::ThreadPath;
use braid_interp::naming;
use braid_interp::object::{Identity, Kind};
use braid_interp::watch::{Area, Shown};
use braid_ir::{Program, Ty};

pub(super) struct Names<'a> {
    pub program: &'a Program,
    pub threads: &'a [ThreadPath],
    /// Heap blocks by base address.
    blocks: HashMap<u64, usize>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a Program, threads: &'a [ThreadPath]) -> Names<'a> {
        Names { program, threads, blocks: HashMap::default() }
    }

    /// Numbers a block that is new.
    pub fn note_block(&mut self, object: &Identity) {
        let number = self.blocks.len() + 1;
        self.blocks.entry(object.base).or_insert(number);
    }

    pub fn block(&self, object: &Identity) -> String {
        self.blocks.get(&object.base).map_or("a block".to_string(), |number| format!("block{number}"))
    }

    /// The object's own name.
    fn object(&self, object: &Identity) -> String {
        match object.kind {
            Kind::Stack | Kind::Heap => self.block(object),
            Kind::Thread(number) => self.thread(number),
            Kind::Function(_) | Kind::Global(_) | Kind::ThreadLocal(_) => {
                naming::declared(self.program, object).unwrap_or_else(|| "a string".to_string())
            }
            Kind::Local(..) => {
                naming::declared(self.program, object).unwrap_or_else(|| "a temporary".to_string())
            }
        }
    }

    pub fn thread(&self, number: u32) -> String {
        self.threads.get(number as usize).map_or("a thread".to_string(), |path| format!("thread {path}"))
    }

    /// Bytes of an object as an expression.
    pub fn area(&self, at: &Area) -> String {
        self.bytes(&at.object, at.offset, at.len)
    }

    fn bytes(&self, object: &Identity, offset: u64, len: u64) -> String {
        let name = self.object(object);
        match naming::path(self.program, object, offset, len) {
            Some(path) => format!("{name}{path}"),
            None if offset == 0 => name,
            None => format!("{name}+{offset}"),
        }
    }

    pub fn lock(&self, at: &Area) -> String {
        let declared = naming::lock(self.program, &at.object, at.offset);
        declared.unwrap_or_else(|| self.area(at))
    }

    pub fn value(&self, shown: &Shown) -> String {
        self.value_as(shown, false)
    }

    pub fn value_as(&self, shown: &Shown, unsigned: bool) -> String {
        if let Some((object, offset)) = &shown.target {
            return self.pointer(object, *offset);
        }
        match shown.ty {
            Ty::Ptr if shown.bits == 0 => "null".to_string(),
            Ty::Ptr => format!("{:#x}", shown.bits),
            Ty::F32 => f32::from_bits(shown.bits as u32).to_string(),
            Ty::F64 => f64::from_bits(shown.bits as u64).to_string(),
            Ty::Int(1) => shown.bits.to_string(),
            Ty::Int(_) if unsigned => shown.bits.to_string(),
            Ty::Int(width) => {
                let unused = 128 - u32::from(width);
                ((shown.bits << unused) as i128 >> unused).to_string()
            }
        }
    }

    fn pointer(&self, object: &Identity, offset: i64) -> String {
        match object.kind {
            Kind::Function(_) | Kind::Thread(_) => self.object(object),
            Kind::Stack | Kind::Heap if offset == 0 => self.object(object),
            Kind::Stack | Kind::Heap => format!("{}{offset:+}", self.object(object)),
            Kind::Global(id) if self.program.globals[id].name.as_str().starts_with("str.") => {
                "a string".to_string()
            }
            Kind::Global(_) | Kind::ThreadLocal(_) | Kind::Local(..) => {
                let inside = u64::try_from(offset).ok().filter(|offset| *offset < object.size);
                match inside {
                    Some(0) => format!("&{}", self.object(object)),
                    Some(offset) => format!("&{}", self.bytes(object, offset, 1)),
                    None => format!("&{}{offset:+} bytes", self.object(object)),
                }
            }
        }
    }
}
