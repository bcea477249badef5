//! The simple JSON paths of definitions: columns and selectable fields.

use client_rs_machinery::Json;
use client_rs_machinery::jsonpath::JsonPath;

/// Parses a path such as `.spec.ports[0].name`; `None` where it is malformed.
pub fn parse_path(text: &str) -> Option<JsonPath> {
    Some(JsonPath::parse(&format!("{{{text}}}")).ok()?.allow_missing_keys(true))
}

/// The first value at a path.
pub fn first_match(path: &JsonPath, object: &Json) -> Option<Json> {
    path.find(object).ok()?.into_iter().next()?.into_iter().next()
}
