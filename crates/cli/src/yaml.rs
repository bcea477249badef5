//! YAML as kubectl prints it: keys sorted, lists not indented, a text quoted only where it would be read as something
//! else.

use std::fmt::Write as _;

use serde_json::Value;

/// The document.
pub(crate) fn print(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => object(map, 0, false, &mut out),
        Value::Array(list) if !list.is_empty() => array(list, 0, &mut out),
        scalar => {
            out.push_str(&inline(scalar));
            out.push('\n');
        }
    }
    out
}

/// With `begun`, the first key stands where the writer is.
fn object(map: &serde_json::Map<String, Value>, indent: usize, begun: bool, out: &mut String) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    for (at, (key, value)) in entries.into_iter().enumerate() {
        if at > 0 || !begun {
            out.push_str(&" ".repeat(indent));
        }
        let _ = write!(out, "{}:", text(key));
        match value {
            Value::Object(map) if !map.is_empty() => {
                out.push('\n');
                object(map, indent + 2, false, out);
            }
            Value::Array(list) if !list.is_empty() => {
                out.push('\n');
                array(list, indent, out);
            }
            scalar => {
                let _ = writeln!(out, " {}", inline(scalar));
            }
        }
    }
}

fn array(list: &[Value], indent: usize, out: &mut String) {
    for value in list {
        let _ = write!(out, "{}- ", " ".repeat(indent));
        match value {
            Value::Object(map) if !map.is_empty() => object(map, indent + 2, true, out),
            // No list in a list is printed on its own lines: JSON is YAML.
            other => {
                let _ = writeln!(out, "{}", inline(other));
            }
        }
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(string) => text(string),
        other => other.to_string(),
    }
}

fn text(string: &str) -> String {
    if is_plain(string) { string.to_owned() } else { Value::from(string).to_string() }
}

/// Is it read as text as it stands, by YAML 1.1 too?
fn is_plain(string: &str) -> bool {
    const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "<<"];
    let ordinary = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
    let begins_well = string.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/'));
    begins_well
        && string.chars().all(ordinary)
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(string))
        && !reads_as_number(string)
}

/// Whatever begins with a digit and has nothing but what numbers and dates are made of.
fn reads_as_number(string: &str) -> bool {
    let number = |c: char| {
        c.is_ascii_digit() || matches!(c, '_' | '.' | '-' | 'e' | 'E' | 'x' | 'o' | 'a'..='f' | 'A'..='F')
    };
    string.starts_with(|c: char| c.is_ascii_digit()) && string.chars().all(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_like_kubectl() {
        let value = json!({
            "kind": "List", "apiVersion": "v1", "empty": "", "none": null, "yes": true,
            "items": [{"name": "nodes", "shortNames": ["no", "n1"], "verbs": []}, {"a": {"b": 1}}, "x", {}],
        });
        let expected = "apiVersion: v1\nempty: \"\"\nitems:\n- name: nodes\n  shortNames:\n  - \"no\"\n  - n1\n  verbs: []\n\
                        - a:\n    b: 1\n- x\n- {}\nkind: List\nnone: null\n\"yes\": true\n";
        assert_eq!(print(&value), expected);
        assert_eq!(print(&json!("a: b")), "\"a: b\"\n");
        for (string, plain) in [
            ("apps/v1", true),
            ("rbac.authorization.k8s.io", true),
            ("2things", true),
            ("12", false),
            ("1e3", false),
            ("0x1f", false),
            ("2001-01-01", false),
            ("-", false),
            ("No", false),
            (".5", false),
            ("a b", false),
        ] {
            assert_eq!(is_plain(string), plain, "{string}");
        }
    }
}
