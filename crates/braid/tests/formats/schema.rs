//! A validator for the part of JSON Schema that `docs/check-2.schema.json` uses; a word it does not know is an error
//! of the schema.

use serde_json::Value;
use std::path::Path;

pub struct Schema {
    root: Value,
}

pub fn read(path: &Path) -> Schema {
    let text = std::fs::read_to_string(path).expect("the schema is in the tree");
    Schema { root: serde_json::from_str(&text).expect("the schema is JSON") }
}

impl Schema {
    /// What is wrong with a value, by place.
    pub fn problems(&self, value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(&self.root, value, "", &mut found);
        found
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        let words = schema.as_object().expect("a schema is an object");
        for (word, rule) in words {
            match word.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" => {}
                "$ref" => {
                    let name =
                        rule.as_str().and_then(|name| name.strip_prefix('#')).expect("a local reference");
                    let target = self.root.pointer(name).unwrap_or_else(|| panic!("{name} is not defined"));
                    self.check(target, value, at, found);
                }
                "type" => {
                    let fits = |rule: &Value| has_type(rule.as_str().expect("a type"), value);
                    let any = rule.as_array().map_or_else(|| fits(rule), |rules| rules.iter().any(fits));
                    note(any, at, &format!("is no {rule}"), found);
                }
                "const" => note(value == rule, at, &format!("is not {rule}"), found),
                "enum" => {
                    let all = rule.as_array().expect("a list");
                    note(all.contains(value), at, &format!("is none of {rule}"), found);
                }
                "minimum" => {
                    let enough = value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64());
                    note(enough, at, &format!("is less than {rule}"), found);
                }
                "required" => {
                    for name in rule.as_array().expect("a list").iter().filter_map(Value::as_str) {
                        let there = value.as_object().is_none_or(|object| object.contains_key(name));
                        note(there, at, &format!("has no '{name}'"), found);
                    }
                }
                "properties" => {
                    for (name, rule) in rule.as_object().expect("an object") {
                        if let Some(member) = value.get(name) {
                            self.check(rule, member, &format!("{at}/{name}"), found);
                        }
                    }
                }
                // In tests nothing may be there that the schema does not list; readers must bear more.
                "additionalProperties" => unreachable!("the format may get more fields"),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}/{index}"), found);
                    }
                }
                "oneOf" => {
                    let fits = |rule: &&Value| {
                        let mut inner = Vec::new();
                        self.check(rule, value, at, &mut inner);
                        inner.is_empty()
                    };
                    let count = rule.as_array().expect("a list").iter().filter(fits).count();
                    note(count == 1, at, &format!("fits {count} alternatives: {value}"), found);
                }
                other => panic!("the schema uses '{other}', which the validator does not know"),
            }
        }
        self.unlisted(words, value, at, found);
    }

    /// Fields that the manual does not know.
    fn unlisted(
        &self,
        words: &serde_json::Map<String, Value>,
        value: &Value,
        at: &str,
        found: &mut Vec<String>,
    ) {
        let (Some(known), Some(object)) =
            (words.get("properties").and_then(Value::as_object), value.as_object())
        else {
            return;
        };
        for name in object.keys() {
            note(known.contains_key(name), at, &format!("has a field '{name}' that is not listed"), found);
        }
    }
}

fn note(holds: bool, at: &str, problem: &str, found: &mut Vec<String>) {
    if !holds {
        found.push(format!("{at} {problem}"));
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("there is no type '{other}'"),
    }
}
