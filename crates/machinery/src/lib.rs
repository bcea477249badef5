//! The Kubernetes object model, with no I/O.

mod collections;
mod gvk;
mod int_or_string;
mod key;
pub mod quantity;
pub mod time;
pub mod validation;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use gvk::{
    GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, GvkError, compare_versions,
    parse_kind_arg, parse_resource_arg,
};
pub use int_or_string::{IntOrString, NotPercentage, Rounding};
pub use key::{KeyError, ObjectKey};
