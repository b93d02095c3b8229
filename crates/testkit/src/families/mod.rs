//! Families of threaded C programs that grow with parameters, for measuring.
//!
//! Each family is a C text in `c/` that is written on macros for its sizes and on `UNSAFE`; an instance is that text
//! with the macros defined in front of it, so that it is a file of its own for every tool. Each size comes in two
//! variants: one in which all assertions hold, and one (`UNSAFE`) with the mistake that the head of the text names.
//! What is stated is about assertions only: variables that are shared without a lock are plain where the algorithm
//! is the textbook's, so most families have data races, which do not matter under sequential consistency.
//!
//! Algorithms that spin wait in one of two ways (`c/waiting.h`): `PATIENCE` 0 assumes what it waits for, else the
//! thread looks that often and then gives up. Every other loop has a constant number of iterations, but for waiting
//! on condition variables.
//!
//! The first size of each family is small enough for exhaustive exploration, and a test asks it.

mod table;

use table::{FAMILIES, Family};

/// One program, and what is true of its assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    pub family: &'static str,
    /// The family, its sizes and the variant; fit for a file name.
    pub name: String,
    pub text: String,
    /// Whether all assertions hold.
    pub safe: bool,
    /// Whether exploration can decide it in a moment.
    pub small: bool,
}

/// All instances, smaller ones of a family first.
pub fn instances() -> Vec<Instance> {
    FAMILIES.iter().flat_map(of_family).collect()
}

/// The instance of a family at a size that need not be in the table. There is none if the family is not known, or has not as
/// many parameters.
pub fn instance(family: &str, size: &[u32], safe: bool) -> Option<Instance> {
    let family = FAMILIES.iter().find(|known| known.name == family)?;
    (size.len() == family.parameters.len()).then(|| made(family, size, safe))
}

fn of_family(family: &'static Family) -> Vec<Instance> {
    let variants = family.sizes.iter().flat_map(|size| [(*size, true), (*size, false)]);
    variants.map(|(size, safe)| made(family, size, safe)).collect()
}

fn made(family: &'static Family, size: &[u32], safe: bool) -> Instance {
    Instance {
        family: family.name,
        name: name(family, size, safe),
        text: text(family, size, safe),
        safe,
        small: family.sizes.first() == Some(&size),
    }
}

fn name(family: &Family, size: &[u32], safe: bool) -> String {
    let sizes = family.parameters.iter().zip(size);
    let sizes: Vec<String> = sizes.map(|(name, value)| format!("{}{value}", name.to_lowercase())).collect();
    format!("{}-{}-{}", family.name, sizes.join("-"), if safe { "safe" } else { "unsafe" })
}

fn text(family: &Family, size: &[u32], safe: bool) -> String {
    let mut text = String::new();
    let mut define = |name: &str, value: u32| text += &format!("#define {name} {value}\n");
    family.parameters.iter().zip(size).for_each(|(name, value)| define(name, *value));
    if let Some((name, value)) = family.derived {
        define(name, value(size));
    }
    define("UNSAFE", u32::from(!safe));
    family.parts.iter().for_each(|part| text += part);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Answer, Budget, ask_explorer};
    use crate::threads::compare::Comparer;
    use braid_props::Check;
    use std::collections::BTreeSet;
    use std::time::Duration;

    #[test]
    fn sizes_fit_their_parameters() {
        let mut names = BTreeSet::new();
        for family in FAMILIES {
            assert!(names.insert(family.name), "two families {}", family.name);
            assert!(!family.sizes.is_empty() && family.about().len() > 20, "{}", family.name);
            for size in family.sizes {
                assert_eq!(size.len(), family.parameters.len(), "{}", family.name);
            }
            for name in family.parameters {
                assert!(family.parts.concat().contains(name), "{} does not use {name}", family.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_texts_complete() {
        let all = instances();
        let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        let one = all.iter().find(|one| one.name == "fib-rounds4-unsafe").expect("an instance");
        assert!(
            one.text.starts_with("#define ROUNDS 4\n#define LIMIT 55\n#define UNSAFE 1\n"),
            "{}",
            one.text
        );
        assert!(!one.safe);
        assert_eq!(instance("fib", &[4], false).as_ref(), Some(one));
        assert!(instance("fib", &[4, 1], false).is_none() && instance("fob", &[4], false).is_none());
    }

    /// Exploration says of every small instance what is expected of it.
    #[test]
    fn small_instances_are_what_they_say() {
        let scratch = std::env::temp_dir().join(format!("braid-families-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).expect("a directory");
        let compiler = Comparer { scratch: scratch.clone() };
        let checks = [Check::Assertion].into_iter().collect();
        // No limit that a slow machine would meet.
        let budget = Budget { time: Duration::from_secs(300), unwind: None };
        for (seed, one) in (0..).zip(instances().iter().filter(|one| one.small)) {
            let program = compiler.compile(&one.text, seed).expect(&one.name);
            match (ask_explorer(&program, checks, budget), one.safe) {
                (Answer::Safe, true) | (Answer::Unsafe { .. }, false) => {}
                // All values of an integer cannot be tried.
                (Answer::Undecided(_), true) if one.text.contains("nondet_uint") => {}
                (answer, _) => panic!("{}: {}", one.name, answer.word()),
            }
        }
        std::fs::remove_dir_all(&scratch).expect("the directory");
    }
}
