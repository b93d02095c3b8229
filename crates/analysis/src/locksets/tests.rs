//! Which globals are held where the user's lines store.

use crate::testing::usual;
use crate::testing::{c_program, on_line};
use crate::{Facts, Object, Options};
use braid_ir::Op;

const HEAD: &str = "typedef union { long n[5]; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); \
    int pthread_mutex_unlock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *); \
    int pthread_mutex_destroy(pthread_mutex_t *); int pthread_mutex_init(pthread_mutex_t *, const void *); \
    int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); \
    int pthread_join(unsigned long, void **); void __VERIFIER_atomic_begin(void); \
    void __VERIFIER_atomic_end(void); pthread_mutex_t m, n; int x, c;\n";

/// The locks held at the stores of line 3.
fn held(text: &str, options: Options) -> String {
    let program = c_program(&format!("{HEAD}{text}"));
    let facts = Facts::new(&program, options);
    let stores = on_line(&program, 3, |op| matches!(op, Op::Store { .. }));
    let mut names = Vec::new();
    for (func, _) in program.functions.enumerated() {
        for lock in stores.iter().flat_map(|store| facts.locksets.held(&facts.pointers, func, *store)) {
            names.push(match facts.locksets.locks[lock].map(|(object, _)| facts.pointers.object(object)) {
                None => "section".to_string(),
                Some(Object::Global(id)) => program.globals[id].name.as_str().to_string(),
                Some(other) => format!("{other:?}"),
            });
        }
    }
    names.sort();
    names.join(" ")
}

/// In a thread beside main.
fn in_thread(body: &str, main: &str) -> String {
    let text = format!(
        "void *t(void *a) {{ {body} return 0; }}\nint main(void) {{ unsigned long h; \
         pthread_create(&h, 0, t, 0); {main} return 0; }}"
    );
    held(&text, usual())
}

#[test]
fn locks_are_held_between_lock_and_unlock() {
    let lock = "pthread_mutex_lock(&m);";
    let unlock = "pthread_mutex_unlock(&m);";
    assert_eq!(in_thread(&format!("{lock}\nx = 1;\n{unlock}"), ""), "m");
    assert_eq!(in_thread(&format!("{lock} {unlock}\nx = 1;\n"), ""), "");
    assert_eq!(in_thread(&format!("if (c) {{ {lock} }}\nx = 1;\n"), ""), "");
    assert_eq!(in_thread(&format!("{lock} pthread_mutex_lock(&n);\nx = 1;\n"), ""), "m n");
    assert_eq!(in_thread("__VERIFIER_atomic_begin();\nx = 1;\n__VERIFIER_atomic_end();", ""), "section");
}

#[test]
fn a_mutex_behind_a_pointer_that_may_be_another() {
    let body = "pthread_mutex_t *p = c ? &m : &n; pthread_mutex_lock(p);\nx = 1;\npthread_mutex_unlock(p);";
    assert_eq!(in_thread(body, ""), "");
    let unlocks =
        "pthread_mutex_t *p = c ? &m : &n; pthread_mutex_lock(&m); pthread_mutex_unlock(p);\nx = 1;\n";
    assert_eq!(in_thread(unlocks, ""), "");
}

#[test]
fn destroyed_after_its_use() {
    let body = "pthread_mutex_lock(&m);\nx = 1;\npthread_mutex_unlock(&m);";
    assert_eq!(in_thread(body, "pthread_join(h, 0); pthread_mutex_destroy(&m);"), "m");
    // Before the join it may come first, and then the lock fails.
    assert_eq!(in_thread(body, "pthread_mutex_destroy(&m); pthread_join(h, 0);"), "");
}

#[test]
fn an_unlock_by_a_stranger() {
    let text = "void *t(void *a) { pthread_mutex_lock(&m);\nx = 1;\npthread_mutex_unlock(&m); return 0; }\n\
                int main(void) { unsigned long h; pthread_create(&h, 0, t, 0); pthread_mutex_unlock(&m); return 0; }";
    assert_eq!(held(text, usual()), "");
    assert_eq!(held(text, Options { misuse_ends: true, ..usual() }), "m");
}

#[test]
fn a_write_over_the_mutex() {
    let body = "pthread_mutex_lock(&m);\nx = 1;\npthread_mutex_unlock(&m);";
    assert_eq!(in_thread(body, "m.n[0] = 0;"), "");
    assert_eq!(in_thread(body, "m.n[4] = 0;"), "m");
}
