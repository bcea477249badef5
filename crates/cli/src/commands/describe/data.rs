//! Config maps and secrets.

use client_rs_machinery::Json;

use super::page::{Page, shown};

pub(super) fn config_map(object: &Json, page: &mut Page) {
    head(object, page);
    page.line(0, "");
    page.line(0, "Data");
    page.line(0, "====");
    for (key, value) in object["data"].as_map().into_iter().flatten() {
        page.line(0, format_args!("{key}:"));
        page.line(0, "----");
        page.line(0, shown(value));
        page.line(0, "");
    }
    page.line(0, "");
    page.line(0, "BinaryData");
    page.line(0, "====");
    for (key, value) in object["binaryData"].as_map().into_iter().flatten() {
        page.line(0, format_args!("{key}: {} bytes", decoded_length(&shown(value))));
    }
    page.line(0, "");
}

/// Prints the sizes and not the contents.
pub(super) fn secret(object: &Json, page: &mut Page) {
    head(object, page);
    page.line(0, "");
    page.field(0, "Type", shown(&object["type"]));
    page.line(0, "");
    page.line(0, "Data");
    page.line(0, "====");
    for (key, value) in object["data"].as_map().into_iter().flatten() {
        if key == "token" && object["type"] == "kubernetes.io/service-account-token" {
            page.field(0, key, "<set>");
            continue;
        }
        page.field(0, key, format_args!("{} bytes", decoded_length(&shown(value))));
    }
}

fn head(object: &Json, page: &mut Page) {
    let metadata = &object["metadata"];
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
}

/// The bytes that a text in base 64 stands for.
fn decoded_length(text: &str) -> usize {
    let text = text.trim_end_matches('=');
    text.len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn secrets_are_counted_and_not_shown() {
        let mut page = Page::default();
        let object = json!({"metadata": {"name": "s", "namespace": "ns"}, "type": "Opaque", "data": {"pass": "aHVudGVyMg=="}});
        secret(&object, &mut page);
        let text = page.finish();
        assert!(text.ends_with("\nType:  Opaque\n\nData\n====\npass:  7 bytes\n"), "{text}");
        assert!(!text.contains("aHVu"));
    }
}
