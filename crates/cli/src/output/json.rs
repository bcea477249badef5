//! JSON as Go prints it for people: four spaces, keys sorted, and nothing that means something in a web page.

use std::fmt::Write as _;

use client_rs_machinery::Json;

use super::number;

/// The value and the end of its line.
pub(crate) fn pretty(value: &Json) -> String {
    pretty_ordered(value, &[])
}

/// As [`pretty`], with the keys of this list first, in its order.
pub(crate) fn pretty_ordered(value: &Json, order: &[&str]) -> String {
    let mut out = String::new();
    write(value, Some(0), order, &mut out);
    out.push('\n');
    out
}

/// The value on one line.
pub(crate) fn compact(value: &Json) -> String {
    let mut out = String::new();
    write(value, None, &[], &mut out);
    out
}

fn write(value: &Json, depth: Option<usize>, order: &[&str], out: &mut String) {
    let inner = depth.map(|depth| depth + 1);
    match value {
        Json::List(list) if !list.is_empty() => {
            out.push('[');
            for (at, item) in list.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                indent(inner, out);
                write(item, inner, order, out);
            }
            indent(depth, out);
            out.push(']');
        }
        Json::Map(map) if !map.is_empty() => {
            out.push('{');
            let mut entries: Vec<_> = map.iter().collect();
            // Stable: all others stay sorted by name.
            entries
                .sort_by_key(|(key, _)| order.iter().position(|wanted| key == wanted).unwrap_or(order.len()));
            for (at, (key, item)) in entries.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                indent(inner, out);
                text(key, out);
                out.push_str(if depth.is_some() { ": " } else { ":" });
                write(item, inner, order, out);
            }
            indent(depth, out);
            out.push('}');
        }
        Json::Str(string) => text(string, out),
        Json::Float(value) => out.push_str(&number::json(*value)),
        other => out.push_str(&other.to_string()),
    }
}

fn indent(depth: Option<usize>, out: &mut String) {
    if let Some(depth) = depth {
        out.push('\n');
        out.push_str(&"    ".repeat(depth));
    }
}

fn text(string: &str, out: &mut String) {
    out.push('"');
    for c in string.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn four_spaces_and_no_html_escapes() {
        let value = json!({"b": [1, {"c": "<a&b>\u{1}"}], "a": {}, "l": [], "f": 1.5});
        let expected = "{\n    \"a\": {},\n    \"b\": [\n        1,\n        {\n            \"c\": \
                        \"\\u003ca\\u0026b\\u003e\\u0001\"\n        }\n    ],\n    \"f\": 1.5,\n    \"l\": []\n}\n";
        assert_eq!(pretty(&value), expected);
        assert_eq!(compact(&value), r#"{"a":{},"b":[1,{"c":"\u003ca\u0026b\u003e\u0001"}],"f":1.5,"l":[]}"#);
    }
}
