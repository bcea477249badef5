//! Discovery: the groups, versions and resources of a server, and the mapping between kinds and resources.
//!
//! | for | see |
//! |---|---|
//! | a request to the server each time | [`DiscoveryClient`] |
//! | a cache | [`MemoryCache`]; `DiskCache`, with the feature `disk-cache` |
//! | the resource of a kind, of a short name, or of the text that a user types | [`RestMapper`], [`DeferredRestMapper`] |
//! | schemas | [`OpenApiClient`] |
//!
//! Responses are plain data ([`ServerResources`]). Everything that is derived from them ([`ServerResources::preferred`],
//! [`RestMapper`]) is computed without I/O.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_client::testing::Canned;
//! use std::sync::Arc;
//! use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
//!
//! # let server = Canned::new().with_discovery();
//! # let rest = server.client();
//! let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(rest)));
//! let mapper = DeferredRestMapper::new(Arc::new(cache));
//! let mapping = mapper.find("deploy").await?;
//! assert_eq!(mapping.resource.to_string(), "apps/v1, Resource=deployments");
//! assert!(mapping.namespaced);
//! # Ok(())
//! # }
//! ```

mod aggregated;
mod client;
mod data;
#[cfg(feature = "disk-cache")]
mod disk;
mod error;
#[cfg(feature = "disk-cache")]
mod http_cache;
pub mod mapper;
mod memory;
mod openapi;
mod source;
mod version;

pub use client::{DiscoveryClient, DiscoveryOptions};
pub use data::{FailedGroups, PartialDiscovery, ServerGroups, ServerResources};
#[cfg(feature = "disk-cache")]
pub use disk::{DiskCache, DiskCacheOptions};
pub use error::DiscoveryError;
pub use futures_core::future::BoxFuture;
#[cfg(feature = "disk-cache")]
pub use http_cache::HttpCache;
pub use mapper::{DeferredRestMapper, MapError, MappedSubresource, MapperOptions, RestMapper, RestMapping};
pub use memory::MemoryCache;
pub use openapi::{OpenApiClient, OpenApiPath};
pub use source::Discovery;
pub use version::VersionInfo;
