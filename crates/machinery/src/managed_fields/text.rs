//! The text form of a set: `fieldsV1`, the JSON in which the API server stores it.

use super::set::Node;
use super::{FieldSet, FieldsError, PathElement};
use crate::wire::json::Writer;
use crate::{FieldsV1, Json};

/// The key for the path itself, not only for paths below it.
const SELF: &str = ".";

impl FieldSet {
    /// Parses a `fieldsV1`. Elements of an unknown kind are left out, as in the API server.
    pub fn parse(text: &[u8]) -> Result<Self, FieldsError> {
        Self::from_json(&Json::parse(text)?)
    }

    /// Converts a `fieldsV1` from a JSON value.
    pub fn from_json(value: &Json) -> Result<Self, FieldsError> {
        Ok(read(value, "")?.0)
    }

    /// Returns the set as `fieldsV1`, with entries in the API server's order.
    pub fn to_text(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        write(self, false, &mut writer);
        writer.into_vec()
    }

    /// Returns the set as a JSON value, which is sorted by key.
    pub fn to_json(&self) -> Json {
        fn tree(set: &FieldSet, own: bool) -> Json {
            let own = (own && !set.is_empty()).then(|| (SELF.into(), Json::EMPTY_MAP));
            let below = set
                .nodes()
                .iter()
                .map(|node| (crate::Str::from(node.element.to_text()), tree(&node.children, node.member)));
            own.into_iter().chain(below).collect::<Json>()
        }
        if self.is_empty() { Json::EMPTY_MAP } else { tree(self, false) }
    }
}

impl From<&FieldSet> for FieldsV1 {
    fn from(set: &FieldSet) -> Self {
        Self::from_bytes(set.to_text())
    }
}

impl TryFrom<&FieldsV1> for FieldSet {
    type Error = FieldsError;

    fn try_from(fields: &FieldsV1) -> Result<Self, FieldsError> {
        if fields.is_empty() { Ok(Self::EMPTY) } else { Self::parse(fields.as_bytes()) }
    }
}

/// Returns the set below a key, and whether the key's own path is a member.
fn read(value: &Json, at: &str) -> Result<(FieldSet, bool), FieldsError> {
    let entries = match value {
        Json::Map(entries) => entries,
        Json::Null => return Ok((FieldSet::EMPTY, true)),
        other => return Err(FieldsError::Shape { at: at.to_owned(), found: other.json_type() }),
    };
    let (mut nodes, mut own) = (Vec::with_capacity(entries.len()), false);
    for (key, value) in entries {
        if key.as_str() == SELF {
            own = true;
            continue;
        }
        let Some(element) = PathElement::parse(key)? else { continue };
        let (children, member) = read(value, key)?;
        nodes.push(Node { element, member, children });
    }
    let set = FieldSet::of_nodes(nodes);
    let member = own || set.is_empty();
    Ok((set, member))
}

fn write(set: &FieldSet, own: bool, writer: &mut Writer) {
    writer.begin_object();
    if own && !set.is_empty() {
        writer.key(SELF);
        writer.begin_object();
        writer.end_object();
    }
    for node in set.nodes() {
        writer.key(&node.element.to_text());
        write(&node.children, node.member, writer);
    }
    writer.end_object();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;

    const DEPLOYMENT: &str = concat!(
        r#"{"f:metadata":{"f:labels":{".":{},"f:app":{}},"f:finalizers":{".":{},"v:\"x\"":{}}},"#,
        r#""f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"#,
        r#""f:image":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"#,
        r#""f:containerPort":{}},"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{".":{}}}}}}}}}"#
    );

    #[test]
    fn output_of_the_server_is_parsed() {
        let set = FieldSet::parse(DEPLOYMENT.as_bytes()).unwrap();
        let paths: Vec<String> = set.iter().map(|path| path.to_string()).collect();
        let container = r#".spec.template.spec.containers[name="app"]"#;
        assert_eq!(
            paths,
            [
                ".metadata.finalizers",
                ".metadata.labels",
                r#".metadata.finalizers[="x"]"#,
                ".metadata.labels.app",
                ".spec.replicas",
                container,
                &format!("{container}.image"),
                &format!("{container}.name"),
                &format!("{container}.ports"),
                &format!(r#"{container}.ports[containerPort=80,protocol="TCP"]"#),
                &format!(r#"{container}.ports[containerPort=443,protocol="TCP"]"#),
                &format!(r#"{container}.ports[containerPort=80,protocol="TCP"].containerPort"#),
            ]
        );
    }

    #[test]
    fn entries_are_written_in_the_servers_order() {
        let text = String::from_utf8(FieldSet::parse(DEPLOYMENT.as_bytes()).unwrap().to_text()).unwrap();
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(at("f:finalizers") < at("f:labels"));
        // By number; a text comparison would sort 443 before 80.
        assert!(at(r#"containerPort\":80"#) < at(r#"containerPort\":443"#));
        assert!(text.contains(r#""f:labels":{".":{},"f:app":{}}"#), "{text}");
        assert!(
            text.contains(r#"\"protocol\":\"TCP\"}":{}}"#),
            "a path with nothing below needs no dot: {text}"
        );
        assert_eq!(
            FieldSet::parse(text.as_bytes()).unwrap(),
            FieldSet::parse(DEPLOYMENT.as_bytes()).unwrap()
        );
    }

    #[test]
    fn an_empty_object_is_the_empty_set() {
        for text in ["{}", "null", r#"{".":{}}"#, r#"{"x:new":{"f:a":{}}}"#] {
            assert_eq!(FieldSet::parse(text.as_bytes()).unwrap(), FieldSet::EMPTY, "{text}");
        }
        assert_eq!(FieldSet::EMPTY.to_text(), b"{}");
        assert_eq!(FieldSet::EMPTY.to_json(), json!({}));
        assert_eq!(FieldSet::try_from(&FieldsV1::EMPTY).unwrap(), FieldSet::EMPTY);
    }

    #[test]
    fn an_unknown_element_below_a_field_keeps_the_field() {
        let set = FieldSet::parse(br#"{"f:a":{"x:new":{}}}"#).unwrap();
        assert_eq!(set.to_text(), br#"{"f:a":{}}"#);
    }

    #[test]
    fn garbage_is_refused() {
        for text in ["", "{", "[]", "1", r#"{"f:a":1}"#, r#"{"f:a":[]}"#, r#"{"a":{}}"#, r#"{"k:{":{}}"#] {
            assert!(FieldSet::parse(text.as_bytes()).is_err(), "{text}");
        }
        let deep = format!("{}1{}", r#"{"f:a":"#.repeat(100_000), "}".repeat(100_000));
        assert!(matches!(FieldSet::parse(deep.as_bytes()), Err(FieldsError::Json(_))));
        let deep_key = format!("{{\"v:{}\":{{}}}}", "[".repeat(100_000));
        assert!(matches!(FieldSet::parse(deep_key.as_bytes()), Err(FieldsError::Key(_))));
    }

    proptest! {
        #[test]
        fn any_json_is_read_or_refused(value in any_json()) {
            if let Ok(set) = FieldSet::from_json(&value) {
                prop_assert_eq!(&FieldSet::parse(&set.to_text()).unwrap(), &set);
                prop_assert_eq!(&FieldSet::from_json(&set.to_json()).unwrap(), &set);
            }
        }
    }
}
