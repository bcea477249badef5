//! Objects as rows, for people: what `kubectl get` shows.

use client_rs_machinery::time::age;
use client_rs_machinery::{Json, Time, Unstructured, json};

use crate::registry::Served;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    name: &'static str,
    kind: &'static str,
    format: &'static str,
    description: &'static str,
    /// 0 is always shown, 1 with `-o wide`.
    priority: i64,
    cell: fn(&Unstructured, Time) -> Json,
}

impl Column {
    /// What the table says of the column.
    pub fn definition(&self) -> Json {
        json!({
            "name": self.name, "type": self.kind, "format": self.format, "description": self.description,
            "priority": self.priority,
        })
    }

    /// The column's cell of an object.
    pub fn cell(&self, object: &Unstructured, now: Time) -> Json {
        (self.cell)(object, now)
    }
}

/// The columns of a resource; name and creation for one that has no table of its own.
pub(crate) fn columns(served: &Served) -> &'static [Column] {
    if served.custom.is_some() {
        return &[NAME];
    }
    let (group, resource) = served.at();
    of(group, resource).unwrap_or(DEFAULT)
}

/// The columns of a built-in resource that has a table of its own.
pub fn of(group: &str, resource: &str) -> Option<&'static [Column]> {
    Some(match (group, resource) {
        ("", "pods") => PODS,
        ("", "services") => SERVICES,
        ("", "configmaps") => CONFIG_MAPS,
        ("", "secrets") => SECRETS,
        ("", "serviceaccounts") => SERVICE_ACCOUNTS,
        ("", "namespaces") => NAMESPACES,
        ("", "nodes") => NODES,
        ("", "events") => EVENTS,
        ("apps", "deployments") => DEPLOYMENTS,
        ("apps", "replicasets") => REPLICA_SETS,
        ("apps", "statefulsets") => STATEFUL_SETS,
        ("coordination.k8s.io", "leases") => LEASES,
        _ => return None,
    })
}

/// What the table says of a column that a definition gives.
pub(crate) fn custom_definition(column: &client_rs_schema::PrinterColumn) -> Json {
    json!({
        "name": column.name.as_str(), "type": column.kind.as_str(), "format": column.format.as_str(),
        "description": column.description.as_str(), "priority": column.priority,
    })
}

const fn text(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "string", format: "", description, priority: 0, cell }
}

const fn integer(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "integer", format: "", description, priority: 0, cell }
}

const fn wide(column: Column) -> Column {
    Column { priority: 1, ..column }
}

const NAME: Column = Column {
    name: "Name",
    kind: "string",
    format: "name",
    description: "The name of the object.",
    priority: 0,
    cell: |object, _| object.name().into(),
};

const READY_OF: Column = text("Ready", "How many pods are ready, of how many.", |object, _| {
    let ready = number(at(object, &["status", "readyReplicas"]));
    format!("{ready}/{}", number(at(object, &["spec", "replicas"]))).into()
});
const AGE: Column = text("Age", "How long ago the object was created.", |object, now| {
    object.creation_timestamp().map_or_else(|| "<unknown>".into(), |created| age(created, now).into())
});

const CREATED: Column = Column {
    name: "Created At",
    kind: "date",
    format: "",
    description: "When the object was created.",
    priority: 0,
    cell: |object, _| Json::from(object.creation_timestamp().map(|created| created.to_string())),
};

const DEFAULT: &[Column] = &[NAME, CREATED];

const CONTAINERS: Column =
    wide(text("Containers", "Names of the containers of the template.", |object, _| {
        joined(at(object, &["spec", "template", "spec", "containers"]), "name")
    }));
const IMAGES: Column = wide(text("Images", "Images of the containers of the template.", |object, _| {
    joined(at(object, &["spec", "template", "spec", "containers"]), "image")
}));
const SELECTOR: Column = wide(text("Selector", "Which pods it is about.", |object, _| {
    selector(at(object, &["spec", "selector"]))
}));

const PODS: &[Column] = &[
    NAME,
    text("Ready", "How many containers are ready, of how many.", |object, _| {
        let ready = list(at(object, &["status", "containerStatuses"]))
            .filter(|status| status["ready"] == json!(true));
        format!("{}/{}", ready.count(), list(at(object, &["spec", "containers"])).count()).into()
    }),
    text("Status", "What the pod does.", |object, _| pod_status(object).into()),
    text("Restarts", "How often containers were restarted.", |object, _| {
        let counts = list(at(object, &["status", "containerStatuses"]))
            .filter_map(|status| status["restartCount"].as_i64());
        counts.sum::<i64>().to_string().into()
    }),
    AGE,
    wide(text("IP", "The pod's address.", |object, _| or_none(at(object, &["status", "podIP"])))),
    wide(text("Node", "Where it runs.", |object, _| or_none(at(object, &["spec", "nodeName"])))),
    wide(text("Nominated Node", "Where it is to run.", |object, _| {
        or_none(at(object, &["status", "nominatedNodeName"]))
    })),
    wide(text("Readiness Gates", "Conditions that count for readiness.", |object, _| {
        if list(at(object, &["spec", "readinessGates"])).next().is_none() {
            return "<none>".into();
        }
        let gates: Vec<&str> = list(at(object, &["spec", "readinessGates"]))
            .filter_map(|gate| gate["conditionType"].as_str())
            .collect();
        let met = list(at(object, &["status", "conditions"]))
            .filter(|condition| condition["status"] == json!("True"))
            .filter(|condition| condition["type"].as_str().is_some_and(|name| gates.contains(&name)));
        format!("{}/{}", met.count(), gates.len()).into()
    })),
];

const SERVICES: &[Column] = &[
    NAME,
    text("Type", "How it is reached.", |object, _| at(object, &["spec", "type"]).clone()),
    text("Cluster-IP", "Its address in the cluster.", |object, _| {
        or_none(at(object, &["spec", "clusterIP"]))
    }),
    text("External-IP", "Its addresses from outside.", |object, _| {
        let ingress = list(at(object, &["status", "loadBalancer", "ingress"]));
        let addresses: Vec<&str> =
            ingress.filter_map(|entry| entry["ip"].as_str().or(entry["hostname"].as_str())).collect();
        match at(object, &["spec", "type"]).as_str() {
            Some("LoadBalancer") if addresses.is_empty() => "<pending>".into(),
            Some("ExternalName") => at(object, &["spec", "externalName"]).clone(),
            _ if addresses.is_empty() => "<none>".into(),
            _ => addresses.join(",").into(),
        }
    }),
    text("Port(s)", "Its ports.", |object, _| {
        let ports: Vec<String> = list(at(object, &["spec", "ports"]))
            .map(|port| {
                let node = port["nodePort"].as_i64().map(|node| format!(":{node}")).unwrap_or_default();
                format!("{}{node}/{}", port["port"], port["protocol"].as_str().unwrap_or("TCP"))
            })
            .collect();
        if ports.is_empty() { "<none>".into() } else { ports.join(",").into() }
    }),
    AGE,
    wide(text("Selector", "Which pods it is about.", |object, _| pairs(at(object, &["spec", "selector"])))),
];

const CONFIG_MAPS: &[Column] = &[
    NAME,
    text("Data", "How many entries it has.", |object, _| {
        (entries(at(object, &["data"])) + entries(at(object, &["binaryData"]))).into()
    }),
    AGE,
];

const SECRETS: &[Column] = &[
    NAME,
    text("Type", "What it is for.", |object, _| at(object, &["type"]).clone()),
    integer("Data", "How many entries it has.", |object, _| entries(at(object, &["data"])).into()),
    AGE,
];

const SERVICE_ACCOUNTS: &[Column] = &[
    NAME,
    text("Secrets", "How many secrets it names.", |object, _| list(at(object, &["secrets"])).count().into()),
    AGE,
];

const NAMESPACES: &[Column] = &[
    NAME,
    text("Status", "Whether it is active.", |object, _| at(object, &["status", "phase"]).clone()),
    AGE,
];

const NODES: &[Column] = &[
    NAME,
    text("Status", "Whether it is ready.", |object, _| {
        let ready =
            list(at(object, &["status", "conditions"])).find(|condition| condition["type"] == json!("Ready"));
        let status = match ready {
            Some(condition) if condition["status"] == json!("True") => "Ready",
            Some(_) => "NotReady",
            None => "Unknown",
        };
        let cordoned = at(object, &["spec", "unschedulable"]) == &json!(true);
        if cordoned { format!("{status},SchedulingDisabled").into() } else { status.into() }
    }),
    text("Roles", "What it is for.", |object, _| {
        let roles: Vec<&str> =
            object.labels().filter_map(|(key, _)| key.strip_prefix("node-role.kubernetes.io/")).collect();
        if roles.is_empty() { "<none>".into() } else { roles.join(",").into() }
    }),
    AGE,
    text("Version", "The version of its kubelet.", |object, _| {
        at(object, &["status", "nodeInfo", "kubeletVersion"]).clone()
    }),
];

const DEPLOYMENTS: &[Column] = &[
    NAME,
    READY_OF,
    text("Up-to-date", "How many pods are of the latest template.", |object, _| {
        number(at(object, &["status", "updatedReplicas"])).into()
    }),
    text("Available", "How many pods are available.", |object, _| {
        number(at(object, &["status", "availableReplicas"])).into()
    }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
];

const REPLICA_SETS: &[Column] = &[
    NAME,
    integer("Desired", "How many pods there are to be.", |object, _| {
        number(at(object, &["spec", "replicas"])).into()
    }),
    integer("Current", "How many pods there are.", |object, _| {
        number(at(object, &["status", "replicas"])).into()
    }),
    integer("Ready", "How many pods are ready.", |object, _| {
        number(at(object, &["status", "readyReplicas"])).into()
    }),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
];

const STATEFUL_SETS: &[Column] = &[NAME, READY_OF, AGE, CONTAINERS, IMAGES];

const EVENTS: &[Column] = &[
    text("Last Seen", "When it happened last.", |event, now| since_any(event, LAST_SEEN, now)),
    text("Type", "Normal or Warning.", |event, _| at(event, &["type"]).clone()),
    text("Reason", "Why, in one word.", |event, _| at(event, &["reason"]).clone()),
    text("Object", "What it is about.", |event, _| {
        let kind = at(event, &["involvedObject", "kind"]).as_str().unwrap_or_default().to_lowercase();
        match at(event, &["involvedObject", "name"]).as_str() {
            None | Some("") => kind.into(),
            Some(name) => format!("{kind}/{name}").into(),
        }
    }),
    wide(text("Subobject", "Which part of it.", |event, _| {
        at(event, &["involvedObject", "fieldPath"]).as_str().unwrap_or_default().into()
    })),
    wide(text("Source", "Who says so, and where.", |event, _| {
        let component =
            at(event, &["source", "component"]).as_str().or(at(event, &["reportingComponent"]).as_str());
        let host = at(event, &["source", "host"]).as_str().or(at(event, &["reportingInstance"]).as_str());
        let parts = [component, host].into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ").into()
    })),
    text("Message", "What happened.", |event, _| {
        at(event, &["message"]).as_str().unwrap_or_default().trim().to_owned().into()
    }),
    wide(text("First Seen", "When it happened first.", |event, now| since_any(event, FIRST_SEEN, now))),
    wide(text("Count", "How often it happened.", |event, _| {
        let count = at(event, &["series", "count"]).as_i64().or(at(event, &["count"]).as_i64());
        count.filter(|count| *count != 0).unwrap_or(1).to_string().into()
    })),
    wide(NAME),
];

const FIRST_SEEN: &[&[&str]] = &[&["firstTimestamp"], &["eventTime"]];
const LAST_SEEN: &[&[&str]] =
    &[&["series", "lastObservedTime"], &["lastTimestamp"], &["firstTimestamp"], &["eventTime"]];

/// How long ago the first of these times was that an object has.
fn since_any(object: &Unstructured, paths: &[&[&str]], now: Time) -> Json {
    let found = paths.iter().find_map(|path| at(object, path).as_str()?.parse::<Time>().ok());
    found.map_or_else(|| "<unknown>".into(), |found| age(found, now).into())
}

const LEASES: &[Column] = &[
    NAME,
    text("Holder", "Who holds it.", |object, _| at(object, &["spec", "holderIdentity"]).clone()),
    AGE,
];

static NULL: Json = Json::Null;

fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    let Some((first, rest)) = path.split_first() else { return &NULL };
    object.object.get(first).and_then(|value| value.path(rest)).unwrap_or(&NULL)
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

fn entries(value: &Json) -> usize {
    value.as_map().map_or(0, client_rs_machinery::Map::len)
}

fn number(value: &Json) -> i64 {
    value.as_i64().unwrap_or(0)
}

fn or_none(value: &Json) -> Json {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or("<none>").into()
}

fn joined(value: &Json, field: &str) -> Json {
    list(value).filter_map(|item| item[field].as_str()).collect::<Vec<_>>().join(",").into()
}

fn pairs(value: &Json) -> Json {
    let pairs = value.as_map().into_iter().flatten();
    let pairs: Vec<String> =
        pairs.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    if pairs.is_empty() { "<none>".into() } else { pairs.join(",").into() }
}

fn selector(value: &Json) -> Json {
    let labels = value.get("matchLabels").unwrap_or(&NULL);
    let mut parts: Vec<String> =
        pairs(labels).as_str().map(str::to_owned).filter(|text| text != "<none>").into_iter().collect();
    for expression in list(&value["matchExpressions"]) {
        let key = expression["key"].as_str().unwrap_or_default();
        let values: Vec<&str> = list(&expression["values"]).filter_map(Json::as_str).collect();
        parts.push(match expression["operator"].as_str() {
            Some("In") => format!("{key} in ({})", values.join(",")),
            Some("NotIn") => format!("{key} notin ({})", values.join(",")),
            Some("DoesNotExist") => format!("!{key}"),
            _ => key.to_owned(),
        });
    }
    if parts.is_empty() { "<none>".into() } else { parts.join(",").into() }
}

/// The reason that says most of what a pod does.
fn pod_status(pod: &Unstructured) -> String {
    let reason = at(pod, &["status", "reason"]).as_str().filter(|reason| !reason.is_empty());
    let phase = at(pod, &["status", "phase"]).as_str().unwrap_or("Unknown");
    let mut status = reason.unwrap_or(phase).to_owned();
    for container in list(at(pod, &["status", "containerStatuses"])) {
        for state in ["waiting", "terminated"] {
            if let Some(reason) =
                container["state"][state]["reason"].as_str().filter(|reason| !reason.is_empty())
            {
                reason.clone_into(&mut status);
            }
        }
    }
    if pod.deletion_timestamp().is_some() {
        status = if reason == Some("NodeLost") { "Unknown".into() } else { "Terminating".into() };
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pods_row_reads_as_kubectl_shows_it() {
        let pod: Unstructured = json!({
            "metadata": {"name": "a", "creationTimestamp": "1970-01-01T00:00:00Z"},
            "spec": {"nodeName": "n", "containers": [{"name": "c"}, {"name": "d"}]},
            "status": {"phase": "Running", "podIP": "10.0.0.1", "containerStatuses": [
                {"ready": true, "restartCount": 2}, {"ready": false, "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
            ]},
        })
        .try_into()
        .unwrap();
        let now = Time::new(60, 0).unwrap();
        let cells: Vec<Json> = PODS.iter().map(|column| column.cell(&pod, now)).collect();
        let expected =
            json!(["a", "1/2", "CrashLoopBackOff", "2", "60s", "10.0.0.1", "n", "<none>", "<none>"]);
        assert_eq!(Json::from(cells), expected);
    }
}
