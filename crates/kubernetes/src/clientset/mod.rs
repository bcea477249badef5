//! A client of every group and version.

mod generated;

use client_rs_client::{Error, RestClient};
use client_rs_transport::Config;

#[allow(unused_imports, unreachable_pub, reason = "empty without a feature for an API group")]
pub use generated::*;

/// The clients of every built-in resource, by name: `clientset.core_v1().pods("default").get("web").await`.
///
/// A group is a cargo feature, as in `client-rs-api`; the stable ones are on by default. An accessor costs a count and
/// gives an [`Api`](client_rs_client::Api), whose kind decides which verbs and subresources there are; where Go asks for
/// a namespace, one of all takes [`AllNamespaces`](client_rs_client::AllNamespaces).
///
/// Cheap to clone; clones and all their handles share connections and one rate limit.
///
/// ```
/// # use client_rs_client::{AllNamespaces, Error};
/// # use client_rs_kubernetes::Clientset;
/// # async fn example(clientset: Clientset) -> Result<(), Error> {
/// let web = clientset.apps_v1().deployments("shop").get("web").await?;
/// let pods = clientset.core_v1().pods(AllNamespaces).list().label_selector("app=web").await?;
/// let nodes = clientset.core_v1().nodes().list().await?;
/// let scale = clientset.apps_v1().deployments("shop").scale("web").get().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Clientset {
    rest: RestClient,
}

impl Clientset {
    /// To a config's server, as its user, with its limits.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// Over a client that is there already: its connections, its rate limit, or whatever stands behind it.
    pub fn from_rest(rest: RestClient) -> Self {
        Self { rest }
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }
}

impl From<Clientset> for RestClient {
    fn from(clientset: Clientset) -> Self {
        clientset.rest
    }
}

impl From<&Clientset> for RestClient {
    fn from(clientset: &Clientset) -> Self {
        clientset.rest.clone()
    }
}

impl From<RestClient> for Clientset {
    fn from(rest: RestClient) -> Self {
        Self::from_rest(rest)
    }
}
