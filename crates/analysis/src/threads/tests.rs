//! Which lines may run in parallel.

use crate::Facts;
use crate::testing::usual;
use crate::testing::{c_program, on_line};
use braid_ir::Op;

const HEAD: &str = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); \
    int pthread_join(unsigned long, void **); void pthread_exit(void *); int x, y;\n";

/// Pairs of lines with stores that may run in parallel.
fn parallel(text: &str) -> Vec<(u32, u32)> {
    let program = c_program(&format!("{HEAD}{text}"));
    let facts = Facts::new(&program, usual());
    let lines = text.lines().count() as u32 + 1;
    let stores = |line| on_line(&program, line, |op| matches!(op, Op::Store { .. }));
    let mut found = Vec::new();
    for a in 1..=lines {
        for b in a..=lines {
            let any = |one| stores(b).iter().any(|other| facts.threads.may_run_in_parallel(one, *other));
            if stores(a).into_iter().any(any) {
                found.push((a, b));
            }
        }
    }
    found
}

#[test]
fn before_between_and_after() {
    let text = "void *body(void *a) {\nx = 1; return 0; }\nint main(void) { unsigned long h;\n\
                x = 2; pthread_create(&h, 0, body, 0);\nx = 3;\npthread_join(h, 0);\nx = 4; return 0; }";
    assert_eq!(parallel(text), [(3, 6)]);
}

#[test]
fn threads_one_after_the_other() {
    let text = "void *one(void *a) {\nx = 1; return 0; }\nvoid *two(void *a) {\nx = 2; return 0; }\n\
                int main(void) { unsigned long h, g; pthread_create(&h, 0, one, 0); pthread_join(h, 0);\n\
                pthread_create(&g, 0, two, 0); pthread_join(g, 0); return 0; }";
    assert_eq!(parallel(text), []);
    let together = text.replace("pthread_join(h, 0);\n", "\n");
    assert_eq!(parallel(&together), [(3, 5)]);
}

#[test]
fn a_loop_starts_many() {
    let text = "void *body(void *a) {\nx = 1; return 0; }\nint main(void) { unsigned long h[2];\n\
                for (int i = 0; i < 2; i++) pthread_create(&h[i], 0, body, 0);\n\
                for (int i = 0; i < 2; i++) pthread_join(h[i], 0);\ny = 4; return 0; }";
    assert_eq!(parallel(text), [(3, 3), (3, 7)]);
}

#[test]
fn a_join_on_some_path_is_none() {
    let text = "void *body(void *a) {\nx = 1; return 0; }\nint main(void) { unsigned long h;\n\
                pthread_create(&h, 0, body, 0); if (y) pthread_join(h, 0);\nx = 4; return 0; }";
    assert_eq!(parallel(text), [(3, 6)]);
}

#[test]
fn a_handle_that_may_be_another_is_no_join() {
    let text = "void *body(void *a) {\nx = 1; return 0; }\nvoid *other(void *a) { return 0; }\n\
                int main(void) { unsigned long h, g; pthread_create(&h, 0, body, 0);\n\
                pthread_create(&g, 0, other, 0); if (y) h = g; pthread_join(h, 0);\nx = 4; return 0; }";
    assert_eq!(parallel(text), [(3, 7)]);
}

#[test]
fn grandchildren_outlive_their_parent() {
    let text = "void *child(void *a) {\nx = 1; return 0; }\n\
                void *parent(void *a) { unsigned long h; pthread_create(&h, 0, child, 0); return 0; }\n\
                int main(void) { unsigned long h; pthread_create(&h, 0, parent, 0); pthread_join(h, 0);\n\
                x = 4; return 0; }";
    assert_eq!(parallel(text), [(3, 6)]);
    let joined = text.replace("child, 0); return", "child, 0); pthread_join(h, 0); return");
    assert_eq!(parallel(&joined), []);
}

#[test]
fn a_thread_that_starts_itself() {
    let text = "void *body(void *a) { unsigned long h;\nif (y < 2) pthread_create(&h, 0, body, 0);\n\
                x = 1; return 0; }\nint main(void) { unsigned long h; pthread_create(&h, 0, body, 0); return 0; }";
    assert_eq!(parallel(text), [(4, 4)]);
}
