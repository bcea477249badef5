//! Paths into an object by the rules of its type: keys identify list items, not indexes.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use super::FieldsError;
use crate::quote::Quoted;
use crate::wire::json::Writer;
use crate::{Json, Str};

/// One step of a path.
///
/// The order is the API server's: fields, then keys, then values, then indexes. Numbers are compared by value, so
/// that `1` and `1.0` are the same.
#[derive(Clone, Debug)]
pub enum PathElement {
    /// A field of an object, or an entry of a map: `f:spec`.
    Field(Str),
    /// The item of a list whose fields have these values, sorted by name: `k:{"name":"app"}`.
    Key(Vec<(Str, Json)>),
    /// The item of a list with this value: `v:"finalizer"`.
    Value(Json),
    /// The item of a list at this index: `i:0`.
    Index(i64),
}

/// A path from the root of an object, printed like the API server does: `.spec.containers[name="app"].image`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath(pub Vec<PathElement>);

impl FieldPath {
    /// Creates the path of these field names.
    pub fn of_fields(names: &[&str]) -> Self {
        Self(names.iter().map(|name| PathElement::field(name)).collect())
    }
}

impl PathElement {
    /// Creates the element of a field.
    pub fn field(name: &str) -> Self {
        Self::Field(name.into())
    }

    /// Creates the element of the item with these key fields, in any order.
    pub fn key(fields: impl IntoIterator<Item = (Str, Json)>) -> Self {
        let mut fields: Vec<_> = fields.into_iter().collect();
        fields.sort_by(|left, right| left.0.cmp(&right.0));
        Self::Key(fields)
    }

    /// Parses an element of `fieldsV1`. Returns `None` for an unknown kind of element, which a reader leaves out.
    pub fn parse(text: &str) -> Result<Option<Self>, FieldsError> {
        let wrong = || FieldsError::Key(text.to_owned());
        let (kind, rest) = text.split_at_checked(2).ok_or_else(wrong)?;
        match kind {
            "f:" => Ok(Some(Self::field(rest))),
            "v:" => Ok(Some(Self::Value(Json::parse(rest.as_bytes()).map_err(|_| wrong())?))),
            "k:" => match Json::parse(rest.as_bytes()).map_err(|_| wrong())? {
                Json::Map(fields) => {
                    Ok(Some(Self::key(fields.iter().map(|(name, value)| (name.clone(), value.clone())))))
                }
                _ => Err(wrong()),
            },
            "i:" => Ok(Some(Self::Index(rest.parse().map_err(|_| wrong())?))),
            _ if kind.ends_with(':') => Ok(None),
            _ => Err(wrong()),
        }
    }

    /// Returns the element in the form of `fieldsV1`.
    pub fn to_text(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(fields) => {
                let mut writer = Writer::new();
                writer.begin_object();
                for (name, value) in fields {
                    writer.key(name);
                    writer.raw(&value.to_vec());
                }
                writer.end_object();
                format!("k:{}", escaped(&writer.into_vec()))
            }
            Self::Value(value) => format!("v:{}", escaped(&value.to_vec())),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    /// Whether the element names this item of a list.
    pub fn matches_item(&self, item: &Json) -> bool {
        match self {
            Self::Key(fields) => {
                !fields.is_empty()
                    && fields.iter().all(|(name, value)| {
                        item.get(name.as_str()).is_some_and(|found| compare(found, value).is_eq())
                    })
            }
            Self::Value(value) => compare(item, value).is_eq(),
            Self::Field(_) | Self::Index(_) => false,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

/// JSON text in the form of Go's encoder, which escapes HTML characters.
fn escaped(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    if !text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        return text.into_owned();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // A string takes every write.
                let _ = write!(safe, "\\u{:04x}", u32::from(letter));
            }
            other => safe.push(other),
        }
    }
    safe
}

/// A total order of values: numbers, strings, booleans, lists, objects, `null`.
pub(super) fn compare(left: &Json, right: &Json) -> Ordering {
    match (left, right) {
        (Json::Int(left), Json::Int(right)) => left.cmp(right),
        (Json::Int(_) | Json::Float(_), Json::Int(_) | Json::Float(_)) => {
            let (left, right) = (left.as_f64().unwrap_or(0.0), right.as_f64().unwrap_or(0.0));
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
        (Json::Str(left), Json::Str(right)) => left.cmp(right),
        (Json::Bool(left), Json::Bool(right)) => left.cmp(right),
        (Json::List(left), Json::List(right)) => {
            let pairs = left.iter().zip(right.iter()).map(|(left, right)| compare(left, right));
            first_difference(pairs).then(left.len().cmp(&right.len()))
        }
        (Json::Map(left), Json::Map(right)) => {
            let pairs = left.iter().zip(right.iter());
            let pairs = pairs.map(|((left_key, left), (right_key, right))| {
                left_key.cmp(right_key).then_with(|| compare(left, right))
            });
            first_difference(pairs).then(left.len().cmp(&right.len()))
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Json) -> u8 {
    match value {
        Json::Int(_) | Json::Float(_) => 0,
        Json::Str(_) => 1,
        Json::Bool(_) => 2,
        Json::List(_) => 3,
        Json::Map(_) => 4,
        Json::Null => 5,
    }
}

fn first_difference(mut order: impl Iterator<Item = Ordering>) -> Ordering {
    order.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl Ord for PathElement {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(left), Self::Field(right)) => left.cmp(right),
            (Self::Key(left), Self::Key(right)) => {
                let pairs = left.iter().zip(right).map(|((left_name, left), (right_name, right))| {
                    left_name.cmp(right_name).then_with(|| compare(left, right))
                });
                first_difference(pairs).then(left.len().cmp(&right.len()))
            }
            (Self::Value(left), Self::Value(right)) => compare(left, right),
            (Self::Index(left), Self::Index(right)) => left.cmp(right),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for PathElement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PathElement {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PathElement {}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(fields) => {
                f.write_str("[")?;
                for (at, (name, value)) in fields.iter().enumerate() {
                    let comma = if at == 0 { "" } else { "," };
                    write!(f, "{comma}{name}={}", Shown(value))?;
                }
                f.write_str("]")
            }
            Self::Value(value) => write!(f, "[={}]", Shown(value)),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|element| element.fmt(f))
    }
}

/// A value in the form of a path.
struct Shown<'v>(&'v Json);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => value.fmt(f),
            Json::Int(value) => value.fmt(f),
            Json::Float(value) => value.fmt(f),
            Json::Str(text) => Quoted(text).fmt(f),
            Json::List(list) => {
                f.write_str("[")?;
                for (at, value) in list.iter().enumerate() {
                    write!(f, "{}{}", if at == 0 { "" } else { "," }, Shown(value))?;
                }
                f.write_str("]")
            }
            Json::Map(map) => map.iter().try_for_each(|(key, value)| write!(f, "{key}={}", Shown(value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;

    fn parsed(text: &str) -> PathElement {
        PathElement::parse(text).unwrap().unwrap()
    }

    #[test]
    fn elements_are_written_as_they_are_read() {
        for text in [
            "f:spec",
            "f:",
            "f:a/b.c:d",
            r#"k:{"containerPort":80,"protocol":"TCP"}"#,
            r#"k:{"name":"it's \"quoted\""}"#,
            r#"v:"finalizer""#,
            "v:1",
            "v:1.5",
            "v:true",
            "v:null",
            "i:0",
            "i:-3",
        ] {
            assert_eq!(parsed(text).to_text(), text);
        }
        assert_eq!(parsed(r#"k:{"b":1,"a":2}"#).to_text(), r#"k:{"a":2,"b":1}"#);
        assert_eq!(parsed(r#"v:"a<b&""#).to_text(), r#"v:"a\u003cb\u0026""#);
    }

    #[test]
    fn an_invalid_element_is_refused_and_an_unknown_one_is_left_out() {
        for text in ["", "f", "spec", "k:", "k:[]", "k:{", "v:", "v:{", "v:1 2", "i:", "i:x", "i:1.5", "é:"]
        {
            assert!(PathElement::parse(text).is_err(), "{text}");
        }
        for text in ["x:", "z:anything"] {
            assert_eq!(PathElement::parse(text).unwrap(), None);
        }
    }

    #[test]
    fn elements_are_in_the_servers_order() {
        let order = [
            "f:a",
            "f:b",
            r#"k:{"containerPort":80,"protocol":"TCP"}"#,
            r#"k:{"containerPort":80,"protocol":"UDP"}"#,
            r#"k:{"containerPort":443,"protocol":"TCP"}"#,
            r#"k:{"name":"a"}"#,
            "v:2",
            "v:10",
            r#"v:"a""#,
            r#"v:"b""#,
            "v:false",
            "v:true",
            "v:[1]",
            "v:{}",
            "v:null",
            "i:1",
            "i:2",
        ];
        for pair in order.windows(2) {
            assert!(parsed(pair[0]) < parsed(pair[1]), "{pair:?}");
        }
        assert_eq!(parsed("v:1"), parsed("v:1.0"));
    }

    #[test]
    fn paths_are_shown_as_the_server_shows_them() {
        let path = FieldPath(vec![
            PathElement::field("spec"),
            PathElement::key([("protocol".into(), json!("TCP")), ("containerPort".into(), json!(80))]),
            PathElement::Value(json!("x\"y")),
            PathElement::Value(json!([1, null, {"a": true}])),
            PathElement::Index(3),
        ]);
        assert_eq!(
            path.to_string(),
            r#".spec[containerPort=80,protocol="TCP"][="x\"y"][=[1,null,a=true]][3]"#
        );
    }

    #[test]
    fn items_match_by_key_or_value() {
        let item = json!({"name": "a", "port": 1, "other": true});
        assert!(parsed(r#"k:{"name":"a","port":1}"#).matches_item(&item));
        assert!(!parsed(r#"k:{"name":"a","port":2}"#).matches_item(&item));
        assert!(!parsed(r#"k:{"name":"a","none":1}"#).matches_item(&item));
        assert!(!parsed("k:{}").matches_item(&item));
        assert!(parsed(r#"v:"x""#).matches_item(&json!("x")));
        assert!(!parsed("f:name").matches_item(&item));
    }

    proptest! {
        #[test]
        fn the_order_is_total(left in any_json(), right in any_json(), third in any_json()) {
            prop_assert_eq!(compare(&left, &right), compare(&right, &left).reverse());
            prop_assert_eq!(compare(&left, &left), Ordering::Equal);
            if compare(&left, &right).is_le() && compare(&right, &third).is_le() {
                prop_assert!(compare(&left, &third).is_le());
            }
        }

        #[test]
        fn any_value_survives_its_text(value in any_json()) {
            let element = PathElement::Value(value);
            prop_assert_eq!(parsed(&element.to_text()), element);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,12}") {
            let _ = PathElement::parse(&text);
        }
    }
}
