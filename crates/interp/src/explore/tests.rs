//! Programs whose interleavings are known.

use super::*;
use crate::testing::program;
use braid_props::CheckSet;

/// Runs with and without reduction; both must agree on everything but the counts.
fn explore_text(text: &str, change: impl Fn(&mut ExploreOptions)) -> Exploration {
    let program = program(text);
    let mut options = ExploreOptions::default();
    options.machine.question.checks = CheckSet::parse("all").unwrap();
    change(&mut options);
    let image = Image::new(&program, options.machine.question.checks).unwrap();
    let run = |reduction| {
        let options = ExploreOptions { reduction, ..options.clone() };
        explore(&image, &options, &AtomicBool::new(false), &mut |_| {}).unwrap()
    };
    let (reduced, full) = (run(true), run(false));
    let violations = |result: &Exploration| {
        let mut list: Vec<_> = result.violations.iter().map(|f| (f.report.check, f.report.place)).collect();
        list.sort_by_key(|(check, place)| (*check as u8, *place));
        list
    };
    assert_eq!(reduced.outcomes, full.outcomes, "{text}");
    assert_eq!(violations(&reduced), violations(&full), "{text}");
    // Fewer where a thread that is left alone runs through what others would have looked at.
    assert!(reduced.states <= full.states, "{text}");
    assert!(reduced.transitions <= full.transitions);
    reduced
}

fn plain(_: &mut ExploreOptions) {}

/// Threads as functions `&t1`, `&t2` …, each with registers %0 to %3 (i32) and a pointer %9, started
/// and joined by main, which then runs `after` with the same registers.
fn threads(globals: &str, bodies: &[&str], after: &str) -> String {
    let mut text = format!("file 0 \"t.c\"\nshape s0 = i32\nshape s1 = ptr\n{globals}\nentry &main\n");
    let regs = "reg %0 i32, %1 i32, %2 i32, %3 i32, %4 i1, %5 i64, %6 i1, %7 i32, %9 ptr, %p.8 ptr\n";
    let regs = regs.replace("%9 ptr, %p.8 ptr", "%8 ptr, %9 ptr");
    for (index, body) in bodies.iter().enumerate() {
        text += &format!("fn &t{}(%8) -> ptr {{\n{regs}b0:\n{body}\nret null\n}}\n", index + 1);
    }
    text += "fn &main() -> i32 {\nreg %0 i32, %1 i32, %2 i32, %3 i32, %4 i1, %5 ptr";
    for index in 0..bodies.len() {
        text += &format!(", %{} i64", 6 + index);
    }
    text += "\nb0:\n";
    for index in 0..bodies.len() {
        text += &format!("%{} = spawn &t{}, null\n", 6 + index, index + 1);
    }
    for index in 0..bodies.len() {
        text += &format!("join %{}\n", 6 + index);
    }
    text + after + "\n}\n"
}

const XY: &str = "global @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\n\
                  global @a s0 size 4 align 4\nglobal @b s0 size 4 align 4\n\
                  global @c s0 size 4 align 4\nglobal @d s0 size 4 align 4\nglobal @m s0 size 4 align 4\n\
                  global @n s0 size 4 align 4\nglobal @p s1 size 8 align 8";

/// Exit code `a + 2b + 4c + 8d` for registers read by the threads.
const RESULT: &str = "%0 = load i32 @a\n%1 = load i32 @b\n%1 = mul i32 %1, 2:i32\n%0 = add i32 %0, %1\n\
                      %1 = load i32 @c\n%1 = mul i32 %1, 4:i32\n%0 = add i32 %0, %1\n\
                      %1 = load i32 @d\n%1 = mul i32 %1, 8:i32\n%0 = add i32 %0, %1\nexit %0\nunreachable";

fn exits(result: &Exploration) -> Vec<i32> {
    let codes = result.outcomes.iter().filter_map(|end| match end.kind {
        EndKind::Exit(code) => Some(code),
        _ => None,
    });
    let mut codes: Vec<i32> = codes.collect();
    codes.dedup();
    codes
}

fn litmus(bodies: &[&str]) -> Vec<i32> {
    let result = explore_text(&threads(XY, bodies, RESULT), plain);
    assert!(result.cuts.is_empty() && result.violations.is_empty(), "{:?}", result.violations);
    exits(&result)
}

fn set(var: &str, value: i32) -> String {
    format!("store i32 @{var}, {value}:i32 seq_cst\n")
}

fn get(var: &str, to: &str) -> String {
    format!("%0 = load i32 @{var} seq_cst\nstore i32 @{to}, %0 seq_cst\n")
}

#[test]
fn store_buffering() {
    let codes = litmus(&[&(set("x", 1) + &get("y", "a")), &(set("y", 1) + &get("x", "b"))]);
    assert_eq!(codes, [1, 2, 3]);
}

#[test]
fn message_passing() {
    let codes = litmus(&[&(set("x", 1) + &set("y", 1)), &(get("y", "a") + &get("x", "b"))]);
    assert_eq!(codes, [0, 2, 3]);
}

#[test]
fn load_buffering() {
    let codes = litmus(&[&(get("x", "a") + &set("y", 1)), &(get("y", "b") + &set("x", 1))]);
    assert_eq!(codes, [0, 1, 2]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let codes = litmus(&[
        &set("x", 1),
        &set("y", 1),
        &(get("x", "a") + &get("y", "b")),
        &(get("y", "c") + &get("x", "d")),
    ]);
    // x new, y old in one (a=1, b=0) and y new, x old in the other (c=1, d=0): 5 is forbidden.
    let expected: Vec<i32> = (0..16).filter(|code| *code != 5).collect();
    assert_eq!(codes, expected);
}

#[test]
fn two_plus_two_writes() {
    let body = |first: &str, second: &str| set(first, 1) + &set(second, 2);
    let text = threads(
        XY,
        &[&body("x", "y"), &body("y", "x")],
        "%0 = load i32 @x\n%1 = load i32 @y\n\
        %1 = mul i32 %1, 10:i32\n%0 = add i32 %0, %1\nexit %0\nunreachable",
    );
    assert_eq!(exits(&explore_text(&text, plain)), [12, 21, 22]);
}

#[test]
fn coherence_of_reads() {
    let codes = litmus(&[&set("x", 1), &(get("x", "a") + &get("x", "b"))]);
    assert_eq!(codes, [0, 2, 3]);
}

const INCREMENT: &str = "%0 = load i32 @x @ 0:3:3\n%0 = add i32 %0, 1:i32\nstore i32 @x, %0 @ 0:3:4";
const EXIT_X: &str = "%0 = load i32 @x\nexit %0\nunreachable";

fn found(result: &Exploration) -> Vec<String> {
    let text = |found: &Found| format!("{}: {}", found.report.check, found.report.message);
    result.violations.iter().map(text).collect()
}

#[test]
fn lost_update_and_its_race() {
    let result = explore_text(&threads(XY, &[INCREMENT, INCREMENT], EXIT_X), plain);
    assert_eq!(exits(&result), [1, 2]);
    assert_eq!(
        found(&result),
        [
            "data-race: main/1 writes 'x' while main/2 reads 'x'",
            "data-race: main/1 writes 'x' while main/2 writes 'x'"
        ]
    );
}

#[test]
fn locks_exclude() {
    let body = format!("lock @m\n{INCREMENT}\nunlock @m");
    let result = explore_text(&threads(XY, &[&body, &body], EXIT_X), plain);
    assert_eq!((exits(&result), found(&result)), (vec![2], vec![]));
    assert!(result.is_complete());
}

#[test]
fn sections_exclude() {
    let body = format!("atomic-begin\n{INCREMENT}\natomic-end");
    let result = explore_text(&threads(XY, &[&body, &body], EXIT_X), plain);
    assert_eq!((exits(&result), found(&result)), (vec![2], vec![]));
    // Against a plain access a section does race, unless the model says otherwise.
    let text = threads(XY, &[&body, INCREMENT], EXIT_X);
    assert_eq!(explore_text(&text, plain).violations.len(), 2);
    let circ = |options: &mut ExploreOptions| options.machine.question.race_model = braid_ir::RaceModel::Circ;
    assert_eq!(found(&explore_text(&text, circ)), Vec::<String>::new());
}

#[test]
fn spin_lock_by_assume() {
    // The acquire idiom of SV-COMP programs: the section is not entered until its assume holds.
    let body = format!(
        "atomic-begin\n%1 = load i32 @m\n%4 = eq i32 %1, 0:i32\nassume %4\nstore i32 @m, 1:i32\natomic-end\n\
         {INCREMENT}\natomic-begin\nstore i32 @m, 0:i32\natomic-end"
    );
    let result = explore_text(&threads(XY, &[&body, &body], EXIT_X), plain);
    assert_eq!((exits(&result), found(&result)), (vec![2], vec![]));
    // Never let in: stopped, not blocked.
    let never = "atomic-begin\nstore i32 @x, 7:i32\nassume 0:i1\natomic-end";
    let result = explore_text(&threads(XY, &[never, INCREMENT], EXIT_X), plain);
    let kinds: Vec<_> = result.outcomes.iter().map(|end| end.kind).collect();
    assert_eq!((kinds, found(&result)), (vec![EndKind::Stopped], vec![]));
}

#[test]
fn guards_wait() {
    let wait = "atomic-begin when %4 {\n%1 = load i32 @y\n%4 = eq i32 %1, 1:i32\n}\n%0 = load i32 @x\nstore i32 @a, %0\natomic-end";
    let signal = "store i32 @x, 5:i32 seq_cst\nstore i32 @y, 1:i32 seq_cst";
    let result = explore_text(&threads(XY, &[wait, signal], "%0 = load i32 @a\nexit %0\nunreachable"), |o| {
        o.machine.question.checks = CheckSet::parse("deadlock").unwrap();
    });
    assert_eq!((exits(&result), found(&result)), (vec![5], vec![]));
    let result = explore_text(&threads(XY, &[wait], "exit 0:i32\nunreachable"), plain);
    assert_eq!(found(&result), ["deadlock: all 2 unfinished threads wait"]);
    assert!(result.violations[0].report.threads.iter().any(|view| view.text == "waits for a condition"));
}

#[test]
fn lock_order_deadlock() {
    let body = |first: &str, second: &str| {
        format!("lock @{first}\nlock @{second}\nunlock @{second}\nunlock @{first}")
    };
    let result = explore_text(&threads(XY, &[&body("m", "n"), &body("n", "m")], EXIT_X), plain);
    assert_eq!(
        found(&result),
        ["deadlock: cycle of waits: main/1 waits for mutex 'n' held by main/2; \
          main/2 waits for mutex 'm' held by main/1"]
    );
    assert_eq!(result.violations[0].report.threads[0].holds, ["mutex 'm'"]);
    let result = explore_text(&threads(XY, &[&body("m", "n"), &body("m", "n")], EXIT_X), plain);
    assert!(found(&result).is_empty() && result.is_complete());
}

#[test]
fn a_cycle_is_found_while_others_go_on() {
    let body = |first: &str, second: &str| format!("lock @{first}\nlock @{second}");
    let spin = "jump b1\nb1:\n%0 = load i32 @x seq_cst\njump b1\nb2:";
    let result = explore_text(&threads(XY, &[&body("m", "n"), &body("n", "m"), spin], EXIT_X), plain);
    assert!(found(&result).iter().any(|text| text.starts_with("deadlock: cycle of waits: main/1")));
}

#[test]
fn relocks_orphans_and_foreign_unlocks() {
    let twice = "lock @m\nlock @m";
    let all = explore_text(&threads(XY, &[twice], EXIT_X), plain);
    assert_eq!(found(&all), ["lock-misuse: lock of mutex 'm', which the thread already holds"]);
    let deadlock = |options: &mut ExploreOptions| {
        options.machine.question.checks = CheckSet::parse("deadlock").unwrap();
    };
    let result = explore_text(&threads(XY, &[twice], EXIT_X), deadlock);
    assert_eq!(found(&result), ["deadlock: main/1 waits for itself: it waits for mutex 'm' held by main/1"]);
    let result = explore_text(&threads(XY, &["lock @m", "lock @m"], EXIT_X), deadlock);
    assert!(
        found(&result)[0].contains("held by main/1, who has ended")
            || found(&result)[0].contains("held by main/2, who has ended")
    );
    let result = explore_text(&threads(XY, &["unlock @m"], EXIT_X), plain);
    assert_eq!(found(&result), ["lock-misuse: unlock of mutex 'm', which nobody holds"]);
    let result = explore_text(&threads(XY, &["lock @m", "unlock @m"], EXIT_X), deadlock);
    assert!(found(&result).is_empty());
}

#[test]
fn trylock_takes_or_fails() {
    let body = |to: &str| format!("%4 = trylock @m\n%0 = zext i1 %4 to i32\nstore i32 @{to}, %0 seq_cst");
    assert_eq!(litmus(&[&body("a"), &body("b")]), [1, 2]);
}

#[test]
fn atomic_and_plain_accesses_race() {
    let store = |order: &str| format!("store i32 @x, 1:i32{order}");
    let race =
        |one: &str, other: &str| !found(&explore_text(&threads(XY, &[one, other], EXIT_X), plain)).is_empty();
    assert!(race(&store(""), &store(" seq_cst")));
    assert!(race(&store(" relaxed"), "%0 = load i32 @x"));
    assert!(race("%0 = rmw add i32 @x, 1:i32 relaxed", &store("")));
    assert!(!race(&store(" relaxed"), "%0 = load i32 @x acquire"));
    assert!(!race("%0 = load i32 @x", "%0 = load i32 @x"));
    assert!(!race(
        "%0 = rmw add i32 @x, 1:i32 relaxed",
        "%6, %0 = cmpxchg i32 @x, 0:i32, 1:i32 seq_cst relaxed"
    ));
    assert!(race("store i8 @x, 1:i8 extent 0 1", "store i8 @x+1, 1:i8 extent 1 0"));
    assert!(!race("store i8 @x, 1:i8", "store i8 @x+1, 1:i8"));
    assert!(race("store i32 @x, 1:i32 volatile", "%0 = load i32 @x volatile"));
}

#[test]
fn the_state_of_models_races_only_in_the_users_code() {
    let race = |global: &str, body: &str| {
        let result = explore_text(&threads(global, &[body, body], "ret 0:i32"), plain);
        !result.violations.is_empty()
    };
    let (own, state) = ("global @x s0 size 4 align 4", "global @x s0 size 4 align 4 internal");
    let (user, model) = ("store i32 @x, 1:i32 @ 0:1:1", "store i32 @x, 1:i32 @ 0:1:1 internal");
    assert!(race(own, user) && race(own, model) && race(state, user));
    assert!(!race(state, model));
}

#[test]
fn freeing_races_with_access() {
    let make = "%5 = alloc heap 4:i64, 4:i64\nstore i32 %5, 1:i32\nstore ptr @p, %5\n";
    let text = threads(XY, &["%9 = load ptr @p\nfree heap %9", "%9 = load ptr @p\n%0 = load i32 %9"], EXIT_X);
    let text = text.replace("b0:\n%6 = spawn", &format!("b0:\n{make}%6 = spawn"));
    let result = explore_text(&text, plain);
    let texts = found(&result);
    assert!(texts.iter().any(|t| t.starts_with("data-race: main/1 frees a heap block")), "{texts:?}");
    assert!(texts.iter().any(|t| t.starts_with("use-after-free")), "{texts:?}");
}

#[test]
fn a_violation_waits_for_the_others() {
    // The failing thread must not keep another from failing after it.
    let first = "store i32 @x, 1:i32 seq_cst\nassert assertion, 0:i1 @ 0:7:7";
    let second = "%0 = load i32 @x seq_cst\n%4 = ne i32 %0, 1:i32\nassert assertion, %4 @ 0:8:8";
    let result = explore_text(&threads(XY, &[first, second], EXIT_X), plain);
    let lines: Vec<u32> = result.violations.iter().map(|found| found.report.place.line).collect();
    assert!(lines.contains(&7) && lines.contains(&8), "{lines:?}");
}

#[test]
fn copies_can_be_torn() {
    let items = format!(
        "{XY}\nshape s2 = struct size 8 {{ 0 s0, 4 s0 }}\nglobal @s s2 size 8 align 4\n\
        global @q s2 size 8 align 4 = {{ 0: \"\\01\\00\\00\\00\\01\" }}\nglobal @r s2 size 8 align 4"
    );
    let copy = "copy @s, @q, 8:i64 s2";
    let read = "copy @r, @s, 8:i64 s2";
    let after = "%0 = load i32 @r\n%1 = load i32 @r+4\n%1 = mul i32 %1, 2:i32\n%0 = add i32 %0, %1\nexit %0\nunreachable";
    let result = explore_text(&threads(&items, &[copy, read], after), plain);
    assert_eq!(exits(&result), [0, 1, 2, 3]);
    // As one section each, they are whole.
    let (copy, read) =
        (format!("atomic-begin\n{copy}\natomic-end"), format!("atomic-begin\n{read}\natomic-end"));
    let result = explore_text(&threads(&items, &[&copy, &read], after), plain);
    assert_eq!(exits(&result), [0, 3]);
}

#[test]
fn values_pass_through_join() {
    let text = "file 0 \"t.c\"\nentry &main\nfn &t(%0) -> ptr {\nreg %0 ptr\nb0:\n%0 = ptradd %0, 4:i64\nret %0\n}\n\
        fn &u(%0) -> ptr {\nreg %0 ptr\nb0:\nexit-thread %0\nunreachable\n}\n\
        fn &main() -> i32 {\nreg %0 i64, %1 ptr, %2 i64, %3 i32, %4 ptr\nb0:\n%1 = inttoptr i64 3:i64 to ptr\n\
        %0 = spawn &t, %1\n%2 = spawn &u, %1\n%1 = join %0\n%4 = join %2\n%0 = ptrdiff %1, null\n\
        %2 = ptrdiff %4, null\n%0 = add i64 %0, %2\n%3 = trunc i64 %0 to i32\nexit %3\nunreachable\n}\n";
    let result = explore_text(text, plain);
    assert_eq!((exits(&result), result.is_complete()), (vec![10], true));
}

#[test]
fn threads_in_loops_and_by_threads() {
    let text = "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
        fn &leaf(%0) -> ptr {\nreg %0 ptr, %1 i32\nb0:\n%1 = rmw add i32 @x, 1:i32 seq_cst\nret null\n}\n\
        fn &t(%0) -> ptr {\nreg %0 ptr, %1 i64\nb0:\n%1 = spawn &leaf, null\njoin %1\nret null\n}\n\
        fn &main() -> i32 {\nreg %0 i32, %1 i64, %2 i1, %3 i64\nb0:\n%0 = 0:i32\njump b1\nb1:\n%3 = %1\n\
        %1 = spawn &t, null\n%0 = add i32 %0, 1:i32\n%2 = slt i32 %0, 2:i32\nbr %2, b1, b2\nb2:\njoin %1\njoin %3\n\
        %0 = load i32 @x\nexit %0\nunreachable\n}\n";
    let result = explore_text(text, plain);
    assert_eq!((exits(&result), result.is_complete()), (vec![2], true), "{:?}", found(&result));
}

#[test]
fn thread_locals_are_each_ones_own() {
    let items = format!("{XY}\nglobal @t s0 size 4 align 4 tls = {{ 0: \"\\05\" }}");
    let body = |to: &str| {
        format!(
            "%9 = tls @t\n%0 = load i32 %9\n%0 = add i32 %0, 1:i32\nstore i32 %9, %0\nstore i32 @{to}, %0"
        )
    };
    let text = threads(&items, &[&body("a"), &body("b")], RESULT);
    let result = explore_text(&text, plain);
    assert_eq!((exits(&result), found(&result)), (vec![18], vec![]));
    // The address of one dies with its thread.
    let leak = "%9 = tls @t\nstore ptr @p, %9";
    let text = threads(&items, &[leak], "%5 = load ptr @p\n%0 = load i32 %5\nexit %0\nunreachable");
    assert!(
        found(&explore_text(&text, plain))[0]
            .starts_with("use-after-free: read of 4 bytes at offset 0 of 't'")
    );
}

#[test]
fn the_end_of_a_frame_object_is_seen() {
    // Main's local may or may not be gone when the thread writes it.
    let text = "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
        fn &t(%0) -> ptr {\nreg %0 ptr\nb0:\nstore i32 %0, 1:i32 @ 0:4:4\nstore i32 @x, 1:i32 seq_cst\nret null\n}\n\
        fn &start() -> i64 {\nreg %0 ptr, %1 i64\nlocal l0 \"v\" s0 size 4 align 4\nb0:\nlive l0\n%0 = local l0\n\
        %1 = spawn &t, %0\nret %1\n}\nfn &main() -> i32 {\nreg %0 i32, %1 i64\nb0:\n%1 = call &start()\njoin %1\n\
        %0 = load i32 @x\nexit %0\nunreachable\n}\n";
    let result = explore_text(text, plain);
    assert_eq!(exits(&result), [1]);
    assert_eq!(result.violations.len(), 1);
    assert!(found(&result)[0].starts_with("use-after-free"));
}

#[test]
fn choices_are_enumerated() {
    let body = "%4 = nondet i1 value\n%0 = zext i1 %4 to i32\nstore i32 @a, %0\n%4 = nondet i1 value\n%0 = zext i1 %4 to i32\nstore i32 @b, %0";
    let result = explore_text(&threads(XY, &[body], RESULT), plain);
    assert_eq!((exits(&result), result.is_complete()), (vec![0, 1, 2, 3], true));
    let body = "%0 = nondet i32 value @ 0:5:5\nstore i32 @a, %0";
    let result = explore_text(&threads(XY, &[body], RESULT), |o| o.values = vec![4, 9]);
    assert_eq!(exits(&result), [4, 9]);
    assert!(matches!(result.cuts.as_slice(), [Cut::Values(loc)] if loc.line == 5));
    assert!(!result.is_complete());
}

#[test]
fn endless_loops_end_in_a_seen_state() {
    let result = explore_text(&threads(XY, &["jump b1\nb1:\njump b1\nb2:", INCREMENT], EXIT_X), plain);
    assert!(result.outcomes.is_empty() && result.cuts.is_empty());
    let spin = "jump b1\nb1:\n%0 = load i32 @y seq_cst\n%4 = eq i32 %0, 0:i32\nbr %4, b1, b2\nb2:\n%0 = load i32 @x\nstore i32 @a, %0";
    let set = "store i32 @x, 3:i32\nstore i32 @y, 1:i32 seq_cst";
    let result = explore_text(&threads(XY, &[spin, set], "%0 = load i32 @a\nexit %0\nunreachable"), plain);
    assert_eq!((exits(&result), found(&result)), (vec![3], vec![]));
}

/// Waits until `@x` has a value, and sets it to another one in every round.
fn insists(on: u32, sets: u32) -> String {
    format!(
        "jump b1\nb1:\n%0 = load i32 @x seq_cst\n%4 = eq i32 %0, {on}:i32\nbr %4, b3, b2\n\
         b2:\nstore i32 @x, {sets}:i32 seq_cst\njump b1\nb3:"
    )
}

fn livelock(options: &mut ExploreOptions) {
    options.machine.question.checks = CheckSet::parse("livelock").unwrap();
}

#[test]
fn threads_that_undo_each_others_steps() {
    let undo = threads(XY, &[&insists(1, 0), &insists(2, 3)], EXIT_X);
    let result = explore_text(&undo, livelock);
    assert_eq!(
        found(&result),
        [
            "livelock: 2 threads go on for ever without progress: main/1 goes round on 'x'; main/2 goes round on 'x'"
        ]
    );
    // One of them gets what it wants from the other, and ends.
    let give = threads(XY, &[&insists(1, 0), &insists(2, 1)], EXIT_X);
    let result = explore_text(&give, livelock);
    assert_eq!(found(&result).len(), 1, "the other one may be too late every time");
    let wait = "jump b1\nb1:\n%0 = load i32 @x seq_cst\n%4 = eq i32 %0, 1:i32\nbr %4, b2, b1\nb2:";
    let result = explore_text(&threads(XY, &[wait, &insists(1, 1)], EXIT_X), livelock);
    assert!(found(&result).is_empty() && result.is_complete());
    // A third one could go on, and ends it.
    let third = threads(XY, &[&insists(1, 0), &insists(1, 3), "store i32 @x, 1:i32 seq_cst"], EXIT_X);
    let result = explore_text(&third, livelock);
    assert_eq!(found(&result).len(), 1, "its step may be undone");
}

#[test]
fn the_judge_of_livelocks_looks_at_the_tour() {
    let program = program(&threads(XY, &[&insists(1, 0), &insists(2, 3)], EXIT_X));
    let mut options = ExploreOptions::default();
    livelock(&mut options);
    let image = Image::new(&program, options.machine.question.checks).unwrap();
    let result = explore(&image, &options, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let trace = &result.violations[0].trace;
    let judge = |trace: &Trace| {
        let mut machine = crate::Machine::new(&image, options.machine).unwrap();
        let replayed = machine.replay_to_violation(&mut crate::testing::TestEnv::default(), trace);
        replayed.ok().and_then(|(outcome, _)| outcome).is_some()
    };
    assert!(judge(trace));
    let end = trace.violation.clone().expect("a violation");
    let from = end.from.expect("a tour");
    let with = |steps: usize, from: Option<usize>| {
        let violation = Some(crate::trace::TraceEnd { from, ..end.clone() });
        Trace { steps: trace.steps[..steps].to_vec(), violation, ..trace.clone() }
    };
    let all = trace.steps.len();
    assert!(judge(&with(all, Some(from))));
    assert!(!judge(&with(all, None)), "no tour");
    assert!(!judge(&with(all, Some(from + 1))), "it does not come back to where it began");
    assert!(!judge(&with(all - 1, Some(from))), "it does not come back");
    assert!(!judge(&with(from, Some(from))), "it takes no step");
}

#[test]
fn bounds_on_schedules() {
    let text = threads(XY, &[INCREMENT, INCREMENT], EXIT_X);
    // Main, both threads in turn, main: to lose an update, the first must come back.
    let few = explore_text(&text, |o| o.context_bound = Some(3));
    assert_eq!(exits(&few), [2]);
    assert!(few.cuts.contains(&Cut::Contexts(3)));
    let more = explore_text(&text, |o| o.context_bound = Some(4));
    assert_eq!(exits(&more), [1, 2]);
    let one = explore_text(&text, |o| o.rounds = Some(2));
    assert_eq!(exits(&one), [2]);
    let two = explore_text(&text, |o| o.rounds = Some(3));
    assert_eq!(exits(&two), [1, 2]);
}

#[test]
fn limits_are_reasons() {
    let text = threads(XY, &[INCREMENT, INCREMENT], EXIT_X);
    let program = program(&text);
    let image = Image::new(&program, CheckSet::all()).unwrap();
    let run = |options: ExploreOptions, interrupt: bool| {
        explore(&image, &options, &AtomicBool::new(interrupt), &mut |_| {}).unwrap().cuts
    };
    assert_eq!(run(ExploreOptions { max_states: Some(3), ..Default::default() }, false), [Cut::States(3)]);
    assert_eq!(run(ExploreOptions::default(), false), []);
}

/// A search that pauses because of what it has cost comes to the same in the end.
#[test]
fn work_is_a_limit_from_which_a_search_goes_on() {
    let text = threads(XY, &[INCREMENT, INCREMENT, INCREMENT], EXIT_X);
    let program = program(&text);
    let image = Image::new(&program, CheckSet::all()).unwrap();
    let options = ExploreOptions::default();
    let (quiet, memory) = (AtomicBool::new(false), options.machine.limits.memory);
    let whole = explore(&image, &options, &quiet, &mut |_| {}).unwrap();
    let mut search = Explorer::new(&image, std::rc::Rc::new(options.clone())).unwrap();
    let first = search.go_on(Share { states: None, work: Some(1000), memory }, &quiet, &mut |_| {});
    assert_eq!(first.cuts, [Cut::Work(1000)]);
    assert!(first.states < whole.states, "{} of {}", first.states, whole.states);
    let rest = search.go_on(Share { states: None, work: None, memory }, &quiet, &mut |_| {});
    assert_eq!((rest.cuts.as_slice(), rest.states), (&[][..], whole.states));
}

/// One violation of each check, and each pair of places that race, up to a number.
#[test]
fn violations_are_collected_as_wanted() {
    let one = "store i32 @x, 1:i32 @ 0:5:1\nstore i32 @y, 1:i32 @ 0:5:2\nassert assertion, 0:i1 @ 0:5:3";
    let other = "store i32 @x, 2:i32 @ 0:6:1\nstore i32 @y, 2:i32 @ 0:6:2\nassert assertion, 0:i1 @ 0:6:3";
    let program = program(&threads(XY, &[one, other], EXIT_X));
    let image = Image::new(&program, CheckSet::all()).unwrap();
    let found = |collect| {
        let mut options = ExploreOptions { collect, ..ExploreOptions::default() };
        options.machine.question.checks = CheckSet::all();
        let result = explore(&image, &options, &AtomicBool::new(false), &mut |_| {}).unwrap();
        let count = |check| result.violations.iter().filter(|found| found.report.check == check).count();
        (count(Check::Assertion), count(Check::DataRace))
    };
    assert_eq!(found(Collect::All), (2, 2));
    assert_eq!(found(Collect::Each { races: 5 }), (1, 2));
    assert_eq!(found(Collect::Each { races: 1 }), (1, 1));
    let (assertions, races) = found(Collect::First);
    assert_eq!(assertions + races, 1);
}

/// Every schedule that comes with a violation leads to it again.
#[test]
fn violations_replay() {
    let body = |first: &str, second: &str| {
        format!("lock @{first}\nlock @{second}\nunlock @{second}\nunlock @{first}")
    };
    let choice = "%0 = nondet i32 value\n%1 = load i32 @x\n%4 = ne i32 %0, %1\nassert assertion, %4 @ 0:6:6";
    let texts = [
        threads(XY, &[INCREMENT, INCREMENT], EXIT_X),
        threads(XY, &[&body("m", "n"), &body("n", "m")], EXIT_X),
        threads(XY, &[choice, INCREMENT], EXIT_X),
        threads(XY, &["lock @m", "unlock @m"], EXIT_X),
    ];
    for text in texts {
        let result = explore_text(&text, plain);
        let program = program(&text);
        let image = Image::new(&program, CheckSet::all()).unwrap();
        assert!(!result.violations.is_empty());
        for found in &result.violations {
            let options =
                Options { question: braid_ir::Question::about(CheckSet::all()), ..Options::default() };
            let mut machine = crate::Machine::new(&image, options).unwrap();
            let schedule = crate::Schedule::Replay(found.trace.clone());
            let run =
                machine.run_scheduled(&mut crate::testing::TestEnv::default(), &schedule, true).unwrap();
            let ended = matches!(&run.outcome, crate::Outcome::Violation(report) if **report == found.report);
            assert!(ended || run.recorded.contains(&found.report), "{:#?}\n{:#?}", found, run);
        }
    }
}

/// Padding that was copied before it had a value is no branch of the search, until somebody reads it.
#[test]
fn copied_padding_is_not_guessed() {
    let search = |lines: &str| {
        let items = "shape s0 = i32\nshape s1 = i8\nshape s2 = struct size 8 { 0 s1, 4 s0 }\n\
                     global @b s2 size 8 align 4";
        let body = format!(
            "local l0 s2 size 8 align 4\nb0:\nlive l0\n%1 = local l0\nfill %1, 0:i8, 1:i64 s1\n\
             %2 = ptradd %1, 4:i64\nstore i32 %2, 7:i32\ncopy @b, %1, 8:i64 s2\n{lines}\nret 0:i32"
        );
        explore_text(&crate::testing::main_of(items, "%0 i8, %1 ptr, %2 ptr", &body), plain)
    };
    assert!(search("%0 = load i8 @b").is_complete());
    let read = search("%0 = load i8 @b+1");
    assert!(matches!(read.cuts.as_slice(), [Cut::Resource(Resource::CopiedPadding, _)]), "{:?}", read.cuts);
    assert!(search("store i8 @b+1, 3:i8\n%0 = load i8 @b+1").is_complete());
}
