//! The Kubernetes object model, with no I/O.

mod collections;
mod int_or_string;
pub mod quantity;
pub mod time;

pub use collections::{Blob, List, Map, Shared, StaticDefault, Str};
pub use int_or_string::{IntOrString, NotPercentage, Rounding};
