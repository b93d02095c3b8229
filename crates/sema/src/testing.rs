//! Helpers for the tests of this crate: text in, checked unit and diagnostics out.

use crate::dump::{dump_entities, dump_function};
use crate::hir::Unit;
use crate::types::{DataModel, Types};
use braid_base::{Diagnostics, SourceMap};
use expect_test::Expect;

pub(crate) struct Checked {
    pub types: Types,
    pub unit: Unit,
    pub messages: String,
}

pub(crate) fn check_text(text: &str, model: DataModel) -> Checked {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let tu = braid_syntax::parse(&mut sources, "t.c", text.into(), &mut diags);
    let mut types = Types::new(model);
    let unit = crate::check(&mut types, &sources, "t.c", &tu, &mut diags);
    let messages = diags.iter().map(|d| d.render(&sources)).collect();
    Checked { types, unit, messages }
}

/// The body of function `f`, after all messages.
pub(crate) fn check_f(text: &str, expect: Expect) {
    let checked = check_text(text, DataModel::Lp64);
    let body = dump_function(&checked.types, &checked.unit, "f");
    expect.assert_eq(&format!("{}{body}", checked.messages));
}

/// All entities, after all messages.
pub(crate) fn check_entities(text: &str, expect: Expect) {
    let checked = check_text(text, DataModel::Lp64);
    expect.assert_eq(&format!("{}{}", checked.messages, dump_entities(&checked.types, &checked.unit)));
}

/// Only the first lines of the messages: place, severity, text.
pub(crate) fn check_messages(text: &str, expect: Expect) {
    let checked = check_text(text, DataModel::Lp64);
    let lines = checked.messages.lines().filter(|l| l.starts_with("t.c:") || l.starts_with("note:"));
    expect.assert_eq(&lines.map(|l| format!("{l}\n")).collect::<String>());
}
