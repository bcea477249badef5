//! The query of a request.

use client_rs_machinery::wire::Message;

/// Encodes a query: sorted by name, with the values of one name in their order.
pub(super) fn encode(params: &[(String, String)]) -> String {
    let mut sorted: Vec<_> = params.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in sorted {
        query.append_pair(name, value);
    }
    query.finish()
}

/// Parses a query.
pub(super) fn parse(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Returns the fields of an options type that are not empty, with their JSON names. A list becomes one parameter per item.
pub(super) fn of<O: Message>(options: &O) -> Vec<(String, String)> {
    // A generated message always serializes to a JSON object.
    let value = serde_json::to_value(Shown(options)).unwrap_or_default();
    let mut params = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        if name == "kind" || name == "apiVersion" {
            continue;
        }
        match value {
            serde_json::Value::Array(items) => {
                params.extend(items.iter().filter_map(|item| Some((name.clone(), text(item)?))));
            }
            value => params.extend(text(value).map(|text| (name.clone(), text))),
        }
    }
    params
}

struct Shown<'a, O>(&'a O);

impl<O: Message> serde::Serialize for Shown<'_, O> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        client_rs_machinery::wire::serialize_message(self.0, serializer)
    }
}

fn text(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        serde_json::Value::Bool(flag) => Some(flag.to_string()),
        // A query has no nested values; such fields belong in the body.
        serde_json::Value::Null | serde_json::Value::Array(_) | serde_json::Value::Object(_) => None,
    }
}
