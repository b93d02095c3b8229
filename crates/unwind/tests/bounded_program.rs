//! The text form of bounded programs and their verifier, on programs that are unwound here.

mod support;

use braid_bounded::print::print;
use braid_bounded::verify::verify;
use braid_bounded::{AccessId, NodeId, ObjectNo, ThreadIx, Way};
use expect_test::expect;
use support::{two_threads, unwind};

const COUNT: &str = "%1 = load i32 @x @ 0:5:1\n%1 = add i32 %1, 1:i32\nstore i32 @x, %1 @ 0:6:1";

fn assert_at(line: u32) -> String {
    format!(
        "%1 = load i32 @x @ 0:{line}:1\n%2 = ne i32 %1, 7:i32\nassert assertion, %2 @ 0:{line}:3\n{COUNT}"
    )
}

#[test]
fn threads_nodes_and_obligations_are_shown() {
    let (program, terms, bounded) = unwind(&two_threads(COUNT, &assert_at(3)), 1);
    expect![[r#"
        thread T0 (main)
          n1 t.c:1, starts T2
          n4 t.c:3
            read x 4 bytes -> r!1
          n5 t.c:5 when !(r!1 == 7)
            read x 4 bytes -> r!2
          n6 t.c:6 when !(r!1 == 7)
            write x 4 bytes = r!2 + 1
          ends when !(r!1 == 7)
        thread T2 (a), started at n1
          n2 t.c:5
            read x 4 bytes -> r!0
          n3 t.c:6
            write x 4 bytes = r!0 + 1
          ends
        probe n0
        T0: violation of assertion, t.c:3, after n4 when r!1 == 7
    "#]]
    .assert_eq(&print(&terms, &program, &bounded));
}

#[test]
fn sections_of_a_lock_are_shown() {
    let locked = format!("lock @m @ 0:4:1\n{COUNT}\nunlock @m @ 0:7:1");
    let (program, terms, bounded) = unwind(&two_threads(&locked, &locked), 1);
    expect![[r#"
        thread T0 (main)
          n1 t.c:1, starts T2
          n6 t.c:4 when in!9
            read shadow m 4 bytes -> r!10, acquires
            write shadow m 4 bytes = 1, acquires when t4
            end of all when in!9 && (r!10 == 1)
          n7 t.c:5 when t4
            read x 4 bytes -> r!11
          n8 t.c:6 when t4
            write x 4 bytes = r!11 + 1
          n9 t.c:7 when t4 && in!12
            read shadow m 4 bytes -> r!13, releases
            write shadow m 4 bytes = 0, releases when t6
            end of all when t5
          ends when t6
        thread T2 (a), started at n1
          n2 t.c:4 when in!2
            read shadow m 4 bytes -> r!3, acquires
            write shadow m 4 bytes = 3, acquires when t1
            end of all when in!2 && (r!3 == 3)
          n3 t.c:5 when t1
            read x 4 bytes -> r!4
          n4 t.c:6 when t1
            write x 4 bytes = r!4 + 1
          n5 t.c:7 when t1 && in!5
            read shadow m 4 bytes -> r!6, releases
            write shadow m 4 bytes = 0, releases when t3
            end of all when t2
          ends when t3
        probe n0
            read shadow m 4 bytes -> r!1 when waits!0
            read shadow m 4 bytes -> r!8 when waits!7
        T2 may wait after n1 when waits!0
          a lock is held when (waits!0 && !(r!1 == 3)) && !(r!1 == 0)
        T0 may wait after n1 when waits!7
          a lock is held when (waits!7 && !(r!8 == 1)) && !(r!8 == 0)
        T2: violation of lock-misuse, t.c:4, after n2 when in!2 && (r!3 == 3)
        T2: violation of lock-misuse, t.c:7, after n5 when t2
        T0: violation of lock-misuse, t.c:4, after n6 when in!9 && (r!10 == 1)
        T0: violation of lock-misuse, t.c:7, after n9 when t5
        constraints
          !((in!2 && !(r!3 == 3)) && !(r!3 == 0))
          !((in!9 && !(r!10 == 1)) && !(r!10 == 0))
          in!5
          in!12
        where
          t1 = (in!2 && !(r!3 == 3)) && (r!3 == 0)
          t2 = (t1 && in!5) && !(r!6 == 3)
          t3 = (t1 && in!5) && (r!6 == 3)
          t4 = (in!9 && !(r!10 == 1)) && (r!10 == 0)
          t5 = (t4 && in!12) && !(r!13 == 1)
          t6 = (t4 && in!12) && (r!13 == 1)
    "#]]
    .assert_eq(&print(&terms, &program, &bounded));
}

#[test]
fn what_unwind_makes_is_well_formed() {
    let (_, terms, bounded) = unwind(&two_threads(COUNT, &assert_at(3)), 1);
    assert_eq!(verify(&terms, &bounded), Vec::<String>::new());
}

#[test]
fn malformed_programs_are_noticed() {
    let text = two_threads(COUNT, &format!("{}\nlock @m", assert_at(3)));
    let broken = |damage: &dyn Fn(&mut braid_logic::Terms, &mut braid_bounded::Bounded)| {
        let (_, mut terms, mut bounded) = unwind(&text, 1);
        damage(&mut terms, &mut bounded);
        verify(&terms, &bounded).join("\n")
    };
    let found = [
        broken(&|_, bounded| bounded.accesses.as_mut_slice().swap(0, 1)),
        broken(&|_, bounded| bounded.nodes[NodeId(0)].thread = ThreadIx(0)),
        broken(&|_, bounded| bounded.accesses.iter_mut().for_each(|access| access.bytes = 2)),
        broken(&|terms, bounded| {
            let zero = terms.bits(32, 0);
            let read = bounded.accesses.iter_mut().find(|access| matches!(access.way, Way::Read(_)));
            read.expect("a read").way = Way::Read(zero);
        }),
        broken(&|_, bounded| {
            let reads: Vec<AccessId> = bounded
                .accesses
                .ids()
                .filter(|index| matches!(bounded.accesses[*index].way, Way::Read(_)))
                .collect();
            bounded.accesses[reads[1]].way = bounded.accesses[reads[0]].way;
        }),
        broken(&|_, bounded| bounded.accesses[AccessId(0)].objects = Some([ObjectNo(9), ObjectNo(3)].into())),
        broken(&|_, bounded| bounded.accesses[AccessId(0)].objects = None),
        broken(&|terms, bounded| {
            bounded.obligations[0].reached = terms.bits(8, 1);
        }),
        broken(&|_, bounded| bounded.probe = None),
    ];
    expect![[r#"
        access 1 comes after a later one of T2
        --
        n0 is not node 0 of T1
        T0 has other nodes than the probe
        T0 does not list n0
        --
        access 0 has a value of another width
        access 1 has a value of another width
        access 2 has a value of another width
        access 3 has a value of another width
        access 4 has a value of another width
        --
        access 0 reads into no symbol
        --
        access 2 reads into another one's symbol
        --
        access 0 has a bad list of objects
        --
        access 0 has a bad list of objects
        --
        a condition is not a Bool
        --
        there are waits but no probe"#]]
    .assert_eq(&found.join("\n--\n"));
}
