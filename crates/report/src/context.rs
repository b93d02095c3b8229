//! The program that is talked about, and its source texts.

use braid_base::SourceMap;
use braid_base::diag::excerpt;
use braid_ir::{Loc, Program};

#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
}

impl<'a> Context<'a> {
    pub fn file(&self, loc: Loc) -> &'static str {
        self.program.file_name(loc.file)
    }

    /// The source line of a place, without the blanks around it; empty if it is not at hand.
    pub fn line(&self, loc: Loc) -> &'a str {
        self.sources.line_of(self.file(loc), loc.line).map_or("", str::trim)
    }

    /// The source line with a mark under the column, if the text is at hand.
    pub fn excerpt(&self, loc: Loc) -> String {
        let text = self.sources.line_of(self.file(loc), loc.line);
        text.map_or(String::new(), |text| excerpt(text, loc.line, loc.column, 1))
    }

    /// `file.c:12`, without directories.
    pub fn short_place(&self, loc: Loc) -> String {
        let file = self.file(loc);
        let base = file.rsplit('/').next().unwrap_or(file);
        format!("{base}:{}", loc.line)
    }
}
