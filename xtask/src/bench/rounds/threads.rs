//! Time and memory up to the violation, in unsafe families of very many threads.

use super::ask::{Asker, Cost, How};
use super::fit;
use braid_testkit::families;

const THREADS: [u32; 4] = [10, 20, 50, 100];
/// With the largest number of threads all engines together should find it within so many seconds and MiB.
const AIM: (f64, u64) = (10.0, 1024);

/// A family, and its size with so many threads besides `main`.
type Growing = (&'static str, fn(u32) -> Vec<u32>);

const FAMILIES: &[Growing] = &[
    ("twostage", |n| vec![n / 2, 1]),
    ("reorder", |n| vec![n / 2, 1]),
    ("sigma", |n| vec![n]),
    ("jobs", |n| vec![n, n / 2]),
];

const ASKED: [How; 3] = [How::Rounds(None), How::Theory, How::All];

/// Measures all families and prints them. Returns true if no answer is wrong and the aim is reached.
pub fn run(asker: &Asker) -> Result<bool, String> {
    println!("\nviolations among very many threads");
    println!(
        "{:<10} {:>7} {:<6} {:<8} {:>8} {:>6} {:>7} {:>9}",
        "", "threads", "", "", "seconds", "MiB", "rounds", "clauses"
    );
    let mut passes = true;
    for (family, size) in FAMILIES {
        let mut costs: Vec<(u32, How, Cost)> = Vec::new();
        for count in THREADS {
            let instance = families::instance(family, &size(count), false).ok_or("a family is missing")?;
            for how in ASKED {
                let cost = asker.ask(&instance, how)?;
                print_row(family, count, how, &cost);
                passes &= cost.word() != "WRONG" && is_reached(count, how, &cost);
                costs.push((count, how, cost));
            }
        }
        print_exponents(family, &costs);
    }
    let (seconds, mebibytes) = AIM;
    println!(
        "aim: found among {} threads by all engines together within {seconds} s and {mebibytes} MiB: {}",
        THREADS[THREADS.len() - 1],
        if passes { "pass" } else { "FAIL" }
    );
    Ok(passes)
}

/// Returns true unless the aim is about this question and missed.
fn is_reached(threads: u32, how: How, cost: &Cost) -> bool {
    let asked = how == How::All && Some(&threads) == THREADS.last();
    let fits = cost.seconds <= AIM.0 && cost.mebibytes.is_none_or(|mebibytes| mebibytes <= AIM.1);
    !asked || (cost.code == 10 && fits)
}

fn print_row(family: &str, threads: u32, how: How, cost: &Cost) {
    let number = |value: Option<u64>| value.map_or("-".to_string(), |value| value.to_string());
    println!(
        "{family:<10} {threads:>7} {:<6} {:<8} {:>8.2} {:>6} {:>7} {:>9}",
        how.name(),
        cost.word(),
        cost.seconds,
        number(cost.mebibytes),
        number(cost.rounds),
        number(cost.size.map(|size| size.clauses))
    );
}

/// The exponents of seconds and clauses with the number of threads, of the questions that were answered.
fn print_exponents(family: &str, costs: &[(u32, How, Cost)]) {
    for how in ASKED {
        let own = || costs.iter().filter(|(_, asked, cost)| *asked == how && cost.code == 10);
        let seconds: Vec<(f64, f64)> = own().map(|(n, _, cost)| (f64::from(*n), cost.seconds)).collect();
        let sizes = own().filter_map(|(n, _, cost)| Some((f64::from(*n), cost.size?.clauses as f64)));
        let sizes: Vec<(f64, f64)> = sizes.collect();
        let [time, clauses] = [&seconds, &sizes].map(|points| fit::text(fit::exponent(points)));
        println!("{family:<10} {:<6} exponents: seconds {time}, clauses {clauses}", how.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_aim_is_about_all_engines_and_the_most_threads() {
        let cost = |code, seconds| Cost {
            code,
            seconds,
            mebibytes: Some(9),
            size: None,
            rounds: None,
            verdict: String::new(),
        };
        assert!(is_reached(100, How::All, &cost(10, 9.0)));
        assert!(!is_reached(100, How::All, &cost(10, 11.0)) && !is_reached(100, How::All, &cost(5, 1.0)));
        assert!(is_reached(50, How::All, &cost(5, 20.0)) && is_reached(100, How::Theory, &cost(5, 20.0)));
    }

    #[test]
    fn all_families_have_such_sizes() {
        for (family, size) in FAMILIES {
            assert!(families::instance(family, &size(10), false).is_some(), "{family}");
        }
    }
}
