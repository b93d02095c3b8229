//! Static initialisers: the stores of an initialiser evaluated into bytes and addresses.
//!
//! Bytes are kept in small pages, so that `int a[1 << 30] = {[1 << 29] = 1}` costs a page and not a
//! gigabyte; the pages are joined into runs at the end.

use crate::check::Checker;
use crate::consteval::{Const, NotConst};
use crate::hir::{EntityKind, ExprKind, InitItem, Reloc, StaticInit};
use crate::init::Builder;
use crate::types::{BitField, FloatKind, QualType, TypeId, TypeKind};
use braid_base::Span;
use braid_syntax::ast;
use std::collections::BTreeMap;

/// The outcome of a static initialiser.
pub(crate) struct StaticResult {
    /// The object's type, with an unknown length filled in.
    pub ty: TypeId,
    pub init: StaticInit,
    /// The value, if the object is a scalar.
    pub scalar: Option<Const>,
    /// A construct in it that is left out.
    pub unsupported: Option<String>,
}

const PAGE: u64 = 64;

/// Longest image written out byte by byte; beyond it the initialiser is refused.
const MAX_BYTES: u64 = 1 << 28;

#[derive(Default)]
struct Image {
    pages: BTreeMap<u64, [u8; PAGE as usize]>,
    relocs: BTreeMap<u64, Reloc>,
}

impl Image {
    fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.drop_relocs(offset, bytes.len() as u64);
        for (i, byte) in bytes.iter().enumerate() {
            let at = offset + i as u64;
            // Pages that hold only zeros need not exist.
            if *byte != 0 || self.pages.contains_key(&(at / PAGE)) {
                self.pages.entry(at / PAGE).or_insert([0; PAGE as usize])[(at % PAGE) as usize] = *byte;
            }
        }
    }

    fn read(&self, offset: u64) -> u8 {
        self.pages.get(&(offset / PAGE)).map_or(0, |page| page[(offset % PAGE) as usize])
    }

    fn drop_relocs(&mut self, offset: u64, size: u64) {
        let hit: Vec<u64> = self.relocs.range(offset..offset + size).map(|(at, _)| *at).collect();
        for at in hit {
            self.relocs.remove(&at);
        }
    }

    fn write_bits(&mut self, offset: u64, bits: BitField, value: u128) {
        let mask = if bits.width >= 128 { u128::MAX } else { (1 << bits.width) - 1 };
        for i in 0..u32::from(bits.unit_bytes) {
            // Bit `shift` of the unit is bit 0 of the value.
            let at = i32::try_from(8 * i).unwrap_or(0) - i32::from(bits.shift);
            let part = |v: u128| if at >= 0 { (v >> at) as u8 } else { (v << -at) as u8 };
            let old = self.read(offset + u64::from(i));
            let new = (old & !part(mask)) | part(value & mask);
            self.write(offset + u64::from(i), &[new]);
        }
    }

    fn finish(self, size: u64) -> StaticInit {
        let mut data: Vec<(u64, Vec<u8>)> = Vec::new();
        for (number, page) in self.pages {
            let start = number * PAGE;
            let bytes = &page[..(size.saturating_sub(start)).min(PAGE) as usize];
            match data.last_mut() {
                Some((at, run)) if *at + run.len() as u64 == start => run.extend_from_slice(bytes),
                _ => data.push((start, bytes.to_vec())),
            }
        }
        for (at, run) in &mut data {
            while run.last() == Some(&0) {
                run.pop();
            }
            let zeros = run.iter().take_while(|b| **b == 0).count();
            run.drain(..zeros);
            *at += zeros as u64;
        }
        data.retain(|(_, run)| !run.is_empty());
        StaticInit { size, data, relocs: self.relocs.into_values().collect(), read_only: false }
    }
}

impl Checker<'_> {
    pub fn static_initialiser(&mut self, ty: QualType, init: &ast::Initializer) -> StaticResult {
        let (complete, builder) = self.collect_static(ty, init);
        self.evaluate(ty, complete, builder)
    }

    pub fn static_list(&mut self, ty: QualType, list: &ast::InitList) -> StaticResult {
        let mut builder = Builder::new(true);
        let complete = self.collect_list(&mut builder, ty, list);
        self.evaluate(ty, complete, builder)
    }

    fn evaluate(&mut self, declared: QualType, ty: TypeId, builder: Builder) -> StaticResult {
        let mut image = Image::default();
        let mut unsupported = None;
        let mut scalar = None;
        let is_scalar = self.types.is_scalar(declared.ty);
        for item in &builder.items {
            if self.types.is_error(item.value.ty.ty) || self.types.is_error(item.ty.ty) {
                continue;
            }
            if let Err(reason) = self.place_item(&mut image, item) {
                self.report_not_const(reason, item.value.span, &mut unsupported);
            }
            if is_scalar {
                scalar = self.eval_static(&item.value).ok();
            }
        }
        let size = self.types.layout(ty).map_or(0, |l| l.size).max(builder.high);
        StaticResult { ty, init: image.finish(size), scalar, unsupported }
    }

    fn report_not_const(&mut self, reason: NotConst, span: Span, unsupported: &mut Option<String>) {
        match reason {
            NotConst::Unsupported(what) => *unsupported = Some(what),
            NotConst::DivisionByZero(at) => {
                self.error("division-by-zero", at, "division by zero in a static initialiser");
            }
            NotConst::Variable(_) => {
                self.error("not-constant", span, "the initialiser of a static object is not constant");
            }
        }
    }

    fn place_item(&mut self, image: &mut Image, item: &InitItem) -> Result<(), NotConst> {
        let size = self.types.layout(item.ty.ty).map_or(0, |l| l.size);
        if item.count.saturating_mul(item.stride.max(1)) > MAX_BYTES {
            let text = "this initialiser fills more memory than is supported";
            self.error("initialiser-too-large", item.value.span, text);
            return Ok(());
        }
        if let ExprKind::Str(id) = item.value.kind {
            let bytes = match &self.entities[id].kind {
                EntityKind::Variable(init) => init.data.first().map_or(&[][..], |(_, bytes)| &bytes[..]),
                _ => &[],
            };
            for i in 0..item.count {
                image.write(item.offset + i * item.stride, bytes);
            }
            return Ok(());
        }
        let value = self.eval_static(&item.value)?;
        for i in 0..item.count {
            let offset = item.offset + i * item.stride;
            match (value, item.bits) {
                (Const::Int(v), Some(bits)) => image.write_bits(offset, bits, v),
                (Const::Int(v), None) => image.write(offset, &v.to_le_bytes()[..(size as usize).min(16)]),
                (Const::Float(v), _) => image.write(offset, &self.float_bytes(item.ty.ty, v)),
                (Const::Addr { target, offset: addend }, None)
                    if size == self.types.model.pointer_bytes() =>
                {
                    image.write(offset, &[0; 8][..size as usize]);
                    image.relocs.insert(offset, Reloc { offset, target, addend });
                }
                (Const::Addr { .. }, _) => return Err(NotConst::Variable(item.value.span)),
            }
        }
        Ok(())
    }

    /// `long double` is kept as a `double` in its first eight bytes.
    fn float_bytes(&self, ty: TypeId, value: f64) -> Vec<u8> {
        match self.types.kind(ty) {
            TypeKind::Float(FloatKind::Float) => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::hir::{EntityKind, StaticInit};
    use crate::testing::{Random, check_entities, check_messages, check_text, compile_probe, seeds};
    use crate::types::DataModel;
    use expect_test::expect;
    use std::fmt::Write as _;

    /// A type of the generator.
    enum Shape {
        Scalar(&'static str),
        Chars(u64),
        Array(Box<Shape>, u64),
        Record { is_union: bool, fields: Vec<Shape> },
    }

    const SCALARS: [&str; 9] =
        ["char", "unsigned char", "short", "int", "unsigned", "long long", "_Bool", "float", "double"];

    fn random_shape(random: &mut Random, depth: u32) -> Shape {
        match random.below(if depth == 0 { 4 } else { 9 }) {
            0..=2 => Shape::Scalar(random.pick(&SCALARS)),
            3 => Shape::Chars(1 + random.below(5)),
            4 | 5 => Shape::Array(Box::new(random_shape(random, depth - 1)), 1 + random.below(4)),
            _ => {
                let fields = (0..1 + random.below(4)).map(|_| random_shape(random, depth - 1)).collect();
                Shape::Record { is_union: random.below(5) == 0, fields }
            }
        }
    }

    /// `name` declared with the shape's type; members are called `f0`, `f1`, ...
    fn declare(shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Scalar(ty) => format!("{ty} {name}"),
            Shape::Chars(n) => format!("char {name}[{n}]"),
            Shape::Array(elem, n) => declare(elem, &format!("{name}[{n}]")),
            Shape::Record { is_union, fields } => {
                let mut text = format!("{} {{ ", if *is_union { "union" } else { "struct" });
                for (i, field) in fields.iter().enumerate() {
                    // Every third integer member becomes a bit-field.
                    let bits = match field {
                        Shape::Scalar("int" | "unsigned" | "long long") if i % 3 == 1 => " : 11",
                        _ => "",
                    };
                    let _ = write!(text, "{}{bits}; ", declare(field, &format!("f{i}")));
                }
                format!("{text}}} {name}")
            }
        }
    }

    fn number(random: &mut Random) -> String {
        let n = random.below(70_000) as i64 - 20_000;
        match random.below(4) {
            0 => format!("{}", n % 100),
            1 => format!("{n}"),
            2 => format!("({n} * 3 + 1)"),
            // In range of every type: out of range the conversion is undefined.
            _ => format!("{}.5", n.rem_euclid(100)),
        }
    }

    fn initialiser(random: &mut Random, shape: &Shape) -> String {
        match shape {
            Shape::Scalar(_) if random.below(6) == 0 => format!("{{ {} }}", number(random)),
            Shape::Scalar(_) => number(random),
            Shape::Chars(n) if random.below(2) == 0 => {
                format!("\"{}\"", &"abcdefgh"[..random.below(n + 1) as usize])
            }
            Shape::Chars(_) | Shape::Array(..) | Shape::Record { .. } => {
                let items: Vec<String> = (0..random.below(5)).map(|_| item(random, shape)).collect();
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    /// One item of a braced list for the shape.
    fn item(random: &mut Random, shape: &Shape) -> String {
        if random.below(3) == 0 {
            let mut at = shape;
            let mut path = String::new();
            loop {
                at = match at {
                    Shape::Scalar(_) => break,
                    Shape::Chars(n) => {
                        let _ = write!(path, "[{}]", random.below(*n));
                        &Shape::Scalar("char")
                    }
                    Shape::Array(elem, n) => {
                        let first = random.below(*n);
                        let last = first + random.below(*n - first);
                        let range = if random.below(2) == 0 {
                            format!("[{first} ... {last}]")
                        } else {
                            format!("[{last}]")
                        };
                        path.push_str(&range);
                        elem
                    }
                    Shape::Record { fields, .. } => {
                        let i = random.below(fields.len() as u64) as usize;
                        let _ = write!(path, ".f{i}");
                        &fields[i]
                    }
                };
                if random.below(2) == 0 {
                    break;
                }
            }
            return format!("{path} = {}", initialiser(random, at));
        }
        number(random)
    }

    fn image(init: &StaticInit) -> Vec<u8> {
        let mut bytes = vec![0; init.size as usize];
        for (at, run) in &init.data {
            bytes[*at as usize..*at as usize + run.len()].copy_from_slice(run);
        }
        bytes
    }

    #[test]
    fn contents_agree_with_gcc() {
        if compile_probe("int x;", DataModel::Lp64).is_none() {
            eprintln!("skipped: no C compiler");
            return;
        }
        seeds(0x2545_F491_4F6C_DD1D).for_each(compare_with_gcc);
    }

    fn compare_with_gcc(seed: u64) {
        let mut random = Random(seed);
        let mut lines = Vec::new();
        while lines.len() < 300 {
            let shape = random_shape(&mut random, 3);
            let name = declare(&shape, &format!("x{}", lines.len()));
            lines.push((name, initialiser(&mut random, &shape)));
        }
        let ours: String = lines.iter().map(|(decl, init)| format!("{decl} = {init};\n")).collect();
        let checked = check_text(&ours, DataModel::Lp64);
        assert!(!checked.messages.contains("error"), "{}", checked.messages);
        let place = "__attribute__((section(\".probe\"), aligned(16)))";
        // A zero behind each object keeps empty ones apart.
        let theirs: String = lines
            .iter()
            .map(|(decl, init)| format!("{place} {decl} = {init};\n{place} char end_{} = 'E';\n", init.len()))
            .enumerate()
            .map(|(i, text)| text.replace("char end_", &format!("char end{i}_")))
            .collect();
        let found = compile_probe(&theirs, DataModel::Lp64).expect("gcc accepts the generated initialisers");
        let mut at = 0;
        let variables = checked.unit.entities.iter().filter(|e| !e.name.as_str().is_empty());
        for (entity, (decl, init)) in variables.zip(&lines) {
            let EntityKind::Variable(contents) = &entity.kind else { panic!("{decl} has no contents") };
            let expected = image(contents);
            assert_eq!(found[at..at + expected.len()], expected, "{decl} = {init}");
            at += expected.len().next_multiple_of(16);
            assert_eq!(found[at], b'E', "{decl} = {init}");
            at += 16;
        }
    }

    #[test]
    fn addresses_strings_and_flexible_arrays() {
        check_entities(
            "int a[10]; struct s { int n; char *p; } x = { 3, \"hi\" };\n\
             int *p = &a[3], *q = a + 1; long d = &a[5] - &a[2]; unsigned long u = (unsigned long)&x.p;\n\
             struct f { int n; short v[]; } f = { 2, { 1, 2, 3 } };\n\
             int *l = (int[]){ 4, 5 }; double g = 1 / 4.0; int f1(void); int (*t[])(void) = { f1, &f1, 0 };\n",
            expect![[r#"
                a: External int [10] tentative
                x: External struct s size=16 @0:03 @8:&e2+0
                e2: Internal char [3] size=3 @0:686900
                p: External int * size=8 @0:&a+12
                q: External int * size=8 @0:&a+4
                d: External long size=8 @0:03
                u: External unsigned long size=8 @0:&x+8
                f: External struct f size=10 @0:020000000100020003
                l: External int * size=8 @0:&e9+0
                e9: Internal int [2] size=8 @0:0400000005
                g: External double size=8 @6:d03f
                f1: External int (void) undefined
                t: External int (*[3])(void) size=24 @0:&f1+0 @8:&f1+0
            "#]],
        );
    }

    #[test]
    fn what_is_not_constant_is_reported() {
        check_messages(
            "int y; int x = y; int z = 1 / 0; char c = (char)&y; int f(void); int w = f();",
            expect![[r#"
                t.c:1:16: error: the initialiser of a static object is not constant [not-constant]
                t.c:1:27: error: division by zero in a static initialiser [division-by-zero]
                t.c:1:43: error: the initialiser of a static object is not constant [not-constant]
                t.c:1:74: error: the initialiser of a static object is not constant [not-constant]
            "#]],
        );
    }
}
