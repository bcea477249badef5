//! Warnings for authors of definitions.

use client_rs_machinery::{Json, Unstructured};

use super::super::formats::Format;
use super::{at, list, openapi};

/// The warnings for a definition that the old one did not have.
pub fn warnings(object: &Unstructured, old: Option<&Unstructured>) -> Vec<String> {
    let known = old.map(found).unwrap_or_default();
    found(object).into_iter().filter(|warning| !known.contains(warning)).collect()
}

fn found(object: &Unstructured) -> Vec<String> {
    let mut schemas: Vec<&Json> = list(at(object, &["spec", "versions"]))
        .map(|version| &version["schema"]["openAPIV3Schema"])
        .collect();
    // If all versions have the same schema, check it once.
    if schemas.windows(2).all(|pair| pair[0] == pair[1]) {
        schemas.truncate(1);
    }
    let (mut formats, mut sets) = (Vec::new(), Vec::new());
    for schema in schemas {
        openapi::each(schema, &mut |schema| {
            let format = schema["format"].as_str().unwrap_or_default();
            let kind = schema["type"].as_str().unwrap_or_default();
            if !format.is_empty() && Format::known(kind, format).is_none() {
                formats.push(format!("unrecognized format {format:?}"));
            }
            let items = schema["items"]["type"].as_str().unwrap_or_default();
            if schema["x-kubernetes-list-type"].as_str() == Some("set")
                && ["object", "array"].contains(&items)
            {
                sets.push(format!(
                    "x-kubernetes-list-type: set for items of type {items:?} is not supported by server-side apply or CEL \
                     validation rules"
                ));
            }
        });
    }
    sets.sort();
    sets.dedup();
    formats.append(&mut sets);
    formats
}
