//! Label selectors in objects.

use client_rs_machinery::Json;
use client_rs_machinery::labels::{Selector, SelectorError};

/// Reads a `LabelSelector`: `matchLabels` and `matchExpressions`.
pub(crate) fn label_selector(value: &Json) -> Result<Selector, SelectorError> {
    let expressions = value["matchExpressions"].as_list().into_iter().flatten().filter_map(expression);
    Selector::from_label_selector(pairs(&value["matchLabels"]), expressions)
}

fn pairs(labels: &Json) -> impl Iterator<Item = (&str, &str)> {
    let labels = labels.as_map().into_iter().flatten();
    labels.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
}

fn expression(value: &Json) -> Option<(String, String, Vec<String>)> {
    let values = value["values"].as_list().into_iter().flatten();
    let values = values.filter_map(Json::as_str).map(str::to_owned).collect();
    Some((value["key"].as_str()?.to_owned(), value["operator"].as_str()?.to_owned(), values))
}
