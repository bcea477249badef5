//! The values of expressions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use crate::functions::{NamedFormat, Quantity, Semver};
use crate::go::Url;
use crate::host::{Host, Hosted};
use crate::list::{Identity, List};

/// A value. Cheap to clone.
///
/// ```
/// use client_rs_cel::Value;
///
/// let list = Value::list([Value::Int(1), Value::text("a")]);
/// assert_eq!(list.type_name(), "list");
/// // Numbers of different types are equal if their values are.
/// assert_eq!(Value::Int(1), Value::Double(1.0));
/// // The order of a set does not matter.
/// assert_eq!(Value::set([Value::Int(1), Value::Int(2)]), Value::set([Value::Int(2), Value::Int(1)]));
/// assert_eq!(Value::duration("90s"), Value::duration("1m30s"));
/// assert_eq!(Value::timestamp("yesterday"), None);
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating point number.
    Double(f64),
    /// A text.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<List>),
    /// A map, or an object.
    Map(Arc<BTreeMap<Key, Value>>),
    /// A span of time, in nanoseconds.
    Duration(i128),
    /// A point in time, in nanoseconds since 1970.
    Timestamp(i128),
    /// A type, by its name.
    Type(&'static str),
    /// A value that may be absent.
    Optional(Option<Box<Value>>),
    /// A value of one of Kubernetes' libraries: an address, a network, a quantity, a URL, a format, a version. Also a
    /// value of the program that evaluates, and an object that an expression creates.
    Library(Library),
}

/// A value of one of Kubernetes' libraries. An evaluation or [`Value::host`] creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct Library(pub(crate) Kind);

/// The content of a library's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Ip(IpAddr),
    Cidr(IpAddr, u8),
    Quantity(Arc<Quantity>),
    Url(Arc<Url>),
    Format(&'static NamedFormat),
    Semver(Arc<Semver>),
    Host(Hosted),
    Struct(Arc<Struct>),
}

/// An object that an expression creates: `Object.spec{replicas: 1}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// The type, such as `Object.spec`.
    pub name: String,
    /// The fields that are set.
    pub fields: BTreeMap<String, Value>,
}

impl Library {
    /// Returns the object that an expression created, if the value is one.
    pub fn as_struct(&self) -> Option<&Struct> {
        match &self.0 {
            Kind::Struct(object) => Some(object),
            _ => None,
        }
    }
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self::Library(Library(kind))
    }
}

/// A key of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A boolean.
    Bool(bool),
    /// A signed or unsigned integer.
    Int(i128),
    /// A text.
    Text(Arc<str>),
}

impl Value {
    /// Creates a text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::known_by(Identity::Place, items)
    }

    /// Creates a list whose order does not matter.
    pub fn set(items: impl IntoIterator<Item = Value>) -> Self {
        Self::known_by(Identity::Own, items)
    }

    /// Creates a list of objects that are identified by these fields.
    pub fn keyed<K: Into<Arc<str>>>(
        keys: impl IntoIterator<Item = K>,
        items: impl IntoIterator<Item = Value>,
    ) -> Self {
        Self::known_by(Identity::Fields(keys.into_iter().map(Into::into).collect()), items)
    }

    fn known_by(identity: Identity, items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(Arc::new(List::new(items.into_iter().collect(), identity)))
    }

    /// Creates an object of named fields.
    pub fn object<K: Into<Arc<str>>>(fields: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::Map(Arc::new(fields.into_iter().map(|(key, value)| (Key::Text(key.into()), value)).collect()))
    }

    /// Creates a value whose fields and methods belong to the program that evaluates.
    pub fn host(host: Arc<dyn Host>) -> Self {
        Kind::Host(Hosted(host)).into()
    }

    /// Parses a point in time in the form of RFC 3339.
    pub fn timestamp(text: &str) -> Option<Self> {
        crate::functions::timestamp(text).map(Self::Timestamp)
    }

    /// Parses a span of time in Go's notation.
    pub fn duration(text: &str) -> Option<Self> {
        crate::functions::duration(text).map(Self::Duration)
    }

    /// Returns the name of its type, as `type()` returns it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Library(Library(kind)) => match kind {
                Kind::Ip(_) => "net.IP",
                Kind::Cidr(..) => "net.CIDR",
                Kind::Quantity(_) => "kubernetes.Quantity",
                Kind::Url(_) => "kubernetes.URL",
                Kind::Format(_) => "kubernetes.NamedFormat",
                Kind::Semver(_) => "kubernetes.Semver",
                Kind::Host(host) => host.0.type_name(),
                Kind::Struct(_) => "object",
            },
        }
    }

    /// Returns its size for costs: the number of characters, bytes or items; 1 for any other type.
    pub(crate) fn size(&self) -> u64 {
        (match self {
            Self::Text(text) => text.chars().count(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(),
            Self::Library(Library(Kind::Ip(address))) => {
                if address.is_ipv4() {
                    4
                } else {
                    16
                }
            }
            Self::Library(Library(Kind::Cidr(_, length))) => usize::from(length.div_ceil(8)),
            _ => 1,
        }) as u64
    }

    /// Returns the number of bytes of a text, or of bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
    }

    /// Returns the value as a key of a map; only booleans, integers and texts can be keys.
    pub fn as_key(&self) -> Option<Key> {
        Some(match self {
            Self::Bool(value) => Key::Bool(*value),
            Self::Int(value) => Key::Int((*value).into()),
            Self::Uint(value) => Key::Int((*value).into()),
            // A whole number finds the integer that it equals.
            #[allow(clippy::cast_possible_truncation)]
            Self::Double(value) if value.fract() == 0.0 && value.abs() < 1e18 => Key::Int(*value as i128),
            Self::Text(text) => Key::Text(Arc::clone(text)),
            _ => return None,
        })
    }

    /// Compares two values; `None` if they cannot be compared.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Bytes(a), Self::Bytes(b)) => Some(a.cmp(b)),
            (Self::Duration(a), Self::Duration(b)) | (Self::Timestamp(a), Self::Timestamp(b)) => {
                Some(a.cmp(b))
            }
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Uint(a), Self::Uint(b)) => Some(a.cmp(b)),
            (Self::Int(a), Self::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
            (Self::Uint(a), Self::Int(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(b),
            (Self::Double(a), Self::Int(b)) => a.partial_cmp(&(*b as f64)),
            (Self::Int(a), Self::Double(b)) => (*a as f64).partial_cmp(b),
            (Self::Double(a), Self::Uint(b)) => a.partial_cmp(&(*b as f64)),
            (Self::Uint(a), Self::Double(b)) => (*a as f64).partial_cmp(b),
            _ => None,
        }
    }
}

/// Numbers of different types are equal if their values are; values of unrelated types are not equal.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Type(a), Self::Type(b)) => a == b,
            (Self::Optional(a), Self::Optional(b)) => a == b,
            (Self::Library(a), Self::Library(b)) => a == b,
            (a, b) => a.compare(b) == Some(Ordering::Equal),
        }
    }
}

impl From<Key> for Value {
    fn from(key: Key) -> Self {
        match key {
            Key::Bool(value) => Self::Bool(value),
            Key::Int(value) => match i64::try_from(value) {
                Ok(value) => Self::Int(value),
                Err(_) => Self::Uint(u64::try_from(value).unwrap_or(u64::MAX)),
            },
            Key::Text(text) => Self::Text(text),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}
