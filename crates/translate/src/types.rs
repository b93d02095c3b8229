//! Types of the C program that is written, made from shapes.
//!
//! Members have the names and offsets of the source. A shape whose layout C would not give by itself (packed structures,
//! bit-fields, unions) is an array of words of the same size; accesses to it go through casts. Synchronisation objects are
//! such arrays, too, under the name of their type.

use braid_base::HashMap;
use braid_ir::{Program, Shape, ShapeField, ShapeId, Ty};
use std::fmt::Write as _;

/// The C type of a value in a register: integers are unsigned, and signed operations cast.
pub fn value_type(ty: Ty, pointer_bytes: u8) -> &'static str {
    match (ty, pointer_bytes) {
        (Ty::Int(0..=8), _) => "unsigned char",
        (Ty::Int(9..=16), _) => "unsigned short",
        (Ty::Int(17..=32), _) => "unsigned",
        (Ty::Int(33..=64), 8) => "unsigned long",
        (Ty::Int(33..=64), _) => "unsigned long long",
        (Ty::Int(_), _) => "unsigned __int128",
        (Ty::F32, _) => "float",
        (Ty::F64, _) => "double",
        (Ty::Ptr, _) => "char *",
    }
}

/// The signed type of the same width.
pub fn signed_type(ty: Ty, pointer_bytes: u8) -> &'static str {
    match (ty, pointer_bytes) {
        (Ty::Int(0..=8), _) => "signed char",
        (Ty::Int(9..=16), _) => "short",
        (Ty::Int(17..=32), _) => "int",
        (Ty::Int(33..=64), 8) => "long",
        (Ty::Int(33..=64), _) => "long long",
        (Ty::Int(_), _) => "__int128",
        (Ty::F32 | Ty::F64 | Ty::Ptr, _) => value_type(ty, pointer_bytes),
    }
}

/// The number of bits of the C type that holds an integer.
pub fn stored_bits(width: u8) -> u32 {
    u32::from(width).next_power_of_two().clamp(8, 128)
}

/// How a shape is declared.
#[derive(Clone, Debug)]
enum Form {
    Scalar(Ty),
    Array {
        elem: ShapeId,
        len: u64,
    },
    /// A structure, by its tag.
    Struct(String),
    /// Words of memory, by the name of the type.
    Words(String),
}

/// The types of a program, with the text that defines them.
pub struct Types<'a> {
    program: &'a Program,
    forms: HashMap<ShapeId, Form>,
    definitions: String,
    /// Names of word types, by size and alignment.
    words: HashMap<(u64, u64, &'static str), String>,
    tags: HashMap<String, u32>,
}

impl<'a> Types<'a> {
    pub fn new(program: &'a Program) -> Types<'a> {
        Types {
            program,
            forms: HashMap::default(),
            definitions: String::new(),
            words: HashMap::default(),
            tags: HashMap::default(),
        }
    }

    /// The definitions of all types that were asked for.
    pub fn definitions(&self) -> &str {
        &self.definitions
    }

    /// The declaration of an object of a shape under a name.
    pub fn declare(&mut self, shape: ShapeId, name: &str) -> String {
        match self.form(shape) {
            Form::Scalar(Ty::Ptr) => format!("char *{name}"),
            Form::Scalar(ty) => format!("{} {name}", signed_type(ty, self.program.pointer_bytes)),
            Form::Array { elem, len } => self.declare(elem, &format!("{name}[{len}]")),
            Form::Struct(tag) => format!("struct {tag} {name}"),
            Form::Words(tag) => format!("{tag} {name}"),
        }
    }

    /// Names the scalar of a type that lies at an offset in an object, if there is one.
    pub fn member(&mut self, shape: ShapeId, offset: u64, ty: Ty, object: &str) -> Option<String> {
        match self.form(shape) {
            Form::Scalar(own) => (offset == 0 && own == ty).then(|| object.to_string()),
            Form::Array { elem, .. } => {
                let size = self.program.shape_size(elem);
                let (index, rest) = (offset.checked_div(size)?, offset % size);
                self.member(elem, rest, ty, &format!("{object}[{index}]"))
            }
            Form::Struct(_) => {
                let Shape::Struct { fields, .. } = &self.program.shapes[shape] else { return None };
                let holds = |field: &&ShapeField| {
                    offset >= field.offset && offset < field.offset + self.program.shape_size(field.shape)
                };
                let (index, field) = fields.iter().enumerate().find(|(_, field)| holds(field))?;
                let name = field_name(field, index);
                let (shape, rest) = (field.shape, offset - field.offset);
                self.member(shape, rest, ty, &format!("{object}.{name}"))
            }
            Form::Words(_) => None,
        }
    }

    /// Returns true if the shape is declared as a structure with its members.
    pub fn is_structure(&mut self, shape: ShapeId) -> bool {
        matches!(self.form(shape), Form::Struct(_))
    }

    fn form(&mut self, shape: ShapeId) -> Form {
        if let Some(known) = self.forms.get(&shape) {
            return known.clone();
        }
        let form = match &self.program.shapes[shape] {
            Shape::Scalar(ty) => match ty {
                Ty::Int(width) if stored_bits(*width) != u32::from(*width) => self.words_of(shape, ""),
                Ty::Int(_) | Ty::F32 | Ty::F64 | Ty::Ptr => Form::Scalar(*ty),
            },
            Shape::Array { elem, len } if *len > 0 && self.program.shape_size(*elem) > 0 => {
                Form::Array { elem: *elem, len: *len }
            }
            Shape::Struct { name, fields, size } if self.is_natural(fields, *size) => {
                let wanted = name.map_or("anonymous", |name| name.as_str()).to_string();
                let (fields, tag) = (fields.clone(), self.tag(&wanted));
                let mut text = format!("struct {tag} {{\n");
                for (index, field) in fields.iter().enumerate() {
                    let declared = self.declare(field.shape, &field_name(field, index));
                    let _ = writeln!(text, "    {declared};");
                }
                text += "};\n";
                self.definitions += &text;
                Form::Struct(tag)
            }
            Shape::Union { members, .. } => {
                let inner = members.first().map(|member| &self.program.shapes[member.shape]);
                let name = match inner {
                    Some(Shape::Struct { name: Some(name), .. }) => library_name(name.as_str()),
                    _ => "",
                };
                self.words_of(shape, name)
            }
            Shape::Array { .. } | Shape::Bytes(_) | Shape::Struct { .. } => self.words_of(shape, ""),
        };
        self.forms.insert(shape, form.clone());
        form
    }

    fn tag(&mut self, wanted: &str) -> String {
        let wanted: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let count = self.tags.entry(wanted.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { wanted } else { format!("{wanted}_{count}") }
    }

    /// Memory of the size of a shape, under a name or one that tells the size.
    fn words_of(&mut self, shape: ShapeId, name: &'static str) -> Form {
        let size = self.program.shape_size(shape).max(1);
        let align = [8, 4, 2, 1].into_iter().find(|align| size.is_multiple_of(*align)).unwrap_or(1);
        let known = self.words.get(&(size, align, name)).cloned();
        let tag = known.unwrap_or_else(|| {
            let tag = if name.is_empty() { format!("bytes_{size}") } else { name.to_string() };
            let word = match align {
                8 => "long long",
                4 => "int",
                2 => "short",
                _ => "char",
            };
            let _ = writeln!(self.definitions, "typedef struct {{ {word} word[{}]; }} {tag};", size / align);
            self.words.insert((size, align, name), tag.clone());
            tag
        });
        Form::Words(tag)
    }

    /// Returns true if C lays the members out in this way.
    fn is_natural(&self, fields: &[ShapeField], size: u64) -> bool {
        let (mut end, mut most) = (0u64, 1u64);
        for field in fields {
            let align = self.alignment(field.shape);
            if field.offset != end.next_multiple_of(align) {
                return false;
            }
            end = field.offset + self.program.shape_size(field.shape);
            most = most.max(align);
        }
        !fields.is_empty() && size == end.next_multiple_of(most)
    }

    /// The alignment that the declared form of a shape has.
    fn alignment(&self, shape: ShapeId) -> u64 {
        match &self.program.shapes[shape] {
            Shape::Scalar(ty) => ty.bytes(self.program.pointer_bytes).max(1),
            Shape::Array { elem, .. } => self.alignment(*elem),
            Shape::Struct { fields, .. } => {
                fields.iter().map(|field| self.alignment(field.shape)).max().unwrap_or(1)
            }
            Shape::Union { .. } | Shape::Bytes(_) => {
                let size = self.program.shape_size(shape);
                [8, 4, 2].into_iter().find(|align| size.is_multiple_of(*align)).unwrap_or(1)
            }
        }
    }
}

/// The name of a library's type, by that of its first member. Headers may define the library's own name.
fn library_name(member: &str) -> &'static str {
    match member {
        "__pthread_mutex_s" => "mutex",
        "__pthread_cond_s" => "condition_variable",
        "__pthread_rwlock_arch_t" => "read_write_lock",
        _ => "",
    }
}

fn field_name(field: &ShapeField, index: usize) -> String {
    field.name.map_or_else(|| format!("member_{index}"), |name| name.as_str().replace('.', "_"))
}
