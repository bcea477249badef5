//! One-word, copy-on-write building blocks of every object.

#![allow(missing_docs)]

mod blob;
mod list;
mod map;
mod shared;
mod str;

pub use blob::Blob;
pub use list::List;
pub use map::Map;
pub use shared::{Shared, StaticDefault};
pub use str::Str;
