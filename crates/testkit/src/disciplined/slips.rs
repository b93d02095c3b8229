//! Slips: where a program departs from its discipline.
//!
//! Each place at which the generator could do something wrong asks here. A run without a slip counts the places; another run
//! from the same seed makes the chosen one. Nothing is drawn for the question, so both runs agree up to it.

/// The places seen so far, and the one at which to slip.
pub struct Slips {
    seen: usize,
    chosen: Option<usize>,
}

impl Slips {
    /// No slip at all.
    pub fn none() -> Slips {
        Slips { seen: 0, chosen: None }
    }

    /// A slip at the place of this number.
    pub fn one(place: usize) -> Slips {
        Slips { seen: 0, chosen: Some(place) }
    }

    /// Returns true if this place, the next one, is where to slip. It counts as so many places.
    pub fn here(&mut self, weight: usize) -> bool {
        let places = self.seen..self.seen + weight;
        self.seen = places.end;
        self.chosen.is_some_and(|chosen| places.contains(&chosen))
    }

    /// The number of places seen.
    pub fn places(&self) -> usize {
        self.seen
    }
}
