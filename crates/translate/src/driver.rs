//! The text around the threads: what a back end gives, the macros of a step, and the rounds.
//!
//! The driver is that of figure 4 of Inverso et al.: in each round every thread that was started runs up to a step that is
//! chosen, in the order of creation.

use crate::{Backend, Options};
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

/// The variables and macros of steps, for so many threads.
pub fn steps(threads: usize, options: &Options, asks: &dyn Fn(ThreadAsk) -> bool) -> String {
    let checks = options.checks;
    let logs = options.backend == Backend::Logged;
    let mut text = format!("enum {{ THREADS = {threads} }};\n");
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
        text += DEADLOCKS;
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
#define TOUCH(at, size, how) \\
    assert(!watching || !((((how) | next_how) & WRITE) && !((how) & next_how & ATOMIC) && meets((char *)(at), size)))
";

/// A thread that is tried waits, or not; nothing of what it would do happens if it does.
const DEADLOCKS: &str = "\
/* A deadlock: threads that are tried wait, for others by number or for a condition (0). */
static int trying, blocked, deadlocked;
static unsigned long waits_for;
#define WAIT(condition, whom) \\
    do { \\
        if (trying) { \\
            blocked = !(condition); \\
            waits_for = (unsigned long)(whom); \\
            assert(!(deadlocked && blocked)); \\
            return; \\
        } \\
        assume(condition); \\
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
    let _ = writeln!(text, "    for (round = 0; round < {}; round++) {{", options.rounds);
    for (thread, name, steps) in threads {
        let _ = writeln!(
            text,
            "        if (started[{thread}] && !finished) {{\n            choose({thread}, {steps});\n            \
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
pub fn questions(options: &Options, threads: &[(usize, String, usize)]) -> String {
    let checks = options.checks;
    let (races, deadlocks) = (checks.contains(Check::DataRace), checks.contains(Check::Deadlock));
    let mut text =
        String::from("/* The step before which each thread stopped, and the number of its steps. */\n");
    let _ = writeln!(text, "static unsigned position[THREADS];");
    if !races && !deadlocks {
        return text;
    }
    let mut sizes: Vec<(usize, usize)> = threads.iter().map(|(thread, _, steps)| (*thread, *steps)).collect();
    sizes.sort_unstable();
    let sizes: Vec<String> = sizes.iter().map(|(_, steps)| steps.to_string()).collect();
    if deadlocks {
        let _ = writeln!(text, "static const unsigned size[THREADS] = {{ {} }};", sizes.join(", "));
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
        text += DEADLOCK_QUESTION;
    }
    text
}

/// A total deadlock, or threads that wait for each other in a circle, or for a lock of one that has ended.
const DEADLOCK_QUESTION: &str = "
static int is_blocked(unsigned thread)
{
    blocked = 0;
    waits_for = 0;
    run(thread, 1);
    return blocked;
}

static void look_for_deadlocks(void)
{
    unsigned thread, other, count;
    int some = 0, all = 1;
    assume(!finished);
    trying = 1;
    if (nondet() & 1) {
        for (thread = 0; thread < THREADS && all; thread++)
            if (started[thread] && !ended[thread]) {
                all = position[thread] < size[thread] && is_blocked(thread);
                some |= all;
            }
        assume(some && all);
        for (thread = 0; ended[thread] || !started[thread]; thread++)
            ;
    } else {
        thread = nondet();
        assume(thread < THREADS && started[thread] && !ended[thread]);
        other = thread;
        for (count = 0; count < THREADS; count++) {
            assume(position[other] < size[other] && is_blocked(other));
            assume(waits_for >= 1 && waits_for <= THREADS);
            other = (unsigned)waits_for - 1;
            if (other == thread || ended[other])
                break;
        }
        assume(other == thread || ended[other]);
    }
    deadlocked = 1;
    run(thread, 1);
}
";
