//! JSON values in Go's notation, which is part of the API server's messages.

use crate::{Json, go_float};

/// Returns the type of a value as Go's `%T` prints it.
pub fn go_type(value: &Json) -> &'static str {
    match value {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Int(_) => "int64",
        Json::Float(_) => "float64",
        Json::Str(_) => "string",
        Json::List(_) => "[]interface {}",
        Json::Map(_) => "map[string]interface {}",
    }
}

/// Returns a value as Go's `%v` prints it.
pub fn go_value(value: &Json) -> String {
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::Str(text) => text.to_string(),
        Json::Float(number) => go_float(*number, -4..21),
        Json::List(items) => format!("[{}]", items.iter().map(go_value).collect::<Vec<_>>().join(" ")),
        Json::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{key}:{}", go_value(value)));
            format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    /// Values that Go's JSON decoder has read, with the output of Go's `%T` and `%v`.
    #[test]
    fn values_are_printed_as_go_prints_them() {
        for (value, of, printed) in [
            (json!(null), "<nil>", "<nil>"),
            (json!(true), "bool", "true"),
            (json!(-3), "int64", "-3"),
            (json!(3.0), "float64", "3"),
            (json!(0.25), "float64", "0.25"),
            (json!(1e20), "float64", "100000000000000000000"),
            (json!(1e21), "float64", "1e+21"),
            (json!(0.00001), "float64", "1e-05"),
            (json!("a \"b\""), "string", "a \"b\""),
            (json!([1, "x", null]), "[]interface {}", "[1 x <nil>]"),
            (json!({"b": {"c": 1.5}, "a": []}), "map[string]interface {}", "map[a:[] b:map[c:1.5]]"),
        ] {
            assert_eq!((go_type(&value), go_value(&value).as_str()), (of, printed));
        }
    }
}
