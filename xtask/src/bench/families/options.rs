//! What `bench families` is asked: which instances, how long, with which flags, against whom.

use super::tool::Tool;
use std::path::Path;

/// Seconds for one question, unless told otherwise: all instances with one set of flags take some minutes.
const LIMIT: u64 = 5;

/// The environment variable that names other tools: one command in each line.
const PEERS: &str = "BRAID_PEERS";

/// The words after `bench families`.
#[derive(PartialEq, Eq, Debug)]
pub struct Options {
    /// An instance is wanted if its name contains one of them; all are if there are none.
    filters: Vec<String>,
    /// Seconds.
    pub limit: u64,
    /// Sets of flags, each in one word.
    flags: Vec<String>,
    /// Commands with `{file}`.
    peers: Vec<String>,
}

impl Options {
    /// Every option may be given several times but the limit.
    pub fn parse(words: &[&str]) -> Result<Options, String> {
        let mut options = Options { filters: Vec::new(), limit: LIMIT, flags: Vec::new(), peers: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?.to_string();
            match *word {
                "--filter" => options.filters.push(value),
                "--flags" => options.flags.push(value),
                "--peer" => options.peers.push(value),
                "--limit" => options.limit = seconds(&value)?,
                other => return Err(format!("bench families does not know {other}")),
            }
        }
        if let Ok(peers) = std::env::var(PEERS) {
            options
                .peers
                .extend(peers.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_string));
        }
        match options.peers.iter().find(|peer| !peer.contains("{file}")) {
            Some(peer) => Err(format!("there is no {{file}} in '{peer}'")),
            None => Ok(options),
        }
    }

    pub fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }

    /// Braid with each set of flags, then the others.
    pub fn tools(&self, braid: &Path) -> Vec<Tool> {
        let plain = [String::new()];
        let flags = if self.flags.is_empty() { &plain } else { self.flags.as_slice() };
        let sets = ('A'..).zip(flags).map(|(label, flags)| Tool::braid(label, braid, flags));
        let peers = (1..).zip(&self.peers).map(|(number, command)| Tool::peer(number, command));
        sets.chain(peers).collect()
    }
}

fn seconds(value: &str) -> Result<u64, String> {
    value.parse().ok().filter(|limit| *limit > 0).ok_or_else(|| format!("no number of seconds: {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let words = ["--filter", "fib", "--flags", "--unwind 3", "--flags", "", "--limit", "7"];
        let options = Options::parse(&words).expect("good words");
        assert!(options.wants("fib-rounds4-safe") && !options.wants("counter-threads2-rounds1-safe"));
        assert_eq!((options.limit, options.flags.len()), (7, 2));
        assert_eq!(options.tools(Path::new("braid")).len(), 2);
        assert!(Options::parse(&[]).expect("good words").wants("anything"));
        for wrong in [&["--limit", "0"][..], &["--filter"], &["--peer", "cbmc"], &["--other", "1"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
