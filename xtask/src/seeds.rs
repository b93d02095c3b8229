//! A range of seeds being worked on: how far it is, and from where a later run can go on.

use braid_testkit::differential::parse_range;
use braid_testkit::harness;
use std::time::Instant;

/// Programs between two lines of progress.
const STEP: usize = 100;

pub struct Seeds {
    start: u64,
    finished: Vec<bool>,
    /// All before this one are finished.
    unbroken: usize,
    done: usize,
    begin: Instant,
}

impl Seeds {
    /// Reads `START..END`.
    pub fn parse(text: &str) -> Result<Seeds, String> {
        let range = parse_range(text).ok_or("expected a range of seeds, as in 0..20000")?;
        let count = usize::try_from(range.end - range.start).map_err(|e| e.to_string())?;
        let finished = vec![false; count];
        Ok(Seeds { start: range.start, finished, unbroken: 0, done: 0, begin: Instant::now() })
    }

    pub fn count(&self) -> usize {
        self.finished.len()
    }

    /// Works on all seeds; `note` sees each result and gives the words for lines of progress.
    pub fn run<T: Send>(
        mut self,
        jobs: Option<usize>,
        work: impl Fn(u64) -> T + Sync,
        mut note: impl FnMut(T) -> String,
    ) -> Result<(), String> {
        // What was built before does not count.
        self.begin = Instant::now();
        let (start, count) = (self.start, self.count());
        harness::in_parallel(
            count,
            jobs,
            |index| work(start + index as u64),
            |index, result| {
                let words = note(result);
                self.finish(index);
                if self.done.is_multiple_of(STEP) || self.done == count {
                    println!("{}", self.progress(&words));
                }
                Ok(())
            },
        )
    }

    fn finish(&mut self, index: usize) {
        self.done += 1;
        self.finished[index] = true;
        while self.finished.get(self.unbroken) == Some(&true) {
            self.unbroken += 1;
        }
    }

    fn progress(&self, words: &str) -> String {
        format!(
            "{} of {} programs compared, {words}, {} s; all seeds below {} are done",
            self.done,
            self.count(),
            self.begin.elapsed().as_secs(),
            self.start + self.unbroken as u64
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_holds_up_what_is_done() {
        let mut seeds = Seeds::parse("10..14").expect("a range");
        seeds.finish(0);
        seeds.finish(2);
        assert!(seeds.progress("").ends_with("all seeds below 11 are done"));
        seeds.finish(1);
        assert!(seeds.progress("").ends_with("all seeds below 13 are done"));
    }
}
