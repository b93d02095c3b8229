//! Helpers for the tests of this crate: text in, checked unit and diagnostics out.

use crate::dump::{dump_entities, dump_function};
use crate::hir::Unit;
use crate::types::{DataModel, Types};
use braid_base::{Diagnostics, SourceMap};
use expect_test::Expect;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

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

/// A small deterministic generator of numbers.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        braid_base::rng::split_mix(&mut self.0) % n
    }

    pub fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len() as u64) as usize]
    }
}

/// Seeds to try: one, or as many as `BRAID_ROUNDS` says.
pub(crate) fn seeds(first: u64) -> impl Iterator<Item = u64> {
    let rounds = std::env::var("BRAID_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    (0..rounds).map(move |i: u64| first.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
}

/// The bytes the C compiler gives the section `.probe` of a unit; `None` if it cannot compile it.
pub(crate) fn compile_probe(text: &str, model: DataModel) -> Option<Vec<u8>> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("braid-probe-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = |end: &str| std::env::temp_dir().join(format!("{name}.{end}"));
    let (source, object, section) = (path("c"), path("o"), path("bin"));
    std::fs::write(&source, text).expect("the temporary directory is writable");
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let compiled = Command::new("cc")
        .args([width, "-w", "-c", "-fno-toplevel-reorder", "-o"])
        .args([&object, &source])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    let extracted = compiled
        && Command::new("objcopy")
            .args(["-O", "binary", "--only-section=.probe"])
            .args([&object, &section])
            .status()
            .is_ok_and(|s| s.success());
    let bytes = if extracted { std::fs::read(&section).ok() } else { None };
    for file in [source, object, section] {
        let _ = std::fs::remove_file(file);
    }
    bytes
}
