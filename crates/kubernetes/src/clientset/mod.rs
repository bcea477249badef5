//! [`Clientset`]: one client per group and version.

mod generated;

use client_rs_client::{Error, RestClient};
use client_rs_transport::Config;

#[allow(unused_imports, unreachable_pub, reason = "empty without a feature for an API group")]
pub use generated::*;

/// The clients of every built-in resource, by name: `clientset.core_v1().pods("default").get("web").await`.
///
/// Each group is a cargo feature, as in `client-rs-api`; the stable ones are on by default. An accessor costs one reference
/// count. It returns an [`Api`](client_rs_client::Api), whose kind decides which verbs and subresources exist: a wrong one does
/// not compile. For all namespaces pass [`AllNamespaces`](client_rs_client::AllNamespaces) instead of a namespace.
///
/// Cheap to clone; clones and all of their handles share connections and one rate limit.
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
    /// A clientset for the server, user and limits of a configuration.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid: certificates, credentials, URL. No request is sent.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// A clientset that uses an existing client: its connections and its rate limit. Use it to share one client with
    /// informers and other handles, or for the client of a fake or embedded server.
    ///
    /// ```
    /// use client_rs_client::RestClient;
    /// use client_rs_kubernetes::Clientset;
    ///
    /// fn nodes(rest: &RestClient) -> client_rs_client::Api<client_rs_api::core::v1::Node> {
    ///     Clientset::from_rest(rest.clone()).core_v1().nodes()
    /// }
    /// ```
    pub fn from_rest(rest: RestClient) -> Self {
        Self { rest }
    }

    /// The client that it uses, for raw requests and handles of other kinds.
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
