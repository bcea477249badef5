//! Sources of discovery data.

use std::fmt;

use client_rs_machinery::GroupVersion;
use client_rs_machinery::meta::v1::APIResourceList;
use futures_core::future::BoxFuture;
use futures_util::StreamExt;

use super::{DiscoveryError, FailedGroups, ServerGroups, ServerResources};

/// A source of discovery data: the server ([`DiscoveryClient`](super::DiscoveryClient)), or a cache in front of it.
///
/// - Caches stack: each one requests missing data from the next, and [`invalidate`](Self::invalidate) reaches all of them.
/// - Dropping a future cancels the request. A cache that was being filled keeps its previous state.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient};
///
/// # let server = Canned::new().with_discovery();
/// # let discovery = DiscoveryClient::from_rest(server.client());
/// let served = discovery.server_resources().await?;
/// assert!(served.failed.is_empty());
/// let versions: Vec<_> = served.lists.iter().map(|list| list.group_version.as_str()).collect();
/// assert_eq!(versions, ["v1", "apps/v1", "apps/v1beta1"]);
/// # Ok(())
/// # }
/// ```
pub trait Discovery: fmt::Debug + Send + Sync + 'static {
    /// Reads the groups and, if the same response has them, their resources.
    ///
    /// If `/api` is not found (404), there is no core group. Any other failure of `/api` or `/apis` is an error.
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>>;

    /// Reads the resources and subresources of one version.
    fn resources_for<'a>(
        &'a self,
        version: &'a GroupVersion,
    ) -> BoxFuture<'a, Result<APIResourceList, DiscoveryError>>;

    /// Reads everything. A version that fails is listed in [`ServerResources::failed`]. An error means that nothing could be read.
    ///
    /// The result has methods to select the preferred versions, or the resources with certain verbs.
    fn server_resources(&self) -> BoxFuture<'_, Result<ServerResources, DiscoveryError>> {
        Box::pin(gather(self))
    }

    /// Whether the data is up to date. If not, a caller that misses a resource should [`invalidate`](Self::invalidate) and try
    /// again. Default: true, for a source that sends a request each time.
    fn is_fresh(&self) -> bool {
        true
    }

    /// Drops all cached data. Default: does nothing, for a source without a cache.
    fn invalidate(&self) {}
}

/// The number of concurrent requests, if there is one request per version.
const AT_ONCE: usize = 32;

/// Reads the groups, and the resources of each version.
pub(super) async fn gather<D: Discovery + ?Sized>(discovery: &D) -> Result<ServerResources, DiscoveryError> {
    let ServerGroups { groups, resources, failed } = discovery.groups().await?;
    if let Some(lists) = resources {
        return Ok(ServerResources { groups, lists, failed });
    }
    let asked = fetch_each(discovery, &groups).await;
    let (mut lists, mut failed) = (Vec::new(), FailedGroups::new());
    for (version, answer) in asked {
        match answer {
            Ok(list) => lists.push(list),
            Err(error) => {
                failed.insert(version, error);
            }
        }
    }
    Ok(ServerResources { groups, lists, failed })
}

/// Sends one request per version. The results have the order of the groups.
pub(super) async fn fetch_each<D: Discovery + ?Sized>(
    discovery: &D,
    groups: &[client_rs_machinery::meta::v1::APIGroup],
) -> Vec<(GroupVersion, Result<APIResourceList, DiscoveryError>)> {
    let versions = groups.iter().flat_map(|group| {
        group.versions.iter().map(|version| GroupVersion::new(group.name.clone(), version.version.clone()))
    });
    let versions: Vec<_> = versions.collect();
    let asked = versions.into_iter().map(|version| async move {
        let answer = discovery.resources_for(&version).await;
        (version, answer)
    });
    futures_util::stream::iter(asked).buffered(AT_ONCE).collect().await
}
