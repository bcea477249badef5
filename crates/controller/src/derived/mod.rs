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
