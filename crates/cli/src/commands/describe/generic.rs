//! Any object, field by field.

use client_rs_machinery::{Json, Map};

use super::page::{Page, shown};

/// Fields that the top of the page already shows.
const SKIPPED: [&str; 5] = [
    ".metadata.managedFields",
    ".metadata.name",
    ".metadata.namespace",
    ".metadata.labels",
    ".metadata.annotations",
];

pub(super) fn describe(object: &Json, page: &mut Page) {
    let metadata = &object["metadata"];
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    if let Some(fields) = object.as_map() {
        content(fields, 0, "", page);
    }
}

fn content(fields: &Map<Json>, level: usize, place: &str, page: &mut Page) {
    for (name, value) in fields {
        let place = format!("{place}.{name}");
        if SKIPPED.contains(&place.as_str()) {
            continue;
        }
        let label = label(name);
        match value {
            Json::Map(inner) => {
                page.line(level, format_args!("{label}:"));
                content(inner, level + 1, &place, page);
            }
            Json::List(items) => {
                page.line(level, format_args!("{label}:"));
                for item in items {
                    match item {
                        Json::Map(inner) => content(inner, level + 1, &place, page),
                        other => page.line(level + 1, scalar(other)),
                    }
                }
            }
            other => page.field(level, &label, scalar(other)),
        }
    }
}

fn scalar(value: &Json) -> String {
    if value.is_null() { "<nil>".to_owned() } else { shown(value) }
}

/// `observedGeneration` as `Observed Generation`.
fn label(field: &str) -> String {
    const ACRONYMS: [&str; 4] = ["API", "URL", "UID", "GUID"];
    if field.chars().any(|c| !c.is_alphabetic() && c != '-') {
        return field.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    let mut rest = words(field).into_iter().peekable();
    while let Some(part) = rest.next() {
        let long_and_upper = part.len() >= 2 && part.chars().all(|c| !c.is_alphabetic() || c.is_uppercase());
        match rest.peek() {
            Some(next) if long_and_upper && next.starts_with(char::is_uppercase) => {
                let next = rest.next().unwrap_or_default();
                parts.push(part + &next);
            }
            _ => parts.push(part),
        }
    }
    let titled = parts.into_iter().map(|part| {
        if ACRONYMS.contains(&part.to_uppercase().as_str()) {
            return part.to_uppercase();
        }
        let mut chars = part.chars();
        match chars.next() {
            Some(first) if part == part.to_lowercase() => first.to_uppercase().chain(chars).collect(),
            _ => part,
        }
    });
    titled.collect::<Vec<_>>().join(" ")
}

/// The words of a name in camel case; of capitals before small letters, the last begins a word.
fn words(field: &str) -> Vec<String> {
    let class = |c: char| {
        if c.is_lowercase() {
            0
        } else if c.is_uppercase() {
            1
        } else {
            2
        }
    };
    let chars: Vec<char> = field.chars().collect();
    let mut runs: Vec<Vec<char>> =
        chars.chunk_by(|&one, &other| class(one) == class(other)).map(<[char]>::to_vec).collect();
    for at in 1..runs.len() {
        if runs[at - 1][0].is_uppercase()
            && runs[at][0].is_lowercase()
            && let Some(last) = runs[at - 1].pop()
        {
            runs[at].insert(0, last);
            if runs[at - 1].is_empty() {
                // It was all there was; an empty run is no word.
                runs[at - 1].push('\0');
            }
        }
    }
    runs.into_iter().filter(|run| run != &['\0']).map(String::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn names_of_fields_become_words() {
        for (field, expected) in [
            ("observedGeneration", "Observed Generation"),
            ("apiVersion", "API Version"),
            ("uid", "UID"),
            ("podCIDRs", "Pod CIDRs"),
            ("clusterIP", "Cluster IP"),
            ("a.b/c", "a.b/c"),
            ("kind", "Kind"),
            ("PEMBundle", "PEMBundle"),
        ] {
            assert_eq!(label(field), expected);
        }
    }

    #[test]
    fn every_field_is_there() {
        let mut page = Page::default();
        let object = json!({
            "apiVersion": "g/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "ns", "managedFields": [1]},
            "spec": {"size": 3, "list": ["a", {"b": true}], "none": null},
        });
        describe(&object, &mut page);
        let expected = "Name:         w\nNamespace:    ns\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  g/v1\n\
                        Kind:         Widget\nMetadata:\nSpec:\n  List:\n    a\n    B:   true\n  None:  <nil>\n  Size:  3\n";
        assert_eq!(page.finish(), expected);
    }
}
