//! The Kubernetes object model, with no I/O.

pub mod collections;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
