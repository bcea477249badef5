//! Derived collections as the source of a controller, and as objects on the server.

mod apply;
mod collection;
mod decide;
mod status;
#[cfg(test)]
mod tests;

pub use apply::{ApplySink, DerivedObject};
pub use collection::CollectionController;
pub use status::StatusSink;

/// Reads collections and caches. A recording has the versions that all of them had during the read.
#[cfg(feature = "recording")]
use crate::recording::read as at_once;

#[cfg(not(feature = "recording"))]
async fn at_once<T>(read: impl Fn() -> T) -> T {
    read()
}
