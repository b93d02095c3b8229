//! Property files of SV-COMP: a set of `CHECK( init(main()), LTL(…) )`.
//!
//! Lines are read one by one; what stands between them (blank lines) does not matter, nor do blanks
//! inside. A formula that is not one of those of SV-COMP is an error, because leaving it out would change the
//! question.

use braid_props::{ALL, Check, CheckSet, Property};

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFile {
    pub checks: CheckSet,
    /// Functions whose calls are errors.
    pub error_calls: Vec<String>,
    /// Whether it asks for termination.
    pub termination: bool,
}

impl PropertyFile {
    /// Reads the text of a file; an error says which line is wrong.
    pub fn parse(text: &str) -> Result<PropertyFile, String> {
        let mut file = PropertyFile { checks: CheckSet::EMPTY, error_calls: Vec::new(), termination: false };
        let mut count = 0;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() {
                file.add(line).map_err(|problem| format!("line {}: {problem}", index + 1))?;
                count += 1;
            }
        }
        if count == 0 { Err("it has no CHECK".to_string()) } else { Ok(file) }
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let formula = bare
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| format!("expected CHECK( init(main()), LTL(...) ), found '{line}'"))?;
        let call = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
        if let Some(name) = call.filter(|name| is_name(name)) {
            self.checks.insert(Check::Assertion);
            self.error_calls.push(name.to_string());
            return Ok(());
        }
        if formula == "Fend" {
            self.termination = true;
            return Ok(());
        }
        let asked =
            ALL.iter().filter(|property| is_stated_by(property, formula)).map(|property| property.check);
        let checks: CheckSet = asked.collect();
        if checks.is_empty() {
            return Err(format!("unknown formula in '{line}'"));
        }
        self.checks = self.checks.with(checks);
        Ok(())
    }
}

/// Returns true if a formula without blanks asks for the property. `assertion` is asked for by the name of a function.
fn is_stated_by(property: &Property, formula: &str) -> bool {
    let same = property.formula.chars().filter(|c| *c != ' ').eq(formula.chars());
    same && property.svcomp.is_some() && property.check != Check::Assertion
}

fn is_name(text: &str) -> bool {
    let ordinary = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    !text.is_empty() && text.chars().all(ordinary) && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_checks() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n\
                    CHECK(init(main()),LTL( G ! call( reach_error() ) ))\r\nCHECK( init(main()), LTL(F end) )\n";
        let file = PropertyFile::parse(text).expect("a property file");
        assert_eq!(file.checks.list(), "assertion,null-deref,out-of-bounds,use-after-free,invalid-free");
        assert_eq!((file.error_calls.as_slice(), file.termination), (&["reach_error".to_string()][..], true));
    }

    #[test]
    fn every_other_formula() {
        let checks = |formula: &str| {
            let line = format!("CHECK( init(main()), LTL({formula}) )");
            PropertyFile::parse(&line).map(|file| file.checks.list())
        };
        assert_eq!(checks("G ! data-race").as_deref(), Ok("data-race"));
        assert_eq!(checks("G ! overflow").as_deref(), Ok("signed-overflow"));
        assert_eq!(checks("G valid-memtrack").as_deref(), Ok("memory-leak"));
        assert_eq!(checks("G valid-memcleanup").as_deref(), Ok("memory-cleanup"));
        for bad in ["G ! deadlock", "G ! call(f)", "G ! call(())", "G ! call(1())", "", "F(end)"] {
            assert!(checks(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| PropertyFile::parse(text).expect_err("an error");
        assert_eq!(error("\n \n"), "it has no CHECK");
        assert_eq!(error("\nhello"), "line 2: expected CHECK( init(main()), LTL(...) ), found 'hello'");
        let formula = "CHECK( init(main()), LTL(G F end) )";
        assert_eq!(error(formula), format!("line 1: unknown formula in '{formula}'"));
    }
}
