//! A count of the work that a thread has done, in units that do not depend on the machine.
//!
//! Budgets that must give the same answer everywhere cannot use a clock. Whoever does small pieces of work of about
//! the same size (a term made or looked at, a literal assigned, a clause added) adds one for each; whoever shares out
//! budgets reads the count from time to time. A tick takes a few dozen nanoseconds, about.

use std::cell::Cell;

thread_local! {
    static TICKS: Cell<u64> = const { Cell::new(0) };
}

/// Adds to the count of this thread.
#[inline]
pub fn add(count: u64) {
    TICKS.with(|ticks| ticks.set(ticks.get().wrapping_add(count)));
}

/// The count of this thread since it began.
#[inline]
pub fn total() -> u64 {
    TICKS.with(Cell::get)
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_thread_counts_its_own() {
        let before = super::total();
        super::add(3);
        std::thread::spawn(|| super::add(5)).join().expect("no panic");
        assert_eq!(super::total() - before, 3);
    }
}
