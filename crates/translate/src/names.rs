//! Names of the C program that is written.
//!
//! Names of the source stay where C and the program allow it; a name that is taken gets a number.

use braid_base::{HashMap, HashSet};

/// Names that mean something else in the text: words of C, functions of the library, and the text's own.
const TAKEN: &str = "auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
    _Bool _Atomic _Alignas _Alignof _Generic _Noreturn _Static_assert _Thread_local asm typeof NULL main exit __func__ __FUNCTION__ __PRETTY_FUNCTION__ abort assert \
    malloc calloc free memcpy memset nondet_uint choice open_choices LOG EOF getc ungetc rewind getchar putchar puts fputs fgets fread fwrite fflush fclose \
    fseek ftell feof ferror perror remove rename stdin stdout scanf sprintf snprintf sscanf putc fputc fgetc tmpfile tmpnam setbuf setvbuf fopen fscanf fprintf stderr printf FILE getenv argc argv \
    mutex condition_variable read_write_lock pc stop round finished started ended result state claim blocks sizes block_size CHECK NEXT TOUCH MEETS WAIT READ WRITE ATOMIC asking watching next_at next_size next_how meets trying \
    deadlocked waits_for size run look_for_races look_for_deadlocks is_stuck stuck moves tried_from changes unchanged laps chosen either COMES_ROUND_OFTEN REPORT gives waits_at gave waited_at is_noticed thread other count last WAIT_OR_GO_ON COMES_ROUND argument position choose state_of life_of choices THREADS assume nondet JUMP GUARD lock try_lock unlock self";

/// Hands out names, each once.
pub struct Names {
    used: HashSet<String>,
    /// The number that the next clash of a name gets.
    next: HashMap<String, u32>,
}

impl Names {
    pub fn new() -> Names {
        Names { used: TAKEN.split_whitespace().map(str::to_string).collect(), next: HashMap::default() }
    }

    /// A name like the wanted one.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut base: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        if self.used.insert(base.clone()) {
            return base;
        }
        let next = self.next.entry(base.clone()).or_insert(2);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = Names::new();
        let given = ["x", "x", "str.0", "int", "2x", "x", "pc"].map(|wanted| names.fresh(wanted));
        assert_eq!(given, ["x", "x_2", "str_0", "int_2", "_2x", "x_3", "pc_2"]);
    }
}
