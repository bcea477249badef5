//! `--sort-by`.

use std::cmp::Ordering;

use anyhow::{Result, bail};
use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::{Json, Quantity};

/// Sorts items by the value at a path: numbers by value, quantities by quantity, other texts by their characters. Items
/// without a value come first; equal ones keep their order. A path that no item has is an error.
pub(crate) fn by_path<T>(path: &str, items: &mut Vec<T>, object: impl Fn(&T) -> &Json) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let parsed = JsonPath::parse_relaxed(path)?.allow_missing_keys(true);
    let mut keyed = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let found = parsed.find(object(&item))?;
        keyed.push((found.into_iter().next().and_then(|list| list.into_iter().next()), item));
    }
    if keyed.iter().all(|(key, _)| key.is_none()) {
        let shown = path.trim().trim_start_matches('{').trim_end_matches('}').trim_start_matches('.');
        bail!("couldn't find any field with path \"{{.{shown}}}\" in the list of objects");
    }
    keyed.sort_by(|(one, _), (other, _)| compare(one.as_ref(), other.as_ref()));
    items.extend(keyed.into_iter().map(|(_, item)| item));
    Ok(())
}

fn compare(one: Option<&Json>, other: Option<&Json>) -> Ordering {
    let (one, other) = match (one, other) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Less,
        (Some(_), None) => return Ordering::Greater,
        (Some(one), Some(other)) => (one, other),
    };
    match (one, other) {
        (Json::Str(one), Json::Str(other)) => match (Quantity::parse(one), Quantity::parse(other)) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            _ => one.as_str().cmp(other.as_str()),
        },
        _ => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            // Values of different kinds have no natural order.
            _ => rank(one).cmp(&rank(other)),
        },
    }
}

fn rank(value: &Json) -> u8 {
    match value {
        Json::Null => 0,
        Json::Bool(false) => 1,
        Json::Bool(true) => 2,
        Json::Int(_) | Json::Float(_) => 3,
        Json::Str(_) => 4,
        Json::List(_) => 5,
        Json::Map(_) => 6,
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn by_value_and_not_by_look() {
        let mut items =
            vec![json!({"a": "10Gi"}), json!({"a": "9Gi"}), json!({"b": 1}), json!({"a": "500Mi"})];
        by_path(".a", &mut items, |item| item).unwrap();
        assert_eq!(
            items,
            [json!({"b": 1}), json!({"a": "500Mi"}), json!({"a": "9Gi"}), json!({"a": "10Gi"})]
        );
        let mut items = vec![json!({"a": 10}), json!({"a": 9})];
        by_path("{.a}", &mut items, |item| item).unwrap();
        assert_eq!(items[0], json!({"a": 9}));
        let error = by_path("a.x", &mut items, |item| item).unwrap_err().to_string();
        assert_eq!(error, "couldn't find any field with path \"{.a.x}\" in the list of objects");
    }
}
