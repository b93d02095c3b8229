//! Access paths: members, subscripts, `*` and `&`, pointer arithmetic, `offsetof`.

use crate::check::{Checker, is_lvalue, node};
use crate::hir::{BinaryOp, Bound, Expr, ExprKind};
use crate::scope::similar_name;
use crate::types::{ArrayLen, BitField, QualType, Quals, RecordId, RecordKind, TypeKind};
use braid_base::faults::active;
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, Designator};

/// A member found by name, perhaps inside anonymous records.
pub(crate) struct Found {
    /// Indices of the fields on the way.
    pub path: Vec<usize>,
    pub offset: u64,
    pub ty: QualType,
    pub bits: Option<BitField>,
    /// No member comes after it, in any of the records on the way.
    pub last: bool,
}

impl Checker<'_> {
    pub fn find_member(&self, record: RecordId, name: Symbol) -> Option<Found> {
        let def = self.types.records[record].def.as_ref()?;
        let is_union = self.types.records[record].kind == RecordKind::Union;
        for (i, field) in def.fields.iter().enumerate() {
            let last = is_union || i + 1 == def.fields.len();
            if field.name == Some(name) {
                let (offset, ty, bits) = (field.offset, field.ty, field.bits);
                return Some(Found { path: vec![i], offset, ty, bits, last });
            }
            if field.name.is_none() {
                let inner = self.types.record_of(field.ty.ty).and_then(|r| self.find_member(r, name));
                if let Some(mut found) = inner {
                    found.path.insert(0, i);
                    found.offset += field.offset;
                    found.last &= last;
                    if let Some(bits) = &mut found.bits {
                        bits.run_start += field.offset;
                        bits.run_end += field.offset;
                    }
                    return Some(found);
                }
            }
        }
        None
    }

    pub fn member(
        &mut self,
        base: &ast::Expr,
        field: Symbol,
        field_span: Span,
        arrow: bool,
        span: Span,
    ) -> Expr {
        let base = if arrow {
            let pointer = self.rvalue(base);
            self.deref_record(pointer, field, span)
        } else {
            self.expr(base)
        };
        if self.types.is_error(base.ty.ty) {
            return self.error_expr(span);
        }
        let Some(record) = self.types.record_of(base.ty.ty) else {
            return self.not_a_record(&base, field, span);
        };
        if self.types.records[record].def.is_none() {
            let shown = self.show(base.ty.ty);
            self.error("incomplete-type", span, format!("'{shown}' is an incomplete type"));
            return self.error_expr(span);
        }
        let Some(found) = self.find_member(record, field) else {
            return self.no_such_member(record, base.ty, field, field_span);
        };
        if base.ty.quals.is_atomic {
            let text = format!(
                "accessing a member '{field}' of an atomic structure: each access is atomic by itself"
            );
            self.warn("atomic-member", span, text);
        }
        self.member_of(base, &found, span)
    }

    fn member_of(&mut self, base: Expr, found: &Found, span: Span) -> Expr {
        // C leaves it undefined; as in gcc, a member of an atomic record is atomic itself, but for bit-fields.
        let is_atomic = base.ty.quals.is_atomic && found.bits.is_none() && !active("atomic-member-plain");
        let quals = Quals { is_atomic, is_restrict: false, ..base.ty.quals };
        let ty = self.types.qualify(found.ty, quals);
        let (offset, bits, last) = (found.offset, found.bits, found.last);
        let kind = ExprKind::Member { base: Box::new(base), offset, bits, last };
        Expr { kind, ty, span }
    }

    fn deref_record(&mut self, pointer: Expr, field: Symbol, span: Span) -> Expr {
        match self.types.pointee(pointer.ty.ty) {
            Some(to) => Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: to, span },
            None if self.types.is_error(pointer.ty.ty) => pointer,
            None => {
                let shown = self.show(pointer.ty.ty);
                let mut diagnostic = Diagnostic::error(
                    "not-a-pointer",
                    span,
                    format!("'->' applied to '{shown}', not a pointer"),
                );
                if self.types.is_record(pointer.ty.ty) {
                    diagnostic = diagnostic.note(format!("did you mean '.{field}'?"));
                }
                self.report(diagnostic);
                self.error_expr(span)
            }
        }
    }

    fn not_a_record(&mut self, base: &Expr, field: Symbol, span: Span) -> Expr {
        let shown = self.types.show(base.ty);
        let text = format!("member '{field}' requested in '{shown}', not a struct or union");
        let mut diagnostic = Diagnostic::error("not-a-record", span, text);
        let to_record = self.types.pointee(base.ty.ty).is_some_and(|to| self.types.is_record(to.ty));
        if to_record {
            diagnostic = diagnostic.note(format!("did you mean '->{field}'?"));
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    pub fn no_such_member(&mut self, record: RecordId, ty: QualType, field: Symbol, span: Span) -> Expr {
        let mut names = Vec::new();
        self.member_names(record, &mut names);
        let shown = self.show(ty.ty);
        let text = format!("'{shown}' has no member named '{field}'");
        let mut diagnostic = Diagnostic::error("no-such-member", span, text);
        if let Some(similar) = similar_name(field.as_str(), names.iter().map(|(name, _)| *name)) {
            diagnostic = diagnostic.note(format!("did you mean '{similar}'?"));
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    pub fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        // `((int *)a)[i]` is no subscript of the array, though the cast changes nothing.
        let (base, index) = (self.expr(base), self.expr(index));
        let is_array = [&base, &index].iter().any(|e| self.types.element(e.ty.ty).is_some());
        let (base, index) = (self.value_of(base), self.value_of(index));
        let (types, a, b) = (&self.types, base.ty.ty, index.ty.ty);
        if types.is_error(a) || types.is_error(b) {
            return self.error_expr(span);
        }
        if types.is_unsupported(a) {
            let int = QualType::plain(self.common.int);
            return self.unsupported_lvalue(int, "an element of a vector".to_owned(), span);
        }
        let (mut pointer, index) = if types.is_pointer(a) && types.is_integer(b) {
            (base, index)
        } else if types.is_integer(a) && types.is_pointer(b) {
            (index, base)
        } else {
            let text = format!("cannot subscript '{}' with '{}'", self.show(a), self.show(b));
            self.error("bad-subscript", span, text);
            return self.error_expr(span);
        };
        let bound = match &mut pointer.kind {
            ExprKind::Decay(array) if is_array => {
                // An element of this row is used, not only the row's address.
                used(array);
                self.bound_of(array)
            }
            _ => Bound::NoArray,
        };
        let address = self.ptr_add(pointer, index, false, bound, span);
        self.deref(address, span)
    }

    /// What a subscript of this array demands. As in GCC, the last array of a record behind a pointer is
    /// taken for a flexible one, of whatever length it is; that of a declared object is not.
    fn bound_of(&self, array: &Expr) -> Bound {
        let TypeKind::Array { len, .. } = *self.types.kind(array.ty.ty) else { return Bound::NoArray };
        let is_member = matches!(array.kind, ExprKind::Member { .. });
        let may_be_flexible =
            !active("trailing-array-is-fixed") && is_member && comes_last(array) && is_behind_pointer(array);
        match len {
            ArrayLen::Unknown | ArrayLen::Known(0) => Bound::Open,
            ArrayLen::Known(_) | ArrayLen::Vla(_) if may_be_flexible => Bound::Open,
            ArrayLen::Known(_) | ArrayLen::Vla(_) => Bound::Within(len),
        }
    }

    /// `pointer + index`, or minus; both rvalues of the right kinds.
    pub fn ptr_add(&mut self, pointer: Expr, index: Expr, negate: bool, bound: Bound, span: Span) -> Expr {
        let Some(size) = self.pointee_size(&pointer, span) else { return self.error_expr(span) };
        let ty = pointer.ty.ty;
        let (ptr, index, size) = (Box::new(pointer), Box::new(index), Box::new(size));
        node(ExprKind::PtrAdd { ptr, index, size, negate, bound }, ty, span)
    }

    /// Size of what a pointer points to; reports an incomplete type.
    pub fn pointee_size(&mut self, pointer: &Expr, span: Span) -> Option<Expr> {
        let to = self.types.pointee(pointer.ty.ty)?;
        if self.types.is_error(to.ty) {
            return None;
        }
        let size = self.size_expr(to.ty, span);
        if size.is_none() {
            let shown = self.types.show(to);
            self.error(
                "incomplete-type",
                span,
                format!("arithmetic on a pointer to incomplete type '{shown}'"),
            );
        }
        size
    }

    pub fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        match self.types.pointee(pointer.ty.ty) {
            Some(to) => {
                let mut object = Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: to, span };
                // `*&a[i]` is `a[i]`.
                used(&mut object);
                object
            }
            None if self.types.is_error(pointer.ty.ty) => self.error_expr(span),
            None => {
                let shown = self.show(pointer.ty.ty);
                self.error("not-a-pointer", span, format!("'*' applied to '{shown}', not a pointer"));
                self.error_expr(span)
            }
        }
    }

    /// `&operand`
    pub fn address_of(&mut self, mut operand: Expr, span: Span) -> Expr {
        if self.types.is_error(operand.ty.ty) {
            return self.error_expr(span);
        }
        if matches!(operand.kind, ExprKind::Member { bits: Some(_), .. }) {
            self.error("bit-field", span, "cannot take the address of a bit-field");
            return self.error_expr(span);
        }
        if !is_lvalue(&operand) {
            self.error(
                "lvalue-required",
                span,
                "cannot take the address of a value that is not stored anywhere",
            );
            return self.error_expr(span);
        }
        self.take_address(&operand);
        only_address(&mut operand);
        let ty = self.types.pointer_to(operand.ty);
        match operand.kind {
            ExprKind::Deref(pointer) => Expr { ty: QualType::plain(ty), span, ..*pointer },
            _ => node(ExprKind::AddrOf(Box::new(operand)), ty, span),
        }
    }

    // offsetof

    pub fn offsetof(&mut self, name: &ast::TypeName, path: &[Designator], span: Span) -> Expr {
        let (mut ty, _, _) = self.type_in_expr(name);
        let mut constant = 0u64;
        let mut dynamic: Option<Expr> = None;
        for step in path {
            if self.types.is_error(ty.ty) {
                return self.error_expr(span);
            }
            match step {
                Designator::Field(field, field_span) => {
                    let Some(record) = self.types.record_of(ty.ty) else {
                        let shown = self.types.show(ty);
                        let text = format!("member '{field}' requested in '{shown}', not a struct or union");
                        self.error("not-a-record", *field_span, text);
                        return self.error_expr(span);
                    };
                    let Some(found) = self.find_member(record, *field) else {
                        return self.no_such_member(record, ty, *field, *field_span);
                    };
                    if found.bits.is_some() {
                        self.error("bit-field", *field_span, "'offsetof' of a bit-field");
                        return self.error_expr(span);
                    }
                    constant += found.offset;
                    ty = found.ty;
                }
                Designator::Index(index) => match self.offset_of_index(ty, index, &mut constant, dynamic) {
                    Ok((elem, sum)) => {
                        ty = elem;
                        dynamic = sum;
                    }
                    Err(()) => return self.error_expr(span),
                },
                Designator::Range(..) => {
                    self.error("bad-offsetof", span, "a range in 'offsetof'");
                    return self.error_expr(span);
                }
            }
        }
        let constant = self.size_const(constant, span);
        match dynamic {
            None => constant,
            Some(sum) => self.size_sum(constant, sum, span),
        }
    }

    fn offset_of_index(
        &mut self,
        ty: QualType,
        index: &ast::Expr,
        constant: &mut u64,
        dynamic: Option<Expr>,
    ) -> Result<(QualType, Option<Expr>), ()> {
        let value = self.rvalue(index);
        let Some((elem, _)) = self.types.element(ty.ty) else {
            if !self.types.is_error(ty.ty) {
                let shown = self.types.show(ty);
                self.error("bad-offsetof", index.span, format!("subscript of '{shown}', not an array"));
            }
            return Err(());
        };
        if !self.types.is_integer(value.ty.ty) {
            if !self.types.is_error(value.ty.ty) {
                self.error("bad-offsetof", index.span, "the subscript is not an integer");
            }
            return Err(());
        }
        let size = self.types.layout(elem.ty).map_or(0, |l| l.size);
        if let Some(n) = self.eval_int(&value) {
            let n = self.types.extend(value.ty.ty, n) as u64;
            *constant = constant.wrapping_add(n.wrapping_mul(size));
            return Ok((elem, dynamic));
        }
        let n = self.convert(value, self.common.size);
        let size = self.size_const(size, index.span);
        let kind = ExprKind::Binary { op: BinaryOp::Mul, lhs: Box::new(n), rhs: Box::new(size) };
        let scaled = node(kind, self.common.size, index.span);
        let sum = match dynamic {
            None => scaled,
            Some(before) => self.size_sum(before, scaled, index.span),
        };
        Ok((elem, Some(sum)))
    }

    fn size_sum(&self, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let kind = ExprKind::Binary { op: BinaryOp::Add, lhs: Box::new(lhs), rhs: Box::new(rhs) };
        node(kind, self.common.size, span)
    }

    /// Whether assigning a value of this type would overwrite a `const` member.
    pub fn has_const_member(&self, ty: QualType) -> bool {
        match *self.types.kind(ty.ty) {
            TypeKind::Record(id) => self.types.records[id].def.as_ref().is_some_and(|def| {
                def.fields.iter().any(|f| f.ty.quals.is_const || self.has_const_member(f.ty))
            }),
            TypeKind::Array { elem, .. } => elem.quals.is_const || self.has_const_member(elem),
            _ => false,
        }
    }
}

/// An element whose address is taken, and nothing more: one past the end is allowed.
pub(crate) fn only_address(element: &mut Expr) {
    set_bound(element, |bound| if let Bound::Within(len) = bound { Bound::UpTo(len) } else { bound });
}

/// An element that is used itself, not only its address.
fn used(element: &mut Expr) {
    set_bound(element, |bound| if let Bound::UpTo(len) = bound { Bound::Within(len) } else { bound });
}

/// Changes what the subscript `a[i]` demands; does nothing to any other lvalue.
fn set_bound(element: &mut Expr, change: impl FnOnce(Bound) -> Bound) {
    if let ExprKind::Deref(address) = &mut element.kind
        && let ExprKind::PtrAdd { bound, .. } = &mut address.kind
    {
        *bound = change(*bound);
    }
}

/// Returns true if every member on the way to `member` is the last of its record.
fn comes_last(member: &Expr) -> bool {
    match &member.kind {
        ExprKind::Member { base, last, .. } => *last && comes_last(base),
        _ => true,
    }
}

/// Returns true if the object that holds an lvalue is reached by a pointer, not by its name.
fn is_behind_pointer(lvalue: &Expr) -> bool {
    match &lvalue.kind {
        ExprKind::Member { base, .. } => is_behind_pointer(base),
        ExprKind::Deref(address) => match &address.kind {
            ExprKind::PtrAdd { ptr, bound: Bound::Open | Bound::Within(_) | Bound::UpTo(_), .. } => {
                matches!(&ptr.kind, ExprKind::Decay(array) if is_behind_pointer(array))
            }
            _ => true,
        },
        _ => false,
    }
}
