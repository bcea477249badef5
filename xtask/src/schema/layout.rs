//! JSON that is read and diffed by people: open down to a depth, one line an entry below it.

use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Writes a value to a file; lists and objects deeper than `open` are each on the line of their parent.
pub(crate) fn write(path: &Path, value: &impl Serialize, open: usize) -> Result<()> {
    let mut text = Vec::new();
    let layout = Layout { depth: 0, open, pretty: PrettyFormatter::new() };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, layout))?;
    text.push(b'\n');
    std::fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

struct Layout {
    depth: usize,
    open: usize,
    pretty: PrettyFormatter<'static>,
}

/// Hands a call to the pretty formatter while the current list or object is open, else to the compact one.
macro_rules! by_depth {
    ($self:ident, $method:ident($($argument:expr),*)) => {
        if $self.depth <= $self.open { $self.pretty.$method($($argument),*) } else { CompactFormatter.$method($($argument),*) }
    };
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self, begin_array(writer))
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let ended = by_depth!(self, end_array(writer));
        self.depth -= 1;
        ended
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self, begin_array_value(writer, first))
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, end_array_value(writer))
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self, begin_object(writer))
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let ended = by_depth!(self, end_object(writer));
        self.depth -= 1;
        ended
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self, begin_object_key(writer, first))
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, begin_object_value(writer))
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, end_object_value(writer))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_deeper_than_open_stays_on_one_line() {
        let value = json!({"a": [{"b": [1, 2], "c": {}}, {}], "d": 1});
        let mut text = Vec::new();
        let layout = Layout { depth: 0, open: 2, pretty: PrettyFormatter::new() };
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, layout)).unwrap();
        let expected = "{\n  \"a\": [\n    {\"b\":[1,2],\"c\":{}},\n    {}\n  ],\n  \"d\": 1\n}";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
