//! Typed handles: what a server serves of one kind, as methods.
//!
//! An [`Api`] is a kind and a place: the cluster, one namespace, or all of them. Which methods it has follows from both, so
//! that what the server would refuse does not compile: no `watch` of a kind that can't be watched, no `get` across
//! namespaces, no namespace for a kind that is in none.
//!
//! A method describes a request, options can be added, and `.await` sends it:
//!
//! ```
//! # use client_rs_api::core::v1::{Node, Pod};
//! # use client_rs_client::api::{AllNamespaces, Api, Propagation};
//! # use client_rs_client::{Error, RestClient};
//! # async fn example(rest: RestClient, pod: Pod) -> Result<(), Error> {
//! let pods = Api::<Pod>::namespaced(&rest, "default");
//! let web = pods.get("web").await?;
//! let made = pods.create(pod).field_manager("me").dry_run().await?;
//! pods.delete("web").propagation(Propagation::Foreground).await?;
//!
//! let everywhere = Api::<Pod, AllNamespaces>::all(&rest).list().label_selector("app=web").await?;
//! let nodes = Api::<Node>::cluster(&rest).list().await?;
//! # Ok(())
//! # }
//! ```

pub(crate) mod apply;
mod delete_response;
mod handle;
mod log;
pub(crate) mod options;
mod pages;
mod proxy;
mod reach;
pub(crate) mod request;
mod subresource;

pub use crate::request::ApplyConfigurationError;
pub use apply::ApplyConfiguration;
pub use delete_response::DeleteResponse;
pub use handle::Api;
pub use log::{Log, LogLines};
pub use options::{DeleteCollectionOptions, FieldValidation, Propagation, ResourceVersionMatch};
pub use pages::Pages;
pub use reach::{AllNamespaces, ByName, HasNamespaces, OfCluster, Reach, Within};
pub use request::{ApiRequest, Reply};
pub use subresource::SubresourceApi;

#[cfg(test)]
mod tests;
