//! The analyses of bounded programs (`bounded`), on programs that are unwound here: IR in, facts out.

mod support;

use braid_bounded::cells;
use braid_bounded::grid::{is_whole, ranges_of_reads};
use braid_bounded::locks::Locks;
use braid_bounded::prune::prune;
use braid_bounded::publication::Published;
use braid_bounded::symmetry::symmetric_pairs;
use braid_bounded::values::of_reads;
use braid_bounded::{AccessId, Bounded, print::print};
use braid_logic::ranges::Possible;
use braid_logic::{Term, Terms};
use expect_test::expect;
use support::{two_threads, unwind};

/// The values that the reads of a program can give, in their order.
fn reads_of(text: &str) -> Vec<Possible> {
    let (_, mut terms, bounded) = unwind(text, 1);
    let published = Published::find(&mut terms, &bounded);
    let values = of_reads(&mut terms, &bounded, &published, &|| false).expect("nobody interrupts");
    values.possible.into_iter().map(|(_, possible)| possible).collect()
}

#[test]
fn a_read_gives_the_initial_value_or_a_written_one() {
    let text = two_threads("store i32 @x, 4:i32 seq_cst", "%1 = load i32 @x seq_cst");
    let found = reads_of(&text);
    assert_eq!(found.len(), 1);
    let values: Vec<u128> = (0..16).filter(|value| found[0].contains(*value)).collect();
    assert_eq!(values, [0, 4]);
}

#[test]
fn a_later_or_an_overwritten_write_is_not_read() {
    let main = "store i32 @x, 2:i32 seq_cst\n%1 = load i32 @x seq_cst\nstore i32 @x, 8:i32 seq_cst";
    let found = reads_of(&two_threads("store i32 @x, 6:i32 seq_cst", main));
    assert_eq!((found[0].range.umin(), found[0].range.umax()), (2, 6));
    assert_eq!(found[0].range.ones(), 2);
}

/// Each thread adds 2 to the value of the other: values grow without end, but the lowest bit is never set.
#[test]
fn a_cycle_of_reads_and_writes_is_widened() {
    let add = |to: &str, from: &str| {
        format!("%1 = load i32 @{from} seq_cst\n%1 = add i32 %1, 2:i32\nstore i32 @{to}, %1 seq_cst\n")
    };
    let found = reads_of(&two_threads(&add("x", "y"), &add("y", "x")));
    assert!(found.iter().all(|possible| possible.range.zeros() & 1 == 1));
    assert!(found.iter().all(|possible| possible.contains(0) && possible.contains(2)));
}

#[test]
fn pruning_decides_branches_that_no_value_takes() {
    let main = "%1 = load i32 @x seq_cst\n%2 = ult i32 %1, 8:i32\nassert assertion, %2 @ 0:3:1";
    let (program, mut terms, mut bounded) = unwind(&two_threads("store i32 @x, 4:i32 seq_cst", main), 1);
    let violated = |terms: &Terms, bounded: &Bounded| {
        bounded.obligations.iter().filter(|obligation| !terms.is_false(obligation.reached)).count()
    };
    assert_eq!(violated(&terms, &bounded), 1);
    prune(&mut terms, &mut bounded, &|| false).expect("nobody interrupts");
    assert_eq!(violated(&terms, &bounded), 0, "{}", print(&terms, &program, &bounded));
}

/// The intervals that the grid finds: the smallest and the largest number of each read, sorted.
fn grid_of(text: &str) -> Vec<(u128, u128)> {
    let (_, mut terms, bounded) = unwind(text, 1);
    let groups = cells::divide(&mut terms, &bounded);
    let zero = terms.bits(32, 0);
    let held: Vec<Option<Term>> =
        groups.iter().map(|group| is_whole(&bounded, group).then_some(zero)).collect();
    let locks = Locks::find(&mut terms, &bounded, &[]);
    let found = ranges_of_reads(&mut terms, &bounded, &groups, &held, &locks);
    let mut ranges: Vec<_> = found.into_iter().map(|(_, range)| (range.umin(), range.umax())).collect();
    ranges.sort_unstable();
    ranges
}

#[test]
fn two_threads_that_add_what_the_other_made() {
    // Both begin with 0; each adds the other one's number and 1, once or twice.
    let add = |own: &str, other: &str| {
        format!(
            "%1 = load i32 @{own} seq_cst\n%3 = load i32 @{other} seq_cst\n%1 = add i32 %1, %3\n\
             %1 = add i32 %1, 1:i32\nstore i32 @{own}, %1 seq_cst\n"
        )
    };
    let thread = |name: &str, body: String| {
        format!("fn &{name}(%0) -> ptr {{\nreg %0 ptr, %1 i32, %2 i1, %3 i32\nb0:\n{body}ret null\n}}\n")
    };
    let text = format!(
        "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\nentry &main\n\
         {}{}fn &main() {{\nreg %0 ptr\nb0:\n%0 = spawn &a, null\n%0 = spawn &b, null\nexit-thread null\nunreachable\n}}\n",
        thread("a", add("x", "y").repeat(2)),
        thread("b", add("y", "x")),
    );
    // By hand: `a` reads x at 0, y up to 1, x at 1 or 2, y up to 2 (if `b` has read 1); `b` reads y at 0, x up
    // to 2 (if `a` went before). A look at the writes alone finds no end.
    assert_eq!(grid_of(&text), [(0, 0), (0, 0), (0, 1), (0, 2), (0, 2), (1, 2)]);
}

const COUNT: &str = "%1 = load i32 @x\n%1 = add i32 %1, 1:i32\nstore i32 @x, %1";

#[test]
fn a_lock_that_only_its_holder_releases_orders_sections() {
    let locked = format!("lock @m\n{COUNT}\nunlock @m");
    let (_, mut terms, bounded) = unwind(&two_threads(&locked, &locked), 1);
    let groups = cells::divide(&mut terms, &bounded);
    let locks = Locks::find(&mut terms, &bounded, &groups);
    let sections: usize = locks.groups.iter().flatten().map(|group| group.acquires.len()).sum();
    assert_eq!(sections, 2);
    // All four accesses to x are inside, two in each section, and the sections exclude each other.
    let inside: Vec<AccessId> =
        bounded.accesses.ids().filter(|access| locks.section_of(&[*access]).is_some()).collect();
    let of_x: Vec<AccessId> = inside.into_iter().filter(|access| !locks.contains(*access)).collect();
    assert_eq!(of_x.len(), 4);
    assert!(locks.mutually_exclusive(of_x[0], of_x[2]).is_some());
    assert!(locks.mutually_exclusive(of_x[0], of_x[1]).is_none());
}

#[test]
fn a_lock_that_another_thread_releases_is_memory() {
    let locked = format!("lock @m\n{COUNT}\nunlock @m");
    let (_, mut terms, bounded) = unwind(&two_threads(&locked, "unlock @m"), 1);
    let groups = cells::divide(&mut terms, &bounded);
    let locks = Locks::find(&mut terms, &bounded, &groups);
    assert!(locks.groups.iter().all(Option::is_none));
}

#[test]
fn equal_threads_are_interchangeable_unless_they_differ() {
    let program = |second: &str| {
        format!(
            "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
             fn &a(%0) -> ptr {{\nreg %0 ptr, %1 i32\nb0:\n{COUNT}\nret null\n}}\n\
             fn &b(%0) -> ptr {{\nreg %0 ptr, %1 i32\nb0:\nstore i32 @x, 7:i32\nret null\n}}\n\
             fn &main() {{\nreg %0 ptr, %1 ptr\nb0:\n%0 = spawn &a, null\n%1 = spawn &{second}, null\n\
             exit-thread null\nunreachable\n}}\n"
        )
    };
    let pairs = |text: &str| {
        let (_, mut terms, bounded) = unwind(text, 1);
        let groups = cells::divide(&mut terms, &bounded);
        let locks = Locks::find(&mut terms, &bounded, &groups);
        symmetric_pairs(&mut terms, &bounded, &groups, &locks).len()
    };
    assert_eq!((pairs(&program("a")), pairs(&program("b"))), (1, 0));
}

/// A heap block that is initialised before its address is written anywhere never shows its first contents.
#[test]
fn a_block_initialised_before_publication_never_shows_its_first_contents() {
    let make = |order: [&str; 2]| {
        format!(
            "file 0 \"t.c\"\nshape s0 = i32\nshape s1 = ptr\nglobal @p s1 size 8 align 8\nentry &main\n\
             fn &a(%0) -> ptr {{\nreg %0 ptr, %1 ptr\nb0:\n%1 = alloc heap 4:i64, 4:i64\n{}\n{}\nret null\n}}\n\
             fn &main() {{\nreg %0 ptr, %1 ptr, %2 i1, %3 i32\nb0:\n%0 = spawn &a, null\n%1 = load ptr @p\n\
             %2 = ne ptr %1, null\nbr %2, b1, b2\nb1:\n%3 = load i32 %1\njump b2\nb2:\nexit-thread null\nunreachable\n}}\n",
            order[0], order[1]
        )
    };
    let (fill, publish) = ("store i32 %1, 5:i32", "store ptr @p, %1");
    let values = |text: &str| {
        let (_, mut terms, mut bounded) = unwind(text, 1);
        let values = prune(&mut terms, &mut bounded, &|| false).expect("nobody interrupts");
        let read = bounded.accesses.iter().filter_map(|access| match access.way {
            braid_bounded::Way::Read(symbol) if terms.width(symbol) == 32 => Some(symbol),
            _ => None,
        });
        let mut ranges = values.ranges(&terms);
        read.map(|symbol| {
            let range = ranges.range(&terms, symbol);
            format!("{}..={}", range.umin(), range.umax())
        })
        .collect::<Vec<_>>()
        .join(" ")
    };
    expect!["5..=5"].assert_eq(&values(&make([fill, publish])));
    expect!["0..=4294967295"].assert_eq(&values(&make([publish, fill])));
}
