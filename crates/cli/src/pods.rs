//! Finds the pods of a name: a pod, or an object that has pods.

use std::cmp::Reverse;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::Api;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{Json, Time, Unstructured};

use crate::selection;
use crate::session::Session;

/// The order in which pods are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// Something is to be done in it.
    Work,
    /// Its log is to be read: one that has trouble has more to tell.
    Logs,
}

/// The object that a word means, as the server has it: a pod's name, or `TYPE/NAME`.
pub(crate) async fn object(session: &Session, word: &str) -> Result<Unstructured> {
    let (kind, name) =
        if word.contains('/') { selection::pair(word)? } else { ("pods".to_owned(), word.to_owned()) };
    let mapping = session.find(&kind).await?;
    Ok(session.api(&mapping, &session.namespace).get(&name).await?)
}

/// The pods of an object, the best one first; for a pod the pod itself. Waits until one exists.
///
/// `doing` is the purpose, for the error if the object has no pods: "attach to".
pub(crate) async fn of(
    session: &Session,
    object: &Unstructured,
    order: For,
    patience: Duration,
    doing: &str,
) -> Result<Vec<Pod>> {
    if is(object, "", "Pod") {
        return Ok(vec![object.to_message().context("the server's response is not a pod")?]);
    }
    let selector = selector_of(object, doing)?.to_string();
    let pods = Api::<Pod>::namespaced(session.client.rest(), object.namespace());
    let Ok(found) = tokio::time::timeout(patience, some(&pods, &selector)).await else {
        bail!("timed out waiting for the condition");
    };
    let mut found = found?;
    found.sort_by_cached_key(|pod| rank(pod, order));
    Ok(found)
}

/// Is it an object of this kind?
pub(crate) fn is(object: &Unstructured, group: &str, kind: &str) -> bool {
    let of = object.api_version().split_once('/').map_or("", |(group, _)| group);
    of == group && object.kind() == kind
}

/// The pods that match the selector. Waits until one exists.
async fn some(pods: &Api<Pod>, selector: &str) -> Result<Vec<Pod>> {
    loop {
        let listed = pods.list().label_selector(selector).await?;
        if !listed.items.is_empty() {
            return Ok(listed.items);
        }
        let version = listed.metadata.resource_version;
        let mut watch = pods.watch().label_selector(selector).resource_version(version).await?;
        // A watch that ends, for whatever reason, is followed by the next list.
        while let Some(event) = watch.next().await {
            match event {
                Ok(WatchEvent::Added(pod) | WatchEvent::Modified(pod)) => return Ok(vec![pod]),
                Ok(WatchEvent::Error(error)) if !error.is_resource_expired() => return Err(error.into()),
                Ok(WatchEvent::Error(_)) => break,
                _ => {}
            }
        }
    }
}

/// The selector of an object's pods.
pub(crate) fn selector_of(object: &Unstructured, doing: &str) -> Result<Selector> {
    let sets = [
        ("apps", "Deployment"),
        ("apps", "ReplicaSet"),
        ("apps", "StatefulSet"),
        ("apps", "DaemonSet"),
        ("batch", "Job"),
    ];
    let selector = object.nested(&["spec", "selector"]).ok().flatten().unwrap_or(&Json::Null);
    if is(object, "", "Service") || is(object, "", "ReplicationController") {
        let Some(labels) = selector.as_map().filter(|labels| !labels.is_empty()) else {
            bail!("invalid service '{}': Service is defined without a selector", object.name());
        };
        let pairs = labels.iter().map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default()));
        return Ok(Selector::from_set(pairs)?);
    }
    if !sets.iter().any(|(group, kind)| is(object, group, kind)) {
        bail!("cannot {doing} {}: it has no pod selector", object.kind());
    }
    let selector: client_rs_machinery::meta::v1::LabelSelector =
        selector.to_message().context("invalid label selector")?;
    Selector::try_from(&selector).context("invalid label selector")
}

/// Times in their order, none at the end.
type Since = (bool, Option<Time>);

/// The less, the better: on a node, running, ready (and for long), not about to go; then by restarts, and the older one.
type Rank = (bool, u8, bool, (bool, Reverse<Option<Time>>), Since, (i64, i64), Since);

fn rank(pod: &Pod, order: For) -> Rank {
    let since = |time: Option<Time>| (time.is_none(), time);
    let phase = match (pod.status.phase.as_str(), order) {
        ("Running", _) => 0,
        ("Unknown", _) => 1,
        ("Pending", _) | (_, For::Work) => 2,
        // One that has ended has written all that it will.
        (_, For::Logs) => 0,
    };
    let condition = pod.status.conditions.iter().find(|one| one.type_ == "Ready" && one.status == "True");
    let going = match order {
        For::Work => pod.metadata.deletion_timestamp,
        For::Logs => None,
    };
    let restarts = restarts(pod);
    (
        pod.spec.node_name.is_empty(),
        phase,
        condition.is_none(),
        (going.is_some(), Reverse(going)),
        since(condition.and_then(|one| one.last_transition_time)),
        match order {
            For::Work => restarts,
            For::Logs => (-restarts.0, -restarts.1),
        },
        since(pod.metadata.creation_timestamp),
    )
}

/// The most restarts that a container has, and a sidecar.
fn restarts(pod: &Pod) -> (i64, i64) {
    let own = pod.status.container_statuses.iter().map(|one| i64::from(one.restart_count)).max();
    let sidecars =
        pod.spec.init_containers.iter().filter(|one| one.restart_policy.as_deref() == Some("Always"));
    let names: Vec<&str> = sidecars.map(|one| &*one.name).collect();
    let statuses = pod.status.init_container_statuses.iter().filter(|one| names.contains(&&*one.name));
    (own.unwrap_or(0), statuses.map(|one| i64::from(one.restart_count)).max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn pod(name: &str, spec: Json, status: Json, created: &str) -> Pod {
        let metadata = json!({"name": name, "creationTimestamp": created});
        let pod: Unstructured =
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
                .try_into()
                .unwrap();
        pod.to_message().unwrap()
    }

    #[test]
    fn an_object_says_which_pods_it_has() {
        let of = |object: Json| {
            selector_of(&object.try_into().unwrap(), "attach to").map(|selector| selector.to_string())
        };
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "spec": {"selector": {"matchLabels": {"a": "b"}}},
        });
        assert_eq!(of(deployment).unwrap(), "a=b");
        let service = json!({"apiVersion": "v1", "kind": "Service", "spec": {"selector": {"c": "d"}}});
        assert_eq!(of(service).unwrap(), "c=d");
        assert!(of(json!({"apiVersion": "v1", "kind": "Service", "spec": {}})).is_err());
        let error = of(json!({"apiVersion": "v1", "kind": "ConfigMap"})).unwrap_err().to_string();
        assert_eq!(error, "cannot attach to ConfigMap: it has no pod selector");
    }

    #[test]
    fn the_best_pod_runs_is_ready_and_has_been_for_long() {
        let node = || json!({"nodeName": "n"});
        let running = |ready: &str, since: &str, restarts: i64| {
            json!({
                "phase": "Running",
                "conditions": [{"type": "Ready", "status": ready, "lastTransitionTime": since}],
                "containerStatuses": [{"name": "c", "restartCount": restarts}],
            })
        };
        let (early, late) = ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z");
        let all = || {
            vec![
                pod("unplaced", json!({}), running("True", early, 0), early),
                pod("ended", node(), json!({"phase": "Succeeded"}), early),
                pod("pending", node(), json!({"phase": "Pending"}), early),
                pod("unready", node(), running("False", early, 0), early),
                pod("lately", node(), running("True", late, 0), early),
                pod("shaky", node(), running("True", early, 7), early),
                pod("young", node(), running("True", early, 0), late),
                pod("old", node(), running("True", early, 0), early),
            ]
        };
        let sorted = |order| {
            let mut pods = all();
            pods.sort_by_cached_key(|pod| rank(pod, order));
            pods.iter().map(|pod| pod.metadata.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            sorted(For::Work),
            ["old", "young", "shaky", "lately", "unready", "ended", "pending", "unplaced"]
        );
        assert_eq!(
            sorted(For::Logs),
            ["shaky", "old", "young", "lately", "ended", "unready", "pending", "unplaced"]
        );
    }
}
