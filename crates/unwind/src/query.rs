//! Questions about pointers that can be answered only when all objects are known.

use crate::exec::{Step, Unwinder};
use braid_analysis::ObjectId;
use braid_bounded::Interrupted;
use braid_logic::Term;
use braid_symex::ObjectNo;
use braid_symex::object::Kind;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Access {
        write: bool,
    },
    /// Whether it points to a byte of a live object, or to the start of an empty one.
    Inside,
    /// Of a heap block: `outside` says that it is none, or not its start.
    Free,
}

/// What is wrong with a pointer to none of the known objects.
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

impl Unwinder<'_> {
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

    pub fn answer_queries(&mut self) -> Step {
        for query in std::mem::take(&mut self.queries) {
            self.answer(&query)?;
        }
        Ok(())
    }

    fn answer(&mut self, query: &Query) -> Step {
        let (mut zones, mut outside) = (Vec::new(), Vec::new());
        for number in self.objects_at(&query.places) {
            if (self.interrupt)() {
                return Err(Interrupted);
            }
            if query.known.contains(&number) {
                continue;
            }
            let zone = self.layout.is_in(self.terms, query.pointer, number);
            if self.terms.is_false(zone) {
                continue;
            }
            zones.push(zone);
            let Some(object) = self.out.objects.get(number) else { continue };
            let object = object.clone();
            let fits = match query.ask {
                Ask::Access { write: true } if object.read_only => self.terms.bool(false),
                Ask::Access { .. } => self.is_inside(number, query.pointer, query.len),
                Ask::Inside => self.is_strictly_inside(number, query.pointer),
                Ask::Free if object.kind == Kind::Heap => {
                    let start = self.layout.address(self.terms, number, 0);
                    self.terms.eq(query.pointer, start)
                }
                Ask::Free => self.terms.bool(false),
            };
            let misses = self.terms.not(fits);
            outside.push(self.terms.and(zone, misses));
        }
        let some = self.terms.or_all(zones);
        let none = self.terms.not(some);
        let outside = self.terms.or_all(outside);
        let outside = self.terms.and(outside, query.life);
        let gone = self.terms.not(query.life);
        let dead = self.terms.and(some, gone);
        for (symbol, meaning) in [(query.null, none), (query.outside, outside), (query.dead, dead)] {
            let defined = self.terms.eq(symbol, meaning);
            self.out.constraints.push(defined);
        }
        Ok(())
    }
}
