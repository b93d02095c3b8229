//! Certificates with a few random changes.

use braid_base::rng::split_mix;
use braid_ir::{Program, Question};
use braid_proof::Certificate;
use braid_proof::check::check;
use braid_props::Check;
use serde_json::Value as Json;

/// Mutants of each certificate.
const MANY: u32 = 400;

pub fn try_many(program: &Program, question: &Question, certificate: &Certificate, wrong: Check) {
    let whole = serde_json::to_value(certificate).expect("JSON");
    let mut seed = 7;
    let mut read = 0;
    for number in 0..MANY {
        let mut mutant = whole.clone();
        for _ in 0..1 + number % 3 {
            mutate(&mut mutant, &mut seed);
        }
        let Ok(mutant) = serde_json::from_value::<Certificate>(mutant) else { continue };
        read += 1;
        if let Ok(verdict) = check(program, question, &mutant) {
            assert!(!verdict.proved.contains(wrong), "mutant {number} proves {wrong}");
        }
    }
    assert!(read > MANY / 8, "only {read} mutants can be read");
}

fn pick(seed: &mut u64, count: usize) -> usize {
    (split_mix(seed) % count.max(1) as u64) as usize
}

/// Changes something somewhere below a node.
fn mutate(node: &mut Json, seed: &mut u64) {
    let deeper = pick(seed, 8) > 0;
    match node {
        Json::Array(items) if !items.is_empty() && deeper => {
            let at = pick(seed, items.len());
            mutate(&mut items[at], seed);
        }
        Json::Array(items) => change_list(items, seed),
        Json::Object(fields) if !fields.is_empty() => {
            let at = pick(seed, fields.len());
            let key = fields.keys().nth(at).expect("it is one of them").clone();
            // Fields of structures must be there; entries of maps have numbers for keys.
            if !deeper && key.parse::<u32>().is_ok() {
                fields.remove(&key);
            } else if let Some(value) = fields.get_mut(&key) {
                mutate(value, seed);
            }
        }
        Json::Bool(flag) => *flag = !*flag,
        Json::Number(number) => {
            let old = number.as_i64().unwrap_or(0);
            let new = [old.wrapping_add(1), old.wrapping_sub(1), 0, 1, old][pick(seed, 5)];
            *node = Json::from(new);
        }
        Json::String(text) => {
            if text.split(' ').count() == 3 {
                let range = ["0 0 0", "1 1 0", "0 1 1", "0 255 1", "-1 -1 0"][pick(seed, 5)];
                *text = range.to_string();
            }
        }
        Json::Null | Json::Object(_) => {}
    }
}

fn change_list(items: &mut Vec<Json>, seed: &mut u64) {
    match (pick(seed, 3), items.is_empty()) {
        (0 | 1, false) => {
            let at = pick(seed, items.len());
            items.remove(at);
        }
        (_, false) => {
            let at = pick(seed, items.len());
            items.push(items[at].clone());
        }
        (_, true) => {}
    }
}
