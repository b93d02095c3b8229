//! Questions about pointers that can be answered only when all objects are known.

use crate::events::Events;
use crate::exec::Step;
use braid_analysis::ObjectId;
use braid_bounded::Interrupted;
use braid_logic::{Term, Terms};
use braid_symex::ObjectNo;
use braid_symex::object::Kind;
use braid_symex::step::access::is_inside;
use braid_symex::step::address::is_strictly_inside;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Access {
        write: bool,
    },
    /// It points to a byte of a live object, or to the start of an empty one.
    Inside,
    /// It points to the start of a heap block: `outside` says that it does not.
    Free,
}

/// A question about a pointer to none of the known objects: the symbols say what is wrong with it.
pub(crate) struct Query {
    pub ask: Ask,
    pub pointer: Term,
    pub len: Term,
    /// Already dealt with.
    pub known: Vec<ObjectNo>,
    /// Abstract objects it may point to; `None` for all.
    pub places: Option<Rc<[ObjectId]>>,
    /// Bool: the object behind the pointer lives.
    pub life: Term,
    /// Symbols to be defined.
    pub null: Term,
    pub outside: Term,
    pub dead: Term,
}

impl Events<'_> {
    /// The objects of abstract ones, or all that others may see.
    pub fn objects_at(&self, places: &Option<Rc<[ObjectId]>>) -> Vec<ObjectNo> {
        match places {
            Some(places) => {
                let mut found: Vec<ObjectNo> =
                    places.iter().flat_map(|place| self.out.objects.of_place(*place)).copied().collect();
                found.sort();
                found.dedup();
                found
            }
            None => self
                .out
                .objects
                .iter()
                .filter(|(_, object)| !matches!(object.kind, Kind::Function(_)))
                .map(|(number, _)| number)
                .collect(),
        }
    }

    pub fn answer_queries(&mut self, terms: &mut Terms) -> Step {
        for query in std::mem::take(&mut self.pending.queries) {
            self.answer(terms, &query)?;
        }
        Ok(())
    }

    fn answer(&mut self, terms: &mut Terms, query: &Query) -> Step {
        let (mut zones, mut outside) = (Vec::new(), Vec::new());
        for number in self.objects_at(&query.places) {
            if (self.given.interrupt)() {
                return Err(Interrupted);
            }
            if query.known.contains(&number) {
                continue;
            }
            let zone = self.out.layout.is_in(terms, query.pointer, number);
            if terms.is_false(zone) {
                continue;
            }
            zones.push(zone);
            let Some(object) = self.out.objects.get(number) else { continue };
            let object = object.clone();
            let fits = match query.ask {
                Ask::Access { write: true } if object.read_only => terms.bool(false),
                Ask::Access { .. } => is_inside(terms, &self.out.objects, number, query.pointer, query.len),
                Ask::Inside => is_strictly_inside(terms, &self.out.objects, number, query.pointer),
                Ask::Free if object.kind == Kind::Heap => {
                    let start = self.out.layout.address(terms, number, 0);
                    terms.eq(query.pointer, start)
                }
                Ask::Free => terms.bool(false),
            };
            let misses = terms.not(fits);
            outside.push(terms.and(zone, misses));
        }
        let some = terms.or_all(zones);
        let none = terms.not(some);
        let outside = terms.or_all(outside);
        let outside = terms.and(outside, query.life);
        let gone = terms.not(query.life);
        let dead = terms.and(some, gone);
        for (symbol, meaning) in [(query.null, none), (query.outside, outside), (query.dead, dead)] {
            let defined = terms.eq(symbol, meaning);
            self.out.constraints.push(defined);
        }
        Ok(())
    }
}
