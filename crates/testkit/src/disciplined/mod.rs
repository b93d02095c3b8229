//! Random small threaded programs whose synchronisation is mostly right.
//!
//! They are food for engines that prove: a program of [`crate::threads`] hardly ever is free of races, so that nobody can
//! tell from it whether a proof is right. Here each program is put together from one to three *parts*, shared data with
//! the discipline that guards it (a lock, a hand-over, an order of start and join, an owner). Two of three
//! programs keep to it; in the others there is one slip, chosen among all places where one was possible ([`slips`]): a lock that is left out,
//! another lock, a missing join, an index that may reach the size. What is true of a program is not
//! known here; exhaustive exploration says so, for which the programs are small enough.
//!
//! * [`guard`]: statements under a lock, in many forms;
//! * [`locked`], [`owned`], [`bounded`]: the parts that locks guard, that have an owner, and that keep values within bounds;
//! * [`start`]: how main starts and joins the threads.

mod bounded;
mod guard;
mod locked;
mod owned;
mod slips;
mod start;

use crate::cat;
use crate::rng::Rng;
use crate::threads::Generated;
use crate::tree::Tree;
use guard::Lock;
use slips::Slips;

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let mut chooser = Rng::new(seed ^ 0x5eed_0f51_1b5d);
    let mut slips = Slips::none();
    let right = generate(seed, &mut slips);
    if !chooser.one_in(3) {
        return Generated { seed, tree: right };
    }
    // Nothing is drawn for a slip, so up to the chosen one the program is the same.
    let mut slips = Slips::one(chooser.below(slips.places()));
    Generated { seed, tree: generate(seed, &mut slips) }
}

fn generate(seed: u64, slips: &mut Slips) -> Tree {
    let mut rng = Rng::new(seed);
    Writer { rng: &mut rng, slips }.program()
}

/// Shared data with its discipline.
struct Part {
    /// Declarations and functions.
    globals: Tree,
    /// What main does before it starts the threads; it may stand behind the first start by a slip.
    setup: Tree,
    /// What a thread does.
    work: fn(&mut Writer<'_>, &Lock) -> Tree,
    /// Whether main may do the same beside the threads.
    is_for_main: bool,
    /// What main does after the joins.
    after: Tree,
    lock: Lock,
}

/// Draws programs.
struct Writer<'r> {
    rng: &'r mut Rng,
    slips: &'r mut Slips,
}

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
                    void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n";

/// Every program has them; shrinking takes what a program does not use.
const SHARED: [&str; 3] = [
    "static pthread_mutex_t spare = PTHREAD_MUTEX_INITIALIZER;\n",
    "static void enter(pthread_mutex_t *lock)\n{\npthread_mutex_lock(lock);\n}\n",
    "static void leave(pthread_mutex_t *lock)\n{\npthread_mutex_unlock(lock);\n}\n",
];

type Make = fn(&mut Writer<'_>) -> Part;

/// The parts, with how often each is drawn.
const PARTS: [(Make, u32); 22] = [
    (locked::counter, 4),
    (locked::elements, 3),
    (locked::block, 3),
    (locked::nested, 3),
    (locked::gate, 2),
    (locked::readers, 2),
    (locked::recursive, 1),
    (locked::destroyed, 1),
    (locked::condition, 3),
    (owned::published, 2),
    (owned::handed_over, 2),
    (owned::thread_local, 1),
    (owned::once, 2),
    (owned::read_only, 2),
    (owned::own_element, 3),
    (owned::own_block, 2),
    (owned::atomic_counter, 1),
    (bounded::counter, 4),
    (bounded::index, 4),
    (bounded::flag, 3),
    (bounded::state, 3),
    (bounded::divisor, 1),
];

impl Writer<'_> {
    /// Returns true at the place of the one slip of the program, if it has one.
    fn slips(&mut self) -> bool {
        self.slips.here(1)
    }

    /// The same for what is done with values: there are few such places, and as many slips as with locks are wanted.
    fn slips_in_values(&mut self) -> bool {
        self.slips.here(5)
    }

    fn program(&mut self) -> Tree {
        // Besides main.
        let threads = self.rng.weighted(&[0, 0, 5, 2]);
        let count = self.rng.range(1, if threads == 2 { 3 } else { 2 });
        let parts = self.parts(count);
        let bodies = if self.rng.one_in(3) { 2 } else { 1 };
        let functions: Vec<Tree> = (0..bodies).map(|body| self.function(body, &parts)).collect();
        let main = self.main(threads, bodies, &parts);
        let shared: Vec<Tree> = SHARED.iter().map(|text| Tree::from(*text).optional()).collect();
        let globals: Vec<Tree> = parts.iter().map(|part| part.globals.clone().optional()).collect();
        cat!(HEAD, shared, globals, functions, main)
    }

    /// Different parts, so that their names do not meet.
    fn parts(&mut self, count: usize) -> Vec<Part> {
        let mut weights = PARTS.map(|(_, weight)| weight);
        let mut found = Vec::new();
        for _ in 0..count {
            let chosen = self.rng.weighted(&weights);
            weights[chosen] = 0;
            found.push(PARTS[chosen].0(self));
        }
        found
    }

    /// The body of a thread. Its argument is its number.
    fn function(&mut self, body: usize, parts: &[Part]) -> Tree {
        let work = self.work(parts.iter());
        let head =
            format!("static void *t{body}(void *argument)\n{{\nint number = (int)(long)argument, r = 0;\n");
        cat!(head, work, "(void)number;\n(void)r;\nreturn 0;\n}\n")
    }

    fn work<'p>(&mut self, parts: impl Iterator<Item = &'p Part>) -> Tree {
        let statements: Vec<Tree> = parts.map(|part| (part.work)(self, &part.lock).optional()).collect();
        statements.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::scratch;
    use crate::threads::compare::Comparer;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(program(11).text(), program(11).text());
        assert_ne!(program(11).text(), program(12).text());
    }

    #[test]
    fn programs_compile() {
        let scratch = scratch(&std::env::temp_dir(), "braid-disciplined").expect("a directory");
        let compiler = Comparer { scratch };
        for seed in 0..30 {
            let text = program(seed).text();
            compiler.compile(&text, seed).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }

    /// A slip may come to nothing, as an empty set-up that stands behind the first start.
    #[test]
    fn most_slips_change_a_program() {
        let (mut all, mut changed) = (0, 0);
        for seed in 0..20 {
            let mut slips = Slips::none();
            let right = generate(seed, &mut slips).render();
            all += slips.places();
            let differs = |place: &usize| generate(seed, &mut Slips::one(*place)).render() != right;
            changed += (0..slips.places()).filter(differs).count();
        }
        assert!(all > 100 && changed * 4 > all * 3, "{changed} of {all}");
    }

    #[test]
    fn every_construct_appears_in_some_program() {
        let wanted = [
            "pthread_mutex_lock(",
            "pthread_mutex_trylock(",
            "pthread_rwlock_rdlock(",
            "pthread_rwlock_wrlock(",
            "pthread_spin_lock(",
            "pthread_cond_wait(",
            "pthread_once(",
            "pthread_mutex_destroy(",
            "PTHREAD_MUTEX_RECURSIVE",
            "__VERIFIER_atomic_begin(",
            "atomic_fetch_add(",
            "_Thread_local",
            "enter(&",
            "free(",
            "malloc(",
            "&spare",
            "pthread_join(h[i], 0)",
            "pthread_create(&h[2]",
            "assert(",
        ];
        let all: String = (0..300).map(|seed| program(seed).text()).collect();
        for word in wanted {
            assert!(all.contains(word), "no program of 300 has {word:?}");
        }
    }
}
