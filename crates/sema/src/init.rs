//! Initialisers: from braces, designators and elided braces to a flat list of stores.
//!
//! A braced list is walked with a cursor over its items while the type is walked member by member
//! (C11 6.7.9). An aggregate met without braces takes items from the same cursor until it is full or
//! a designator turns up, which belongs to the innermost braces. Stores are kept in order, so later
//! ones override earlier ones; where braces override something already written, zeros go first.
//!
//! `static_init` turns the stores into bytes; automatic objects keep them as [`InitList`].

use crate::check::{Checker, node};
use crate::convert::Purpose;
use crate::hir::{Expr, ExprKind, Init, InitItem, InitList};
use crate::types::{ArrayLen, BitField, QualType, RecordKind, TypeId, TypeKind};
use braid_base::Span;
use braid_syntax::ast::{self, Designator, Encoding};

/// One resolved designator.
#[derive(Clone, Copy)]
enum Step {
    Field(usize),
    Elements { first: u64, last: u64 },
}

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
}

impl Builder {
    pub fn new(is_static: bool) -> Builder {
        Builder { items: Vec::new(), high: 0, disjoint_bytes: Some(0), is_static }
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
}

impl<'i> Cursor<'i> {
    fn current(&self) -> Option<&'i ast::InitItem> {
        self.items.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.entered = false;
        self.value = None;
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
        if let Some(size) = self.types.layout(complete).map(|l| l.size) {
            if builder.high > size {
                let text = "a flexible array member can be initialised in static objects only";
                self.error("flexible-array", list.span, text);
            }
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
                Some((name, list)) if !self.types.is_scalar(ty.ty) => self.collect_literal(&mut builder, ty, name, list),
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
            let text = format!("incompatible types: initialising '{}' from '{}'", self.show(plain), self.show(given));
            self.error("incompatible-types", list.span, text);
            return ty.ty;
        }
        let ty = if self.types.is_complete(ty.ty) { ty } else { literal };
        self.fill_braces(builder, Part { ty, offset: 0, bits: None }, list)
    }

    /// An array initialised without braces: by a string, or (GNU) by a compound literal.
    fn array_from_expr(&mut self, builder: &mut Builder, ty: QualType, e: &ast::Expr) -> TypeId {
        if let Some(lit) = string_of(e) {
            if self.string_fits(ty.ty, lit.encoding) {
                return self.string_part(builder, ty, 0, lit, e.span);
            }
        }
        if let Some((name, list)) = literal_of(e) {
            return self.collect_literal(builder, ty, name, list);
        }
        let value = self.expr(e);
        if !self.types.is_error(value.ty.ty) && !self.types.is_error(ty.ty) {
            self.error("bad-initialiser", e.span, "an array is initialised by a list in braces or a string literal");
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
            self.warn("excess-initialisers", list.items[1].span, "excess elements in the initialiser of a scalar");
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
        let (Some(_), wanted) = (self.types.as_int(elem.ty), self.string_element(encoding)) else { return false };
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
        if let [item] = &list.items[..] {
            if let (true, ast::Initializer::Expr(e)) = (item.designators.is_empty(), &item.init) {
                if let Some(lit) = string_of(e).filter(|lit| self.string_fits(ty, lit.encoding)) {
                    return self.string_part(builder, part.ty, part.offset, lit, e.span);
                }
            }
        }
        if self.types.record_of(ty).is_some_and(|id| self.types.records[id].def.is_none()) {
            let shown = self.show(ty);
            self.error("incomplete-type", list.span, format!("initialiser for incomplete type '{shown}'"));
            return self.common.error;
        }
        let size = self.types.layout(ty).map_or(0, |l| l.size);
        self.clear_overlap(builder, part.offset, size, list.span);
        let mut cursor = Cursor { items: &list.items, at: 0, entered: false, value: None };
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
            if is_union && reached > 0 {
                let size = self.types.layout(part.ty.ty).map_or(0, |l| l.size);
                self.clear_overlap(builder, part.offset, size, Span::NONE);
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
        let start = cursor.at;
        let mark = builder.items.len();
        self.fill_part(builder, part, cursor, rest);
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
            return;
        }
        // Ranges inside ranges that leave gaps: the elements are written one by one.
        for index in first + 1..=last {
            let Some(part) = self.sub_part(whole, index) else { return };
            (cursor.at, cursor.entered, cursor.value) = (start, true, None);
            self.fill_part(builder, part, cursor, rest);
        }
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
                self.fill_braces(builder, part, list);
                return cursor.advance();
            }
            ast::Initializer::Expr(e) => e,
        };
        let ty = part.ty.ty;
        if self.types.is_array(ty) {
            if let Some(lit) = string_of(e).filter(|lit| self.string_fits(ty, lit.encoding)) {
                self.string_part(builder, part.ty, part.offset, lit, e.span);
                return cursor.advance();
            }
            return self.descend(builder, part, cursor);
        }
        if self.types.is_record(ty) {
            return self.fill_record(builder, part, cursor, e);
        }
        let value = match cursor.value.take() {
            Some(value) => value,
            None => self.rvalue(e),
        };
        let value = self.assign_convert(value, part.ty, Purpose::Init, e.span);
        self.store(builder, part, value);
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
                self.fill_braces(builder, part, list);
                return cursor.advance();
            }
        }
        let value = match cursor.value.take() {
            Some(value) => value,
            None => self.rvalue(e),
        };
        if self.types.is_error(value.ty.ty) {
            return cursor.advance();
        }
        if self.types.is_record(value.ty.ty) && self.types.compatible(value.ty.ty, part.ty.ty) {
            let value = self.convert(value, part.ty.ty);
            self.store(builder, part, value);
            return cursor.advance();
        }
        cursor.value = Some(value);
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

    // Designators

    fn resolve(&mut self, ty: QualType, designators: &[Designator]) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut ty = ty;
        for designator in designators {
            match designator {
                Designator::Field(name, span) => {
                    let Some(record) = self.types.record_of(ty.ty) else {
                        let shown = self.types.show(ty);
                        let text = format!("member designator '.{name}' in an initialiser for '{shown}'");
                        self.error("bad-designator", *span, text);
                        return None;
                    };
                    let Some(found) = self.find_member(record, *name) else {
                        self.no_such_member(record, ty, *name, *span);
                        return None;
                    };
                    steps.extend(found.path.iter().map(|i| Step::Field(*i)));
                    ty = found.ty;
                }
                Designator::Index(e) => {
                    let (elem, index) = self.designated_index(ty, e)?;
                    steps.push(Step::Elements { first: index, last: index });
                    ty = elem;
                }
                Designator::Range(first, last) => {
                    let (elem, low) = self.designated_index(ty, first)?;
                    let (_, high) = self.designated_index(ty, last)?;
                    if high < low {
                        self.error("bad-designator", first.span.to(last.span), "the range is empty");
                        return None;
                    }
                    steps.push(Step::Elements { first: low, last: high });
                    ty = elem;
                }
            }
        }
        Some(steps)
    }

    fn designated_index(&mut self, ty: QualType, e: &ast::Expr) -> Option<(QualType, u64)> {
        let value = self.rvalue(e);
        let Some((elem, len)) = self.types.element(ty.ty) else {
            let shown = self.types.show(ty);
            self.error("bad-designator", e.span, format!("array designator in an initialiser for '{shown}'"));
            return None;
        };
        let index = self.require_int(&value, "array designator")?;
        let limit = match len {
            ArrayLen::Known(n) => n,
            // An element must have an address the machine can form.
            ArrayLen::Unknown | ArrayLen::Vla(_) => 1 << 40,
        };
        match u64::try_from(index) {
            Ok(index) if index < limit => Some((elem, index)),
            _ => {
                self.error("bad-designator", e.span, format!("array designator {index} is out of bounds"));
                None
            }
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
