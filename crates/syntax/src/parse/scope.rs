//! Which names are types, scope by scope: all that parsing C needs to know of declarations.

use crate::ast::BasicType;
use braid_base::{HashMap, HashSet, Symbol};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    Ordinary,
    Typedef,
    /// A type the compiler knows by name; a program may still declare the name itself.
    Builtin(BasicType),
}

/// A table with an undo log: closing a scope brings back what its declarations had hidden.
pub struct Names {
    current: HashMap<Symbol, NameKind>,
    hidden: Vec<(Symbol, Option<NameKind>)>,
    scopes: Vec<usize>,
    /// Names that were used as types without being declared as such.
    assumed: HashSet<Symbol>,
}

/// `_Float16` and its like are narrower than any type we compute with; like `_Float128` they may
/// appear in headers only.
const BUILTIN_TYPES: &[(&str, BasicType)] = &[
    ("__builtin_va_list", BasicType::VaList),
    ("__int128_t", BasicType::Int128),
    ("__uint128_t", BasicType::UInt128),
    ("_Float32", BasicType::Float),
    ("_Float64", BasicType::Double),
    ("_Float32x", BasicType::Double),
    ("_Float64x", BasicType::LongDouble),
    ("__float80", BasicType::LongDouble),
    ("_Float128", BasicType::Float128),
    ("__float128", BasicType::Float128),
    ("_Float16", BasicType::Float128),
    ("__bf16", BasicType::Float128),
    ("_Decimal32", BasicType::Float128),
    ("_Decimal64", BasicType::Float128),
    ("_Decimal128", BasicType::Float128),
];

impl Names {
    pub fn new() -> Names {
        let current =
            BUILTIN_TYPES.iter().map(|&(name, ty)| (Symbol::intern(name), NameKind::Builtin(ty))).collect();
        Names { current, hidden: Vec::new(), scopes: Vec::new(), assumed: HashSet::default() }
    }

    pub fn open(&mut self) {
        self.scopes.push(self.hidden.len());
    }

    pub fn close(&mut self) {
        let mark = self.scopes.pop().expect("scopes are opened and closed in pairs");
        for (name, before) in self.hidden.drain(mark..).rev() {
            match before {
                Some(kind) => self.current.insert(name, kind),
                None => self.current.remove(&name),
            };
        }
    }

    pub fn declare(&mut self, name: Symbol, kind: NameKind) {
        let before = self.current.insert(name, kind);
        if !self.scopes.is_empty() {
            self.hidden.push((name, before));
        }
    }

    /// Takes an unknown name for a type from here to the end of the file, whatever the scope. Whether
    /// this is the first time for this name.
    pub fn assume_type(&mut self, name: Symbol) -> bool {
        self.current.entry(name).or_insert(NameKind::Typedef);
        self.assumed.insert(name)
    }

    pub fn is_declared(&self, name: Symbol) -> bool {
        self.current.contains_key(&name)
    }

    /// The type a name stands for, if it stands for one.
    pub fn type_named(&self, name: Symbol) -> Option<NameKind> {
        self.current.get(&name).copied().filter(|&kind| kind != NameKind::Ordinary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_declarations_hide_and_end() {
        let name = Symbol::intern("T");
        let mut names = Names::new();
        names.declare(name, NameKind::Typedef);
        names.open();
        names.declare(name, NameKind::Ordinary);
        assert_eq!(names.type_named(name), None);
        names.open();
        names.declare(name, NameKind::Typedef);
        names.close();
        assert_eq!(names.type_named(name), None);
        names.close();
        assert_eq!(names.type_named(name), Some(NameKind::Typedef));
    }
}
