//! Clients for kinds that are known only at run time.
//!
//! | for | see |
//! |---|---|
//! | whole objects of any resource | [`DynamicClient`], [`DynamicApi`] |
//! | only their metadata | [`MetadataClient`], [`MetadataApi`]; for kinds with a Rust type [`Api::get_metadata`](crate::Api::get_metadata) and its neighbours |
//! | the number of replicas of any scalable resource | [`ScaleClient`] |
//!
//! The compiler checks scope and verbs of the typed [`Api`](crate::Api). Here the client checks before it sends, as far as it can:
//! names that would change a URL always, and the scope if the handle was created from a
//! [`RestMapping`](crate::discovery::RestMapping).

mod client;
mod handle;
mod metadata;
mod partial_object_meta;
mod place;
mod scale;
mod scale_client;
mod typed_metadata;

pub use client::DynamicClient;
pub use handle::{DynamicApi, DynamicSubresource};
pub use metadata::{MetadataApi, MetadataClient};
pub use partial_object_meta::PartialObjectMeta;
pub use scale::{Scale, ScaleError};
pub use scale_client::{ScaleClient, ScaleClientError};

#[cfg(test)]
mod tests;
