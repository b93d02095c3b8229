//! The frame of a program: declarations, threads, and what the first thread does.

use super::POINTER_BYTES;
use super::function::head;
use braid_models::Sync;
use std::collections::BTreeSet;

/// A program in parts. Its first thread runs `before`, starts `threads`, runs `middle`, joins the threads and runs `after`.
#[derive(Clone, Default)]
pub struct Scene {
    pub globals: String,
    pub before: String,
    pub threads: Vec<String>,
    pub middle: String,
    pub after: String,
}

/// What programs may use: a statement that no execution of a true effect comes to, and arguments of calls.
const PRELUDE: &str = "\
typedef unsigned long size_t;
typedef long ssize_t;
struct __braid_timespec { long seconds; long nanoseconds; };
struct __braid_file;
extern struct __braid_file *stdout;
static const struct __braid_timespec over = {0, 0};
static int x, y;
static _Alignas(16) char shared[64];
static void wrong(void) { int *nowhere = 0; *nowhere = 1; }
static void idle(void) { }
static void *rest(void *argument) { return argument; }
";

impl Scene {
    pub fn text(&self) -> String {
        let mut body = self.globals.clone();
        let (mut creates, mut joins) = (String::new(), String::new());
        for (i, thread) in self.threads.iter().enumerate() {
            body += &format!("static void *run{i}(void *unused)\n{{\n    {thread}\n    return 0;\n}}\n");
            creates += &format!("    unsigned long h{i};\n    pthread_create(&h{i}, 0, run{i}, 0);\n");
            joins += &format!("    pthread_join(h{i}, 0);\n");
        }
        let Scene { before, middle, after, .. } = self;
        body += &format!(
            "int main(void)\n{{\n    {before}\n{creates}    {middle}\n{joins}    {after}\n    return 0;\n}}\n"
        );
        format!("{PRELUDE}{}{body}", declarations(&body))
    }

    /// A program of one thread.
    pub fn alone(globals: String, main: String) -> Scene {
        Scene { globals, before: main, ..Scene::default() }
    }

    /// A program in which the first thread runs `before` and waits for others.
    pub fn with(globals: String, before: &str, threads: &[String]) -> Scene {
        Scene { globals, before: before.to_string(), threads: threads.to_vec(), ..Scene::default() }
    }
}

/// Declarations of the library functions that a text uses.
fn declarations(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names: BTreeSet<&str> = words.collect();
    names.into_iter().filter_map(head).map(|head| head + ";\n").collect()
}

/// The declaration of a static object of this kind whose bytes are zero.
pub fn object(kind: Sync, name: &str) -> String {
    format!("static _Alignas(16) int {name}[{}];\n", kind.size(POINTER_BYTES) / 4)
}

/// A statement that initialises an object; a barrier takes one thread, a semaphore has the value 0.
pub fn set_up(kind: Sync, name: &str) -> String {
    match kind {
        Sync::Mutex => format!("pthread_mutex_init({name}, 0);"),
        Sync::PlainMutex => format!("mtx_init({name}, 0);"),
        Sync::ReadWriteLock => format!("pthread_rwlock_init({name}, 0);"),
        Sync::SpinLock => format!("pthread_spin_init({name}, 0);"),
        Sync::ConditionVariable => format!("pthread_cond_init({name}, 0);"),
        Sync::Semaphore => format!("sem_init({name}, 0, 0);"),
        Sync::Barrier => format!("pthread_barrier_init({name}, 0, 1);"),
        Sync::Once => String::new(),
    }
}

/// A statement that takes a lock alone and waits for it; other objects are used.
pub fn take(kind: Sync, name: &str) -> String {
    match kind {
        Sync::Mutex => format!("pthread_mutex_lock({name});"),
        Sync::PlainMutex => format!("mtx_lock({name});"),
        Sync::ReadWriteLock => format!("pthread_rwlock_wrlock({name});"),
        Sync::SpinLock => format!("pthread_spin_lock({name});"),
        Sync::ConditionVariable => format!("pthread_cond_signal({name});"),
        Sync::Semaphore => format!("sem_post({name});"),
        Sync::Barrier => format!("pthread_barrier_wait({name});"),
        Sync::Once => format!("pthread_once({name}, idle);"),
    }
}

/// A statement that gives a lock back.
pub fn give(kind: Sync, name: &str) -> String {
    match kind {
        Sync::Mutex => format!("pthread_mutex_unlock({name});"),
        Sync::PlainMutex => format!("mtx_unlock({name});"),
        Sync::ReadWriteLock => format!("pthread_rwlock_unlock({name});"),
        Sync::SpinLock => format!("pthread_spin_unlock({name});"),
        Sync::ConditionVariable | Sync::Semaphore | Sync::Barrier | Sync::Once => String::new(),
    }
}

/// Statements that use an object and end.
pub fn use_of(kind: Sync, name: &str) -> String {
    format!("{} {}", take(kind, name), give(kind, name))
}

/// What makes a static object ready, if its bytes alone do not.
pub fn ready(kind: Sync, name: &str) -> String {
    if kind.works_as_zero() { String::new() } else { set_up(kind, name) }
}
