//! The parts that the functions of all threads share: global objects, their names and initial contents.

use crate::names::Names;
use crate::spinning::Laps;
use crate::types::Types;
use braid_base::{HashMap, HashSet};
use braid_ir::*;
use braid_props::CheckSet;
use std::fmt::Write as _;

/// An object that code names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    Global(GlobalId),
    /// A thread's copy of a variable.
    ThreadLocal(usize, GlobalId),
    /// An object of the frame of the function that is being written.
    Local(LocalId),
}

/// A thread, its function in the IR and the name of the one that is written.
pub struct Thread {
    pub func: FuncId,
    pub name: String,
}

pub struct Shared<'a> {
    pub program: &'a Program,
    pub checks: CheckSet,
    pub types: Types<'a>,
    pub threads: Vec<Thread>,
    /// Tells the text of the source line at a place.
    pub source: &'a dyn Fn(Loc) -> Option<String>,
    /// Tells whether other threads may see when an instruction is executed.
    pub is_visible: &'a dyn Fn(InstrId) -> bool,
    /// The library model that an instruction comes from.
    pub model: &'a dyn Fn(InstrId) -> &'a str,
    /// Loops in which threads may spin.
    pub laps: &'a Laps,
    /// Sections of the library that wait after they have written, by the instruction that opens them.
    pub quiet: HashSet<InstrId>,
    /// The text keeps a log of what it executes.
    pub logs: bool,
    /// Threads other than the first one ask about threads.
    pub joins_elsewhere: bool,
    /// The sizes of heap blocks are asked about.
    pub asks_blocks: bool,
    /// Places in which heap blocks are made, of the functions written last.
    pub blocks: usize,
    /// The questions about threads that are asked.
    pub asks: HashSet<ThreadAsk>,
    names: Names,
    objects: HashMap<Object, String>,
    /// Objects in the order in which they were named.
    listed: Vec<Object>,
    functions: HashMap<FuncId, String>,
    /// By the thread, if it is an object of its frame.
    shadows: HashMap<(Option<usize>, Object), String>,
    shadow_text: String,
}

impl<'a> Shared<'a> {
    pub fn new(
        program: &'a Program,
        checks: CheckSet,
        source: &'a dyn Fn(Loc) -> Option<String>,
        is_visible: &'a dyn Fn(InstrId) -> bool,
        model: &'a dyn Fn(InstrId) -> &'a str,
        laps: &'a Laps,
    ) -> Shared<'a> {
        Shared {
            program,
            checks,
            types: Types::new(program),
            threads: Vec::new(),
            source,
            is_visible,
            model,
            laps,
            quiet: HashSet::default(),
            logs: false,
            joins_elsewhere: false,
            asks_blocks: false,
            blocks: 0,
            asks: HashSet::default(),
            names: Names::new(),
            objects: HashMap::default(),
            listed: Vec::new(),
            functions: HashMap::default(),
            shadows: HashMap::default(),
            shadow_text: String::new(),
        }
    }

    /// Adds a thread; its function is named after that of the source.
    pub fn add_thread(&mut self, func: FuncId, name: &str) {
        let name = self.names.fresh(&format!("{name}_thread"));
        self.threads.push(Thread { func, name });
    }

    /// The number of a further place in which a heap block is made.
    pub fn new_block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    /// All names at the level of the file.
    pub fn names_in_use(&self) -> Vec<String> {
        // Objects may be named later, too, so all names that may be taken count.
        let globals = self.program.globals.iter().map(|global| global.name.to_string().replace('.', "_"));
        globals.chain(self.threads.iter().map(|thread| thread.name.clone())).collect()
    }

    pub fn object_name(&mut self, object: Object) -> String {
        if let Some(name) = self.objects.get(&object) {
            return name.clone();
        }
        let wanted = match object {
            Object::Global(global) => self.program.globals[global].name.to_string(),
            Object::ThreadLocal(thread, global) => {
                format!("{}_of_{thread}", self.program.globals[global].name)
            }
            Object::Local(_) => "object".to_string(),
        };
        let name = self.names.fresh(&wanted);
        self.objects.insert(object, name.clone());
        self.listed.push(object);
        name
    }

    /// An object whose address stands for a function's.
    pub fn function_address(&mut self, func: FuncId) -> String {
        let program = self.program;
        let names = &mut self.names;
        let name = self
            .functions
            .entry(func)
            .or_insert_with(|| names.fresh(&format!("function_{}", program.functions[func].name)));
        format!("&{name}")
    }

    /// The words of the state of an object, if a model has used them in the functions that were written so far.
    pub fn known_shadow(&self, (thread, object): (usize, Object)) -> Option<String> {
        let owner = matches!(object, Object::Local(_)).then_some(thread);
        self.shadows.get(&(owner, object)).cloned()
    }

    /// The words of the state that a model keeps of an object; those of frame objects are a thread's own.
    pub fn shadow_name(&mut self, (thread, object): (usize, Object), name: &str, shape: ShapeId) -> String {
        let owner = matches!(object, Object::Local(_)).then_some(thread);
        if let Some(known) = self.shadows.get(&(owner, object)) {
            return known.clone();
        }
        let fresh = self.names.fresh(&format!("{name}_state"));
        let words = self.program.shape_size(shape).div_ceil(4);
        let _ = writeln!(self.shadow_text, "static int {fresh}[{words}];");
        self.shadows.insert((owner, object), fresh.clone());
        fresh
    }

    /// The definitions of all objects that were named, and of those that their initial contents point to.
    pub fn definitions(&mut self) -> String {
        let mut text = String::new();
        let mut done = 0;
        while let Some(object) = self.listed.get(done).copied() {
            done += 1;
            let (Object::Global(global) | Object::ThreadLocal(_, global)) = object else { continue };
            let program = self.program;
            let known = &program.globals[global];
            let name = self.object_name(object);
            let declared = self.types.declare(known.shape, &name);
            let contents = self.contents(known);
            let initial = contents.map_or(String::new(), |contents| format!(" = {contents}"));
            let _ = writeln!(text, "static {declared}{initial};");
        }
        let mut functions: Vec<(FuncId, String)> =
            self.functions.iter().map(|(func, name)| (*func, name.clone())).collect();
        functions.sort();
        let mut ahead = String::new();
        for (_, name) in functions {
            let _ = writeln!(ahead, "static char {name};");
        }
        // An object may point to one that is defined later.
        for object in &self.listed {
            let (Object::Global(global) | Object::ThreadLocal(_, global)) = object else { continue };
            if self.objects.len() > 1 && self.is_pointed_to(*object) {
                let declared = self.types.declare(self.program.globals[*global].shape, &self.objects[object]);
                let _ = writeln!(ahead, "static {declared};");
            }
        }
        format!("{ahead}{text}{}", self.shadow_text)
    }

    fn is_pointed_to(&self, object: Object) -> bool {
        let Object::Global(global) = object else { return false };
        let points = |other: &Global| {
            other.init.pointers.iter().any(|(_, to)| matches!(to, Const::Global(id, _) if *id == global))
        };
        self.program.globals.iter().any(points)
    }

    /// The initial contents of an object, unless they are zero.
    fn contents(&mut self, global: &Global) -> Option<String> {
        let size = usize::try_from(self.program.shape_size(global.shape)).ok()?;
        let mut bytes = vec![0u8; size.min(1 << 20)];
        for (offset, data) in &global.init.data {
            let at = *offset as usize;
            for (index, byte) in data.iter().enumerate() {
                if let Some(place) = bytes.get_mut(at + index) {
                    *place = *byte;
                }
            }
        }
        if bytes.iter().all(|byte| *byte == 0) && global.init.pointers.is_empty() {
            return None;
        }
        Some(self.part(global.shape, 0, &bytes, &global.init.pointers))
    }

    fn part(&mut self, shape: ShapeId, at: u64, bytes: &[u8], pointers: &[(u64, Const)]) -> String {
        let program = self.program;
        let size = program.shape_size(shape);
        let own = |at: u64, size: u64| &bytes[at as usize..(at + size) as usize];
        let number =
            |at: u64, size: u64| own(at, size).iter().rev().fold(0u128, |n, byte| n << 8 | u128::from(*byte));
        match &program.shapes[shape] {
            Shape::Scalar(Ty::Ptr) => match pointers.iter().find(|(offset, _)| *offset == at) {
                Some((_, Const::Global(global, offset))) => {
                    let name = self.object_name(Object::Global(*global));
                    if *offset == 0 {
                        format!("(char *)&{name}")
                    } else {
                        format!("(char *)&{name} + {offset}")
                    }
                }
                Some((_, Const::Func(func))) => self.function_address(*func),
                _ => match number(at, size) {
                    0 => "0".to_string(),
                    value => format!("(char *){value:#x}"),
                },
            },
            Shape::Scalar(Ty::F32) => format!("{:?}f", f32::from_bits(number(at, size) as u32)),
            Shape::Scalar(Ty::F64) => format!("{:?}", f64::from_bits(number(at, size) as u64)),
            Shape::Scalar(Ty::Int(width)) => {
                let value = crate::expr::signed(*width, number(at, size));
                if value == i128::from(i64::MIN) {
                    "(-0x7fffffffffffffff - 1)".to_string()
                } else {
                    value.to_string()
                }
            }
            Shape::Array { elem, len } => {
                let step = program.shape_size(*elem);
                if matches!(program.shapes[*elem], Shape::Scalar(Ty::Int(8))) && is_text(own(at, size)) {
                    return format!("\"{}\"", own(at, size - 1).escape_ascii());
                }
                let parts: Vec<String> =
                    (0..*len).map(|index| self.part(*elem, at + index * step, bytes, pointers)).collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Shape::Struct { fields, .. } if self.types.is_structure(shape) => {
                let parts: Vec<String> = fields
                    .iter()
                    .map(|field| self.part(field.shape, at + field.offset, bytes, pointers))
                    .collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Shape::Struct { .. } | Shape::Union { .. } | Shape::Bytes(_) => {
                let align = [8, 4, 2, 1].into_iter().find(|align| size.is_multiple_of(*align)).unwrap_or(1);
                let words: Vec<String> = (0..size / align)
                    .map(|index| {
                        let value = crate::expr::signed((align * 8) as u8, number(at + index * align, align));
                        value.to_string()
                    })
                    .collect();
                format!("{{ {{ {} }} }}", words.join(", "))
            }
        }
    }
}

/// Returns true for printable characters that end with a zero.
fn is_text(bytes: &[u8]) -> bool {
    let [text @ .., 0] = bytes else { return false };
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ' || *byte == b'\n')
}
