//! Which resource a kind is, and which kind a resource has.

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
