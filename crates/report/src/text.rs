//! A counterexample as text for a terminal.
//!
//! The violation, why it is one, and the interleaving: one column per thread where there is room, else one line per
//! step with its thread in front. Below a source line stands what it changed. A mark says that another thread
//! runs from here on. Only steps that have a part in the violation are shown, unless all are asked for; of very
//! many the beginning and the end.

use crate::{Context, Style, Tone, violation, words};
use braid_verdict::Counterexample;
use braid_verdict::story::{Step, Story};

/// How the text is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Columns of the terminal.
    pub width: usize,
    pub style: Style,
    /// Every step, with everything it does.
    pub full: bool,
}

/// Steps shown of a long story: the first and the last ones.
const FIRST: usize = 12;
const LAST: usize = 36;

/// A thread's column is no narrower than this; with less room the columns fold into one.
const NARROWEST: usize = 26;

/// Marks a step before which another thread ran.
const SWITCH: &str = "▸ ";

pub fn render(context: Context<'_>, layout: Layout, found: &Counterexample) -> String {
    let mut out = violation::report(context, layout.style, found.report());
    for sentence in &found.story().why {
        out += &format!("  {sentence}\n");
    }
    let table = Table::new(context, layout, found.story());
    if table.steps.is_empty() { out } else { out + "\n" + &table.render() }
}

struct Table<'a> {
    context: Context<'a>,
    layout: Layout,
    story: &'a Story,
    steps: Vec<&'a Step>,
    /// Threads with a column, by number.
    threads: Vec<usize>,
    number_width: usize,
    place_width: usize,
    several_files: bool,
}

impl<'a> Table<'a> {
    fn new(context: Context<'a>, layout: Layout, story: &'a Story) -> Table<'a> {
        let steps: Vec<&Step> = story.steps.iter().filter(|step| layout.full || step.essential).collect();
        let mut threads: Vec<usize> = steps.iter().map(|step| step.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let several_files = steps.windows(2).any(|pair| pair[0].place.file != pair[1].place.file);
        let mut table = Table {
            context,
            layout,
            story,
            threads,
            number_width: steps.last().map_or(0, |step| step.number.to_string().len()).max(4),
            place_width: 0,
            steps,
            several_files,
        };
        table.place_width = table.steps.iter().map(|step| table.place(step).len()).max().unwrap_or(0).max(4);
        table
    }

    fn place(&self, step: &Step) -> String {
        if self.several_files { self.context.short_place(step.place) } else { step.place.line.to_string() }
    }

    fn path(&self, thread: usize) -> &str {
        self.story.threads.get(thread).map_or("?", |thread| &thread.path)
    }

    /// Room for each thread, if there is enough for columns.
    fn column_width(&self) -> Option<usize> {
        let gutter = self.number_width + self.place_width + 7;
        let width = self.layout.width.saturating_sub(gutter) / self.threads.len().max(1);
        (width >= NARROWEST).then_some(width)
    }

    fn render(&self) -> String {
        let mut out = self.head();
        let skipped = if self.layout.full { 0 } else { self.steps.len().saturating_sub(FIRST + LAST) };
        let mut shown_thread = self.steps.first().map(|step| step.thread);
        for (index, step) in self.steps.iter().enumerate() {
            if skipped > 0 && index == FIRST {
                out += &format!("{:>1$} … {skipped} steps …\n", "", self.number_width + 2);
            }
            if index < FIRST || index >= FIRST + skipped {
                let switch = shown_thread.replace(step.thread) != Some(step.thread);
                out += &self.row(step, switch);
            }
        }
        out + &self.legend()
    }

    fn head(&self) -> String {
        let Some(width) = self.column_width() else { return String::new() };
        let place = if self.several_files { "place" } else { "line" };
        let mut out = format!("  {:>1$}  {place:>2$} ", "step", self.number_width, self.place_width);
        for &thread in &self.threads {
            let function = self.story.threads.get(thread).and_then(|thread| thread.function);
            let name = match function {
                Some(function) if thread > 0 => format!("{} ({function})", self.path(thread)),
                Some(_) | None => self.path(thread).to_string(),
            };
            out += &format!("  {}", pad(&cut(&name, width - 2), width - 2));
        }
        let line = self.layout.style.paint(Tone::Strong, out.trim_end());
        line + "\n"
    }

    /// The lines of one step: its source, then what it changes.
    fn row(&self, step: &Step, switch: bool) -> String {
        let (before, width) = match self.column_width() {
            Some(width) => {
                let column = self.threads.iter().position(|thread| *thread == step.thread).unwrap_or(0);
                // To the right there is nobody on this line.
                let right = (self.threads.len() - column) * width;
                (" ".repeat(column * width + 1), right.saturating_sub(3))
            }
            None => {
                let names = self.threads.iter().map(|thread| self.path(*thread).chars().count());
                let name_width = names.max().unwrap_or(0);
                let used = self.number_width + self.place_width + name_width + 9;
                let name = format!("  {}", pad(self.path(step.thread), name_width));
                let tone = Tone::Thread(step.thread);
                (self.layout.style.paint(tone, &name), self.layout.width.saturating_sub(used).max(20))
            }
        };
        let folded = self.column_width().is_none();
        let blank = if folded { " ".repeat(visible_width(&before)) } else { before.clone() };
        let gutter =
            format!("  {:>1$}  {2:>3$}", step.number, self.number_width, self.place(step), self.place_width);
        let empty = " ".repeat(gutter.chars().count());
        let mark = if switch { SWITCH } else { "  " };
        let source = cut(self.context.line(step.place), width);
        let tone = if step.violates() { Tone::Bad } else { Tone::Thread(step.thread) };
        let source = self.layout.style.paint(tone, &source);
        let mut out = format!("{gutter}{before}{mark}{source}\n");
        let phrases = if self.layout.full {
            words::all_phrases(self.story, step)
        } else {
            words::phrases(self.story, step)
        };
        for line in wrap(&phrases, width.saturating_sub(2)) {
            let tone = if line.starts_with('✗') { Tone::Bad } else { Tone::Faint };
            out += &format!("{empty}{blank}    {}\n", self.layout.style.paint(tone, &line));
        }
        out.lines().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    fn legend(&self) -> String {
        let mut notes = Vec::new();
        if self.threads.len() > 1 {
            notes.push(format!("{}another thread runs from here on", SWITCH));
        }
        let hidden = self.story.steps.len() - self.steps.len();
        if hidden > 0 {
            let what = if hidden == 1 {
                "1 step without a part in it is".to_string()
            } else {
                format!("{hidden} steps without a part in it are")
            };
            notes.push(format!("{what} not shown (--full-trace shows all)"));
        }
        if self.story.abridged {
            notes.push("the execution is very long: not all of it is shown".to_string());
        }
        notes.iter().map(|note| self.layout.style.paint(Tone::Faint, &format!("  {note}")) + "\n").collect()
    }
}

/// Columns a text takes, without what only sets colours.
fn visible_width(text: &str) -> usize {
    let mut count = 0;
    let mut escape = false;
    for c in text.chars() {
        match c {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            _ => count += 1,
        }
    }
    count
}

fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// The text, or its beginning if it does not fit.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept.trim_end().to_string() + "…"
}

/// Phrases put together to lines of a width; one that is longer alone is broken between words.
fn wrap(phrases: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for phrase in phrases {
        let fits = |line: &String| line.chars().count() + 2 + phrase.chars().count() <= width;
        let violates = phrase.starts_with('✗');
        match lines.last_mut().filter(|line| open && !violates && fits(line)) {
            Some(line) => *line += &format!(", {phrase}"),
            None => lines.extend(break_words(phrase, width)),
        }
        open = !violates;
    }
    lines
}

fn break_words(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            *last += word;
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            *last += &format!(" {word}");
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        let phrases = ["x: 0 → 1".to_string(), "locks m".to_string(), "✗ assertion failed badly".to_string()];
        assert_eq!(wrap(&phrases, 30), ["x: 0 → 1, locks m", "✗ assertion failed badly"]);
        assert_eq!(wrap(&phrases, 12), ["x: 0 → 1", "locks m", "✗ assertion", "  failed", "  badly"]);
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(visible_width("\u{1b}[1mab\u{1b}[0m c"), 4);
    }
}
