//! The Kubernetes object model, with no I/O.

pub mod collections;
pub mod pool;
mod raw;
mod string_list;
pub mod time;
pub mod wire;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use string_list::StringList;
pub use time::{Duration, MicroTime, Time};
pub use raw::{FieldsV1, RawExtension, RawJson};
