//! JSON with line breaks where people look, and none where there are thousands of values.

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{Result, Write};

/// Values nested deeper than this stand on one line: those of a step of a trace.
const DEEPEST: usize = 5;

#[derive(Default)]
struct Shallow {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Shallow {
    fn is_deep(&self) -> bool {
        self.depth > DEEPEST
    }
}

/// Hands a call to the formatter for the depth.
macro_rules! at_depth {
    ($self:ident, $method:ident($($argument:expr),*)) => {
        if $self.is_deep() { CompactFormatter.$method($($argument),*) } else { $self.pretty.$method($($argument),*) }
    };
}

impl Formatter for Shallow {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        at_depth!(self, begin_array(writer))
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let result = at_depth!(self, end_array(writer));
        self.depth -= 1;
        result
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        at_depth!(self, begin_array_value(writer, first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        at_depth!(self, end_array_value(writer))
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        at_depth!(self, begin_object(writer))
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let result = at_depth!(self, end_object(writer));
        self.depth -= 1;
        result
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        at_depth!(self, begin_object_key(writer, first))
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        at_depth!(self, begin_object_value(writer))
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        at_depth!(self, end_object_value(writer))
    }
}

/// Writes the value as text, with a line break at its end.
pub fn write<T: Serialize>(value: &T, mut to: impl Write) -> Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut to, Shallow::default()))?;
    to.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn deep_values_stand_on_one_line() {
        let value = json!({"a": [{"b": {"c": [{"d": [1, {"e": []}]}, {}]}}], "f": []});
        let mut text = Vec::new();
        write(&value, &mut text).expect("written");
        let text = String::from_utf8(text).expect("UTF-8");
        expect_test::expect![[r#"
            {
              "a": [
                {
                  "b": {
                    "c": [
                      {"d":[1,{"e":[]}]},
                      {}
                    ]
                  }
                }
              ],
              "f": []
            }
        "#]]
        .assert_eq(&text);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
