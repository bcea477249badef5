//! The mapping between kinds and resources.

mod deferred;
mod error;
mod lookup;
mod mapping;
mod shortcut;

pub use deferred::{DeferredRestMapper, MapperOptions};
pub use error::MapError;
pub use lookup::RestMapper;
pub use mapping::{MappedSubresource, RestMapping};
pub use shortcut::Expansion;
