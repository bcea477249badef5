//! The default roles and bindings of a cluster.

use client_rs_machinery::{Json, Unstructured, json};

use super::rbac::GROUP;
use crate::registry::{Registry, WriteOptions};
use crate::request::{AUTHENTICATED, MASTERS, UNAUTHENTICATED};

const READ: &[&str] = &["get", "list", "watch"];
const WRITE: &[&str] = &["create", "delete", "deletecollection", "patch", "update"];
const ALL: &[&str] = &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const CREATE: &[&str] = &["create"];
const GET: &[&str] = &["get"];

/// Groups, resources and verbs; without groups, paths and verbs.
type Rules = &'static [(&'static [&'static str], &'static [&'static str], &'static [&'static str])];

/// A role, its rules, and its place in role aggregation.
struct Role {
    name: &'static str,
    rules: Rules,
    /// The aggregated role that includes it.
    part_of: &'static str,
    /// Whether it is an aggregated role.
    made_of_parts: bool,
}

const fn role(name: &'static str, rules: Rules) -> Role {
    Role { name, rules, part_of: "", made_of_parts: false }
}

const ROLES: &[Role] = &[
    role("cluster-admin", &[(&["*"], &["*"], &["*"]), (&[], &["*"], &["*"])]),
    Role { name: "admin", rules: &[], part_of: "", made_of_parts: true },
    Role { name: "edit", rules: &[], part_of: "admin", made_of_parts: true },
    Role { name: "view", rules: &[], part_of: "edit", made_of_parts: true },
    Role { name: "system:aggregate-to-admin", rules: TO_ADMIN, part_of: "admin", made_of_parts: false },
    Role { name: "system:aggregate-to-edit", rules: TO_EDIT, part_of: "edit", made_of_parts: false },
    Role { name: "system:aggregate-to-view", rules: TO_VIEW, part_of: "view", made_of_parts: false },
    role(
        "system:basic-user",
        &[
            (&["authorization.k8s.io"], &["selfsubjectaccessreviews", "selfsubjectrulesreviews"], CREATE),
            (&["authentication.k8s.io"], &["selfsubjectreviews"], CREATE),
        ],
    ),
    role("system:discovery", &[(&[], DISCOVERY, GET)]),
    role("system:monitoring", &[(&[], MONITORING, GET), (&[""], &["nodes/metrics"], GET)]),
    role(
        "system:public-info-viewer",
        &[(&[], &["/healthz", "/livez", "/readyz", "/version", "/version/"], GET)],
    ),
];

const DISCOVERY: &[&str] = &[
    "/api",
    "/api/*",
    "/apis",
    "/apis/*",
    "/healthz",
    "/livez",
    "/openapi",
    "/openapi/*",
    "/readyz",
    "/version",
    "/version/",
];

const MONITORING: &[&str] = &[
    "/flagz",
    "/healthz",
    "/healthz/*",
    "/livez",
    "/livez/*",
    "/metrics",
    "/metrics/slis",
    "/readyz",
    "/readyz/*",
    "/statusz",
];

const TO_ADMIN: Rules = &[
    (&["authorization.k8s.io"], &["localsubjectaccessreviews"], CREATE),
    (&[GROUP], &["rolebindings", "roles"], ALL),
];

const TO_EDIT: Rules = &[
    (
        &[""],
        &["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"],
        READ,
    ),
    (&[""], &["serviceaccounts"], &["impersonate"]),
    (&[""], &["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"], WRITE),
    (&[""], &["pods/eviction"], CREATE),
    (
        &[""],
        &[
            "configmaps",
            "persistentvolumeclaims",
            "replicationcontrollers",
            "replicationcontrollers/scale",
            "secrets",
            "serviceaccounts",
            "services",
            "services/proxy",
        ],
        WRITE,
    ),
    (&[""], &["serviceaccounts/token"], CREATE),
    (&["", "events.k8s.io"], &["events"], WRITE),
    (
        &["apps"],
        &[
            "daemonsets",
            "deployments",
            "deployments/rollback",
            "deployments/scale",
            "replicasets",
            "replicasets/scale",
            "statefulsets",
            "statefulsets/scale",
        ],
        WRITE,
    ),
    (&["autoscaling"], &["horizontalpodautoscalers"], WRITE),
    (&["batch"], &["cronjobs", "jobs"], WRITE),
    (&["policy"], &["poddisruptionbudgets"], WRITE),
    (&["networking.k8s.io"], &["ingresses", "networkpolicies"], WRITE),
    (&["coordination.k8s.io"], &["leases"], ALL),
    (&["resource.k8s.io"], &["resourceclaims", "resourceclaimtemplates"], WRITE),
];

const TO_VIEW: Rules = &[
    (
        &[""],
        &[
            "configmaps",
            "endpoints",
            "persistentvolumeclaims",
            "persistentvolumeclaims/status",
            "pods",
            "replicationcontrollers",
            "replicationcontrollers/scale",
            "serviceaccounts",
            "services",
            "services/status",
        ],
        READ,
    ),
    (
        &[""],
        &[
            "bindings",
            "limitranges",
            "namespaces/status",
            "pods/log",
            "pods/status",
            "replicationcontrollers/status",
            "resourcequotas",
            "resourcequotas/status",
        ],
        READ,
    ),
    (&[""], &["namespaces"], READ),
    (&["", "events.k8s.io"], &["events"], READ),
    (&["discovery.k8s.io"], &["endpointslices"], READ),
    (
        &["apps"],
        &[
            "controllerrevisions",
            "daemonsets",
            "daemonsets/status",
            "deployments",
            "deployments/scale",
            "deployments/status",
            "replicasets",
            "replicasets/scale",
            "replicasets/status",
            "statefulsets",
            "statefulsets/scale",
            "statefulsets/status",
        ],
        READ,
    ),
    (&["autoscaling"], &["horizontalpodautoscalers", "horizontalpodautoscalers/status"], READ),
    (&["batch"], &["cronjobs", "cronjobs/status", "jobs", "jobs/status"], READ),
    (&["policy"], &["poddisruptionbudgets", "poddisruptionbudgets/status"], READ),
    (&["networking.k8s.io"], &["ingresses", "ingresses/status", "networkpolicies"], READ),
    (&["resource.k8s.io"], &["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"], READ),
];

const BINDINGS: &[(&str, &[&str])] = &[
    ("cluster-admin", &[MASTERS]),
    ("system:basic-user", &[AUTHENTICATED]),
    ("system:discovery", &[AUTHENTICATED]),
    ("system:monitoring", &["system:monitoring"]),
    ("system:public-info-viewer", &[AUTHENTICATED, UNAUTHENTICATED]),
];

/// Creates the default roles and bindings.
pub(crate) fn create(registry: &Registry) {
    for role in ROLES {
        put(registry, "clusterroles", &role.to_json());
    }
    for (name, groups) in BINDINGS {
        let subjects: Vec<Json> =
            groups.iter().map(|group| json!({"apiGroup": GROUP, "kind": "Group", "name": *group})).collect();
        let binding = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": metadata(name),
            "subjects": subjects, "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": *name},
        });
        put(registry, "clusterrolebindings", &binding);
    }
}

fn put(registry: &Registry, plural: &str, object: &Json) {
    let served = registry.catalog().find(GROUP, "v1", plural);
    let object = Unstructured::try_from(object.clone());
    if let (Some(served), Ok(object)) = (served, object) {
        let created = registry.create(&served, "", object, WriteOptions::default());
        debug_assert!(created.is_ok(), "{created:?}");
    }
}

fn metadata(name: &str) -> Json {
    json!({
        "name": name,
        "labels": {"kubernetes.io/bootstrapping": "rbac-defaults"},
        "annotations": {"rbac.authorization.kubernetes.io/autoupdate": "true"},
    })
}

impl Role {
    fn to_json(&self) -> Json {
        let rules: Vec<Json> = self.rules.iter().map(|rule| to_json(*rule)).collect();
        let mut role = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata(self.name), "rules": rules,
        });
        let label = |of: &str| format!("rbac.authorization.k8s.io/aggregate-to-{of}");
        // Setting these fields can't fail: their parents are objects that were just created.
        if !self.part_of.is_empty() {
            let _ = role.set(&["metadata", "labels", &label(self.part_of)], "true");
        }
        if self.made_of_parts {
            let mut labels = Json::EMPTY_MAP;
            let _ = labels.set(&[label(self.name)], "true");
            let _ = role.set(&["aggregationRule", "clusterRoleSelectors"], json!([{"matchLabels": labels}]));
        }
        role
    }
}

fn to_json((groups, resources, verbs): (&[&str], &[&str], &[&str])) -> Json {
    if groups.is_empty() {
        return json!({"nonResourceURLs": resources.to_vec(), "verbs": verbs.to_vec()});
    }
    json!({"apiGroups": groups.to_vec(), "resources": resources.to_vec(), "verbs": verbs.to_vec()})
}
