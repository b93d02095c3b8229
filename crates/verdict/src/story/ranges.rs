//! A set of bytes as ranges.

use std::collections::BTreeMap;

/// Disjoint ranges, start to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    pub fn insert(&mut self, start: u64, len: u64) {
        let (mut start, mut end) = (start, start.saturating_add(len));
        let overlapping: Vec<u64> =
            self.0.range(..=end).rev().take_while(|(_, e)| **e >= start).map(|(s, _)| *s).collect();
        for old in overlapping {
            if let Some(old_end) = self.0.remove(&old) {
                start = start.min(old);
                end = end.max(old_end);
            }
        }
        self.0.insert(start, end);
    }

    pub fn remove(&mut self, start: u64, len: u64) {
        let end = start.saturating_add(len);
        let overlapping: Vec<(u64, u64)> =
            self.0.range(..end).rev().take_while(|(_, e)| **e > start).map(|(s, e)| (*s, *e)).collect();
        for (old, old_end) in overlapping {
            self.0.remove(&old);
            if old < start {
                self.0.insert(old, start);
            }
            if old_end > end {
                self.0.insert(end, old_end);
            }
        }
    }

    pub fn touches(&self, start: u64, len: u64) -> bool {
        let end = start.saturating_add(len);
        self.0.range(..end).next_back().is_some_and(|(_, e)| *e > start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn against_a_set_of_bytes() {
        let mut ranges = Ranges::default();
        let mut bytes = std::collections::BTreeSet::new();
        let mut rng = braid_base::rng::Rng::new(7);
        for _ in 0..3000 {
            let (start, len, what) = (rng.below(60) as u64, rng.range(1, 7) as u64, rng.below(3));
            match what {
                0 => {
                    ranges.insert(start, len);
                    bytes.extend(start..start + len);
                }
                1 => {
                    ranges.remove(start, len);
                    (start..start + len).for_each(|byte| {
                        bytes.remove(&byte);
                    });
                }
                _ => {
                    let expected = (start..start + len).any(|byte| bytes.contains(&byte));
                    assert_eq!(ranges.touches(start, len), expected, "{start} {len} in {ranges:?}");
                }
            }
        }
    }
}
