//! Names and where they are visible.
//!
//! A [`NameSpace`] maps a name to its innermost binding in constant time: bindings lie on one stack,
//! each remembering the binding it hides, so leaving a scope pops and restores. Ordinary identifiers
//! and tags are two such spaces; labels and members have their own tables elsewhere.

use crate::hir::{EntityId, LocalId};
use crate::types::{EnumId, QualType, RecordId, TypeId};
use braid_base::{HashMap, Span, Symbol};

pub(crate) struct Bound<T> {
    pub name: Symbol,
    pub value: T,
    depth: u32,
    hidden: Option<u32>,
}

pub(crate) struct NameSpace<T> {
    stack: Vec<Bound<T>>,
    top: HashMap<Symbol, u32>,
}

impl<T> Default for NameSpace<T> {
    fn default() -> Self {
        NameSpace { stack: Vec::new(), top: HashMap::default() }
    }
}

impl<T> NameSpace<T> {
    pub fn get(&self, name: Symbol) -> Option<&T> {
        self.top.get(&name).map(|&i| &self.stack[i as usize].value)
    }

    fn get_at(&self, name: Symbol, depth: u32) -> Option<&T> {
        let bound = &self.stack[*self.top.get(&name)? as usize];
        (bound.depth == depth).then_some(&bound.value)
    }

    fn bind(&mut self, name: Symbol, value: T, depth: u32) {
        if let Some(&i) = self.top.get(&name) {
            let bound = &mut self.stack[i as usize];
            if bound.depth == depth {
                bound.value = value;
                return;
            }
        }
        let index = self.stack.len() as u32;
        let hidden = self.top.insert(name, index);
        self.stack.push(Bound { name, value, depth, hidden });
    }

    fn leave(&mut self, depth: u32) -> Vec<Bound<T>> {
        let start = self.stack.partition_point(|b| b.depth < depth);
        for bound in self.stack[start..].iter().rev() {
            match bound.hidden {
                Some(outer) => self.top.insert(bound.name, outer),
                None => self.top.remove(&bound.name),
            };
        }
        self.stack.split_off(start)
    }

    /// All names bound, visible or hidden, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.stack.iter().map(|b| b.name)
    }
}

/// What an ordinary identifier stands for.
#[derive(Clone)]
pub(crate) enum Binding {
    /// `align`: set by an `aligned` attribute of the typedef.
    Typedef {
        ty: QualType,
        align: Option<u64>,
        span: Span,
    },
    EnumConst {
        value: u128,
        ty: TypeId,
        span: Span,
    },
    Local(LocalId),
    Entity(EntityId),
    /// A parameter of a prototype, a nested function, an object that could not be modelled: it has a
    /// type, but reaching it stops the run.
    Unsupported {
        ty: QualType,
        reason: String,
    },
    /// Already reported; everything is accepted on it.
    Error,
}

#[derive(Clone, Copy)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

pub(crate) struct LeftScope {
    ordinary: Vec<Bound<Binding>>,
    tags: Vec<Bound<Tag>>,
}

#[derive(Default)]
pub(crate) struct Scopes {
    pub ordinary: NameSpace<Binding>,
    pub tags: NameSpace<Tag>,
    depth: u32,
}

impl Scopes {
    pub fn at_file_scope(&self) -> bool {
        self.depth == 0
    }

    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// Leaves the scope; what it bound can be entered again with [`Scopes::reenter`].
    pub fn leave(&mut self) -> LeftScope {
        let left = LeftScope { ordinary: self.ordinary.leave(self.depth), tags: self.tags.leave(self.depth) };
        self.depth -= 1;
        left
    }

    pub fn reenter(&mut self, left: LeftScope) {
        self.depth += 1;
        for bound in left.ordinary {
            self.ordinary.bind(bound.name, bound.value, self.depth);
        }
        for bound in left.tags {
            self.tags.bind(bound.name, bound.value, self.depth);
        }
    }

    pub fn bind(&mut self, name: Symbol, value: Binding) {
        self.ordinary.bind(name, value, self.depth);
    }

    pub fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        self.tags.bind(name, tag, self.depth);
    }

    /// The binding made in the innermost scope itself.
    pub fn here(&self, name: Symbol) -> Option<&Binding> {
        self.ordinary.get_at(name, self.depth)
    }

    pub fn tag_here(&self, name: Symbol) -> Option<Tag> {
        self.tags.get_at(name, self.depth).copied()
    }
}

/// The candidate closest to `name` in spelling, if it is close enough to be a slip of the hand.
pub(crate) fn similar_name(name: &str, candidates: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let limit = (name.len() / 3).clamp(1, 3);
    candidates
        .filter(|c| c.as_str() != name && !c.as_str().starts_with("__"))
        .filter(|c| c.as_str().len().abs_diff(name.len()) <= limit)
        .map(|c| (edit_distance(name.as_bytes(), c.as_str().as_bytes()), c))
        .filter(|(distance, _)| *distance <= limit && *distance < name.len())
        .min()
        .map(|(_, c)| c)
}

/// Edit distance with swaps of neighbours.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = last[j] + usize::from(a[i] != b[j]);
            let mut best = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sym(text: &str) -> Symbol {
        Symbol::intern(text)
    }

    #[test]
    fn inner_bindings_hide_and_give_way() {
        let mut scopes = Scopes::default();
        scopes.bind(sym("x"), Binding::Entity(EntityId(0)));
        scopes.enter();
        assert!(scopes.here(sym("x")).is_none());
        scopes.bind(sym("x"), Binding::Local(LocalId(3)));
        assert!(matches!(scopes.ordinary.get(sym("x")), Some(Binding::Local(_))));
        let left = scopes.leave();
        assert!(matches!(scopes.ordinary.get(sym("x")), Some(Binding::Entity(_))));
        scopes.bind(sym("y"), Binding::Error);
        scopes.reenter(left);
        assert!(matches!(scopes.ordinary.get(sym("x")), Some(Binding::Local(LocalId(3)))));
        scopes.leave();
        assert!(matches!(scopes.ordinary.get(sym("y")), Some(Binding::Error)));
    }

    #[test]
    fn suggestions_are_close_and_deterministic() {
        let names = ["counter", "count", "mutex"].map(sym);
        assert_eq!(similar_name("coutner", names.into_iter()), Some(sym("counter")));
        assert_eq!(similar_name("conut", names.into_iter()), Some(sym("count")));
        assert_eq!(similar_name("zzz", names.into_iter()), None);
    }
}
