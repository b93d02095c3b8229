//! Strings and formatted output into buffers.

use super::Gen;
use crate::cat;
use crate::tree::Tree;

/// Room in the buffers of string blocks; operations keep the text far below it.
const ROOM: usize = 96;

impl Gen {
    /// A short string literal.
    pub(super) fn string_literal(&mut self) -> Tree {
        const WORDS: [&str; 10] = [
            "",
            "a",
            "braid",
            "two words",
            "tab\\there",
            "x\\x41y",
            "0123456789",
            "%",
            "\\\"q\\\"",
            "zz\\177",
        ];
        let word = *self.rng.pick(&WORDS);
        if self.rng.one_in(6) { cat!("\"", word, "\" \"+\"") } else { cat!("\"", word, "\"") }
    }

    /// A block that works on a buffer of its own.
    pub(super) fn string_block(&mut self) -> Option<Tree> {
        if self.pure_ || self.times > 12 || !self.can_afford(3000) {
            return None;
        }
        self.spend(900);
        let name = self.fresh("buf");
        let start = self.string_literal();
        let mut lines = vec![match self.rng.below(3) {
            0 => cat!("char ", &name, "[96] = ", start, ";\n"),
            1 => cat!("char ", &name, "[96];\nstrcpy(", &name, ", ", start, ");\n"),
            _ => cat!(
                "char ",
                &name,
                "[96];\nmemset(",
                &name,
                ", 0, sizeof ",
                &name,
                ");\nstrncpy(",
                &name,
                ", ",
                start,
                ", 20);\n"
            ),
        }];
        // No start is longer than 12 characters.
        let mut longest = 12;
        for _ in 0..self.rng.range(1, 5) {
            let line = self.string_step(&name, &mut longest);
            lines.push(line.optional());
        }
        lines.push(self.string_end(&name));
        Some(cat!("{\n", lines, "}\n").optional())
    }

    fn string_step(&mut self, name: &str, longest: &mut usize) -> Tree {
        let mut holes = vec![("s", Tree::from(name)), ("other", self.string_literal())];
        let text = match self.rng.below(8) {
            0 | 1 if *longest + 12 < ROOM => {
                *longest += 12;
                "strcat($s, $other);\n"
            }
            2 => {
                let (format, args) = self.format();
                let size = self.rng.range(1, 60);
                *longest = (*longest).max(size - 1);
                holes.extend([("size", size.to_string().into()), ("format", format.into()), ("args", args)]);
                "mix((unsigned long long)snprintf($s, $size, \"$format\"$args));\n"
            }
            3 => "mix((unsigned long long)sign(strcmp($s, $other)));\n",
            4 => "mix((unsigned long long)sign(strncmp($s, $other, 3)) + strlen($s));\n",
            5 => {
                holes.push(("p", self.fresh("s").into()));
                holes.push(("search", (*self.rng.pick(&["strchr", "strrchr"])).into()));
                holes.push(("letter", (*self.rng.pick(&["'a'", "'0'", "' '", "'\\0'", "'r'"])).into()));
                "char *$p = $search($s, $letter);\nmix($p ? (unsigned long long)($p - $s) : 77);\n"
            }
            6 => {
                let (to, from) = *self.rng.pick(&[(" + 1", ""), ("", " + 1"), (" + 3", " + 2")]);
                let count = self.rng.range(0, 20).to_string();
                holes.extend([("to", to.into()), ("from", from.into()), ("count", count.into())]);
                // Bytes past the text may never have been set: nothing is moved unless it is long enough.
                "if (strlen($s) >= $count + 4)\nmemmove($s$to, $s$from, $count);\n"
            }
            _ => {
                holes.push(("value", self.int_expr(1).tree));
                "if ($s[0])\n$s[0] = (char)('a' + ((unsigned)$value % 26u));\n"
            }
        };
        Tree::fill(text, &holes)
    }

    fn string_end(&mut self, name: &str) -> Tree {
        match self.rng.below(4) {
            0 => cat!("puts(", name, ");\n"),
            1 => cat!(
                "printf(\"%s|%.3s|%12s|%-12.5s|\\n\", ",
                name,
                ", ",
                name,
                ", ",
                name,
                ", ",
                name,
                ");\n"
            ),
            2 => cat!("for (const char *s = ", name, "; *s; s++)\nmix((unsigned char)*s);\n"),
            _ => cat!("printf(\"%s %zu\\n\", ", name, ", strlen(", name, "));\n"),
        }
    }

    /// A format of one to three conversions and its arguments, each behind a comma.
    fn format(&mut self) -> (String, Tree) {
        let mut format = String::new();
        let mut args = Vec::new();
        for _ in 0..self.rng.range(1, 3) {
            let (directive, arg) = self.directive();
            format.push_str(&directive);
            let separator = *self.rng.pick(&["", " ", "|", "%%", "-"]);
            format.push_str(separator);
            args.push(arg);
        }
        (format, Tree::Seq(args))
    }

    fn directive(&mut self) -> (String, Tree) {
        let flags: String =
            ["-", "+", " ", "0", "#"].iter().filter(|_| self.rng.one_in(4)).copied().collect();
        let mut head = format!("%{flags}");
        let mut args = Vec::new();
        match self.rng.below(4) {
            0 => head.push_str(&self.rng.range(1, 14).to_string()),
            1 if self.rng.one_in(3) => {
                head.push('*');
                args.push(format!(", {}", self.rng.range(0, 20) as i32 - 8).into());
            }
            _ => {}
        }
        match self.rng.below(4) {
            0 => head.push_str(&format!(".{}", self.rng.range(0, 12))),
            1 if self.rng.one_in(3) => {
                head.push_str(".*");
                args.push(format!(", {}", self.rng.range(0, 9) as i32 - 1).into());
            }
            _ => {}
        }
        let (tail, arg) = self.conversion();
        // '#' and '0' have no meaning for some conversions.
        let head = match tail.as_bytes().last() {
            Some(b'd' | b'i' | b'u') => head.replace('#', ""),
            Some(b'c' | b's') => clear_flags(&head),
            _ => head,
        };
        let head = if tail.ends_with('c') { head.split('.').next().unwrap_or("%").to_string() } else { head };
        let head = match tail.as_bytes().last() {
            Some(b'u' | b'x' | b'X' | b'o') => head.replacen(['+', ' '], "", 2),
            _ => head,
        };
        if tail.ends_with('c') {
            args.truncate(head.matches('*').count());
        }
        args.push(arg);
        (format!("{head}{tail}"), Tree::Seq(args))
    }

    fn conversion(&mut self) -> (&'static str, Tree) {
        let value = self.int_expr(1).tree;
        match self.rng.below(16) {
            0 => ("d", cat!(", (int)", value)),
            1 => ("u", cat!(", (unsigned)", value)),
            2 => ("x", cat!(", (unsigned)", value)),
            3 => ("o", cat!(", (unsigned)", value)),
            4 => ("ld", cat!(", (long)", value)),
            5 => ("llX", cat!(", (unsigned long long)", value)),
            6 => ("hhd", cat!(", (int)", value)),
            7 => ("hu", cat!(", (int)", value)),
            8 => ("zu", cat!(", (size_t)", value)),
            9 => ("c", cat!(", 'A' + (int)((unsigned)", value, " % 26u)")),
            10 => ("s", cat!(", ", self.string_literal())),
            11 => ("f", cat!(", clamp(", self.float_expr(1), ", -1e6, 1e6)")),
            12 => ("e", cat!(", fin(", self.float_expr(1), ")")),
            13 => ("g", cat!(", fin(", self.float_expr(1), ")")),
            14 => ("a", cat!(", fin(", self.float_expr(1), ")")),
            _ => ("i", cat!(", (int)", value)),
        }
    }
}

/// The directive's head with only the `-` flag kept.
fn clear_flags(head: &str) -> String {
    let body = head[1..].trim_start_matches(['-', '+', ' ', '0', '#']);
    let minus = if head[1..head.len() - body.len()].contains('-') { "-" } else { "" };
    format!("%{minus}{body}")
}

#[cfg(test)]
mod tests {
    use super::clear_flags;

    #[test]
    fn flags_without_meaning_are_dropped() {
        assert_eq!(clear_flags("%-+05.3"), "%-5.3");
        assert_eq!(clear_flags("%#"), "%");
    }
}
