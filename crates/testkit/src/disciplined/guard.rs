//! Statements under a lock: taken and given back plainly, by functions, through a pointer, by trying, in branches.

use super::Writer;
use crate::cat;
use crate::tree::Tree;

/// The kinds of locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Mutex,
    Spin,
    ReadWrite,
    /// An atomic section, which needs no object.
    Section,
}

/// A lock: its kind, and an expression for its address.
#[derive(Clone, Debug)]
pub struct Lock {
    pub kind: Kind,
    pub address: String,
}

/// What a section does to the data it guards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

impl Lock {
    pub fn mutex(address: &str) -> Lock {
        Lock { kind: Kind::Mutex, address: address.to_string() }
    }

    /// For parts that no lock guards.
    pub fn none() -> Lock {
        Lock::mutex("&spare")
    }

    /// The declaration of an object of a kind.
    pub fn object(kind: Kind, name: &str) -> String {
        match kind {
            Kind::Mutex => format!("static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;\n"),
            Kind::Spin => format!("static pthread_spinlock_t {name};\n"),
            Kind::ReadWrite => format!("static pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;\n"),
            Kind::Section => String::new(),
        }
    }

    /// What main does to it before the threads start.
    pub fn initialise(&self) -> String {
        match self.kind {
            Kind::Spin => format!("pthread_spin_init({}, PTHREAD_PROCESS_PRIVATE);\n", self.address),
            Kind::Mutex | Kind::ReadWrite | Kind::Section => String::new(),
        }
    }

    pub fn take(&self, access: Access) -> String {
        let address = &self.address;
        match (self.kind, access) {
            (Kind::Mutex, _) => format!("pthread_mutex_lock({address});\n"),
            (Kind::Spin, _) => format!("pthread_spin_lock({address});\n"),
            (Kind::ReadWrite, Access::Read) => format!("pthread_rwlock_rdlock({address});\n"),
            (Kind::ReadWrite, Access::Write) => format!("pthread_rwlock_wrlock({address});\n"),
            (Kind::Section, _) => "__VERIFIER_atomic_begin();\n".to_string(),
        }
    }

    pub fn give(&self) -> String {
        let address = &self.address;
        match self.kind {
            Kind::Mutex => format!("pthread_mutex_unlock({address});\n"),
            Kind::Spin => format!("pthread_spin_unlock({address});\n"),
            Kind::ReadWrite => format!("pthread_rwlock_unlock({address});\n"),
            Kind::Section => "__VERIFIER_atomic_end();\n".to_string(),
        }
    }
}

impl Writer<'_> {
    /// A kind of lock, mutexes most of all.
    pub fn kind(&mut self) -> Kind {
        [Kind::Mutex, Kind::Spin, Kind::ReadWrite, Kind::Section][self.rng.weighted(&[6, 1, 1, 1])]
    }

    /// A body under a lock. Only mutexes come in all forms.
    pub fn guarded(&mut self, lock: &Lock, access: Access, body: impl Into<Tree>) -> Tree {
        let body = body.into();
        let forms = if lock.kind == Kind::Mutex { [8, 2, 2, 2, 2, 2, 2] } else { [1, 0, 0, 0, 0, 0, 0] };
        match self.rng.weighted(&forms) {
            0 => self.plain(lock, access, body),
            1 => self.wrapped(lock, body),
            2 => self.by_pointer(lock, access, body),
            3 => self.tried(lock, body),
            4 => self.in_branches(lock, body),
            5 => self.under_condition(lock, body),
            _ => self.left_early(lock, body),
        }
    }

    fn plain(&mut self, lock: &Lock, access: Access, body: Tree) -> Tree {
        let access =
            if access == Access::Write && self.slips_for_readers(lock) { Access::Read } else { access };
        let take = if self.slips() { String::new() } else { self.right_or_spare(lock).take(access) };
        let give = self.given(lock);
        if self.slips() {
            return section(take, "".into(), cat!(give, body));
        }
        section(take, body, give.into())
    }

    /// Only a lock for readers and writers can be taken for too little.
    fn slips_for_readers(&mut self, lock: &Lock) -> bool {
        lock.kind == Kind::ReadWrite && self.slips()
    }

    /// The lock, or by a slip another one.
    fn right_or_spare(&mut self, lock: &Lock) -> Lock {
        if lock.kind == Kind::Mutex && self.slips() { Lock::mutex("&spare") } else { lock.clone() }
    }

    /// How a lock is given back: once, or by a slip never or twice.
    fn given(&mut self, lock: &Lock) -> String {
        if self.slips() {
            return String::new();
        }
        if self.slips() { lock.give().repeat(2) } else { lock.give() }
    }

    fn wrapped(&mut self, lock: &Lock, body: Tree) -> Tree {
        let used = if self.slips() { "&spare" } else { &lock.address };
        let take = if self.slips() { String::new() } else { format!("enter({used});\n") };
        let give = if self.slips() { String::new() } else { format!("leave({used});\n") };
        section(take, body, give.into())
    }

    fn by_pointer(&mut self, lock: &Lock, access: Access, body: Tree) -> Tree {
        let used = self.right_or_spare(lock).address;
        let head = format!("pthread_mutex_t *lock = {used};\n");
        let inner = self.plain(&Lock::mutex("lock"), access, body);
        Tree::around(vec!["{\n".into(), head.into(), inner, "}\n".into()], &[])
    }

    fn tried(&mut self, lock: &Lock, body: Tree) -> Tree {
        let (address, give) = (&lock.address, lock.give());
        if self.slips() {
            return section(format!("pthread_mutex_trylock({address});\n"), body, give.into());
        }
        let expected = if self.slips() { "!=" } else { "==" };
        let give = if self.slips() { String::new() } else { give };
        section(
            format!("if (pthread_mutex_trylock({address}) {expected} 0) {{\n"),
            body,
            (give + "}\n").into(),
        )
    }

    fn in_branches(&mut self, lock: &Lock, body: Tree) -> Tree {
        let mut side = || if self.slips() { "r = 1;\n".to_string() } else { lock.take(Access::Write) };
        let (first, second) = (side(), side());
        let take = format!("if (number) {{\n{first}}} else {{\n{second}}}\n");
        let give = self.given(lock);
        section(take, body, give.into())
    }

    /// Taken, used and given back under the same condition.
    fn under_condition(&mut self, lock: &Lock, body: Tree) -> Tree {
        let (take, give) = (lock.take(Access::Write), lock.give());
        let used = if self.slips() { body } else { cat!("if (number < 2) {\n", body, "}\n") };
        let end = if self.slips() { "number < 1" } else { "number < 2" };
        section(format!("if (number < 2)\n{take}"), used, format!("if ({end})\n{give}").into())
    }

    /// On one path given back before the body.
    fn left_early(&mut self, lock: &Lock, body: Tree) -> Tree {
        let (take, give) = (lock.take(Access::Write), lock.give());
        let early = if self.slips() { String::new() } else { give.clone() };
        let head = format!("{take}if (number == 1) {{\n{early}");
        if self.slips() {
            return section(head + "}\n", body, give.into());
        }
        section(head + "} else {\n", body, (give + "}\n").into())
    }
}

fn section(take: String, body: Tree, give: Tree) -> Tree {
    Tree::around(vec![take.into(), body, give], &[1])
}
