//! Typed handles: the API of one kind, as methods.
//!
//! An [`Api`] is a kind and a scope: the cluster, one namespace, or all namespaces. Both are types, and they decide which methods
//! exist. So a request that the server would refuse does not compile: no `watch` on a kind without that verb, no `get` by name
//! across all namespaces, no namespace for a cluster-scoped kind.
//!
//! A method returns an [`ApiRequest`]. Add options to it, then `.await` sends it:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use client_rs_api::core::v1::{Node, Pod};
//! # use client_rs_client::testing::Canned;
//! # let server = Canned::new()
//! #     .on("GET /api/v1/namespaces/default/pods/web", r#"{"metadata": {"name": "web"}}"#)
//! #     .echo("POST /api/v1/namespaces/default/pods")
//! #     .on("DELETE /api/v1/namespaces/default/pods/web", r#"{"kind": "Status", "status": "Success"}"#)
//! #     .on("GET /api/v1/pods", r#"{"items": []}"#)
//! #     .on("GET /api/v1/nodes", r#"{"items": [{"metadata": {"name": "n1"}}]}"#);
//! # let (rest, pod) = (server.client(), Pod::default());
//! use client_rs_client::api::{AllNamespaces, Api, Propagation};
//!
//! let pods = Api::<Pod>::namespaced(&rest, "default");
//! let web = pods.get("web").await?;
//! let created = pods.create(pod).field_manager("me").dry_run().await?;
//! pods.delete("web").propagation(Propagation::Foreground).await?;
//!
//! let everywhere = Api::<Pod, AllNamespaces>::all(&rest).list().label_selector("app=web").await?;
//! let nodes = Api::<Node>::cluster(&rest).list().await?;
//! # assert_eq!((web.metadata.name.as_str(), created, everywhere.items.len()), ("web", Pod::default(), 0));
//! # assert_eq!(nodes.items[0].metadata.name, "n1");
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | read | [`get`](Api::get), [`get_opt`](Api::get_opt), [`list`](Api::list), [`list_stream`](Api::list_stream), [`pages`](Api::pages) |
//! | follow changes | [`watch`](Api::watch); an informer (crate `client-rs-informers`) if you need a cache or automatic restarts |
//! | write | [`create`](Api::create), [`update`](Api::update), [`patch`](Api::patch), [`apply`](Api::apply), [`delete`](Api::delete) |
//! | read, change and write without conflicts | [`retry_on_conflict`](Api::retry_on_conflict), [`create_or_update`](Api::create_or_update), [`create_or_patch`](Api::create_or_patch) |
//! | maintain workloads and nodes | [`restart`](Api::restart), [`cordon`](Api::cordon), [`uncordon`](Api::uncordon) |
//! | reach a part of an object | [`status`](Api::status), [`scale`](Api::scale), [`subresource`](Api::subresource) |
//! | work with a kind that is known only at run time | [`DynamicClient`](crate::DynamicClient) |

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
mod upkeep;

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
