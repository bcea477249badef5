//! The query of a request.

use client_rs_machinery::wire::Message;

/// The query's text: sorted by name, values of one name in their order.
pub(super) fn encode(params: &[(String, String)]) -> String {
    let mut sorted: Vec<_> = params.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in sorted {
        query.append_pair(name, value);
    }
    query.finish()
}

/// The parameters of a query's text.
pub(super) fn parse(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The fields of an options type that are not empty, under their JSON names; a list is a parameter an item.
pub(super) fn of<O: Message>(options: &O) -> Vec<(String, String)> {
    // A message of ours is always an object; its own text is always JSON.
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
        // A query holds no structure; such fields belong to the body.
        serde_json::Value::Null | serde_json::Value::Array(_) | serde_json::Value::Object(_) => None,
    }
}
