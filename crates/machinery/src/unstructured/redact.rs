//! Removes secrets from messages.

use crate::value::{Entries, entries};
use crate::wire::LAST_APPLIED;
use crate::{Json, Map};

const REDACTED: &str = "<redacted>";

/// Returns an object without the values that Secrets hold (in itself or as items of a list), without tokens, and
/// without the copy of itself that `kubectl apply` keeps.
///
/// The name of the kind decides, regardless of its group: it is better to show too little than too much.
pub(super) fn redacted(object: &Map<Json>) -> Map<Json> {
    let kind = object.get("kind").and_then(Json::as_str).unwrap_or_default();
    let mut shown = entries(object);
    match kind {
        "Secret" => redact_secret(&mut shown),
        "TokenRequest" => redact(&mut shown, "status", &["token"]),
        "TokenReview" => redact(&mut shown, "spec", &["token"]),
        _ => {}
    }
    redact(&mut shown, "metadata", &["annotations", LAST_APPLIED]);
    if let Some(Json::List(items)) = shown.get_mut("items") {
        let item = |item: &Json| match item {
            Json::Map(item) => Json::Map(redacted(&with_kind(item, kind))),
            other => other.clone(),
        };
        *items = items.iter().map(item).collect();
    }
    shown.into_iter().collect()
}

/// An item of a list of Secrets does not name its kind.
fn with_kind(item: &Map<Json>, list_kind: &str) -> Map<Json> {
    let mut item = item.clone();
    if list_kind == "SecretList" {
        item.insert("kind", "Secret".into());
    }
    item
}

fn redact_secret(secret: &mut Entries) {
    for field in ["data", "stringData"] {
        if let Some(values) = secret.get_mut(field) {
            *values = match &*values {
                Json::Map(map) => map.iter().map(|(key, _)| (key.clone(), REDACTED)).collect(),
                Json::Null => Json::Null,
                _ => REDACTED.into(),
            };
        }
    }
}

/// Hides the value at a path below a field, if it exists.
fn redact(object: &mut Entries, field: &str, path: &[&str]) {
    if let Some(value) = object.get_mut(field)
        && value.path(path).is_some()
    {
        // The value was just found, so nothing blocks the path.
        let _ = value.set(path, REDACTED);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Json, Unstructured, UnstructuredList, json};

    fn shown(value: Json) -> String {
        format!("{:?}", Unstructured::try_from(value).unwrap())
    }

    #[test]
    fn a_secret_shows_its_keys_only() {
        let secret = json!({
            "kind": "Secret", "type": "Opaque",
            "metadata": {"name": "s", "annotations": {
                "a": "b",
                "kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"token\":\"hunter2\"}}",
            }},
            "data": {"token": "hunter2", "number": 2},
            "stringData": {"plain": "hunter2"},
        });
        let text = shown(secret.clone());
        assert!(!text.contains("hunter2"), "{text}");
        for expected in
            [r#""token": "<redacted>""#, r#""plain": "<redacted>""#, r#""name": "s""#, r#""a": "b""#]
        {
            assert!(text.contains(expected), "{expected} in {text}");
        }
        assert!(!format!("{:#?}", Unstructured::try_from(secret).unwrap()).contains("hunter2"));
        assert!(
            !shown(json!({"kind": "Secret", "data": "hunter2", "stringData": ["hunter2"]}))
                .contains("hunter2")
        );
        assert!(shown(json!({"kind": "ConfigMap", "data": {"a": "shown"}})).contains("shown"));
        for other in [
            json!({"kind": "TokenRequest", "status": {"token": "hunter2"}}),
            json!({"kind": "TokenReview", "spec": {"token": "hunter2"}}),
            json!({"kind": "Vault", "metadata": {"annotations": {
                "kubectl.kubernetes.io/last-applied-configuration": "{\"password\":\"hunter2\"}",
            }}}),
        ] {
            let text = shown(other);
            assert!(!text.contains("hunter2") && text.contains("<redacted>"), "{text}");
        }
    }

    #[test]
    fn lists_of_secrets_too() {
        for (list, item) in [("SecretList", json!({})), ("List", json!({"kind": "Secret"}))] {
            let mut item = item;
            item.set(&["data", "token"], "hunter2").unwrap();
            let value = json!({"kind": list, "items": [item, 1]});
            let text = shown(value.clone());
            assert!(!text.contains("hunter2") && text.contains("token"), "{text}");
            let value = json!({"kind": list, "items": [value["items"][0].clone()]});
            let list = UnstructuredList::try_from(Unstructured::try_from(value).unwrap()).unwrap();
            assert!(!format!("{list:?}").contains("hunter2"));
            assert!(!format!("{:?}", list.items).contains("hunter2"));
        }
    }
}
