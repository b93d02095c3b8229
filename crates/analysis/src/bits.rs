//! Small sets of numbers as bits.

/// A set of small numbers; the last word is not zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub fn one(bit: usize) -> Bits {
        let mut bits = Bits::default();
        bits.insert(bit);
        bits
    }

    /// Whether it was new.
    pub fn insert(&mut self, bit: usize) -> bool {
        let word = bit / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let old = self.words[word];
        self.words[word] |= 1 << (bit % 64);
        self.words[word] != old
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether anything changed.
    pub fn union(&mut self, other: &Bits) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub fn remove(&mut self, other: &Bits) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
        self.trim();
    }

    pub fn intersect(&mut self, other: &Bits) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(index).copied().unwrap_or(0);
        }
        self.trim();
    }

    /// Equal sets have equal words.
    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        };
        self.words.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }
}

impl Extend<usize> for Bits {
    fn extend<T: IntoIterator<Item = usize>>(&mut self, iter: T) {
        iter.into_iter().for_each(|bit| _ = self.insert(bit));
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<T: IntoIterator<Item = usize>>(iter: T) -> Bits {
        let mut bits = Bits::default();
        bits.extend(iter);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut a: Bits = [1, 70, 200].into_iter().collect();
        let b: Bits = [70, 3].into_iter().collect();
        assert!(a.union(&b) && !a.union(&b));
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 3, 70, 200]);
        a.remove(&Bits::one(200));
        a.intersect(&[1, 70].into_iter().collect());
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 70]);
        assert!(a.contains(70) && !a.contains(6) && !a.contains(6000) && !a.is_empty());
    }
}
