//! Random small threaded programs, right and wrong ones alike.
//!
//! They are food for exhaustive exploration, so they are small: two to four threads of a few statements
//! on a handful of shared variables. Nothing keeps them from racing, deadlocking, misusing a lock or
//! failing an assertion; what an explorer says about them is compared with what another says, not with a
//! truth. Loops that count are bounded; loops that wait may go on for ever, but through finitely many states.
//! [`compare`] explores one with and without
//! reduction; a difference is shrunk through the pieces of its [`Tree`].

pub mod command;
pub mod compare;
mod stmt;

use crate::cat;
use crate::rng::Rng;
use crate::tree::Tree;
use stmt::Writer;

/// A generated program.
pub struct Generated {
    pub seed: u64,
    pub tree: Tree,
}

impl Generated {
    pub fn text(&self) -> String {
        format!("/* seed {} */\n{}", self.seed, self.tree.render())
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    generate(seed, false)
}

/// The same for checkers that unwind loops. In most of these programs a loop that waits does nothing else:
/// if it writes shared memory, no bound is enough, and there is nothing to compare.
pub fn program_to_unwind(seed: u64) -> Generated {
    generate(seed, !seed.is_multiple_of(8))
}

/// A program all of whose loops count: the first one of a series that the seed begins.
pub fn program_without_waits(seed: u64) -> Generated {
    let series = (0..).map(|position| program_to_unwind(seed + 100_000 * position));
    let mut right = series.filter(|generated| !generated.text().contains("while ("));
    right.next().expect("many programs have no loop that waits")
}

fn generate(seed: u64, waits_idle: bool) -> Generated {
    let mut rng = Rng::new(seed);
    let tree = Gen { rng: &mut rng, waits_idle }.program();
    Generated { seed, tree }
}

/// Plain shared variables.
const PLAIN: [&str; 3] = ["x", "y", "z"];
const ATOMIC: [&str; 2] = ["a", "b"];
const LOCKS: [&str; 2] = ["m", "n"];

/// What every program can use; shrinking takes what a program does not use.
const GLOBALS: [&str; 13] = [
    "static int x, y, z;\n",
    "static atomic_int a, b;\n",
    "static int array[2];\n",
    "static int *p = &x;\n",
    "static int *heap;\n",
    "static int flag;\n",
    "static struct pair {\nint left, right;\n} pair;\n",
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n",
    "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n",
    "static sem_t s;\n",
    "static atomic_int lock1, lock2;\n",
    "static pthread_mutex_t *made;\n",
    "static pthread_t helper;\nstatic void *idle(void *argument)\n{\nreturn argument;\n}\n",
];

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
                    #include <stdatomic.h>\n#include <stdlib.h>\n\
                    int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\n\
                    void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n";

struct Gen<'r> {
    rng: &'r mut Rng,
    waits_idle: bool,
}

impl Gen<'_> {
    fn program(&mut self) -> Tree {
        // Besides main.
        let threads = self.rng.weighted(&[0, 6, 3, 1]);
        let size = [0, 5, 3, 2][threads];
        // Threads may share a body, as they do in real programs.
        let bodies = if self.rng.one_in(3) { 1 } else { threads };
        let mut functions = Vec::new();
        for body in 0..bodies {
            let statements = Writer::new(self.rng, self.waits_idle).block(size, 0);
            functions.push(cat!(
                format!("static void *t{body}(void *argument)\n{{\nint r = 0;\n(void)argument;\n"),
                statements,
                "(void)r;\nreturn 0;\n}\n"
            ));
        }
        let globals: Vec<Tree> = GLOBALS.iter().map(|line| Tree::from(*line).optional()).collect();
        let functions = cat!(functions);
        let main = self.main(threads, bodies, &functions.render());
        cat!(HEAD, globals, functions, main)
    }

    /// A join goes before the creation it belongs to: a text with the join alone does not compile, so
    /// shrinking takes the joins first.
    fn main(&mut self, threads: usize, bodies: usize, functions: &str) -> Tree {
        let detached = self.rng.one_in(6);
        let (mut starts, mut joins) = (Vec::new(), Vec::new());
        for thread in 0..threads {
            let body = thread % bodies;
            let create = format!("pthread_t h{thread};\npthread_create(&h{thread}, 0, t{body}, 0);\n");
            starts.push(Tree::from(create).optional());
            if self.rng.one_in(5) {
                starts.push(Writer::new(self.rng, self.waits_idle).statement(0));
            }
            if !(detached && thread == 0) {
                joins.push(Tree::from(format!("pthread_join(h{thread}, 0);\n")).optional());
            }
        }
        let middle = if threads < 3 { Writer::new(self.rng, self.waits_idle).block(2, 0) } else { "".into() };
        let end = self.ending();
        let body = cat!(starts, middle);
        let setup = self.setup(&format!("{functions}{}", body.render()));
        cat!("int main(void)\n{\nint r = 0;\n", setup, body, joins, end, "(void)r;\nreturn x + 2 * y;\n}\n")
    }

    /// What main makes before there are threads. A thread or an object that the program's text does not name is left out, so
    /// that states stay few.
    fn setup(&mut self, text: &str) -> Vec<Tree> {
        let mut lines = SETUP.to_vec();
        if text.contains("helper") {
            lines.push("pthread_create(&helper, 0, idle, 0);\n");
        }
        if text.contains("made") {
            lines.push("made = malloc(sizeof *made);\n");
            if !self.rng.one_in(3) {
                lines.push("pthread_mutex_init(made, 0);\n");
            }
        }
        lines.into_iter().map(|line| Tree::from(line).optional()).collect()
    }

    /// What main looks at after the joins.
    fn ending(&mut self) -> Tree {
        let mut writer = Writer::new(self.rng, self.waits_idle);
        let checks: Vec<Tree> = (0..2).map(|_| writer.assertion()).collect();
        cat!(checks)
    }
}

const SETUP: [&str; 2] = ["sem_init(&s, 0, 1);\n", "heap = malloc(sizeof *heap);\n*heap = 0;\n"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(program(11).text(), program(11).text());
        assert_ne!(program(11).text(), program(12).text());
    }

    #[test]
    fn every_construct_appears_in_some_program() {
        let wanted = [
            "pthread_mutex_lock(",
            "pthread_mutex_trylock(",
            "pthread_cond_wait(",
            "pthread_cond_signal(",
            "pthread_cond_broadcast(",
            "sem_wait(",
            "sem_post(",
            "atomic_fetch_add(",
            "atomic_compare_exchange_strong(",
            "__VERIFIER_atomic_begin(",
            "__VERIFIER_assume(",
            "__VERIFIER_nondet_int(",
            "array[",
            "*p",
            "p = &",
            "pair = ",
            "free(heap)",
            "while (atomic_exchange(&lock1, 1))",
            "__sync_bool_compare_and_swap((int *)&lock2, 0, 1)",
            "pthread_join(helper, 0)",
            "pthread_join(pthread_self(), 0)",
            "pthread_detach(helper)",
            "pthread_create(&helper, 0, idle, 0)",
            "pthread_mutex_destroy(",
            "pthread_mutex_init(made, 0)",
            "free(made)",
            "for (",
            "while (a",
            "if (",
            "assert(",
            "h2",
        ];
        let all: String = (0..300).map(|seed| program(seed).text()).collect();
        for word in wanted {
            assert!(all.contains(word), "no program of 300 has {word:?}");
        }
    }
}
