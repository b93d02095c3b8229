//! Values of symbols, read off the SAT solver's model.

use crate::arrays::Read;
use crate::blast::Blaster;
use crate::lit::Lit;
use crate::sat::Sat;
use braid_logic::{ArrayValue, Assignment, Node, Sort, SymbolId, Term, Terms, Value};

impl Blaster<Sat> {
    /// The values of all symbols that have been translated. Must follow a satisfiable search.
    pub fn model(&self, terms: &Terms) -> Assignment {
        let mut model = Assignment::new();
        for symbol in terms.symbols() {
            if let Some(value) = self.symbol_value(terms, symbol) {
                model.set(symbol, value);
            }
        }
        for (symbol, reads) in self.arrays.symbols() {
            let sort = terms.sort(symbol);
            if let (Node::Symbol(id), Some(value)) = (terms.node(symbol), self.array_value(sort, reads)) {
                model.set(id, Value::Array(value));
            }
        }
        model
    }

    /// The value of a symbol that is no array.
    fn symbol_value(&self, terms: &Terms, symbol: SymbolId) -> Option<Value> {
        let term: Term = terms.symbol_term(symbol);
        match terms.sort(term) {
            Sort::Bool => Some(Value::Bool(self.gates.sink().value(self.known_literal(term)?))),
            Sort::BitVec(width) => {
                Some(Value::Bits { width, bits: self.number_value(self.known_bits(term)?) })
            }
            Sort::Array { .. } | Sort::Int => None,
        }
    }

    fn number_value(&self, bits: &[Lit]) -> u128 {
        bits.iter().rev().fold(0, |number, bit| number << 1 | u128::from(self.gates.sink().value(*bit)))
    }

    /// What the reads say; where nothing was read, what was read elsewhere.
    fn array_value(&self, sort: Sort, reads: &[Read]) -> Option<ArrayValue> {
        let Sort::Array { index, element } = sort else { return None };
        let elsewhere = self.arrays.elsewhere(sort);
        let default = reads.iter().find(|read| Some(&*read.index) == elsewhere);
        let default = default.map_or(0, |read| self.number_value(&read.element));
        let mut value = ArrayValue::constant(index, element, default);
        for read in reads {
            value.store(self.number_value(&read.index), self.number_value(&read.element));
        }
        Some(value)
    }
}
