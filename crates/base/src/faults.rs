//! Deliberate faults: what the test suite must notice.
//!
//! Each fault is a switch at the place it breaks: `if active(Fault::X) { … }`. Without the feature
//! `faults` every switch is `false` and costs nothing; with it, the environment variable `BRAID_FAULT`
//! turns one on by name, and some test must fail then.

macro_rules! faults {
    ($($name:ident $text:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Fault { $($name),* }

        /// Every fault with its name, in the order of the list.
        pub const ALL: &[(Fault, &str)] = &[$((Fault::$name, $text)),*];
    };
}

faults! {
    // The front end.
    TiedOperandNotWritten "tied-operand-not-written";
    SubscriptsUnchecked "subscripts-unchecked";
    EndIsNoPlace "end-is-no-place";
    TrailingArrayIsFixed "trailing-array-is-fixed";
    WideAtomicTorn "wide-atomic-torn";
    LoopHeadsMerged "loop-heads-merged";
    // Library models.
    SignalWakesAll "signal-wakes-all";
    SignalWakesFirst "signal-wakes-first";
    BroadcastWakesNobody "broadcast-wakes-nobody";
    WaitUnlocksEarly "wait-unlocks-early";
    WaitDoesNotRelock "wait-does-not-relock";
    WaitWakesAlone "wait-wakes-alone";
    SemaphoreDoesNotWait "semaphore-does-not-wait";
    PostIsLost "post-is-lost";
    BarrierTakesOneMore "barrier-takes-one-more";
    ReaderPassesWriter "reader-passes-writer";
    WriterPassesReaders "writer-passes-readers";
    OnceDoesNotWait "once-does-not-wait";
    TrylockSaysYes "trylock-says-yes";
    RecursionNotCounted "recursion-not-counted";
    ErrorCheckingForgotten "error-checking-forgotten";
    SecondJoinerGoesOn "second-joiner-goes-on";
    DestroyLeavesNoMark "destroy-leaves-no-mark";
    GarbageIsAMutex "garbage-is-a-mutex";
    WaiterNotSeen "waiter-not-seen";
    SemaphoreWaiterNotSeen "semaphore-waiter-not-seen";
    JoinValueDropped "join-value-dropped";
    DestructorsNotRun "destructors-not-run";
    FutexForgetsWord "futex-forgets-word";
    DeadFramesLive "dead-frames-live";
    // Interpreter.
    JoinDoesNotWait "join-does-not-wait";
    LockDoesNotWait "lock-does-not-wait";
    UnlockKeeps "unlock-keeps";
    ForeignUnlockAllowed "foreign-unlock-allowed";
    AtomicHidesRace "atomic-hides-race";
    AtomicTreatedAsPlain "atomic-treated-as-plain";
    AtomicMemberPlain "atomic-member-plain";
    ReadsRace "reads-race";
    FreeDoesNotRace "free-does-not-race";
    BitFieldsApart "bit-fields-apart";
    CyclesNotLookedFor "cycles-not-looked-for";
    SpinsNotLookedFor "spins-not-looked-for";
    SpinIgnoresWrites "spin-ignores-writes";
    SpinIgnoresLocks "spin-ignores-locks";
    SpinNeedsNoExit "spin-needs-no-exit";
    SpinIgnoresTime "spin-ignores-time";
    SpinNeedsSeenBranch "spin-needs-seen-branch";
    SpinIgnoresSignals "spin-ignores-signals";
    LivelockUnfair "livelock-unfair";
    LivelockForgetsChoices "livelock-forgets-choices";
    LivelockServes "livelock-serves";
    LivelockReduced "livelock-reduced";
    OwnerMayEnd "owner-may-end";
    OneHolderCounts "one-holder-counts";
    EveryThreadJoinable "every-thread-joinable";
    ClaimUnseen "claim-unseen";
    HeldLockMayEnd "held-lock-may-end";
    AnyMutexWillDo "any-mutex-will-do";
    DetachedIdLivesOn "detached-id-lives-on";
    SectionNotRolledBack "section-not-rolled-back";
    RefusedSectionRaces "refused-section-races";
    OpenSectionGoesOn "open-section-goes-on";
    StoppedCountsAsBlocked "stopped-counts-as-blocked";
    ViolationComesEarly "violation-comes-early";
    CopyInOneStep "copy-in-one-step";
    PointersCopiedInBytes "pointers-copied-in-bytes";
    FreedBlocksNotMerged "freed-blocks-not-merged";
    AddressesNeverReused "addresses-never-reused";
    EscapeNotTransitive "escape-not-transitive";
    MainExitEndsProgram "main-exit-ends-program";
    // Exploration.
    SleepNeverWakes "sleep-never-wakes";
    SmallerSleepIgnored "smaller-sleep-ignored";
    WriteCommutesWithRead "write-commutes-with-read";
    BlockedFallAsleep "blocked-fall-asleep";
    IdEndsUnseen "id-ends-unseen";
    AllocationUnseen "allocation-unseen";
    LastAnswerTouches "last-answer-touches";
    SectionRaceAsleep "section-race-asleep";
    HashIgnoresShadow "hash-ignores-shadow";
    HashIgnoresPlace "hash-ignores-place";
    BoundOffByOne "bound-off-by-one";
    RoundOffByOne "round-off-by-one";
    ValueCutForgotten "value-cut-forgotten";
    OneChoiceOnly "one-choice-only";
    // Terms.
    ComparesUnsigned "compares-unsigned";
    ExtendsWithZeros "extends-with-zeros";
    // Unwinding.
    OneUseBelieved "one-use-believed";
    HeldLockForgotten "held-lock-forgotten";
    ElseForgetsCondition "else-forgets-condition";
    LoopCutSilently "loop-cut-silently";
    RecursionCutSilently "recursion-cut-silently";
    AssumeStopsEverybody "assume-stops-everybody";
    RefusedSectionGoesOn "refused-section-goes-on";
    LaterWritesForgotten "later-writes-forgotten";
    LifeNotShared "life-not-shared";
    BlocksLiveFromTheStart "blocks-live-from-the-start";
    OwnBlocksOnly "own-blocks-only";
    SpinForgetsRegisters "spin-forgets-registers";
    SpinNotTried "spin-not-tried";
    SpinKeepsWrites "spin-keeps-writes";
    SpinForgetsForeignUnlocks "spin-forgets-foreign-unlocks";
    SpinForgetsTries "spin-forgets-tries";
    LeavesInOneStep "leaves-in-one-step";
    AddressesForgotten "addresses-forgotten";
    FirstAddressesForgotten "first-addresses-forgotten";
    PointersOfAnyBits "pointers-of-any-bits";
    TornPointersWhole "torn-pointers-whole";
    RefusalNotAsked "refusal-not-asked";
    NumbersAreAddresses "numbers-are-addresses";
    StrayPointersFollowed "stray-pointers-followed";
    MembersApart "members-apart";
    OpenSectionIsLeft "open-section-is-left";
    // Encoding.
    NothingInBetweenDropped "nothing-in-between-dropped";
    SourceMayComeLater "source-may-come-later";
    GuardOfWriteDropped "guard-of-write-dropped";
    JoinEdgeDropped "join-edge-dropped";
    StartEdgeDropped "start-edge-dropped";
    ProgramOrderDropped "program-order-dropped";
    FirstValueForGood "first-value-for-good";
    HiddenByChance "hidden-by-chance";
    SectionsOverlap "sections-overlap";
    ForeignGiveIgnored "foreign-give-ignored";
    CoveredByChance "covered-by-chance";
    TwinsNotCompared "twins-not-compared";
    JoinsBetweenTwins "joins-between-twins";
    EndNotOrdered "end-not-ordered";
    SameAddressAssumed "same-address-assumed";
    CellsNotCut "cells-not-cut";
    BoundsNotAsked "bounds-not-asked";
    CyclesAllowed "cycles-allowed";
    UndoForgets "undo-forgets";
    RaceFromAfar "race-from-afar";
    RaceAfterEnd "race-after-end";
    ExchangeWritesLater "exchange-writes-later";
    ExchangeInSectionIgnored "exchange-in-section-ignored";
    FreeNotAWrite "free-not-a-write";
    RaceBytesOnly "race-bytes-only";
    EndedOwnersForgotten "ended-owners-forgotten";
    TotalWaitForgotten "total-wait-forgotten";
    WaitAfterEnd "wait-after-end";
    GuardedWriteReplaces "guarded-write-replaces";
    EarlierValuesForgotten "earlier-values-forgotten";
    StartsTooLate "starts-too-late";
    JoinThoughtMade "join-thought-made";
    SectionsInOneStep "sections-in-one-step";
    FirstValuesIgnored "first-values-ignored";
    ReplacedByChance "replaced-by-chance";
    DoubtfulIsNever "doubtful-is-never";
    EitherWayWillDo "either-way-will-do";
    AnchoredByChance "anchored-by-chance";
    OthersNeverDisturb "others-never-disturb";
    PointersFixedAnywhere "pointers-fixed-anywhere";
    FilledByChance "filled-by-chance";
    FilledTooLate "filled-too-late";
    FilledForItsMaker "filled-for-its-maker";
    // What library models leave out, allow or assume.
    OmissionForgotten "omission-forgotten";
    OmissionNotAsked "omission-not-asked";
    SeedForgotten "seed-forgotten";
    StaticStorageHidden "static-storage-hidden";
    UndefinedReadsZero "undefined-reads-zero";
    // The portfolio.
    LaterAnswerCounts "later-answer-counts";
}

/// Whether the fault is turned on.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub const fn active(_: Fault) -> bool {
    false
}

/// Whether the fault is turned on.
#[cfg(feature = "faults")]
#[inline]
pub fn active(fault: Fault) -> bool {
    *chosen::CHOSEN == Some(fault)
}

#[cfg(feature = "faults")]
mod chosen {
    use super::{ALL, Fault};
    use std::sync::LazyLock;

    pub static CHOSEN: LazyLock<Option<Fault>> = LazyLock::new(|| {
        let name = std::env::var("BRAID_FAULT").ok()?;
        let found = ALL.iter().find(|(_, text)| *text == name);
        Some(found.unwrap_or_else(|| panic!("BRAID_FAULT: there is no fault '{name}'")).0)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|(_, name)| *name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
