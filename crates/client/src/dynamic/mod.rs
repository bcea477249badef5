//! Clients for kinds that are known only at run time.
//!
//! | for | see |
//! |---|---|
//! | whole objects of any resource | [`DynamicClient`], [`DynamicApi`] |
//! | their metadata alone | [`MetadataClient`], [`MetadataApi`] |
//! | the number of replicas of anything that has one | [`ScaleClient`] |
//!
//! What the compiler checks for the typed [`Api`](crate::Api) is checked here before anything is sent, as far as it is
//! known: names that would change a URL always, the scope where the handle was made from a
//! [`RestMapping`](crate::discovery::RestMapping).

mod client;
mod handle;
mod metadata;
mod place;
mod scale;
mod scale_client;

pub use client::DynamicClient;
pub use handle::{DynamicApi, DynamicSubresource};
pub use metadata::{MetadataApi, MetadataClient};
pub use scale::{Scale, ScaleError};
pub use scale_client::{ScaleClient, ScaleClientError};

#[cfg(test)]
mod tests;
