//! The Kubernetes object model, with no I/O.

pub mod collections;
#[allow(missing_docs, clippy::pedantic)]
mod generated;
mod int_or_string;
pub mod pool;
pub mod quantity;
mod raw;
mod schema_or;
mod string_list;
pub mod time;
pub mod wire;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use generated::*;
pub use int_or_string::{IntOrString, NotPercentage, Rounding};
pub use quantity::Quantity;
pub use raw::{FieldsV1, RawExtension, RawJson};
pub use schema_or::{OrArray, OrBool, OrStringArray};
pub use string_list::StringList;
pub use time::{Duration, MicroTime, Time};
