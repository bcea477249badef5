//! [`ConsistencyCheck`]: compares streamed lists with plain lists, for test clusters.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::{Object, ObjectKey};

use crate::store::Stored;
use crate::{FetchContext, FetchError, Incoming, ListWatch};

/// The wait before a failed list is retried.
const RETRY: Duration = Duration::from_secs(1);

/// Compares each streamed list with a plain list at the same version.
///
/// It is off by default, because it doubles the load of every list. client-go panics on a difference. Here the
/// watch error handler gets a [`FetchError::Inconsistent`], and the reflector discards the streamed list in
/// favour of a plain one.
///
///
/// ```
/// use client_rs_cache::InformerOptions;
/// use client_rs_cache::reflector::ConsistencyCheck;
/// use client_rs_machinery::Unstructured;
///
/// let options = InformerOptions::<Unstructured>::default()
///     .with_consistency_check(ConsistencyCheck::of_versions());
/// assert!(options.consistency_check.is_some());
/// ```
pub struct ConsistencyCheck<K> {
    same: Arc<Same<K>>,
}

/// Returns whether two objects are the same.
type Same<K> = dyn Fn(&K, &K) -> bool + Send + Sync;

impl<K: Object> ConsistencyCheck<K> {
    /// Returns whether the variable `KUBE_WATCHLIST_INCONSISTENCY_DETECTOR` turns it on, as in client-go.
    pub fn is_in_environment() -> bool {
        std::env::var("KUBE_WATCHLIST_INCONSISTENCY_DETECTOR").is_ok_and(|text| is_true(&text))
    }

    /// Compares keys, UIDs and versions.
    pub fn of_versions() -> Self {
        Self {
            same: Arc::new(|one, other| {
                one.uid() == other.uid() && one.resource_version() == other.resource_version()
            }),
        }
    }

    /// Compares whole objects.
    pub fn of_objects() -> Self
    where
        K: PartialEq,
    {
        Self { same: Arc::new(K::eq) }
    }

    /// Compares the objects of a request with a plain list at their version. Retries the list until the server
    /// responds, and transforms its objects like the cache.
    pub(crate) async fn check(
        &self,
        source: &dyn ListWatch<K>,
        cx: &FetchContext<K>,
        transform: impl Fn(K) -> Option<Arc<K>> + Send + Sync,
        request: &ListOptions,
        resource_version: &str,
        received: &[Stored<K>],
    ) -> Result<(), FetchError> {
        let Some(options) = options(request, resource_version, received.len()) else { return Ok(()) };
        let listed = loop {
            match list(source, cx, &transform, &options).await {
                Ok(listed) => break listed,
                Err(error) => {
                    tracing::debug!(%error, "list of a consistency check failed, retrying");
                    tokio::time::sleep(RETRY).await;
                }
            }
        };
        let mut objects = Objects { keys: Vec::new(), objects: Vec::new() };
        for stored in received {
            if let Some(object) = stored.object() {
                objects.push(stored.key(), object);
            }
        }
        let same = |one: usize, other: usize| (self.same)(&objects.objects[one], &listed.objects[other]);
        compare(&objects.keys, &listed.keys, &same, resource_version)
    }
}

/// Objects with their keys.
struct Objects<K> {
    keys: Vec<ObjectKey>,
    objects: Vec<Arc<K>>,
}

impl<K> Objects<K> {
    fn push(&mut self, key: ObjectKey, object: Arc<K>) {
        self.keys.push(key);
        self.objects.push(object);
    }
}

/// Compares two lists; `same` compares the objects at two places. Of equal keys in one list, the last counts. It has no type
/// parameter, so that it is compiled once.
fn compare(
    received: &[ObjectKey],
    listed: &[ObjectKey],
    same: &dyn Fn(usize, usize) -> bool,
    resource_version: &str,
) -> Result<(), FetchError> {
    let places = |keys: &[ObjectKey]| -> BTreeMap<ObjectKey, usize> {
        keys.iter().enumerate().map(|(at, key)| (key.clone(), at)).collect()
    };
    let (received, listed) = (places(received), places(listed));
    let differs = |key: &&ObjectKey| match (received.get(*key), listed.get(*key)) {
        (Some(one), Some(other)) => !same(*one, *other),
        (one, other) => one.is_some() != other.is_some(),
    };
    let mut odd: Vec<_> = received.keys().chain(listed.keys()).filter(differs).collect();
    odd.sort_unstable();
    odd.dedup();
    if odd.is_empty() {
        return Ok(());
    }
    let first: Vec<_> = odd.iter().take(5).map(ToString::to_string).collect();
    Err(FetchError::Inconsistent(format!(
        "{} objects at version {resource_version}, including {}",
        odd.len(),
        first.join(", ")
    )))
}

impl<K> Clone for ConsistencyCheck<K> {
    fn clone(&self) -> Self {
        Self { same: self.same.clone() }
    }
}

impl<K> fmt::Debug for ConsistencyCheck<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConsistencyCheck")
    }
}

/// Parses a boolean like Go.
fn is_true(text: &str) -> bool {
    matches!(text, "1" | "t" | "T" | "true" | "TRUE" | "True")
}

/// Returns the options of the list that must have the same content, if there is one.
fn options(request: &ListOptions, resource_version: &str, received: usize) -> Option<ListOptions> {
    // A page is not the whole list, and at version 0 two lists may differ.
    if !request.continue_.is_empty() || resource_version == "0" || resource_version.is_empty() {
        return None;
    }
    // A server ignores the limit at version 0.
    let ignored = request.resource_version == "0"
        && request.limit > 0
        && i64::try_from(received).is_ok_and(|received| received > request.limit);
    Some(ListOptions {
        watch: false,
        allow_watch_bookmarks: false,
        send_initial_events: None,
        timeout_seconds: None,
        resource_version: resource_version.into(),
        resource_version_match: "Exact".into(),
        limit: if ignored { 0 } else { request.limit },
        ..request.clone()
    })
}

async fn list<K: Object>(
    source: &dyn ListWatch<K>,
    cx: &FetchContext<K>,
    transform: &(impl Fn(K) -> Option<Arc<K>> + Send + Sync),
    options: &ListOptions,
) -> Result<Objects<K>, FetchError> {
    let mut listed = Objects { keys: Vec::new(), objects: Vec::new() };
    let mut sink = |item: Incoming<K>| {
        let object = match item {
            Incoming::Object(object) => transform(object),
            Incoming::Cached(object) => object.object(),
            Incoming::Undecodable(_) => None,
        };
        if let Some(object) = object {
            listed.push(object.key(), object);
        }
    };
    source.list(options.clone(), cx, &mut sink).await?;
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(resource_version: &str, limit: i64, continue_: &str) -> ListOptions {
        ListOptions {
            resource_version: resource_version.into(),
            limit,
            continue_: continue_.into(),
            watch: true,
            send_initial_events: Some(true),
            timeout_seconds: Some(1),
            ..ListOptions::EMPTY
        }
    }

    #[test]
    fn t1_3_03_the_limit_is_dropped_only_if_the_server_ignored_it() {
        for (version, limit, received, expected) in
            [("0", 2, 3, 0), ("0", 3, 3, 3), ("0", 0, 3, 0), ("", 2, 3, 2), ("5", 2, 3, 2)]
        {
            let options = options(&request(version, limit, ""), "7", received).unwrap();
            assert_eq!((options.limit, &*options.resource_version), (expected, "7"));
            assert_eq!((options.watch, options.send_initial_events), (false, None));
            assert_eq!((options.timeout_seconds, &*options.resource_version_match), (None, "Exact"));
        }
    }

    #[test]
    fn t1_3_05_a_page_is_not_compared() {
        assert_eq!(options(&request("", 1, "token"), "7", 1), None);
        assert_eq!(options(&request("", 1, ""), "0", 1), None);
        assert_eq!(options(&request("", 1, ""), "", 1), None);
    }

    #[test]
    fn the_variable_is_parsed_like_in_go() {
        for (text, expected) in [("true", true), ("1", true), ("yes", false), ("", false), ("False", false)] {
            assert_eq!(is_true(text), expected, "{text}");
        }
    }
}
