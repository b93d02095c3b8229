//! The contract of engines, for every engine of the registry: see `braid_testkit::contract`.
//!
//! `BRAID_SEED=START..END` chooses other seeds. The share of an engine is some twenty seconds.

use braid_engines::ENGINES;
use braid_testkit::contract::Contract;
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::harness;
use braid_testkit::threads::compare::Comparer;
use std::ops::Range;
use std::path::Path;

fn seeds() -> Range<u64> {
    match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => 0..30,
    }
}

fn contracts() -> Vec<Contract> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let contract = |name: &'static str| Comparer {
        scratch: scratch(directory, &format!("contract-{name}")).expect("a directory"),
    };
    ENGINES.iter().map(|engine| Contract { engine, compiler: contract(engine.name) }).collect()
}

/// Collects what does not hold on any of the seeds, for any of the engines.
fn judge(seeds: Range<u64>, work: impl Fn(&Contract, u64) -> Result<(), String> + Sync) {
    let contracts = contracts();
    let seeds: Vec<u64> = seeds.collect();
    let all: Vec<(usize, u64)> =
        (0..contracts.len()).flat_map(|engine| seeds.iter().map(move |seed| (engine, *seed))).collect();
    let mut problems = Vec::new();
    let work = |index: usize| work(&contracts[all[index].0], all[index].1);
    let _ = harness::in_parallel(all.len(), None, work, |_, result| {
        problems.extend(result.err());
        Ok::<(), ()>(())
    });
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn verdicts_agree_with_exploration_and_larger_bounds_lose_none() {
    judge(seeds(), Contract::generated);
}

#[test]
fn answers_are_the_same_every_time() {
    let Range { start, .. } = seeds();
    judge(start..start + 10, Contract::repeats);
}

#[test]
fn limits_are_kept() {
    for contract in contracts() {
        contract.limits().unwrap_or_else(|problem| panic!("{}: {problem}", contract.engine.name));
    }
}

#[test]
fn each_engine_is_described() {
    for engine in ENGINES {
        let words = [engine.summary, engine.manual];
        assert!(words.iter().all(|text| !text.is_empty()), "{}", engine.name);
        assert!(engine.name.chars().all(|letter| letter.is_ascii_lowercase()), "{}", engine.name);
        let name = engine.name;
        assert_eq!(ENGINES.iter().filter(|other| other.name == name).count(), 1, "{name}");
    }
}
