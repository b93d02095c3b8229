//! Initialisers: from braces, designators and elided braces to a flat list of stores.
//!
//! A braced list is walked with a cursor over its items while the type is walked member by member
//! (C11 6.7.9). An aggregate met without braces takes items from the same cursor until it is full or
//! a designator turns up, which belongs to the innermost braces. Stores are kept in order, so later
//! ones override earlier ones; where braces override something already written, zeros go first.
//!
//! `static_init` turns the stores into bytes; automatic objects keep them as [`InitList`].

use crate::assignable::Purpose;
use crate::check::{Checker, node};
use crate::designator::Step;
use crate::hir::{Expr, ExprKind, Init, InitItem, InitList};
use crate::types::{ArrayLen, BitField, QualType, RecordKind, TypeId, TypeKind};
use braid_base::{HashMap, Span};
use braid_syntax::ast::{self, Encoding};

/// A part of the object being initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: QualType,
    offset: u64,
    bits: Option<BitField>,
}

/// The stores collected so far.
pub(crate) struct Builder {
    pub items: Vec<InitItem>,
    /// End of the highest byte written.
    pub high: u64,
    /// Bytes stored, if no store overlapped another or wrote a bit-field.
    disjoint_bytes: Option<u64>,
    /// Constants are wanted: compound literals stand for their lists.
    is_static: bool,
    /// Which member each union (by place and type) holds.
    unions: HashMap<(u64, TypeId), u64>,
}

impl Builder {
    pub fn new(is_static: bool) -> Builder {
        Builder { items: Vec::new(), high: 0, disjoint_bytes: Some(0), is_static, unions: HashMap::default() }
    }
}

/// The items of a braced list, consumed from left to right.
struct Cursor<'i> {
    items: &'i [ast::InitItem],
    at: usize,
    /// The designators of the current item have been followed.
    entered: bool,
    /// The checked value of the current item, if somebody had to look at it first.
    value: Option<Expr>,
    /// The current item has been stored already: only its place is looked for.
    skip: bool,
}

impl<'i> Cursor<'i> {
    fn new(items: &'i [ast::InitItem]) -> Cursor<'i> {
        Cursor { items, at: 0, entered: false, value: None, skip: false }
    }

    /// A cursor over the current item alone, its designators followed.
    fn alone(&mut self) -> Cursor<'i> {
        let end = (self.at + 1).min(self.items.len());
        Cursor {
            items: &self.items[..end],
            at: self.at,
            entered: true,
            value: self.value.take(),
            skip: false,
        }
    }

    fn current(&self) -> Option<&'i ast::InitItem> {
        self.items.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.entered = false;
        self.value = None;
        self.skip = false;
    }
}

impl Checker<'_> {
    /// The initialiser of an automatic object, and its type with an unknown length filled in.
    pub fn auto_initialiser(&mut self, ty: QualType, init: &ast::Initializer) -> (TypeId, Init) {
        match init {
            ast::Initializer::List(list) => self.auto_list(ty, list),
            ast::Initializer::Expr(e) if self.types.is_array(ty.ty) => {
                let mut builder = Builder::new(false);
                let complete = self.array_from_expr(&mut builder, ty, e);
                (complete, self.finish_auto(builder, complete))
            }
            ast::Initializer::Expr(e) => {
                let value = self.rvalue(e);
                (ty.ty, Init::Expr(self.assign_convert(value, ty, Purpose::Init, e.span)))
            }
        }
    }

    pub fn auto_list(&mut self, ty: QualType, list: &ast::InitList) -> (TypeId, Init) {
        if self.types.is_scalar(ty.ty) || self.types.is_unsupported(ty.ty) {
            let value = self.braced_scalar(ty, list);
            return (ty.ty, Init::Expr(value));
        }
        let mut builder = Builder::new(false);
        let complete = self.fill_braces(&mut builder, Part { ty, offset: 0, bits: None }, list);
        if let Some(size) = self.types.layout(complete).map(|l| l.size)
            && builder.high > size
        {
            let text = "a flexible array member can be initialised in static objects only";
            self.error("flexible-array", list.span, text);
        }
        (complete, self.finish_auto(builder, complete))
    }

    fn finish_auto(&self, builder: Builder, ty: TypeId) -> Init {
        let size = self.types.layout(ty).map(|l| l.size);
        let covers = builder.disjoint_bytes.is_some() && builder.disjoint_bytes == size;
        Init::List(InitList { items: builder.items, covers })
    }

    /// Collects the stores of a static object of aggregate or scalar type.
    pub fn collect_static(&mut self, ty: QualType, init: &ast::Initializer) -> (TypeId, Builder) {
        let mut builder = Builder::new(true);
        let complete = match init {
            ast::Initializer::List(list) => self.collect_list(&mut builder, ty, list),
            ast::Initializer::Expr(e) => match literal_of(e) {
                Some((name, list)) if !self.types.is_scalar(ty.ty) => {
                    self.collect_literal(&mut builder, ty, name, list)
                }
                _ if self.types.is_array(ty.ty) => self.array_from_expr(&mut builder, ty, e),
                _ => {
                    let value = self.rvalue(e);
                    let value = self.assign_convert(value, ty, Purpose::Init, e.span);
                    self.store(&mut builder, Part { ty, offset: 0, bits: None }, value);
                    ty.ty
                }
            },
        };
        (complete, builder)
    }

    pub fn collect_list(&mut self, builder: &mut Builder, ty: QualType, list: &ast::InitList) -> TypeId {
        let part = Part { ty, offset: 0, bits: None };
        if self.types.is_scalar(ty.ty) || self.types.is_unsupported(ty.ty) {
            let value = self.braced_scalar(ty, list);
            self.store(builder, part, value);
            return ty.ty;
        }
        self.fill_braces(builder, part, list)
    }

    /// GNU: `static struct s x = (struct s){…};` initialises as the list alone would.
    fn collect_literal(
        &mut self,
        builder: &mut Builder,
        ty: QualType,
        name: &ast::TypeName,
        list: &ast::InitList,
    ) -> TypeId {
        let (literal, _, _) = self.type_in_expr(name);
        let plain = self.types.unqualified(ty);
        let given = self.types.unqualified(literal);
        if !self.types.compatible(plain, given) {
            let text = format!(
                "incompatible types: initialising '{}' from '{}'",
                self.show(plain),
                self.show(given)
            );
            self.error("incompatible-types", list.span, text);
            return ty.ty;
        }
        let ty = if self.types.is_complete(ty.ty) { ty } else { literal };
        self.fill_braces(builder, Part { ty, offset: 0, bits: None }, list)
    }

    /// An array initialised without braces: by a string, or (GNU) by a compound literal.
    fn array_from_expr(&mut self, builder: &mut Builder, ty: QualType, e: &ast::Expr) -> TypeId {
        if let Some(lit) = string_of(e)
            && self.string_fits(ty.ty, lit.encoding)
        {
            return self.string_part(builder, ty, 0, lit, e.span);
        }
        if let Some((name, list)) = literal_of(e) {
            return self.collect_literal(builder, ty, name, list);
        }
        let value = self.expr(e);
        if !self.types.is_error(value.ty.ty) && !self.types.is_error(ty.ty) {
            self.error(
                "bad-initialiser",
                e.span,
                "an array is initialised by a list in braces or a string literal",
            );
        }
        if self.types.is_complete(ty.ty) { ty.ty } else { self.common.error }
    }

    // Scalars

    pub fn zero(&mut self, ty: TypeId, span: Span) -> Expr {
        if self.types.is_float(ty) {
            return node(ExprKind::Float(0.0), ty, span);
        }
        if self.types.is_unsupported(ty) {
            return self.unsupported("a value of an unsupported type".to_owned(), ty, span);
        }
        node(ExprKind::Int(0), ty, span)
    }

    fn braced_scalar(&mut self, ty: QualType, list: &ast::InitList) -> Expr {
        let Some(item) = list.items.first() else { return self.zero(ty.ty, list.span) };
        if list.items.len() > 1 {
            self.warn(
                "excess-initialisers",
                list.items[1].span,
                "excess elements in the initialiser of a scalar",
            );
        }
        if !item.designators.is_empty() {
            self.error("bad-designator", item.span, "a designator in the initialiser of a scalar");
        }
        match &item.init {
            ast::Initializer::List(inner) => self.braced_scalar(ty, inner),
            ast::Initializer::Expr(e) => {
                let value = self.rvalue(e);
                self.assign_convert(value, ty, Purpose::Init, e.span)
            }
        }
    }

    // Strings

    /// Whether a string literal of this encoding may initialise the array.
    fn string_fits(&self, array: TypeId, encoding: Encoding) -> bool {
        let Some((elem, _)) = self.types.element(array) else { return false };
        let (Some(_), wanted) = (self.types.as_int(elem.ty), self.string_element(encoding)) else {
            return false;
        };
        self.types.bits(elem.ty) == self.types.bits(wanted)
    }

    /// Stores a string into a character array; returns the array type with its length.
    fn string_part(
        &mut self,
        builder: &mut Builder,
        ty: QualType,
        offset: u64,
        lit: &ast::StrLit,
        span: Span,
    ) -> TypeId {
        let Some((elem, len)) = self.types.element(ty.ty) else { return ty.ty };
        let width = u64::from(self.types.bits(elem.ty) / 8);
        let bytes = self.string_bytes(lit).len() as u64;
        let (count, is_flexible) = match len {
            ArrayLen::Known(n) => (n, false),
            ArrayLen::Unknown | ArrayLen::Vla(_) => (bytes / width, offset > 0),
        };
        let size = count * width;
        if bytes - width > size {
            self.warn("excess-initialisers", span, "the string is longer than the array");
        }
        let complete = self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(count) });
        self.clear_overlap(builder, offset, size, span);
        // Bytes of a static array are copied at once; the literal is no object of its own then.
        self.unevaluated += u32::from(builder.is_static);
        let value = self.string_literal(lit, Some(size), span);
        self.unevaluated -= u32::from(builder.is_static);
        let part = Part { ty: QualType { ty: complete, quals: ty.quals }, offset, bits: None };
        self.store(builder, part, value);
        if bytes < size {
            // The string does not reach the end: the rest must have been zeroed before.
            builder.disjoint_bytes = None;
        }
        if is_flexible { ty.ty } else { complete }
    }

    // Stores

    fn store(&mut self, builder: &mut Builder, part: Part, value: Expr) {
        let size = match part.bits {
            Some(bits) => u64::from(bits.unit_bytes),
            None => self.types.layout(part.ty.ty).map_or(0, |l| l.size),
        };
        let end = part.offset.saturating_add(size);
        builder.disjoint_bytes = match builder.disjoint_bytes {
            Some(bytes) if part.bits.is_none() && part.offset >= builder.high => Some(bytes + size),
            _ => None,
        };
        builder.high = builder.high.max(end);
        let Part { ty, offset, bits } = part;
        builder.items.push(InitItem { offset, bits, ty, value, count: 1, stride: 0 });
    }

    /// What is written now replaces the whole range: zeros go first if something is there already.
    fn clear_overlap(&mut self, builder: &mut Builder, offset: u64, size: u64, span: Span) {
        if offset >= builder.high || size == 0 {
            return;
        }
        builder.disjoint_bytes = None;
        let value = self.zero(self.common.uchar, span);
        let ty = QualType::plain(self.common.uchar);
        builder.items.push(InitItem { offset, bits: None, ty, value, count: size, stride: 1 });
    }

    // Aggregates

    /// Fills a part from its own braces; returns its type with an unknown length filled in.
    fn fill_braces(&mut self, builder: &mut Builder, part: Part, list: &ast::InitList) -> TypeId {
        let ty = part.ty.ty;
        if self.types.is_error(ty) {
            return ty;
        }
        if !self.types.is_record(ty) && !self.types.is_array(ty) {
            let value = self.braced_scalar(part.ty, list);
            self.store(builder, part, value);
            return ty;
        }
        if let [item] = &list.items[..]
            && let (true, ast::Initializer::Expr(e)) = (item.designators.is_empty(), &item.init)
            && let Some(lit) = string_of(e).filter(|lit| self.string_fits(ty, lit.encoding))
        {
            return self.string_part(builder, part.ty, part.offset, lit, e.span);
        }
        if self.types.record_of(ty).is_some_and(|id| self.types.records[id].def.is_none()) {
            let shown = self.show(ty);
            self.error("incomplete-type", list.span, format!("initialiser for incomplete type '{shown}'"));
            return self.common.error;
        }
        let size = self.types.layout(ty).map_or(0, |l| l.size);
        self.clear_overlap(builder, part.offset, size, list.span);
        let mut cursor = Cursor::new(&list.items);
        let count = self.fill_aggregate(builder, part, &mut cursor, &[], true);
        match self.types.element(ty) {
            // The length of a flexible member (offset > 0) stays open; the object grows instead.
            Some((elem, ArrayLen::Unknown)) if part.offset == 0 => {
                self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(count) })
            }
            _ => ty,
        }
    }

    /// Fills a struct, union or array from the cursor; returns the number of elements reached.
    /// `path` leads to the first part to fill; `braced` says whether designators belong here.
    fn fill_aggregate(
        &mut self,
        builder: &mut Builder,
        part: Part,
        cursor: &mut Cursor,
        path: &[Step],
        braced: bool,
    ) -> u64 {
        let limit = self.part_count(part.ty.ty);
        let is_union = self.is_union(part.ty.ty);
        let (mut next, mut reached) = (0, 0);
        let mut path = path.to_vec();
        loop {
            if path.is_empty() {
                let Some(item) = cursor.current() else { break };
                if !item.designators.is_empty() && !cursor.entered {
                    if !braced {
                        break;
                    }
                    cursor.entered = true;
                    match self.resolve(part.ty, &item.designators) {
                        Some(steps) => path = steps,
                        None => {
                            self.check_discarded(item);
                            cursor.advance();
                            continue;
                        }
                    }
                }
            }
            let designated = !path.is_empty();
            let (first, last) = match path.first() {
                Some(Step::Field(index)) => (*index as u64, *index as u64),
                Some(Step::Elements { first, last }) => (*first, *last),
                None => (next, next),
            };
            let full = first >= limit || (is_union && !designated && reached > 0);
            if full {
                if braced {
                    self.excess(cursor);
                    continue;
                }
                break;
            }
            let before = cursor.at;
            if is_union {
                self.switch_union(builder, part, first);
            }
            self.fill_range(builder, part, cursor, (first, last), path.get(1..).unwrap_or(&[]));
            path.clear();
            next = last + 1;
            reached = reached.max(next);
            if cursor.at == before && (limit == u64::MAX || is_union) {
                // An empty struct takes nothing: it must not be offered items for ever.
                self.excess(cursor);
            }
        }
        reached
    }

    /// A union that holds another member already loses it.
    fn switch_union(&mut self, builder: &mut Builder, part: Part, member: u64) {
        let before = builder.unions.insert((part.offset, part.ty.ty), member);
        if before.is_some_and(|before| before != member) {
            let size = self.types.layout(part.ty.ty).map_or(0, |l| l.size);
            self.clear_overlap(builder, part.offset, size, Span::NONE);
        }
    }

    /// Parts `first..=last`, all given the same items.
    fn fill_range(
        &mut self,
        builder: &mut Builder,
        whole: Part,
        cursor: &mut Cursor,
        (first, last): (u64, u64),
        rest: &[Step],
    ) {
        let Some(part) = self.sub_part(whole, first) else { return cursor.advance() };
        if first == last {
            return self.fill_part(builder, part, cursor, rest);
        }
        let mark = builder.items.len();
        self.fill_part(builder, part, &mut cursor.alone(), rest);
        let size = self.types.layout(part.ty.ty).map_or(0, |l| l.size);
        let count = last - first + 1;
        let spreads = |item: &InitItem| item.count == 1 || item.count.checked_mul(item.stride) == Some(size);
        if builder.items[mark..].iter().all(spreads) {
            for item in &mut builder.items[mark..] {
                item.stride = if item.count == 1 { size } else { item.stride };
                item.count = item.count.saturating_mul(count);
            }
            builder.high = builder.high.max(part.offset.saturating_add(size.saturating_mul(count)));
            builder.disjoint_bytes = None;
            spread_unions(builder, part.offset, size, count);
        } else {
            // Ranges inside ranges that leave gaps: the elements are written one by one.
            for index in first + 1..=last {
                let Some(part) = self.sub_part(whole, index) else { break };
                self.fill_part(builder, part, &mut cursor.alone(), rest);
            }
        }
        // Items that follow go on behind the place in the last element.
        let Some(part) = self.sub_part(whole, last) else { return cursor.advance() };
        (cursor.entered, cursor.skip) = (true, true);
        self.fill_part(builder, part, cursor, rest);
    }

    /// Fills one part: by following designators, by braces, by a value, or by descending into it.
    fn fill_part(&mut self, builder: &mut Builder, part: Part, cursor: &mut Cursor, path: &[Step]) {
        if !path.is_empty() {
            self.fill_aggregate(builder, part, cursor, path, false);
            return;
        }
        let Some(item) = cursor.current() else { return };
        let e = match &item.init {
            ast::Initializer::List(list) => {
                if !cursor.skip {
                    self.fill_braces(builder, part, list);
                }
                return cursor.advance();
            }
            ast::Initializer::Expr(e) => e,
        };
        let ty = part.ty.ty;
        if self.types.is_array(ty) {
            let Some(lit) = string_of(e).filter(|lit| self.string_fits(ty, lit.encoding)) else {
                return self.descend(builder, part, cursor);
            };
            if !cursor.skip {
                self.string_part(builder, part.ty, part.offset, lit, e.span);
            }
            return cursor.advance();
        }
        if self.types.is_record(ty) {
            return self.fill_record(builder, part, cursor, e);
        }
        if !cursor.skip {
            let value = match cursor.value.take() {
                Some(value) => value,
                None => self.rvalue(e),
            };
            let value = self.assign_convert(value, part.ty, Purpose::Init, e.span);
            self.store(builder, part, value);
        }
        cursor.advance();
    }

    /// An aggregate whose braces are left out.
    fn descend(&mut self, builder: &mut Builder, part: Part, cursor: &mut Cursor) {
        cursor.entered = true;
        self.fill_aggregate(builder, part, cursor, &[], false);
    }

    fn fill_record(&mut self, builder: &mut Builder, part: Part, cursor: &mut Cursor, e: &ast::Expr) {
        if let (true, Some((name, list))) = (builder.is_static, literal_of(e)) {
            let (literal, _, _) = self.type_in_expr(name);
            if self.types.compatible(literal.ty, part.ty.ty) {
                if !cursor.skip {
                    self.fill_braces(builder, part, list);
                }
                return cursor.advance();
            }
        }
        self.unevaluated += u32::from(cursor.skip);
        let value = match cursor.value.take() {
            Some(value) => value,
            None => self.rvalue(e),
        };
        self.unevaluated -= u32::from(cursor.skip);
        if self.types.is_error(value.ty.ty) {
            return cursor.advance();
        }
        if self.types.is_record(value.ty.ty) && self.types.compatible(value.ty.ty, part.ty.ty) {
            if !cursor.skip {
                let value = self.convert(value, part.ty.ty);
                self.store(builder, part, value);
            }
            return cursor.advance();
        }
        cursor.value = if cursor.skip { None } else { Some(value) };
        self.descend(builder, part, cursor);
    }

    /// Number of parts that positional items can go to.
    fn part_count(&self, ty: TypeId) -> u64 {
        match *self.types.kind(ty) {
            TypeKind::Array { len: ArrayLen::Known(n), .. } => n,
            TypeKind::Array { .. } => u64::MAX,
            TypeKind::Record(id) => self.types.records[id].def.as_ref().map_or(0, |d| d.fields.len() as u64),
            _ => 0,
        }
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.types.record_of(ty).is_some_and(|id| self.types.records[id].kind == RecordKind::Union)
    }

    fn sub_part(&self, whole: Part, index: u64) -> Option<Part> {
        match *self.types.kind(whole.ty.ty) {
            TypeKind::Array { elem, .. } => {
                let size = self.types.layout(elem.ty)?.size;
                let offset = whole.offset.checked_add(size.checked_mul(index)?)?;
                Some(Part { ty: elem, offset, bits: None })
            }
            TypeKind::Record(id) => {
                let field = self.types.records[id].def.as_ref()?.fields.get(index as usize)?;
                Some(Part { ty: field.ty, offset: whole.offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// Skips items nothing is left for, with one warning.
    fn excess(&mut self, cursor: &mut Cursor) {
        if let Some(item) = cursor.current() {
            self.warn("excess-initialisers", item.span, "excess elements in initialiser");
        }
        while let Some(item) = cursor.current() {
            if !item.designators.is_empty() && !cursor.entered {
                break;
            }
            if cursor.value.is_none() {
                self.check_discarded(item);
            }
            cursor.advance();
        }
    }

    /// Looks for mistakes in an item that initialises nothing.
    fn check_discarded(&mut self, item: &ast::InitItem) {
        if let ast::Initializer::Expr(e) = &item.init {
            let _ = self.unevaluated_expr(e);
        }
    }
}

/// The elements of a range hold the same union members as its first one.
fn spread_unions(builder: &mut Builder, offset: u64, size: u64, count: u64) {
    let inside = |at: u64| at >= offset && at - offset < size;
    let mut held: Vec<_> =
        builder.unions.iter().filter(|((at, _), _)| inside(*at)).map(|(k, v)| (*k, *v)).collect();
    held.sort_by_key(|((at, ty), _)| (*at, ty.0));
    for ((at, ty), member) in held {
        for i in 1..count {
            builder.unions.insert((at.saturating_add(size.saturating_mul(i)), ty), member);
        }
    }
}

fn string_of(e: &ast::Expr) -> Option<&ast::StrLit> {
    match &e.kind {
        ast::ExprKind::Str(lit) => Some(lit),
        ast::ExprKind::Paren(inner) => string_of(inner),
        _ => None,
    }
}

fn literal_of(e: &ast::Expr) -> Option<(&ast::TypeName, &ast::InitList)> {
    match &e.kind {
        ast::ExprKind::CompoundLiteral { ty, init } => Some((ty, init)),
        ast::ExprKind::Paren(inner) => literal_of(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_f, check_messages};
    use expect_test::expect;

    #[test]
    fn designators_and_elided_braces() {
        check_f(
            "struct in { short x, y; }; struct s { int a; struct in v[2]; union { int i; float g; }; char t[4]; };\n\
             void f(int n, struct in w) {\n\
             struct s a = { n, 1, 2, 3, 4, 5, \"ab\" };\n\
             struct s b = { .v[1].y = n, 6, .a = 1, .g = 2, .t = { 'x', [3] = 'y' } };\n\
             struct s c = { .v = { w, [1] = w }, .i = 3 };\n\
             int d[] = { [2] = n, n + 1, [0] = 7 }, e[2] = { 1, 2 }, g[10] = { [1 ... 3] = n };\n\
             char s[] = \"hey\", z[2] = \"hey\"; int k = { 3 }; struct in o = w; (struct in){ n };\n\
             }\n",
            expect![[r#"
                t.c:7:26: warning: the string is longer than the array [excess-initialisers]
                 7 | char s[] = "hey", z[2] = "hey"; int k = { 3 }; struct in o = w; (struct in){ n };
                   |                          ^~~~~
                {a b c d e g s z k o l12
                  decl a: struct s = {0: (ld n), 4: 1:short, 6: 2:short, 8: 3:short, 10: 4:short, 12: 5, 16: "ab\0"}
                  decl b: struct s = {10: (Int:short (ld n)), 12: 6, 0: 1, 12 x4/1: 0:unsigned char, 12: 2.0:float, 16: 120:char, 19: 121:char}
                  decl c: struct s = {4: (ld w), 8: (ld w), 12: 3}
                  decl d: int [4] = {8: (ld n), 12: (+ (ld n) 1), 0: 7}
                  decl e: int [2] = {0: 1, 4: 2} covers
                  decl g: int [10] = {4 x3/4: (ld n)}
                  decl s: char [4] = {0: "hey\0"} covers
                  decl z: char [2] = {0: "he"} covers
                  decl k: int = 3
                  decl o: struct in = (ld w)
                  (ld (literal l12 {0: (Int:short (ld n))}))
                }
            "#]],
        );
    }

    #[test]
    fn overridden_parts_are_cleared() {
        check_f(
            "struct p { int x, y; } ; union u { int i; char c; };\n\
             void f(void) { struct { struct p a; union u b; } v = { .a = { 1, 2 }, .a = { .y = 3 }, .b.i = -1, .b.c = 1 }; }\n",
            expect![[r#"
                {v
                  decl v: struct <anonymous> = {0: 1, 4: 2, 0 x8/1: 0:unsigned char, 4: 3, 8: -1, 8 x4/1: 0:unsigned char, 8: 1:char}
                }
            "#]],
        );
    }

    #[test]
    fn mistakes_in_initialisers() {
        check_messages(
            "struct s { int a; };\n\
             void f(int n) {\n\
             int a[2] = { 1, 2, 3 }; struct s b = { .c = 1 }; int c[2] = { [2] = 1 }; int d = { 1, 2 }; int e[2] = n;\n\
             int g[n] = { 1 }; struct s h = { [0] = 1 }; char t[2] = \"long\"; struct { int n; int v[]; } k = { 1, { 2 } }; int m[2] = { .a = 1 };\n\
             }\n",
            expect![[r#"
                t.c:3:20: warning: excess elements in initialiser [excess-initialisers]
                t.c:3:41: error: 'struct s' has no member named 'c' [no-such-member]
                t.c:3:64: error: array designator 2 is out of bounds [bad-designator]
                t.c:3:87: warning: excess elements in the initialiser of a scalar [excess-initialisers]
                t.c:3:103: error: an array is initialised by a list in braces or a string literal [bad-initialiser]
                t.c:4:5: error: 'g' has a size known only at run time and cannot be initialised [variably-modified]
                t.c:4:35: error: array designator in an initialiser for 'struct s' [bad-designator]
                t.c:4:57: warning: the string is longer than the array [excess-initialisers]
                t.c:4:96: error: a flexible array member can be initialised in static objects only [flexible-array]
                t.c:4:124: error: member designator '.a' in an initialiser for 'int [2]' [bad-designator]
            "#]],
        );
    }
}
