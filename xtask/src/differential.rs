//! `cargo xtask differential START..END`: long comparisons with the native compiler, by ranges of seeds
//! so that a run can be taken up where another ended.

use crate::seeds::Seeds;
use crate::workspace;
use braid_testkit::differential::Differ;

pub fn run(range: &str, jobs: Option<usize>) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let differ = Differ { braid: workspace::release_binary()?, scratch: workspace::scratch("differential")? };
    let mut differences = 0;
    seeds.run(
        jobs,
        |seed| differ.check(seed),
        |result| {
            if let Err(report) = result {
                differences += 1;
                println!("{report}\n");
            }
            format!("{differences} differences")
        },
    )?;
    Ok(differences == 0)
}
