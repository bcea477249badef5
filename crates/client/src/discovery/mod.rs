//! What a server serves: groups, versions, resources, and how kinds and resources go together.
//!
//! | for | see |
//! |---|---|
//! | asking the server | [`DiscoveryClient`] |
//! | asking it once | [`MemoryCache`]; `DiskCache`, with the feature `disk-cache` |
//! | from a kind, a short name or a text to a resource | [`RestMapper`], [`DeferredRestMapper`] |
//! | schemas | [`OpenApiClient`] |
//!
//! What is asked for is plain data, and what is made of it ([`ServerResources::preferred`], [`RestMapper`]) is computed
//! from that data alone.

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
