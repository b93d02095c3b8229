//! The text around the threads: what a back end gives, the macros of a step, and the rounds.
//!
//! The driver is that of figure 4 of Inverso et al.: in each round every thread that was started runs up to a step that is
//! chosen, in the order of creation.

use crate::{Backend, Options};
use braid_base::faults::active;
use braid_ir::ThreadAsk;
use braid_models::CALLED_PROTOTYPES;
use braid_props::Check;
use std::fmt::Write as _;

/// The declarations of what the back end gives: arbitrary values, assumptions, assertions. Headers that define structures are
/// left out, because the program may define them, too.
pub fn prelude(backend: Backend, code: &str) -> String {
    let mut library = String::new();
    for prototype in CALLED_PROTOTYPES {
        let name =
            prototype.split('(').next().and_then(|head| head.split([' ', '*']).next_back()).unwrap_or("");
        if code.contains(&format!(" {name}(")) {
            library += prototype;
        }
    }
    let own = match backend {
        Backend::Generic => {
            "extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_assume(int);\n\
             #define nondet() __VERIFIER_nondet_uint()\n#define assume(condition) __VERIFIER_assume(condition)\n"
        }
        // The variable of the function stands in traces, which is how choices are read from them.
        Backend::Cbmc => {
            "unsigned nondet_uint(void);\nstatic unsigned nondet(void)\n{\n    unsigned choice = nondet_uint();\n    \
             return choice;\n}\n#define assume(condition) __CPROVER_assume(condition)\n"
        }
        Backend::Esbmc => {
            "unsigned nondet_uint(void);\nstatic unsigned nondet(void)\n{\n    unsigned choice = nondet_uint();\n    \
             return choice;\n}\n#define assume(condition) __ESBMC_assume(condition)\n"
        }
        Backend::Klee => {
            "void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);\nvoid klee_assume(__UINTPTR_TYPE__);\n\
             static unsigned nondet(void)\n{\n    unsigned choice;\n    \
             klee_make_symbolic(&choice, sizeof choice, \"choice\");\n    return choice;\n}\n\
             #define assume(condition) klee_assume(condition)\n"
        }
        Backend::Native => NATIVE,
        Backend::Logged => LOGGED,
    };
    format!("#include <assert.h>\n{library}{own}")
}

/// Choices from a file: plain numbers, or a schedule file with the choices of the sequential program.
const NATIVE: &str = "\
#include <stdio.h>
void exit(int) __attribute__((noreturn));
/* Choices are numbers in the file that the first argument names, or those of the field \"nondet\" of a schedule file.
   The program ends with 3 if there is no execution with these choices, and with 4 if it needs more of them. */
static FILE *choices;
static void open_choices(const char *name)
{
    const char *field = \"\\\"nondet\\\":\";
    int at = 0, c = 0;
    choices = fopen(name, \"r\");
    while (choices && field[at] && (c = getc(choices)) != EOF)
        at = c == field[at] ? at + 1 : c == field[0];
    if (choices && field[at])
        rewind(choices);
}
static unsigned nondet(void)
{
    unsigned value;
    int c = choices ? getc(choices) : EOF;
    while (c == ' ' || c == '\\n' || c == ',' || c == '[')
        c = getc(choices);
    if (c == EOF || ungetc(c, choices) == EOF || fscanf(choices, \"%u\", &value) != 1)
        exit(4);
    return value;
}
#define assume(condition) do { if (!(condition)) exit(3); } while (0)
";

/// The log of an execution, for [`crate::log`]: a letter and a number in each line.
const LOGGED: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern int printf(const char *, ...);
#ifdef BRAID_LOG
#define LOG(what, number) printf(what \" %u\\n\", number)
#else
#define LOG(what, number) ((void)0)
#endif
static unsigned nondet(void)
{
    unsigned value = __VERIFIER_nondet_uint();
    LOG(\"v\", value);
    return value;
}
#define assume(condition) __VERIFIER_assume(condition)
";

/// The parts of the text that threads need which may spin.
pub struct Spinning {
    /// For each thread: it may spin.
    pub spins: Vec<bool>,
    /// They choose values meanwhile.
    pub choosing: bool,
    /// They give away locks meanwhile.
    pub giving: bool,
}

/// The variables and macros of steps.
pub fn steps(spinning: &Spinning, options: &Options, asks: &dyn Fn(ThreadAsk) -> bool) -> String {
    let checks = options.checks;
    let logs = options.backend == Backend::Logged;
    let Spinning { spins, choosing, giving } = spinning;
    let (choosing, giving) = (*choosing, *giving);
    let mut text = format!("enum {{ THREADS = {} }};\n", spins.len());
    text += "/* The running thread: the first step it has not executed, and the step before which it stops in this round. */\n\
        static unsigned pc, stop;\n\
        /* The program has ended. */\nstatic int finished;\n\
        /* Of each thread: whether it was started, whether it has ended, its argument and its result; and what it is to\n   \
        others: 1 joinable, 2 detached, 3 awaited, 0 joined. */\n\
        static unsigned char started[THREADS], ended[THREADS], state[THREADS];\n\
        static char *argument[THREADS], *result[THREADS];\n\n\
        /* A step is executed if it was not before, and if the thread does not stop before it. */\n\
        #define JUMP(step, next) if (pc > (step) || (step) >= stop) goto next\n\
        /* A thread that comes here by a branch does not stop at a step that it has left out. */\n\
        #define GUARD(step) assume(stop >= (step))\n";
    if logs {
        text = text.replace("goto next\n", "goto next; LOG(\"s\", step)\n");
    }
    let (races, deadlocks) = (checks.contains(Check::DataRace), checks.contains(Check::Deadlock));
    text += match (races, deadlocks) {
        (false, false) => "#define CHECK(condition) assert(condition)\n",
        (true, false) => "#define CHECK(condition) assert(watching || (condition))\n",
        (false, true) => "#define CHECK(condition) assert(trying || (condition))\n",
        (true, true) => "#define CHECK(condition) assert(watching || trying || (condition))\n",
    };
    if races && logs {
        text += &RACES.replace("{ next_at =", "{ LOG(\"n\", step); next_at =");
    } else if races {
        text += RACES;
    }
    if deadlocks {
        text += "static int trying, stuck, deadlocked;\nstatic unsigned long waits_for;\n";
        text += if giving { GIVING } else { "#define REPORT() assert(!(deadlocked && stuck))\n" };
        text += DEADLOCKS;
    }
    if spins.contains(&true) {
        text += SPINNING;
    }
    if choosing {
        text += CHOOSING;
    }
    if asks(ThreadAsk::Claim) {
        text += "\n/* Whether the thread can be joined by another one, which waits for it from now on. */\n\
            static unsigned claim(unsigned long thread, unsigned long by)\n{\n    unsigned found;\n    \
            if (thread - 1 >= THREADS || !started[thread - 1])\n        return 5;\n    \
            if (thread == by)\n        return 4;\n    found = state[thread - 1];\n    \
            if (found == 1)\n        state[thread - 1] = 3;\n    return found;\n}\n";
    }
    if asks(ThreadAsk::Join) || asks(ThreadAsk::Life) {
        text += "\nstatic unsigned state_of(unsigned long thread)\n{\n    \
            return thread - 1 < THREADS && started[thread - 1] ? state[thread - 1] : 5;\n}\n";
    }
    if asks(ThreadAsk::Life) {
        text += "\nstatic unsigned life_of(unsigned long thread)\n{\n    unsigned found = state_of(thread);\n    \
            return found == 2 && ended[thread - 1] ? 6 : found;\n}\n";
    }
    text
}

/// The sizes of heap blocks, for so many places in which they are made.
pub fn blocks(count: usize) -> String {
    let count = count.max(1);
    format!(
        "/* Heap blocks and their sizes: the end of one is a write to all of it. */\nstatic char *blocks[{count}];\n\
         static unsigned long sizes[{count}];\nstatic unsigned block_size(char *block)\n{{\n    unsigned i;\n    \
         for (i = 0; i < {count}; i++)\n        if (blocks[i] == block)\n            return (unsigned)sizes[i];\n    return 0;\n}}\n"
    )
}

/// Two accesses race if one thread is about to make the first while the other one makes the second.
const RACES: &str = "\
/* A data race: a thread is about to make an access (asking), and another one makes one to common bytes (watching). */
enum { READ = 1, WRITE = 2, ATOMIC = 4 };
static int asking, watching;
static char *next_at;
static unsigned next_size, next_how;
static int meets(char *at, unsigned size)
{
    unsigned i, j;
    for (i = 0; i < size; i++)
        for (j = 0; j < next_size; j++)
            if (at + i == next_at + j)
                return 1;
    return 0;
}
#define NEXT(step, at, size, how) \\
    if (asking && pc == (step)) { next_at = (char *)(at); next_size = (size); next_how = (how); return; }
#define MEETS(at, size, how) \\
    (watching && (((how) | next_how) & WRITE) && !((how) & next_how & ATOMIC) && meets((char *)(at), size))
#define TOUCH(at, size, how) assert(!MEETS(at, size, how))
";

/// A lock that a spinning thread gives away for a moment is noticed by those who wait for it.
const GIVING: &str = "\
/* A lock that a thread gives away while it spins, and the lock that it waits for; of all that were tried, too. */
static char *gives, *waits_at, *gave[THREADS], *waited_at[THREADS];
static int is_noticed(void)
{
    unsigned i;
    for (i = 0; i < THREADS; i++)
        if ((gives && waited_at[i] == gives) || (waits_at && gave[i] == waits_at))
            return 1;
    return 0;
}
#define REPORT() assert(!(deadlocked && stuck) || is_noticed())
";

/// A thread that is tried waits, or not; nothing of what it would do happens if it does.
const DEADLOCKS: &str = "\
/* A deadlock: threads that are tried wait, for others by number or for a condition (0). */
#define WAIT(condition, whom) \\
    do { \\
        if (trying) { \\
            stuck = !(condition); \\
            waits_for = (unsigned long)(whom); \\
            REPORT(); \\
            return; \\
        } \\
        assume(condition); \\
    } while (0)
";

/// A thread that is tried does not wait, but comes round in a loop and changes nothing.
const SPINNING: &str = "\
/* A thread that may spin is tried with all its steps: does it wait at the first one, or come round without a change? */
#define WAIT_OR_GO_ON(condition, whom) \\
    do { \\
        if (trying) { \\
            if (!(condition)) { \\
                stuck = moves == tried_from + 1; \\
                waits_for = (unsigned long)(whom); \\
                REPORT(); \\
            } \\
            if (!(condition) || stop == pc + 1) \\
                return; \\
        } else \\
            assume(condition); \\
    } while (0)
#define COMES_ROUND(head, same) \\
    do { \\
        if (trying && (head) == tried_from && (same) && changes == unchanged) { \\
            stuck = 1; \\
            REPORT(); \\
            return; \\
        } \\
    } while (0)
";

/// An iteration in which a thread chooses values has to come round with each of them, one after the other.
const CHOOSING: &str = "\
/* One of two values. A thread that is tried has to come round so many times in one loop, each time with other values. */
static unsigned laps, chosen;
static unsigned either(void)
{
    return trying ? laps >> chosen++ & 1 : nondet() & 1;
}
#define COMES_ROUND_OFTEN(head, same, times) \\
    do { \\
        if (trying) { \\
            laps = (laps > 0 || (head) == tried_from) && (same) && changes == unchanged ? laps + 1 : (times) + 1; \\
            chosen = 0; \\
            if (laps == (times)) { \\
                stuck = 1; \\
                REPORT(); \\
                return; \\
            } \\
        } \\
    } while (0)
";

/// The rounds. Threads are given by their names and numbers of steps, in the order of a round.
pub fn rounds(options: &Options, threads: &[(usize, String, usize)]) -> String {
    let [chooses, turn, races, deadlocks] = [("c", "thread"), ("t", "thread"), ("r", "0u"), ("d", "0u")]
        .map(|(what, number)| log(options, what, number));
    let mut text = format!(
        "/* Chooses how far a thread goes in this round. */\nstatic void choose(unsigned thread, unsigned steps)\n{{\n\
         {chooses}    pc = position[thread];\n    stop = nondet();\n    assume(stop >= pc && stop <= steps);\n{turn}}}\n\n",
    );
    let arguments = if options.backend == Backend::Native { "int argc, char **argv" } else { "void" };
    let _ = writeln!(text, "int main({arguments})\n{{\n    unsigned round;");
    if options.backend == Backend::Native {
        text += "    if (argc > 1)\n        open_choices(argv[1]);\n";
    }
    text += "    started[0] = 1;\n    state[0] = 1;\n";
    let rounds = options.rounds - u32::from(active("translated-round-too-few"));
    let _ = writeln!(text, "    for (round = 0; round < {rounds}; round++) {{");
    for (thread, name, steps) in threads {
        let runs = match () {
            () if active("translated-start-not-awaited") => "!finished".to_string(),
            () if active("translated-end-ignored") => format!("started[{thread}]"),
            () => format!("started[{thread}] && !finished"),
        };
        let _ = writeln!(
            text,
            "        if ({runs}) {{\n            choose({thread}, {steps});\n            \
             {name}();\n            position[{thread}] = stop;\n        }}"
        );
    }
    text += "    }\n";
    if options.checks.contains(Check::DataRace) {
        let _ = writeln!(text, "{races}    look_for_races();");
    }
    if options.checks.contains(Check::Deadlock) {
        let _ = writeln!(text, "{deadlocks}    look_for_deadlocks();");
    }
    text += "    return 0;\n}\n";
    text
}

/// A line that writes to the log, if one is kept.
fn log(options: &Options, what: &str, number: &str) -> String {
    match options.backend {
        Backend::Logged => format!("    LOG(\"{what}\", {number});\n"),
        Backend::Generic | Backend::Cbmc | Backend::Esbmc | Backend::Klee | Backend::Native => String::new(),
    }
}

/// Functions that look at the state after the last round.
pub fn questions(options: &Options, threads: &[(usize, String, usize)], spinning: &Spinning) -> String {
    let checks = options.checks;
    let (races, deadlocks) = (checks.contains(Check::DataRace), checks.contains(Check::Deadlock));
    let mut text =
        String::from("/* The step before which each thread stopped, and the number of its steps. */\n");
    let _ = writeln!(text, "static unsigned position[THREADS];");
    if !races && !deadlocks {
        return text;
    }
    text += "\n/* Lets a thread go on with so many steps. */\nstatic void run(unsigned thread, unsigned steps)\n{\n";
    text += &log(options, "t", "thread");
    text += "    pc = position[thread];\n    stop = pc + steps;\n";
    for (thread, name, _) in threads {
        let _ = writeln!(text, "    if (thread == {thread})\n        {name}();");
    }
    text += "}\n";
    if races {
        text += "\nstatic void look_for_races(void)\n{\n    unsigned first = nondet(), second = nondet();\n    \
            assume(!finished && first < THREADS && second < THREADS && first != second);\n    \
            assume(started[first] && started[second]);\n    \
            next_size = 0;\n    asking = 1;\n    run(second, 0);\n    asking = 0;\n    \
            assume(next_size > 0);\n    watching = 1;\n    run(first, 1);\n}\n";
    }
    if deadlocks {
        text += &is_stuck(threads, spinning);
        text += &DEADLOCK_QUESTION.replace("TRIED", if spinning.giving { TRIED_GIVING } else { TRIED });
    }
    text
}

/// A thread waits, or spins, if it is one of those that may.
fn is_stuck(threads: &[(usize, String, usize)], Spinning { spins, choosing, giving }: &Spinning) -> String {
    let mut text = String::from("\n/* Whether a thread can go on: it is tried, with one step");
    let may_spin: Vec<_> = threads.iter().filter(|(thread, ..)| spins[*thread]).collect();
    if !may_spin.is_empty() {
        text += " or, if it may spin, with all";
    }
    text += ". */\nstatic int is_stuck(unsigned thread)\n{\n    stuck = 0;\n    waits_for = 0;\n";
    if may_spin.is_empty() {
        return text + "    run(thread, 1);\n    return stuck;\n}\n";
    }
    if *giving {
        text += "    gives = waits_at = 0;\n";
    }
    if *choosing {
        text += "    laps = chosen = 0;\n";
    }
    for (index, (thread, _, steps)) in may_spin.iter().enumerate() {
        let otherwise = if index == 0 { "" } else { "else " };
        let _ = writeln!(
            text,
            "    {otherwise}if (thread == {thread})\n        run(thread, {steps} - position[thread]);"
        );
    }
    text + "    else\n        run(thread, 1);\n    return stuck;\n}\n"
}

/// All threads but the last one are stuck.
const TRIED: &str = "\n                assume(is_stuck(thread));";

/// All threads but the last one are stuck, and none notices what another one gives away.
const TRIED_GIVING: &str = "{\n                assume(is_stuck(thread) && !is_noticed());\n                \
    gave[thread] = gives;\n                waited_at[thread] = waits_at;\n            }";

/// A total deadlock, or threads that wait for each other in a circle, or for a lock of one that has ended. The last thread that is
/// tried reports it.
const DEADLOCK_QUESTION: &str = "
static void look_for_deadlocks(void)
{
    unsigned thread, other, last = nondet();
    assume(!finished && last < THREADS && started[last] && !ended[last]);
    trying = 1;
    if (nondet() & 1) {
        for (thread = 0; thread < THREADS; thread++)
            if (thread != last && started[thread] && !ended[thread]) TRIED
    } else {
        other = last;
        for (thread = 0; thread < THREADS; thread++) {
            stuck = 0;
            run(other, 1);
            assume(stuck && waits_for >= 1 && waits_for <= THREADS);
            other = (unsigned)waits_for - 1;
            if (other == last || ended[other])
                break;
        }
        assume(other == last || ended[other]);
    }
    deadlocked = 1;
    is_stuck(last);
}
";
