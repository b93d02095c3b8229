//! Colours on a terminal, plain text elsewhere.

/// How text is set off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// A violation.
    Bad,
    /// A heading.
    Strong,
    /// What can be skipped.
    Faint,
    /// The text of a thread, by number.
    Thread(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    pub colours: bool,
}

/// Colours that can be told apart on dark and light backgrounds.
const THREADS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

impl Style {
    pub const PLAIN: Style = Style { colours: false };

    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.colours || text.is_empty() {
            return text.to_string();
        }
        let code = match tone {
            Tone::Bad => "1;31",
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Thread(number) => THREADS[number % THREADS.len()],
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_is_plain() {
        assert_eq!(Style::PLAIN.paint(Tone::Bad, "x"), "x");
        assert_eq!(Style { colours: true }.paint(Tone::Strong, "x"), "\u{1b}[1mx\u{1b}[0m");
        assert_eq!(Style { colours: true }.paint(Tone::Thread(7), ""), "");
    }
}
