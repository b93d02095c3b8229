//! The store: every term once.

use crate::bits;
use crate::node::Node;
use crate::ranges::{Range, Ranges};
use crate::sort::Sort;
use braid_base::ticks;
use braid_base::{HashMap, Idx, IndexVec, define_ids};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;

define_ids! {
    /// A term of one store. Arguments have smaller indices than what they are arguments of.
    Term "t";
    /// An uninterpreted constant.
    SymbolId "s";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Entry {
    node: Node,
    sort: Sort,
}

#[derive(Clone, Debug)]
struct SymbolInfo {
    name: String,
    term: Term,
}

/// All terms. Constructors are in the folder `build`.
#[derive(Clone, Debug)]
pub struct Terms {
    entries: IndexSet<Entry, FxBuildHasher>,
    symbols: IndexVec<SymbolId, SymbolInfo>,
    by_name: HashMap<String, SymbolId>,
    /// How many fresh symbols were made.
    fresh: usize,
    /// What was computed by [`Terms::rough_range`].
    rough: RefCell<Ranges>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            entries: IndexSet::default(),
            symbols: IndexVec::new(),
            by_name: HashMap::default(),
            fresh: 0,
            rough: RefCell::new(Ranges::ignoring_conditions()),
        }
    }
}

impl Terms {
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are; their indices are those below.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn node(&self, term: Term) -> Node {
        ticks::add(1);
        self.entry(term).node
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.entry(term).sort
    }

    fn entry(&self, term: Term) -> &Entry {
        self.entries.get_index(term.index()).expect("terms come from their own store")
    }

    /// The width of a bit-vector; panics for other sorts.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().expect("the operation works on bit-vectors")
    }

    /// What values a bit-vector can take, judging without the conditions of its choices, of which it has as
    /// many as the path to it is long. Each term is looked at once in the life of the store.
    pub fn rough_range(&self, term: Term) -> Range {
        self.rough.borrow_mut().range(self, term)
    }

    /// The one term with this top. Constructors call this after simplification.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        ticks::add(2);
        Term::from_usize(self.entries.insert_full(Entry { node, sort }).0)
    }

    /// The symbol of this name; panics if the name is taken by another sort.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&known) = self.by_name.get(name) {
            let term = self.symbols[known].term;
            assert_eq!(self.sort(term), sort, "symbol '{name}' has one sort");
            return term;
        }
        let id = self.symbols.next_id();
        let term = self.intern(Node::Symbol(id), sort);
        self.symbols.push(SymbolInfo { name: name.to_string(), term });
        self.by_name.insert(name.to_string(), id);
        term
    }

    /// A new symbol, whose name begins with `prefix`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.by_name.contains_key(&name) {
                return self.symbol(&name, sort);
            }
        }
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol].name
    }

    /// The term that is this symbol.
    pub fn symbol_term(&self, symbol: SymbolId) -> Term {
        self.symbols[symbol].term
    }

    /// The symbol of this name, if there is one.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// All symbols, in the order they were made.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = SymbolId> + ExactSizeIterator + use<> {
        self.symbols.ids()
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// The constant `value` modulo 2^width.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.intern(Node::Bits(value & bits::mask(width)), Sort::bits(width))
    }

    pub fn int(&mut self, value: i128) -> Term {
        self.intern(Node::Int(value), Sort::Int)
    }

    /// The value of a Boolean constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        if let Node::Bool(value) = self.node(term) { Some(value) } else { None }
    }

    /// The value of a bit-vector constant.
    pub fn as_bits(&self, term: Term) -> Option<u128> {
        if let Node::Bits(value) = self.node(term) { Some(value) } else { None }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, term: Term) -> Option<i128> {
        if let Node::Int(value) = self.node(term) { Some(value) } else { None }
    }

    /// The symbol, if the term is one.
    pub fn as_symbol(&self, term: Term) -> Option<SymbolId> {
        if let Node::Symbol(symbol) = self.node(term) { Some(symbol) } else { None }
    }

    pub fn is_true(&self, term: Term) -> bool {
        self.as_bool(term) == Some(true)
    }

    pub fn is_false(&self, term: Term) -> bool {
        self.as_bool(term) == Some(false)
    }

    /// Whether it is a Boolean, bit-vector or integer constant.
    pub fn is_constant(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Bool(_) | Node::Bits(_) | Node::Int(_))
    }
}
