//! The Kubernetes object model, with no I/O.

mod collections;
pub mod quantity;
pub mod time;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
