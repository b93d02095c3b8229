//! Columns of the user's line for the tokens that a preprocessor made of it.
//!
//! A preprocessor squeezes white space and expands macros, so a column of its output is not a column of the user's file.
//! [`Alignment`] compares the tokens of a source line with those that were printed for it. In an alignment each printed
//! token either stands in the source line verbatim, in the same order, or belongs to the expansion of an identifier
//! there, with or without an argument list. Dynamic programming finds the alignments with the most verbatim tokens and
//! the fewest expansions; of these, the two that give the expansions as few and as many tokens as possible are compared,
//! and a token to which they give different columns has none.
//!
//! A token of an expansion stands at the macro's name, unless it is recognised among the macro's arguments: there the
//! candidate with the longest common neighbourhood wins, and a tie means that the column is not known. Pieces that come
//! from a system header (by the preprocessor's line markers) are never part of the user's line, so in expansions of
//! system macros everything else is an argument.

/// More comparisons than this are not made: the columns of such a line are not known.
const MOST_WORK: usize = 1 << 22;

/// A token of a line: where it begins, in bytes and in characters (from 0), and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Token<'t> {
    at: usize,
    column: usize,
    text: &'t str,
}

impl Token<'_> {
    fn is_identifier(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$' || !c.is_ascii())
    }

    /// Returns true if it is more than a punctuation character.
    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || "_$\"'".contains(c) || !c.is_ascii())
    }
}

/// Splits a line into tokens. Punctuation is taken apart into characters: both lines are, so they compare alike.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut column) = (0, 0);
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let length = if rest.starts_with("//") {
            rest.len()
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else {
            token_length(rest, first)
        };
        let text = &rest[..length];
        let comment = text.starts_with("//") || text.starts_with("/*");
        if !first.is_whitespace() && !comment {
            found.push(Token { at, column, text });
        }
        at += length;
        column += text.chars().count();
    }
    found
}

fn token_length(rest: &str, first: char) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    if first == '"' || first == '\'' {
        return quoted_length(rest, first);
    }
    if first.is_ascii_digit() {
        return number_length(rest);
    }
    if word(first) {
        return rest.find(|c| !word(c)).unwrap_or(rest.len());
    }
    first.len_utf8()
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// A preprocessing number: an exponent may have a sign.
fn number_length(rest: &str) -> usize {
    let mut last = '0';
    for (at, c) in rest.char_indices() {
        let sign = (c == '+' || c == '-') && "eEpP".contains(last);
        if !(c.is_alphanumeric() || c == '_' || c == '.' || sign) {
            return at;
        }
        last = c;
    }
    rest.len()
}

/// What was printed of a source line between two line markers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    pub text: &'t str,
    /// It comes from a macro of a system header.
    pub system: bool,
}

/// A printed token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Printed {
    /// Its first byte in its piece, and its length.
    at: usize,
    length: usize,
    /// Its column (from 0) in the source line, if that is known.
    column: Option<usize>,
    /// It stands there itself, rather than the macro it comes from.
    verbatim: bool,
}

/// The columns of all tokens that were printed for a source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Alignment {
    /// The line was printed as it is: its columns are those of the source line.
    AsItIs,
    /// The tokens of each piece.
    Tokens(Vec<Vec<Printed>>),
}

/// Longer lines are not taken apart.
const LONG: usize = 4096;

impl Alignment {
    /// Aligns what was printed with the source line and the lines that follow it, where a macro's arguments may go on.
    pub fn new<'t>(
        original: &'t str,
        mut following: impl FnMut(usize) -> Option<&'t str>,
        pieces: &[Piece<'_>],
    ) -> Alignment {
        if matches!(pieces, [piece] if piece.text.trim_end() == original.trim_end()) {
            return Alignment::AsItIs;
        }
        if original.len() > LONG {
            return Alignment::Tokens(Vec::new());
        }
        let printed: Vec<Vec<Token<'_>>> = pieces.iter().map(|piece| tokens(piece.text)).collect();
        let flat: Vec<(Token<'_>, bool)> = printed
            .iter()
            .zip(pieces)
            .flat_map(|(tokens, piece)| tokens.iter().map(|token| (*token, piece.system)))
            .collect();
        let sides = Sides::new(Source::of_line(original), &flat);
        let columns = sides
            .columns()
            .or_else(|| Sides::new(Source::with_following(original, &mut following), &flat).columns())
            .or_else(|| Sides::new(Source::behind_an_invocation(original)?, &flat).columns())
            .unwrap_or_else(|| vec![None; flat.len()]);
        let mut rest = columns.into_iter();
        let token = |token: &Token<'_>| {
            let column = rest.next().flatten();
            let begin = column.and_then(|column| original.char_indices().nth(column));
            let verbatim = begin.is_some_and(|(byte, _)| original[byte..].starts_with(token.text));
            Printed { at: token.at, length: token.text.len(), column, verbatim }
        };
        let mut token = token;
        Alignment::Tokens(printed.iter().map(|tokens| tokens.iter().map(&mut token).collect()).collect())
    }

    /// The column (from 0) of a byte of a piece: of the token that begins there, or of the place in or right behind the
    /// last one before it. `None` if it is not known.
    pub fn column(&self, piece: usize, printed: &str, byte: usize) -> Option<usize> {
        let pieces = match self {
            Alignment::AsItIs => return Some(plain_column(printed, byte)),
            Alignment::Tokens(pieces) => pieces,
        };
        let tokens = pieces.get(piece)?;
        let after = tokens.partition_point(|token| token.at <= byte);
        let token = tokens.get(after.saturating_sub(1))?;
        let within = if token.verbatim { byte.saturating_sub(token.at).min(token.length) } else { 0 };
        token.column.map(|column| column + within)
    }
}

/// The column (from 0) of a byte of a line. Far to the right a column counts bytes: looking for the character would make
/// every place on a line of megabytes cost the length of the line.
pub(crate) fn plain_column(line: &str, byte: usize) -> usize {
    if byte > LONG { byte } else { line.get(..byte).map_or(byte, |head| head.chars().count()) }
}

/// The tokens of a source line, with their columns where they stand on the line itself.
struct Source<'t> {
    tokens: Vec<(Token<'t>, Option<usize>)>,
    /// For each opening parenthesis the token behind the closing one, if there is one.
    behind: Vec<Option<usize>>,
}

/// Lines behind the first that are looked at for the end of a macro's arguments.
const MOST_LINES: usize = 64;

impl<'t> Source<'t> {
    fn new(tokens: Vec<(Token<'t>, Option<usize>)>) -> Source<'t> {
        let mut behind = vec![None; tokens.len()];
        let mut unclosed = Vec::new();
        for (index, (token, _)) in tokens.iter().enumerate() {
            match token.text {
                "(" => unclosed.push(index),
                ")" => {
                    if let Some(opened) = unclosed.pop() {
                        behind[opened] = Some(index + 1);
                    }
                }
                _ => {}
            }
        }
        Source { tokens, behind }
    }

    fn of_line(line: &'t str) -> Source<'t> {
        // A comment may have begun on an earlier line.
        let skipped = match (line.find("*/"), line.find("/*")) {
            (Some(end), None) => end + 2,
            (Some(end), Some(begin)) if end < begin => end + 2,
            _ => 0,
        };
        let before = line[..skipped].chars().count();
        let shift = |token: Token<'t>| {
            let column = token.column + before;
            (Token { at: token.at + skipped, column, ..token }, Some(column))
        };
        let mut tokens: Vec<_> = tokens(&line[skipped..]).into_iter().map(shift).collect();
        if tokens.last().is_some_and(|(token, _)| token.text == "\\") {
            tokens.pop();
        }
        Source::new(tokens)
    }

    /// The line, and what follows it up to where all parentheses are closed and no line is continued. Tokens of later
    /// lines have no column on this one.
    fn with_following(line: &'t str, following: &mut impl FnMut(usize) -> Option<&'t str>) -> Source<'t> {
        let mut tokens = Source::of_line(line).tokens;
        let mut last = line;
        for number in 0..MOST_LINES {
            if !goes_on(&tokens) && !last.trim_end().ends_with('\\') {
                break;
            }
            let Some(next) = following(number) else { break };
            for (token, _) in Source::of_line(next).tokens {
                tokens.push((token, None));
                // The rest of that line is printed as a line of its own.
                if !goes_on(&tokens) && !next.trim_end().ends_with('\\') {
                    return Source::new(tokens);
                }
            }
            last = next;
        }
        Source::new(tokens)
    }

    /// What is left of a line on which the arguments of an earlier line's macro end.
    fn behind_an_invocation(line: &'t str) -> Option<Source<'t>> {
        let tokens = Source::of_line(line).tokens;
        let mut depth = 0i32;
        let closes = tokens.iter().position(|(token, _)| {
            depth += i32::from(token.text == "(") - i32::from(token.text == ")");
            depth < 0
        })?;
        Some(Source::new(tokens[closes + 1..].to_vec()))
    }
}

fn goes_on(tokens: &[(Token<'_>, Option<usize>)]) -> bool {
    let count = |text: &str| tokens.iter().filter(|(token, _)| token.text == text).count();
    count("(") > count(")")
}

/// A source line and what was printed for it.
struct Sides<'a, 't> {
    source: Source<'a>,
    printed: &'a [(Token<'t>, bool)],
    /// How well the source from token `i` on fits the printed tokens from `j` on; nothing if it cannot have given them.
    fits: Vec<Option<Score>>,
    /// The same for the best of `j` and all later ones.
    fits_later: Vec<Option<Score>>,
}

/// How good an alignment is: verbatim tokens count for it, expansions against it.
type Score = i32;
const VERBATIM: Score = 2;
const EXPANSION: Score = -1;

/// Which of several ends of an expansion is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

impl<'a, 't> Sides<'a, 't> {
    fn new(source: Source<'a>, printed: &'a [(Token<'t>, bool)]) -> Sides<'a, 't> {
        let size = (source.tokens.len() + 1) * (printed.len() + 1);
        let mut sides = Sides { source, printed, fits: Vec::new(), fits_later: Vec::new() };
        if size <= MOST_WORK {
            sides.fits = vec![None; size];
            sides.fits_later = vec![None; size];
            sides.compare();
        }
        sides
    }

    fn at(&self, source: usize, printed: usize) -> usize {
        source * (self.printed.len() + 1) + printed
    }

    fn compare(&mut self) {
        let (sources, prints) = (self.source.tokens.len(), self.printed.len());
        for i in (0..=sources).rev() {
            for j in (0..=prints).rev() {
                let at = self.at(i, j);
                self.fits[at] = match i == sources {
                    true => (j == prints).then_some(0),
                    false => self.verbatim_score(i, j).max(self.expansion(i, j).map(|(score, _)| score)),
                };
                let later = if j < prints { self.fits_later[at + 1] } else { None };
                self.fits_later[at] = self.fits[at].max(later);
            }
        }
    }

    /// The best score where the token stands for itself.
    fn verbatim_score(&self, i: usize, j: usize) -> Option<Score> {
        if !self.is_verbatim(i, j) {
            return None;
        }
        self.fits[self.at(i + 1, j + 1)].map(|rest| rest + VERBATIM)
    }

    /// The best score where the token is a macro, and where the source goes on then.
    fn expansion(&self, i: usize, j: usize) -> Option<(Score, usize)> {
        let mut best: Option<(Score, usize)> = None;
        for next in self.resumes(i).into_iter().flatten() {
            let score = self.fits_later[self.at(next, j)].map(|rest| rest + EXPANSION);
            if score > best.map(|(score, _)| score) {
                best = score.map(|score| (score, next));
            }
        }
        best
    }

    fn is_verbatim(&self, i: usize, j: usize) -> bool {
        self.printed
            .get(j)
            .is_some_and(|(token, system)| !system && token.text == self.source.tokens[i].0.text)
    }

    /// Where the source goes on if the token is a macro: behind its name, or behind its arguments.
    fn resumes(&self, i: usize) -> [Option<usize>; 2] {
        if !self.source.tokens[i].0.is_identifier() {
            return [None; 2];
        }
        let arguments = self.source.tokens.get(i + 1).filter(|(token, _)| token.text == "(");
        [Some(i + 1), arguments.and_then(|_| self.source.behind[i + 1])]
    }

    /// The columns of the printed tokens; nothing if the source cannot have given them.
    fn columns(&self) -> Option<Vec<Option<usize>>> {
        (*self.fits.first()?)?;
        let (first, last) = (self.walk(End::First), self.walk(End::Last));
        Some(first.into_iter().zip(last).map(|(one, other)| one.filter(|_| one == other)).collect())
    }

    /// One of the best alignments.
    fn walk(&self, end: End) -> Vec<Option<usize>> {
        let mut columns = Vec::with_capacity(self.printed.len());
        let (mut i, mut j) = (0, 0);
        while i < self.source.tokens.len() {
            let best = self.fits[self.at(i, j)];
            if self.verbatim_score(i, j) == best {
                columns.push(self.source.tokens[i].1);
                (i, j) = (i + 1, j + 1);
                continue;
            }
            let Some((score, next)) = self.expansion(i, j) else { break };
            let rest = Some(score - EXPANSION);
            let mut here = (j..=self.printed.len()).filter(|k| self.fits[self.at(next, *k)] == rest);
            let to = match end {
                End::First => here.next(),
                End::Last => here.next_back(),
            };
            let Some(to) = to else { break };
            columns.extend((j..to).map(|k| self.expanded(i, next, j..to, k)));
            (i, j) = (next, to);
        }
        columns
    }

    /// The column of a token in the expansion of the macro at `name`, whose arguments end before `next`.
    fn expanded(&self, name: usize, next: usize, range: std::ops::Range<usize>, k: usize) -> Option<usize> {
        let (token, system) = &self.printed[k];
        let at_name = self.source.tokens[name].1;
        if *system || next <= name + 3 {
            return at_name;
        }
        let arguments = name + 2..next - 1;
        let mut best = (0, None, false);
        for i in arguments.clone() {
            if self.source.tokens[i].0.text != token.text {
                continue;
            }
            let common = self.neighbourhood(&arguments, &range, i, k);
            if common > best.0 {
                best = (common, self.source.tokens[i].1, false);
            } else if common == best.0 && best.1 != self.source.tokens[i].1 {
                best.2 = true;
            }
        }
        let from_a_system_macro = self.printed[range].iter().any(|(_, system)| *system);
        match best {
            (0, ..) => at_name,
            // A lone parenthesis or operator is as likely the macro's own.
            (1, ..) if !token.is_word() && !from_a_system_macro => at_name,
            (_, _, true) => None,
            (_, column, false) => column,
        }
    }

    /// How many tokens around `i` in the arguments and around `k` in the expansion are the same, themselves included.
    fn neighbourhood(
        &self,
        arguments: &std::ops::Range<usize>,
        range: &std::ops::Range<usize>,
        i: usize,
        k: usize,
    ) -> usize {
        let before = (1..).take_while(|d| {
            i >= arguments.start + d && k >= range.start + d && self.is_verbatim(i - d, k - d)
        });
        let after = (1..)
            .take_while(|d| i + d < arguments.end && k + d < range.end && self.is_verbatim(i + d, k + d));
        before.count() + 1 + after.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source line with, for each printed token, the text at its column; `?` where it is not known.
    fn aligned(original: &str, following: &[&str], pieces: &[(&str, bool)]) -> String {
        let pieces: Vec<Piece> =
            pieces.iter().map(|(text, system)| Piece { text, system: *system }).collect();
        let alignment = Alignment::new(original, |n| following.get(n).copied(), &pieces);
        let mut out = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            for token in tokens(piece.text) {
                let shown = match alignment.column(number, piece.text, token.at) {
                    Some(column) => {
                        let rest: String = original.chars().skip(column).collect();
                        tokens(&rest).first().map_or(String::new(), |token| token.text.to_string())
                    }
                    None => "?".to_string(),
                };
                let same = shown == token.text;
                out.push(if same { shown } else { format!("{}@{shown}", token.text) });
            }
        }
        out.join(" ")
    }

    #[test]
    fn verbatim_tokens_keep_their_columns() {
        assert_eq!(aligned("x  =   y ;", &[], &[("x = y ;", false)]), "x = y ;");
        assert_eq!(aligned("x = y; // z", &[], &[("x = y;", false)]), "x = y ;");
        assert_eq!(aligned(" still */ x = /* a */ y;", &[], &[(" x = y;", false)]), "x = y ;");
    }

    #[test]
    fn macros_without_arguments() {
        let null = ("((void *)0)", true);
        assert_eq!(
            aligned(
                "f(&t[i], NULL, g, NULL);",
                &[],
                &[("f(&t[i], ", false), null, (", g, ", false), null, (");", false)]
            ),
            "f ( & t [ i ] , (@NULL (@NULL void@NULL *@NULL )@NULL 0@NULL )@NULL , g , (@NULL (@NULL void@NULL *@NULL )@NULL \
             0@NULL )@NULL ) ;"
        );
        assert_eq!(
            aligned("  foo(MAX, bad);", &[], &[("  foo(100, bad);", false)]),
            "foo ( 100@MAX , bad ) ;"
        );
        assert_eq!(aligned("  A;", &[], &[("  1 + 2;", false)]), "1@A +@A 2@A ;");
        assert_eq!(aligned("  NOTHING x;", &[], &[("   x;", false)]), "x ;");
    }

    #[test]
    fn where_an_expansion_ends_may_be_open() {
        assert_eq!(aligned("A B;", &[], &[("1 2 3;", false)]), "1@? 2@? 3@? ;");
    }

    #[test]
    fn arguments_are_recognised() {
        assert_eq!(
            aligned(
                "a[1] = SQ(a[2] + 1) + a[3];",
                &[],
                &[("a[1] = ((a[2] + 1) * (a[2] + 1)) + a[3];", false)]
            ),
            "a [ 1 ] = (@SQ (@SQ a [ 2 ] + 1 )@SQ *@SQ (@SQ a [ 2 ] + 1 )@SQ )@SQ + a [ 3 ] ;"
        );
        // A word that stands there twice, alone each time, could be either.
        assert_eq!(aligned("M(x, x);", &[], &[("f(x) + x;", false)]), "f@M (@M x@? )@M +@M x@? ;");
    }

    #[test]
    fn system_macros_have_pieces_of_their_own() {
        let pieces = [
            ("((void) sizeof ((", true),
            ("p != ", false),
            ("((void *)0) ", true),
            ("&& *p == 3", false),
            (") ? 1 : 0))", true),
            ("; a = b;", false),
        ];
        let shown = aligned("    assert(p != NULL && *p == 3); a = b;", &[], &pieces);
        assert!(shown.starts_with("(@assert (@assert void@assert"), "{shown}");
        assert!(shown.contains(" p ! = (@assert"), "{shown}");
        assert!(shown.contains(" & & * p = = 3 )@assert"), "{shown}");
        assert!(shown.ends_with("; a = b ;"), "{shown}");
    }

    #[test]
    fn arguments_may_go_on_on_other_lines() {
        let pieces = [("((void)(", true), ("p == q && r == s", false), ("))", true)];
        let shown = aligned("assert(p == q &&", &["   r == s);"], &pieces);
        assert!(shown.contains("p = = q & & r@? =@? =@? s@?"), "{shown}");
        assert_eq!(aligned("   r == s); x = 1;", &[], &[("; x = 1;", false)]), "; x = 1 ;");
    }

    #[test]
    fn what_does_not_fit_has_no_columns() {
        assert_eq!(aligned("x = 1;", &[], &[("y + 2", false)]), "y@? +@? 2@?");
    }
}
