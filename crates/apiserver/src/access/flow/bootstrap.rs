//! The default flow schemas and priority levels of a cluster.

use client_rs_machinery::{Json, Unstructured, json};

use super::GROUP;
use crate::registry::{Registry, WriteOptions};

/// A level's name, shares and lendable percentage, and its number of queues and hand size. A level that rejects
/// requests instead of queueing them has no queues.
type Level = (&'static str, i64, i64, Option<(i64, i64)>);

const LEVELS: &[Level] = &[
    ("catch-all", 5, 0, None),
    ("global-default", 20, 50, Some((128, 6))),
    ("leader-election", 10, 0, Some((16, 4))),
    ("node-high", 40, 25, Some((64, 6))),
    ("system", 30, 33, Some((64, 6))),
    ("workload-high", 40, 50, Some((128, 6))),
    ("workload-low", 100, 90, Some((128, 6))),
];

/// Creates the default flow schemas and priority levels.
pub(crate) fn create(registry: &Registry) {
    let exempt = json!({"type": "Exempt", "exempt": {"nominalConcurrencyShares": 0, "lendablePercent": 0}});
    put(registry, "prioritylevelconfigurations", "PriorityLevelConfiguration", "exempt", exempt);
    for (name, shares, lendable, queues) in LEVELS {
        let response = match queues {
            None => json!({"type": "Reject"}),
            Some((queues, hand)) => {
                json!({"type": "Queue", "queuing": {"queues": *queues, "handSize": *hand, "queueLengthLimit": 50}})
            }
        };
        let limited = json!({
            "nominalConcurrencyShares": *shares, "limitResponse": response, "lendablePercent": *lendable,
        });
        let spec = json!({"type": "Limited", "limited": limited});
        put(registry, "prioritylevelconfigurations", "PriorityLevelConfiguration", name, spec);
    }
    for (name, level, precedence, by, rules) in schemas() {
        let mut spec = json!({
            "priorityLevelConfiguration": {"name": level}, "matchingPrecedence": precedence, "rules": [rules],
        });
        if !by.is_empty() {
            let _ = spec.set(&["distinguisherMethod", "type"], by);
        }
        put(registry, "flowschemas", "FlowSchema", name, spec);
    }
}

type Made = (&'static str, &'static str, i64, &'static str, Json);

fn schemas() -> Vec<Made> {
    let group = |name: &str| json!({"kind": "Group", "group": {"name": name}});
    let user = |name: &str| json!({"kind": "User", "user": {"name": name}});
    let account =
        || json!({"kind": "ServiceAccount", "serviceAccount": {"namespace": "kube-system", "name": "*"}});
    let everyone = || vec![group("system:unauthenticated"), group("system:authenticated")];
    let anything = |subjects: Vec<Json>| {
        json!({
            "subjects": subjects,
            "resourceRules": [{
                "verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": true, "namespaces": ["*"],
            }],
            "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
        })
    };
    let leases = |verbs: Json| json!({"verbs": verbs, "apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "namespaces": ["*"]});
    let (manager, scheduler) = ("system:kube-controller-manager", "system:kube-scheduler");
    let probes = json!({
        "subjects": everyone(),
        "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/healthz", "/readyz", "/livez"]}],
    });
    let election = json!({
        "subjects": [user(manager), user(scheduler), account()],
        "resourceRules": [leases(json!(["get", "create", "update"]))],
    });
    let nodes = json!({
        "verbs": ["*"], "apiGroups": [""], "resources": ["nodes", "nodes/status"], "clusterScope": true,
        "namespaces": ["*"],
    });
    let node_high =
        json!({"subjects": [group("system:nodes")], "resourceRules": [nodes, leases(json!(["*"]))]});
    vec![
        ("exempt", "exempt", 1, "", anything(vec![group("system:masters")])),
        ("probes", "exempt", 2, "", probes),
        ("system-leader-election", "leader-election", 100, "ByUser", election),
        ("system-node-high", "node-high", 400, "ByUser", node_high),
        ("system-nodes", "system", 500, "ByUser", anything(vec![group("system:nodes")])),
        ("kube-controller-manager", "workload-high", 800, "ByNamespace", anything(vec![user(manager)])),
        ("kube-scheduler", "workload-high", 800, "ByNamespace", anything(vec![user(scheduler)])),
        ("kube-system-service-accounts", "workload-high", 900, "ByNamespace", anything(vec![account()])),
        ("service-accounts", "workload-low", 9000, "ByUser", anything(vec![group("system:serviceaccounts")])),
        ("global-default", "global-default", 9900, "ByUser", anything(everyone())),
        ("catch-all", "catch-all", 10_000, "ByUser", anything(everyone())),
    ]
}

fn put(registry: &Registry, plural: &str, kind: &str, name: &str, spec: Json) {
    let object = json!({
        "kind": kind, "apiVersion": format!("{GROUP}/v1"),
        "metadata": {"name": name, "annotations": {"apf.kubernetes.io/autoupdate-spec": "true"}},
        "spec": spec,
    });
    let served = registry.catalog().find(GROUP, "v1", plural);
    if let (Some(served), Ok(object)) = (served, Unstructured::try_from(object)) {
        // It can only fail because the object exists.
        let _ = registry.create(&served, "", object, WriteOptions::default());
    }
}
