//! Whoever can say what is served.

use std::fmt;

use client_rs_machinery::GroupVersion;
use client_rs_machinery::meta::v1::APIResourceList;
use futures_core::future::BoxFuture;
use futures_util::StreamExt;

use super::{DiscoveryError, FailedGroups, ServerGroups, ServerResources};

/// Says what a server serves: the server itself ([`DiscoveryClient`](super::DiscoveryClient)), or a cache before it.
///
/// - Caches stack: each asks the next for what it does not have, and one [`invalidate`](Self::invalidate) goes through
///   all of them.
/// - Cancelled by drop; a cache that was being filled is as it was before.
pub trait Discovery: fmt::Debug + Send + Sync + 'static {
    /// The groups and, where they come in the same answer, their resources.
    ///
    /// No `/api` (404) is no core group; any other failure of `/api` or `/apis` is an error.
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>>;

    /// The resources and subresources of one version.
    fn resources_for<'a>(
        &'a self,
        version: &'a GroupVersion,
    ) -> BoxFuture<'a, Result<APIResourceList, DiscoveryError>>;

    /// Everything. Versions that fail are told as such; an error is only what concerns all of them.
    ///
    /// For what a server prefers, or what has certain verbs, ask the result.
    fn server_resources(&self) -> BoxFuture<'_, Result<ServerResources, DiscoveryError>> {
        Box::pin(gather(self))
    }

    /// Is there nothing newer to be had by [`invalidate`](Self::invalidate)? What is not found in an answer that is not
    /// fresh is worth another look. Default: yes, as whoever asks the server each time has nothing older.
    fn is_fresh(&self) -> bool {
        true
    }

    /// Nothing that was learned before now is answered any more. Default: nothing, as nothing is kept.
    fn invalidate(&self) {}
}

/// How many versions are asked for at once, where each is asked for by itself.
const AT_ONCE: usize = 32;

/// Groups, and the resources of each version.
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

/// Asks for each version by itself; answers come in the groups' order.
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
