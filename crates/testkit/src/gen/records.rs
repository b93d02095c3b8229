//! Enumerations, structs and unions.

use super::Gen;
use super::types::{Enum, Field, INTS, Int, Record, Scalar, Ty};
use crate::cat;
use crate::tree::Tree;

impl Record {
    pub(super) fn keyword(&self) -> &'static str {
        if self.union { "union" } else { "struct" }
    }
}

impl Gen {
    /// The declaration of `name` with a type.
    pub(super) fn declarator(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Scalar(scalar) => format!("{} {name}", self.scalar_name(*scalar)),
            Ty::Array(elem, len) => self.declarator(elem, &format!("{name}[{len}]")),
            Ty::Record(index) => {
                let record = &self.records[*index];
                format!("{} {} {name}", record.keyword(), record.name)
            }
        }
    }

    /// The spelling of a type, as in a cast.
    pub(super) fn type_name(&self, ty: &Ty) -> String {
        self.declarator(ty, "").trim_end().to_string()
    }

    pub(super) fn scalar_name(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Int(int) => int.name().to_string(),
            Scalar::Enum(index, _) => format!("enum {}", self.enums[index].name),
            Scalar::Float => "float".to_string(),
            Scalar::Double => "double".to_string(),
        }
    }

    pub(super) fn any_int(&mut self) -> Int {
        // The wide ones less often: they are printed in two lines each.
        let span = if self.rng.one_in(3) { INTS.len() } else { INTS.len() - 2 };
        INTS[self.rng.below(span)]
    }

    pub(super) fn any_scalar(&mut self) -> Scalar {
        match self.rng.below(12) {
            0 => Scalar::Float,
            1 => Scalar::Double,
            2 if !self.enums.is_empty() => {
                let index = self.rng.below(self.enums.len());
                Scalar::Enum(index, if self.enums[index].signed() { Int::Int } else { Int::UInt })
            }
            _ => Scalar::Int(self.any_int()),
        }
    }

    /// The type of an object: mostly scalar, sometimes an array or a record.
    pub(super) fn any_type(&mut self, depth: usize) -> Ty {
        match self.rng.below(8) {
            0 | 1 if depth > 0 => {
                let elem = self.any_type(depth - 1);
                Ty::Array(Box::new(elem), self.rng.range(1, 5))
            }
            2 | 3 if depth > 0 && !self.records.is_empty() => Ty::Record(self.rng.below(self.records.len())),
            _ => Ty::Scalar(self.any_scalar()),
        }
    }

    pub(super) fn enum_definition(&mut self) -> Tree {
        let name = self.fresh("E");
        let negative = self.rng.one_in(2);
        let mut text = format!("enum {name} {{");
        let mut constants = Vec::new();
        let mut value = if negative { -(self.rng.range(1, 9) as i64) } else { 0 };
        for index in 0..self.rng.range(2, 5) {
            let constant = format!("{name}_{index}");
            if (index == 0 && negative) || self.rng.one_in(3) {
                value += self.rng.below(20) as i64 * i64::from(index > 0);
                text.push_str(&format!(" {constant} = {value},"));
            } else {
                text.push_str(&format!(" {constant},"));
            }
            value += 1;
            constants.push(constant);
        }
        text.push_str(" };\n");
        self.enums.push(Enum { name, constants, negative });
        Tree::from(text).optional()
    }

    pub(super) fn record_definition(&mut self) -> Tree {
        let record = if self.rng.one_in(4) { self.union_fields() } else { self.struct_fields() };
        let packed = !record.union && self.rng.one_in(4);
        let mut text = vec![cat!(record.keyword(), " ", &record.name, " {\n")];
        for field in &record.fields {
            let line = match field.bits {
                None => format!("{};\n", self.declarator(&field.ty, &field.name)),
                Some(bits) => format!("{} : {bits};\n", self.declarator(&field.ty, &field.name)),
            };
            text.push(line.into());
        }
        text.push(if packed { "} __attribute__((packed));\n".into() } else { "};\n".into() });
        self.records.push(record);
        Tree::Seq(text).optional()
    }

    fn struct_fields(&mut self) -> Record {
        let name = self.fresh("S");
        let mut fields = Vec::new();
        let only_bits = self.rng.one_in(4);
        for index in 0..self.rng.range(1, 6) {
            let bit_field = only_bits || self.rng.one_in(3);
            let field = if bit_field { self.bit_field(index) } else { self.plain_field(index) };
            fields.push(field);
            if bit_field && self.rng.one_in(6) {
                let bits = if self.rng.one_in(2) { 0 } else { self.rng.range(1, 9) as u32 };
                fields.push(Field { name: String::new(), ty: Ty::int(Int::UInt), bits: Some(bits) });
            }
        }
        Record { name, union: false, fields }
    }

    fn plain_field(&mut self, index: usize) -> Field {
        let ty = self.any_type(1);
        Field { name: format!("f{index}"), ty, bits: None }
    }

    fn bit_field(&mut self, index: usize) -> Field {
        let ty = *self.rng.pick(&[
            Int::UInt,
            Int::Int,
            Int::ULLong,
            Int::LLong,
            Int::UChar,
            Int::SChar,
            Int::UShort,
            Int::Short,
            Int::Bool,
            Int::ULong,
        ]);
        let bits = self.rng.range(1, ty.bits() as usize) as u32;
        // Width 1 to 7 is what adjacent fields are made of in practice.
        let bits = if self.rng.one_in(2) { bits.min(self.rng.range(1, 7) as u32) } else { bits };
        Field { name: format!("b{index}"), ty: Ty::int(ty), bits: Some(bits) }
    }

    /// Members of eight bytes each, all without padding: any may be read after any was written.
    fn union_fields(&mut self) -> Record {
        let name = self.fresh("U");
        let array = |int: Int| Ty::Array(Box::new(Ty::int(int)), 64 / int.bits() as usize);
        let mut fields = Vec::new();
        for index in 0..self.rng.range(2, 4) {
            let ty = match self.rng.below(7) {
                0 => Ty::int(Int::ULLong),
                1 => Ty::int(Int::Long),
                2 => array(Int::UInt),
                3 => array(Int::Int),
                4 => array(Int::Short),
                5 => array(Int::UChar),
                _ => array(Int::SChar),
            };
            fields.push(Field { name: format!("m{index}"), ty, bits: None });
        }
        Record { name, union: true, fields }
    }
}

impl Enum {
    pub(super) fn signed(&self) -> bool {
        self.negative
    }
}
