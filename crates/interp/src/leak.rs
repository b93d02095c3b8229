//! The end of the program: which heap blocks were never freed, and which of them nobody can reach.
//!
//! A block is reachable if an address into it, to its start or its middle, is found in a static or
//! thread-local object, in a frame object or register of a live thread, or in a reachable block.
//! Stored addresses count by the object they belong to; words without provenance count if their bits
//! are an address. That is generous: a stale copy keeps a block reachable, none is called lost that a
//! program could still free.

use crate::machine::Machine;
use crate::memory::Memory;
use crate::object::{Kind, Object, bytes_text, place_text};
use crate::report::{Outcome, Related};
use crate::value::{ObjId, Prov};
use braid_base::HashSet;
use braid_props::Check;

impl Machine<'_> {
    /// What the program's normal end amounts to.
    pub(crate) fn exit(&self, code: i32) -> Box<Outcome> {
        let checks = self.options.question.checks;
        if checks.contains(Check::MemoryLeak) {
            let reachable = self.reachable_blocks();
            if let Some(outcome) = self.leak(Check::MemoryLeak, |id| !reachable.contains(&id)) {
                return outcome;
            }
        }
        if checks.contains(Check::MemoryCleanup)
            && let Some(outcome) = self.leak(Check::MemoryCleanup, |_| true)
        {
            return outcome;
        }
        Box::new(Outcome::Exited { code })
    }

    fn leak(&self, check: Check, counts: impl Fn(ObjId) -> bool) -> Option<Box<Outcome>> {
        let program = self.image.program;
        let is_block = |(id, object): &(ObjId, &Object)| object.identity.kind == Kind::Heap && counts(*id);
        let mut blocks: Vec<_> =
            self.state.memory.live().filter(is_block).map(|(_, object)| object.identity).collect();
        blocks.sort_by_key(|block| block.base);
        let first = blocks.first()?;
        let fate = if check == Check::MemoryLeak { "lost" } else { "not freed" };
        let more = match blocks.len() - 1 {
            0 => String::new(),
            1 => ", and 1 more block".into(),
            n => format!(", and {n} more blocks"),
        };
        let (size, place) = (bytes_text(first.size), place_text(program, first.born.loc));
        let message = format!("heap block of {size} allocated at {place} is {fate} at exit{more}");
        let related = blocks.iter().map(|block| Related {
            text: format!("block of {} allocated", bytes_text(block.size)),
            function: program.functions.get(block.born.func).map(|f| f.name),
            loc: block.born.loc,
        });
        let mut outcome = self.violation(check, message, related.collect());
        // When main has returned, no frame of the user's is left; the allocation says more.
        let user_frame = self.stack().iter().any(|entry| !entry.internal);
        if let (false, Outcome::Violation(report)) = (user_frame, &mut *outcome) {
            report.place = first.born.loc;
        }
        Some(outcome)
    }

    fn reachable_blocks(&self) -> HashSet<ObjId> {
        let memory = &self.state.memory;
        let pointer_bytes = usize::from(memory.pointer_bytes());
        let mut reached = HashSet::default();
        let mut waiting: Vec<ObjId> = Vec::new();
        let mut visit = |waiting: &mut Vec<ObjId>, address: u64, prov: Prov| {
            if let Some(block) = block_of(memory, address, prov)
                && reached.insert(block)
            {
                waiting.push(block);
            }
        };
        // Main's objects are still there when it has returned, but nobody's any more.
        let threads = self.state.threads.iter();
        let owned: HashSet<ObjId> = threads
            .flat_map(|thread| thread.locals.iter().flatten().chain(&thread.blocks))
            .copied()
            .collect();
        let is_root = |id: &ObjId, object: &Object| match object.identity.kind {
            Kind::Heap => false,
            Kind::Local(..) | Kind::Stack => owned.contains(id),
            Kind::Global(_) | Kind::ThreadLocal(_) | Kind::Function(_) | Kind::Thread(_) => true,
        };
        for (_, object) in memory.live().filter(|(id, object)| is_root(id, object)) {
            for (address, prov) in object.contents.possible_addresses(pointer_bytes) {
                visit(&mut waiting, address, prov);
            }
        }
        for register in self.state.threads.iter().flat_map(|thread| &thread.regs) {
            visit(&mut waiting, register.address(), register.prov);
        }
        while let Some(object) = waiting.pop().and_then(|id| memory.get(id)) {
            for (address, prov) in object.contents.possible_addresses(pointer_bytes) {
                visit(&mut waiting, address, prov);
            }
        }
        reached
    }
}

/// The live heap block an address belongs to.
fn block_of(memory: &Memory, address: u64, prov: Prov) -> Option<ObjId> {
    let id = match prov {
        Prov::Object(id) => id,
        Prov::None | Prov::Mixed => memory.lasting_object_at(address)?,
    };
    memory.get(id).filter(|object| object.identity.kind == Kind::Heap).map(|_| id)
}

#[cfg(test)]
mod tests {
    use crate::machine::Limits;
    use crate::testing::{TestEnv, main_of, run_with};
    use expect_test::{Expect, expect};

    const ITEMS: &str = "shape s0 = ptr\nglobal @keep s0 size 8 align 8\n\
                         fn &make() -> ptr {\nreg %0 ptr\nb0:\n%0 = alloc heap 24:i64, 16:i64 @ 0:2:7\nret %0\n}";

    /// Runs in a frame that has ended before the exit, so that no register keeps a block.
    fn check(checks: &str, lines: &str, expected: Expect) {
        let work = format!("fn &work() {{\nreg %0 ptr, %1 ptr, %2 i64\nb0:\n{lines}\nret\n}}");
        let text =
            main_of(&format!("{ITEMS}\n{work}"), "", "b0:\ncall &work()\nexit 0:i32 @ 0:9:1\nunreachable");
        expected.assert_eq(&run_with(&text, checks, Limits::default(), &mut TestEnv::default()).1);
    }

    #[test]
    fn lost_blocks() {
        check(
            "memory-leak",
            "%0 = call &make()",
            expect![[r#"
                t.c:9:1: memory-leak: heap block of 24 bytes allocated at t.c:2:7 is lost at exit
                  in 'main' at t.c:9:1
                  block of 24 bytes allocated in 'make' at t.c:2:7
            "#]],
        );
        check("memory-leak", "%0 = call &make()\nfree heap %0", expect!["exit 0"]);
        check("assertion", "%0 = call &make()", expect!["exit 0"]);
    }

    #[test]
    fn reachable_blocks() {
        let keep = "%0 = call &make()\n%1 = call &make()\nstore ptr %0, %1\n";
        check("memory-leak", &format!("{keep}store ptr @keep, %0"), expect!["exit 0"]);
        check(
            "memory-leak",
            &format!("{keep}%0 = ptradd %0, 10:i64\nstore ptr @keep, %0"),
            expect!["exit 0"],
        );
        check(
            "memory-cleanup",
            &format!("{keep}store ptr @keep, %0"),
            expect![[r#"
                t.c:9:1: memory-cleanup: heap block of 24 bytes allocated at t.c:2:7 is not freed at exit, and 1 more block
                  in 'main' at t.c:9:1
                  block of 24 bytes allocated in 'make' at t.c:2:7
                  block of 24 bytes allocated in 'make' at t.c:2:7
            "#]],
        );
        // Written byte by byte the address has lost its provenance, but not its bits.
        let number = "%0 = call &make()\n%2 = ptrtoint ptr %0 to i64\n%2 = xor i64 %2, 1311768467463790320:i64\n\
                      %2 = xor i64 %2, 1311768467463790320:i64\nstore i64 @keep, %2";
        check("memory-leak", number, expect!["exit 0"]);
        // Only a dead block points to the second.
        check(
            "memory-leak",
            &format!("{keep}free heap %0"),
            expect![[r#"
                t.c:9:1: memory-leak: heap block of 24 bytes allocated at t.c:2:7 is lost at exit
                  in 'main' at t.c:9:1
                  block of 24 bytes allocated in 'make' at t.c:2:7
            "#]],
        );
    }
}
