//! The simple JSON paths of columns and selectable fields.

use client_rs_machinery::Json;
use client_rs_machinery::jsonpath::JsonPath;

/// Parses a path such as `.spec.ports[0].name`; `None` if it is malformed.
///
/// ```
/// use client_rs_machinery::json;
/// use client_rs_schema::{first_match, parse_path};
///
/// let path = parse_path(".spec.ports[0].name").unwrap();
/// assert_eq!(first_match(&path, &json!({"spec": {"ports": [{"name": "http"}]}})), Some(json!("http")));
/// assert_eq!(first_match(&path, &json!({})), None);
/// ```
pub fn parse_path(text: &str) -> Option<JsonPath> {
    Some(JsonPath::parse(&format!("{{{text}}}")).ok()?.allow_missing_keys(true))
}

/// The first value at a path; `None` if there is none.
pub fn first_match(path: &JsonPath, object: &Json) -> Option<Json> {
    path.find(object).ok()?.into_iter().next()?.into_iter().next()
}
