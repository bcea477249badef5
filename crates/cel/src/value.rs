//! What an expression evaluates to.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use crate::functions::{NamedFormat, Quantity, Semver};
use crate::go::Url;
use crate::list::{Identity, List};

/// A value. Cheap to clone.
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
    /// A value of one of Kubernetes' libraries: an address, a network, a quantity, a URL, a format, a version.
    Library(Library),
}

/// A value of one of Kubernetes' libraries. Only expressions make one.
#[derive(Clone, Debug, PartialEq)]
pub struct Library(pub(crate) Kind);

/// What a library's value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Ip(IpAddr),
    Cidr(IpAddr, u8),
    Quantity(Arc<Quantity>),
    Url(Arc<Url>),
    Format(&'static NamedFormat),
    Semver(Arc<Semver>),
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
    /// An integer, signed or not.
    Int(i128),
    /// A text.
    Text(Arc<str>),
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::known_by(Identity::Place, items)
    }

    /// A list whose order does not matter.
    pub fn set(items: impl IntoIterator<Item = Value>) -> Self {
        Self::known_by(Identity::Own, items)
    }

    /// A list of objects that are known by these of their fields.
    pub fn keyed<K: Into<Arc<str>>>(
        keys: impl IntoIterator<Item = K>,
        items: impl IntoIterator<Item = Value>,
    ) -> Self {
        Self::known_by(Identity::Fields(keys.into_iter().map(Into::into).collect()), items)
    }

    fn known_by(identity: Identity, items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(Arc::new(List::new(items.into_iter().collect(), identity)))
    }

    /// An object of named fields.
    pub fn object<K: Into<Arc<str>>>(fields: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::Map(Arc::new(fields.into_iter().map(|(key, value)| (Key::Text(key.into()), value)).collect()))
    }

    /// A point in time, from RFC 3339.
    pub fn timestamp(text: &str) -> Option<Self> {
        crate::functions::timestamp(text).map(Self::Timestamp)
    }

    /// A span of time, as Go writes it.
    pub fn duration(text: &str) -> Option<Self> {
        crate::functions::duration(text).map(Self::Duration)
    }

    /// The name of its type, as `type()` gives it.
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
            },
        }
    }

    /// How much of it there is to go through, as costs have it: characters, bytes, items; one for all else.
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

    /// How many bytes a text has, or bytes have.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
    }

    /// The value as a key of a map; only booleans, whole numbers and texts are.
    pub fn as_key(&self) -> Option<Key> {
        Some(match self {
            Self::Bool(value) => Key::Bool(*value),
            Self::Int(value) => Key::Int((*value).into()),
            Self::Uint(value) => Key::Int((*value).into()),
            // A number that is whole finds the integer that it equals.
            #[allow(clippy::cast_possible_truncation)]
            Self::Double(value) if value.fract() == 0.0 && value.abs() < 1e18 => Key::Int(*value as i128),
            Self::Text(text) => Key::Text(Arc::clone(text)),
            _ => return None,
        })
    }

    /// How two values compare; `None` where they can't be.
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

/// Numbers are equal whatever their types; values of types that have nothing in common are not.
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
