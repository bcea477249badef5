//! The Kubernetes object model, with no I/O.

pub mod collections;
pub mod pool;
mod raw;
pub mod time;
pub mod wire;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use raw::{FieldsV1, RawExtension, RawJson};
