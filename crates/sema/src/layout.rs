//! Where the members of a struct or union lie: the System V layout as GCC computes it.
//!
//! Positions are counted in bits. An ordinary member is rounded up to its alignment. A bit-field is
//! put at the next bit unless it would span more units of its declared type than that type has, in
//! which case it moves to the next unit (GCC's `PCC_BITFIELD_TYPE_MATTERS`); `packed` switches that
//! off. A zero-width bit-field rounds up to its type. On i386, 8-byte scalars align to 4 in records.
//!
//! `#pragma pack(n)` caps the alignment of members at `n` and lets bit-fields lie anywhere.
//!
//! Relies on member types being complete (a trailing array of unknown length excepted). Does not know
//! Microsoft layouts.

use crate::types::{
    ArrayLen, BitField, DataModel, Field, QualType, RecordDef, RecordKind, TypeId, TypeKind, Types,
};
use braid_base::{Span, Symbol};

/// A member as declared.
pub(crate) struct Member {
    /// `None` for anonymous records and for padding bit-fields.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Width of a bit-field.
    pub width: Option<u64>,
    pub packed: bool,
    /// `aligned` or `_Alignas` on the member.
    pub align: Option<u64>,
    /// Alignment of the typedef the member was declared with.
    pub type_align: Option<u64>,
    pub span: Span,
}

pub(crate) struct Declared {
    pub kind: RecordKind,
    pub members: Vec<Member>,
    pub packed: bool,
    pub align: Option<u64>,
    /// The limit set by `#pragma pack`.
    pub pack: Option<u64>,
}

struct Placer<'t> {
    types: &'t Types,
    is_union: bool,
    /// Cap on the alignment of members, in bytes.
    cap: u64,
    pack: bool,
    /// Next free bit (for a union: the size in bits so far).
    position: u64,
    align_bits: u64,
    fields: Vec<Field>,
    /// Index in `fields` where the current run of bit-fields began, and its first bit.
    run: Option<(usize, u64)>,
}

/// Computes the layout. Sizes beyond the address space saturate; the caller reports them.
pub(crate) fn lay_out(types: &Types, declared: &Declared) -> RecordDef {
    let mut placer = Placer {
        types,
        is_union: declared.kind == RecordKind::Union,
        cap: declared.pack.unwrap_or(u64::MAX),
        pack: declared.pack.is_some(),
        position: 0,
        align_bits: declared.align.unwrap_or(1).saturating_mul(8),
        fields: Vec::with_capacity(declared.members.len()),
        run: None,
    };
    for member in &declared.members {
        match member.width {
            Some(width) => placer.bit_field(member, width, declared.packed || member.packed),
            None => placer.plain(member, declared.packed || member.packed),
        }
    }
    placer.end_run();
    let size_bits = round_up(placer.position, placer.align_bits);
    let flexible = declared.kind == RecordKind::Struct
        && declared
            .members
            .last()
            .is_some_and(|m| matches!(types.kind(m.ty.ty), TypeKind::Array { len: ArrayLen::Unknown, .. }));
    RecordDef { fields: placer.fields, size: size_bits / 8, align: placer.align_bits / 8, flexible }
}

fn round_up(value: u64, align: u64) -> u64 {
    value.saturating_add(align - 1) / align * align
}

impl Placer<'_> {
    fn plain(&mut self, member: &Member, packed: bool) {
        self.end_run();
        let align = self.plain_align(member, packed).saturating_mul(8);
        self.align_bits = self.align_bits.max(align);
        let at = if self.is_union { 0 } else { round_up(self.position, align) };
        let end = at.saturating_add(member_size(self.types, member.ty.ty).saturating_mul(8));
        self.position = self.position.max(end);
        self.push(member, at / 8, None);
    }

    fn plain_align(&self, member: &Member, packed: bool) -> u64 {
        // Packing overrides the alignment a type brings along, but not one written on the member.
        let from_type =
            if packed { 1 } else { member.type_align.unwrap_or_else(|| field_align(self.types, member.ty)) };
        from_type.max(member.align.unwrap_or(1)).min(self.cap)
    }

    fn bit_field(&mut self, member: &Member, width: u64, packed: bool) {
        let layout = self.types.layout(member.ty.ty);
        let unit_bits = layout.map_or(32, |l| l.size * 8);
        let type_align = member.type_align.unwrap_or_else(|| field_align(self.types, member.ty)) * 8;
        if width == 0 {
            self.end_run();
            let align = type_align.max(member.align.unwrap_or(1) * 8);
            if !self.is_union {
                self.position = round_up(self.position, align);
            }
            return;
        }
        let cap_bits = self.cap.saturating_mul(8);
        let wanted = member.align.map_or(1, |a| a * 8).max(self.mode_align(member, width, unit_bits, packed));
        let wanted = wanted.min(cap_bits);
        if member.name.is_some() {
            // `#pragma pack` takes the place of `packed` here.
            let from_type = if packed && !self.pack { 8 } else { type_align.min(cap_bits) };
            self.align_bits = self.align_bits.max(wanted).max(from_type);
        }
        let mut at = if self.is_union { 0 } else { round_up(self.position, wanted) };
        if !packed && !self.is_union && !self.pack {
            let units = (at % type_align + width).div_ceil(type_align);
            if units > unit_bits / type_align {
                at = round_up(at, type_align);
            }
        }
        self.position = self.position.max(at + width);
        self.start_run(at);
        if member.name.is_some() {
            self.push(member, at / 8, Some(bits_at(at, width)));
        }
        if self.is_union {
            self.end_run();
        }
    }

    /// GCC accesses a bit-field that fills a machine mode at an aligned position like an ordinary
    /// member, and then gives it the mode's alignment (1: no demand).
    fn mode_align(&self, member: &Member, width: u64, unit_bits: u64, packed: bool) -> u64 {
        let known = if self.is_union { 0 } else { self.position };
        let is_mode = matches!(width, 8 | 16 | 32 | 64) || (width == 128 && unit_bits == 128);
        let lowered = self.types.model == DataModel::Ilp32 && member.align.is_none();
        let align = if lowered { width.min(32) } else { width };
        if is_mode && (width == 8 || !packed) && known % width == 0 { align } else { 1 }
    }

    fn start_run(&mut self, at: u64) {
        if self.run.is_none() {
            self.run = Some((self.fields.len(), at));
        }
    }

    /// Tells the fields of the run that ends here which bytes it spans.
    fn end_run(&mut self) {
        let Some((first, start)) = self.run.take() else { return };
        let mut end = 0;
        for field in &self.fields[first..] {
            if let Some(bits) = field.bits {
                end = end.max(field.offset + u64::from(bits.unit_bytes));
            }
        }
        for field in &mut self.fields[first..] {
            if let Some(bits) = &mut field.bits {
                bits.run_start = start / 8;
                bits.run_end = end;
            }
        }
    }

    fn push(&mut self, member: &Member, offset: u64, bits: Option<BitField>) {
        self.fields.push(Field { name: member.name, ty: member.ty, offset, bits, span: member.span });
    }
}

fn bits_at(at: u64, width: u64) -> BitField {
    let shift = (at % 8) as u8;
    let unit_bytes = (u64::from(shift) + width).div_ceil(8) as u8;
    BitField { unit_bytes, shift, width: width as u8, run_start: 0, run_end: 0 }
}

fn member_size(types: &Types, ty: TypeId) -> u64 {
    // A flexible array member has no size of its own.
    types.layout(ty).map_or(0, |l| l.size)
}

/// Alignment of a member of this type inside a record.
pub(crate) fn field_align(types: &Types, qt: QualType) -> u64 {
    let mut qt = qt;
    while let Some((elem, _)) = types.element(qt.ty) {
        qt = elem;
    }
    let align = types.layout(qt.ty).map_or(1, |l| l.align).max(1);
    let lowered = types.model == DataModel::Ilp32
        && !qt.quals.is_atomic
        && matches!(types.kind(qt.ty), TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Enum(_));
    if lowered { align.min(4) } else { align }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, check_text, compile_probe, seeds};
    use std::fmt::Write as _;

    const SCALARS: [&str; 12] = [
        "char",
        "short",
        "int",
        "unsigned",
        "long",
        "long long",
        "float",
        "double",
        "long double",
        "void *",
        "_Bool",
        "struct inner",
    ];

    const PREFIX: &str = "struct inner { char c; short s; };\n\
        typedef int wide __attribute__((aligned(16)));\n\
        enum e { A, B };\n";

    /// Widths up to that of the type on either data model.
    const BIT_TYPES: [(&str, u64); 8] = [
        ("char", 8),
        ("unsigned short", 16),
        ("int", 32),
        ("unsigned", 32),
        ("long long", 64),
        ("unsigned long long", 64),
        ("_Bool", 1),
        ("enum e", 32),
    ];

    fn random_record(random: &mut Random, number: usize) -> String {
        let mut text = String::new();
        if random.below(8) == 0 {
            text.push_str("#pragma pack(push, 2)\n");
        }
        let kind = if random.below(5) == 0 { "union" } else { "struct" };
        let _ = write!(text, "{kind} r{number} {{ ");
        let bits_often = random.below(2) == 0;
        for i in 0..1 + random.below(7) {
            let attribute = match random.below(14) {
                0 => " __attribute__((packed))",
                1 => " __attribute__((aligned(8)))",
                2 => " __attribute__((aligned(2)))",
                _ => "",
            };
            if random.below(if bits_often { 5 } else { 1 }) > 0 {
                let (ty, max) = BIT_TYPES[random.below(8) as usize];
                match random.below(10) {
                    0 => {
                        let _ = write!(text, "{ty} : 0; ");
                    }
                    1 => {
                        let _ = write!(text, "{ty} : {}; ", 1 + random.below(max));
                    }
                    _ => {
                        let _ = write!(text, "{ty} b{i} : {}{attribute}; ", 1 + random.below(max));
                    }
                }
            } else if random.below(12) == 0 {
                let _ = write!(text, "wide m{i}; ");
            } else {
                let suffix = random.pick(&["", "", "", "[3]", "[0]"]);
                let _ = write!(text, "{} m{i}{suffix}{attribute}; ", random.pick(&SCALARS));
            }
        }
        let attribute = random.pick(&[
            "",
            "",
            "",
            "",
            " __attribute__((packed))",
            " __attribute__((aligned(32)))",
            " __attribute__((packed, aligned(4)))",
        ]);
        let _ = writeln!(text, "}}{attribute};");
        if text.starts_with('#') {
            text.push_str("#pragma pack(pop)\n");
        }
        text
    }

    /// Bytes every record's image has in the probe section.
    const IMAGE: usize = 256;

    fn bytes_of(field: &Field) -> Vec<u8> {
        let mut image = vec![0; IMAGE];
        if let Some(bits) = field.bits {
            for bit in 0..usize::from(bits.width) {
                let at = usize::from(bits.shift) + bit;
                image[field.offset as usize + at / 8] |= 1 << (at % 8);
            }
        }
        image
    }

    /// What GCC is asked to put into the section, and what it should be by our layout.
    fn probe(types: &Types, number: usize, record: &crate::types::Record) -> (String, Vec<Vec<u8>>) {
        let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
        let name = format!("{kind} r{number}");
        let place = "__attribute__((section(\".probe\"), aligned(16)))";
        let def = record.def.as_ref().expect("generated records are complete");
        let mut info = vec![def.size, def.align];
        let mut text = format!("{place} unsigned info{number}[16] = {{ sizeof({name}), __alignof__({name})");
        let mut expected = Vec::new();
        let mut images = String::new();
        for field in &def.fields {
            let field_name = field.name.expect("no anonymous members are generated");
            if field.bits.is_some() {
                let all = if types.is_bool(field.ty.ty) { "1" } else { "-1" };
                let _ = writeln!(
                    images,
                    "{place} union {{ {name} r; char bytes[{IMAGE}]; }} image{number}{field_name} = {{ .r = {{ .{field_name} = {all} }} }};"
                );
                expected.push(bytes_of(field));
            } else {
                info.push(field.offset);
                let _ = write!(text, ", __builtin_offsetof({name}, {field_name})");
            }
        }
        text.push_str(" };\n");
        info.resize(16, 0);
        expected.insert(0, info.iter().flat_map(|v| (*v as u32).to_le_bytes()).collect());
        (text + &images, expected)
    }

    fn agrees_with_gcc(model: DataModel, seed: u64, count: usize) {
        if compile_probe("int x;", model).is_none() {
            eprintln!("skipped: no C compiler for {model:?}");
            return;
        }
        let mut random = Random(seed);
        let records: Vec<String> = (0..count).map(|i| random_record(&mut random, i)).collect();
        let checked = check_text(&format!("{PREFIX}{}", records.concat()), model);
        assert_eq!(checked.messages, "");
        let mut text = format!("{PREFIX}{}", records.concat());
        let mut expected = Vec::new();
        for record in checked.types.records.iter() {
            let number = record.tag.and_then(|tag| tag.as_str().strip_prefix('r')?.parse::<usize>().ok());
            let Some(number) = number else { continue };
            let (probe, bytes) = probe(&checked.types, number, record);
            text.push_str(&probe);
            expected.extend(bytes.into_iter().map(|b| (number, b)));
        }
        let found = compile_probe(&text, model).expect("gcc accepts the generated records");
        let mut at = 0;
        for (number, bytes) in expected {
            assert_eq!(found[at..at + bytes.len()], bytes, "{model:?} {}", records[number]);
            at += bytes.len().next_multiple_of(16);
        }
    }

    #[test]
    fn layouts_agree_with_gcc_on_lp64() {
        seeds(0x9E37_79B9_7F4A_7C15).for_each(|seed| agrees_with_gcc(DataModel::Lp64, seed, 400));
    }

    #[test]
    fn layouts_agree_with_gcc_on_ilp32() {
        seeds(0xD1B5_4A32_D192_ED03).for_each(|seed| agrees_with_gcc(DataModel::Ilp32, seed, 400));
    }
}
