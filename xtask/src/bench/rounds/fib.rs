//! A program whose violation takes very many rounds: two threads that add into each other's variable.
//!
//! The largest sum comes from strict alternation, so n iterations take n rounds, and `main`, which compares, one more. 5, 6 and 11 iterations are in table 1 of
//! Inverso et al. (CAV 2014).

use super::ask::{Asker, How};
use braid_testkit::families;

const ITERATIONS: std::ops::RangeInclusive<u32> = 1..=11;
const ASKED: [How; 2] = [How::Theory, How::Rounds(None)];

/// Measures and prints the time up to the violation. Returns true if no answer is wrong.
pub fn run(asker: &Asker) -> Result<bool, String> {
    println!("\nfib: seconds up to the violation");
    println!("{:<12} {:>10} {:>10} {:>7}", "iterations", ASKED[0].name(), ASKED[1].name(), "rounds");
    // A way of asking that has found nothing is not tried on larger ones.
    let (mut gives_up, mut passes) = ([false; 2], true);
    for iterations in ITERATIONS {
        let instance = families::instance("fib", &[iterations], false).ok_or("a family is missing")?;
        let (mut cells, mut rounds) = (Vec::new(), None);
        for (at, how) in ASKED.into_iter().enumerate() {
            if gives_up[at] {
                cells.push("-".to_string());
                continue;
            }
            let cost = asker.ask(&instance, how)?;
            passes &= cost.word() != "WRONG";
            gives_up[at] = !cost.is_decided();
            rounds = cost.rounds.or(rounds);
            let bound = if gives_up[at] { "> " } else { "" };
            cells.push(format!("{bound}{:.2}", cost.seconds));
        }
        let rounds = rounds.map_or("-".to_string(), |count| count.to_string());
        println!("{iterations:<12} {:>10} {:>10} {rounds:>7}", cells[0], cells[1]);
    }
    Ok(passes)
}
