//! What one thread knows for sure of memory: objects changed since their birth, path by path.

use crate::object::{ObjectNo, Objects};
use crate::{Contents, Initial, Stored};
use braid_logic::{Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Known {
    pub contents: Contents,
    pub shadow: Option<Contents>,
    /// Bool.
    pub alive: Term,
}

/// Objects that differ from what they were at birth.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    changed: Rc<BTreeMap<ObjectNo, Rc<Known>>>,
}

impl Memory {
    pub fn known(&self, object: ObjectNo) -> Option<&Known> {
        self.changed.get(&object).map(|known| &**known)
    }

    pub fn alive(&self, terms: &mut Terms, object: ObjectNo) -> Term {
        self.known(object).map_or_else(|| terms.bool(true), |known| known.alive)
    }

    pub fn contents(&self, objects: &Objects, object: ObjectNo) -> Contents {
        match self.known(object) {
            Some(known) => known.contents.clone(),
            None => {
                objects.get(object).map_or_else(|| Contents::new(0, Initial::Zero), |o| o.contents.clone())
            }
        }
    }

    /// The second address space; zero at first.
    pub fn shadow(&self, objects: &Objects, object: ObjectNo) -> Contents {
        let known = self.known(object).and_then(|known| known.shadow.clone());
        known.unwrap_or_else(|| Contents::new(objects.get(object).map_or(0, |o| o.room), Initial::Zero))
    }

    /// The object for a change.
    pub fn change(&mut self, terms: &mut Terms, objects: &Objects, object: ObjectNo) -> &mut Known {
        let map = Rc::make_mut(&mut self.changed);
        let entry = map.entry(object).or_insert_with(|| {
            let contents =
                objects.get(object).map_or_else(|| Contents::new(0, Initial::Zero), |o| o.contents.clone());
            Rc::new(Known { contents, shadow: None, alive: terms.bool(true) })
        });
        Rc::make_mut(entry)
    }

    /// Whether the objects up to `newest` are in a later memory what they are in this one, as far as can be
    /// seen at once.
    pub fn is_kept(&self, always: Term, objects: &Objects, newest: ObjectNo, later: &Memory) -> bool {
        if Rc::ptr_eq(&self.changed, &later.changed) {
            return true;
        }
        let numbers = self.changed.keys().chain(later.changed.keys()).filter(|number| **number <= newest);
        numbers.into_iter().all(|number| match (self.changed.get(number), later.changed.get(number)) {
            (Some(before), Some(after)) => {
                Rc::ptr_eq(before, after)
                    || before.alive == after.alive
                        && same_contents(&before.contents, &after.contents)
                        && same_shadows(&before.shadow, &after.shadow)
            }
            (None, Some(after)) => {
                let birth = objects.get(*number).map(|object| &object.contents);
                after.alive == always
                    && after.shadow.is_none()
                    && birth.is_some_and(|birth| same_contents(birth, &after.contents))
            }
            (_, None) => false,
        })
    }

    /// What is known where two paths meet: the first one's if `cond` holds.
    pub fn merge(terms: &mut Terms, objects: &Objects, cond: Term, a: &Memory, b: &Memory) -> Memory {
        if Rc::ptr_eq(&a.changed, &b.changed) {
            return a.clone();
        }
        let mut merged = (*a.changed).clone();
        for (number, known) in a.changed.iter() {
            if !b.changed.contains_key(number) {
                // Either born on the first path, or untouched on the second.
                let mut untouched = Memory::default();
                let other = untouched.change(terms, objects, *number).clone();
                merged.insert(*number, Rc::new(merge_known(terms, cond, known, &other)));
            }
        }
        for (number, other) in b.changed.iter() {
            match a.changed.get(number) {
                Some(known) if Rc::ptr_eq(known, other) => {}
                Some(known) => {
                    let both = merge_known(terms, cond, known, other);
                    merged.insert(*number, Rc::new(both));
                }
                None => {
                    let mut untouched = Memory::default();
                    let known = untouched.change(terms, objects, *number).clone();
                    merged.insert(*number, Rc::new(merge_known(terms, cond, &known, other)));
                }
            }
        }
        Memory { changed: Rc::new(merged) }
    }
}

fn merge_known(terms: &mut Terms, cond: Term, a: &Known, b: &Known) -> Known {
    let shadow = match (&a.shadow, &b.shadow) {
        (None, None) => None,
        (Some(a), Some(b)) => Some(Contents::merge(terms, cond, a, b)),
        (Some(a), None) => Some(Contents::merge(terms, cond, a, &Contents::new(a.size(), Initial::Zero))),
        (None, Some(b)) => Some(Contents::merge(terms, cond, &Contents::new(b.size(), Initial::Zero), b)),
    };
    Known {
        contents: Contents::merge(terms, cond, &a.contents, &b.contents),
        shadow,
        alive: terms.ite(cond, a.alive, b.alive),
    }
}

fn same_shadows(a: &Option<Contents>, b: &Option<Contents>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_contents(a, b),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn same_contents(a: &Contents, b: &Contents) -> bool {
    if a.same(b) {
        return true;
    }
    let (Some(a), Some(b)) = (a.written(), b.written()) else { return false };
    let told = |entry: &(u64, u64, Stored)| !matches!(entry.2, Stored::Merged(_));
    a == b && a.iter().all(told)
}
