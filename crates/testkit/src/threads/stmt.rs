//! Statements and expressions on the shared variables of the parent module.

use super::{ATOMIC, LOCKS, PLAIN};
use crate::cat;
use crate::rng::Rng;
use crate::tree::Tree;

/// Statements nest this deep.
const DEPTH: usize = 2;

pub struct Writer<'r> {
    rng: &'r mut Rng,
    /// Loops that wait do nothing else.
    waits_idle: bool,
}

impl<'r> Writer<'r> {
    pub fn new(rng: &'r mut Rng, waits_idle: bool) -> Writer<'r> {
        Writer { rng, waits_idle }
    }

    /// One to `most` statements.
    pub fn block(&mut self, most: usize, depth: usize) -> Tree {
        let count = self.rng.range(1, most.max(1));
        let statements: Vec<Tree> = (0..count).map(|_| self.statement(depth)).collect();
        statements.into()
    }

    pub fn statement(&mut self, depth: usize) -> Tree {
        let nested = u32::from(depth < DEPTH);
        let weights =
            [8, 4, 2, 5 * nested, 2 * nested, nested, 6 * nested, nested, 1, 3, 1, 1, 1, 2, nested, 1, 1];
        match self.rng.weighted(&weights) {
            0 => self.assignment(),
            1 => self.atomic(),
            2 => self.assertion(),
            3 => self.branch(depth),
            4 => self.short_loop(depth),
            5 => self.section(),
            6 => self.locked(depth),
            7 => self.trylocked(depth),
            8 => self.loose_lock(),
            9 => self.condition(),
            10 => self.semaphore(),
            11 => self.heap(),
            12 => self.nondet(),
            13 => self.spin(),
            14 => self.hand_written_lock(depth),
            15 => self.joining(),
            _ => self.life(),
        }
    }

    /// Waits by looping, perhaps for ever: states come round again.
    fn spin(&mut self) -> Tree {
        let condition = format!("{} == {}", self.rng.pick(&ATOMIC), self.rng.below(2));
        let busy = match self.rng.below(3) {
            0 => "x = 1 - x".to_string(),
            1 => {
                let (variable, value) = (self.rng.pick(&ATOMIC), self.rng.pick(&["r", "x & 1"]));
                format!("{variable} = {value}")
            }
            _ => String::new(),
        };
        let body = if self.waits_idle { "" } else { &busy };
        let text = format!("while ({condition})\n{body};\n");
        Tree::from(text).optional()
    }

    /// A section of a spin lock that the program makes itself of a flag, an exchange or a compare-and-swap; rarely the
    /// lock is not given back.
    fn hand_written_lock(&mut self, depth: usize) -> Tree {
        let word = *self.rng.pick(&["lock1", "lock2"]);
        let take = match self.rng.below(4) {
            0 => format!("while (atomic_exchange(&{word}, 1))\n;\n"),
            1 => format!("while (__sync_lock_test_and_set((int *)&{word}, 1))\n;\n"),
            2 => format!("while (!__sync_bool_compare_and_swap((int *)&{word}, 0, 1))\n;\n"),
            _ => format!("do {{\nr = 0;\n}} while (!atomic_compare_exchange_strong(&{word}, &r, 1));\n"),
        };
        let give = if self.rng.one_in(8) { String::new() } else { format!("{word} = 0;\n") };
        let body = self.block(2, depth + 1);
        Tree::around(vec![take.into(), body, give.into()], &[1])
    }

    /// Joins or detaches a thread whose handle is shared; another thread may do so, too.
    fn joining(&mut self) -> Tree {
        let text = match self.rng.below(4) {
            0 => "r = pthread_detach(helper);\n",
            1 => "r = pthread_join(pthread_self(), 0);\n",
            _ => "r = pthread_join(helper, 0);\n",
        };
        Tree::from(text).optional()
    }

    /// Uses, destroys or makes anew a synchronisation object, whatever the others do with it.
    fn life(&mut self) -> Tree {
        let text = match self.rng.below(8) {
            0 => "pthread_mutex_destroy(&n);\n",
            1 => "pthread_mutex_init(&n, 0);\n",
            2 => "sem_destroy(&s);\n",
            3 => "pthread_cond_destroy(&c);\n",
            4 => "pthread_mutex_lock(made);\nx++;\npthread_mutex_unlock(made);\n",
            5 => "pthread_mutex_init(made, 0);\n",
            6 => "pthread_mutex_destroy(made);\n",
            _ => "free(made);\n",
        };
        Tree::from(text).optional()
    }

    /// Small, so that states stay few.
    fn constant(&mut self) -> String {
        self.rng.below(3).to_string()
    }

    /// Something of type int, shared or not.
    fn value(&mut self) -> String {
        match self.rng.weighted(&[4, 8, 3]) {
            0 => self.constant(),
            1 => self.shared(),
            _ => "r".to_string(),
        }
    }

    fn index(&mut self) -> String {
        match self.rng.below(3) {
            0 => "0".to_string(),
            1 => "1".to_string(),
            _ => format!("{} & 1", self.rng.pick(&["r", "x", "a"])),
        }
    }

    /// Something that others may change.
    fn shared(&mut self) -> String {
        match self.rng.weighted(&[4, 3, 1, 1, 1]) {
            0 => (*self.rng.pick(&PLAIN)).to_string(),
            1 => (*self.rng.pick(&ATOMIC)).to_string(),
            2 => format!("array[{}]", self.index()),
            3 => "*p".to_string(),
            _ => (*self.rng.pick(&["pair.left", "pair.right"])).to_string(),
        }
    }

    fn comparison(&mut self) -> String {
        let left = if self.rng.one_in(4) { "r".to_string() } else { self.shared() };
        let right = self.constant();
        let operator = self.rng.pick(&["==", "!=", "<", ">="]);
        format!("{left} {operator} {right}")
    }

    fn assignment(&mut self) -> Tree {
        let value = self.value();
        let text = match self.rng.weighted(&[5, 3, 2, 2, 2, 3, 1]) {
            0 => format!("{} = {value};\n", self.rng.pick(&PLAIN)),
            1 => format!("{}++;\n", self.rng.pick(&PLAIN)),
            2 => format!("array[{}] = {value};\n", self.index()),
            3 => format!("*p = {value};\n"),
            4 => format!("p = &{};\n", self.rng.pick(&["x", "y", "array[1]"])),
            5 => format!("r = {value};\n"),
            _ => format!("pair = (struct pair){{{}, {value}}};\n", self.constant()),
        };
        Tree::from(text).optional()
    }

    fn atomic(&mut self) -> Tree {
        let variable = *self.rng.pick(&ATOMIC);
        let text = match self.rng.below(4) {
            0 => format!("{variable} = {};\n", self.value()),
            1 => format!("r = atomic_fetch_add(&{variable}, {});\n", self.constant()),
            2 => format!("r = {variable};\n"),
            _ => {
                let (expected, desired) = (self.constant(), self.constant());
                format!(
                    "r = {expected};\nif (atomic_compare_exchange_strong(&{variable}, &r, {desired}))\nr = 9;\n"
                )
            }
        };
        Tree::from(text).optional()
    }

    /// Holds at the start and often later.
    pub fn assertion(&mut self) -> Tree {
        let (variable, value) = (self.shared(), self.rng.range(1, 3));
        let other = self.comparison();
        Tree::from(format!("assert({variable} != {value} || {other});\n")).optional()
    }

    fn branch(&mut self, depth: usize) -> Tree {
        let head = format!("if ({}) {{\n", self.comparison());
        let then = self.block(2, depth + 1);
        if self.rng.one_in(2) {
            return Tree::around(vec![head.into(), then, "}\n".into()], &[1]);
        }
        let other = self.block(2, depth + 1);
        Tree::around(vec![head.into(), then, "} else {\n".into(), other, "}\n".into()], &[1, 3])
    }

    fn short_loop(&mut self, depth: usize) -> Tree {
        let name = ["i", "j", "k"][depth];
        let head = format!("for (int {name} = 0; {name} < 2; {name}++) {{\n");
        let body = self.block(2, depth + 1);
        Tree::around(vec![head.into(), body, "}\n".into()], &[1])
    }

    fn section(&mut self) -> Tree {
        let assume = if self.rng.one_in(3) {
            Tree::from(format!("__VERIFIER_assume({});\n", self.comparison())).optional()
        } else {
            "".into()
        };
        let body = cat!(assume, self.straight());
        Tree::around(
            vec!["__VERIFIER_atomic_begin();\n".into(), body, "__VERIFIER_atomic_end();\n".into()],
            &[1],
        )
    }

    /// Statements that do not block.
    fn straight(&mut self) -> Tree {
        let first = if self.rng.one_in(2) { self.atomic() } else { self.assignment() };
        let second = if self.rng.one_in(3) {
            let head = format!("if ({}) {{\n", self.comparison());
            Tree::around(vec![head.into(), self.assignment(), "}\n".into()], &[1])
        } else {
            self.assignment()
        };
        cat!(first, second)
    }

    fn locked(&mut self, depth: usize) -> Tree {
        let lock = *self.rng.pick(&LOCKS);
        let body = self.block(2, depth + 1);
        Tree::around(
            vec![
                format!("pthread_mutex_lock(&{lock});\n").into(),
                body,
                format!("pthread_mutex_unlock(&{lock});\n").into(),
            ],
            &[1],
        )
    }

    fn trylocked(&mut self, depth: usize) -> Tree {
        let lock = *self.rng.pick(&LOCKS);
        let body = self.block(2, depth + 1);
        Tree::around(
            vec![
                format!("if (pthread_mutex_trylock(&{lock}) == 0) {{\n").into(),
                body,
                format!("pthread_mutex_unlock(&{lock});\n}}\n").into(),
            ],
            &[1],
        )
    }

    /// One half of a pair.
    fn loose_lock(&mut self) -> Tree {
        let verb = if self.rng.one_in(2) { "lock" } else { "unlock" };
        Tree::from(format!("pthread_mutex_{verb}(&{});\n", self.rng.pick(&LOCKS))).optional()
    }

    fn condition(&mut self) -> Tree {
        let wake = *self.rng.pick(&["signal", "broadcast"]);
        let text = match self.rng.below(5) {
            0 => {
                "pthread_mutex_lock(&m);\nwhile (!flag)\npthread_cond_wait(&c, &m);\npthread_mutex_unlock(&m);\n"
                    .to_string()
            }
            1 => {
                "pthread_mutex_lock(&m);\nif (!flag)\npthread_cond_wait(&c, &m);\npthread_mutex_unlock(&m);\n"
                    .to_string()
            }
            2 | 3 => format!(
                "pthread_mutex_lock(&m);\nflag = 1;\npthread_cond_{wake}(&c);\npthread_mutex_unlock(&m);\n"
            ),
            _ => format!("flag = 1;\npthread_cond_{wake}(&c);\n"),
        };
        Tree::from(text).optional()
    }

    fn semaphore(&mut self) -> Tree {
        let verb = if self.rng.one_in(2) { "wait" } else { "post" };
        Tree::from(format!("sem_{verb}(&s);\n")).optional()
    }

    fn heap(&mut self) -> Tree {
        let text = match self.rng.below(3) {
            0 => format!("*heap = {};\n", self.value()),
            1 => "r = *heap;\n".to_string(),
            _ => "free(heap);\n".to_string(),
        };
        Tree::from(text).optional()
    }

    fn nondet(&mut self) -> Tree {
        let text = if self.rng.one_in(2) {
            "r = __VERIFIER_nondet_int();\n".to_string()
        } else {
            format!("__VERIFIER_assume({});\n", self.comparison())
        };
        Tree::from(text).optional()
    }
}
