//! Designators of initialisers: `.a[3].b` as steps from member to member.

use crate::check::Checker;
use crate::types::{ArrayLen, QualType};
use braid_syntax::ast::{self, Designator};

/// One resolved designator.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Field(usize),
    Elements { first: u64, last: u64 },
}

impl Checker<'_> {
    pub fn resolve(&mut self, ty: QualType, designators: &[Designator]) -> Option<Vec<Step>> {
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
