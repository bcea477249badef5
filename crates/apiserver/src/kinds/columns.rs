//! The columns that `kubectl get` shows, and their building blocks. The columns of each kind are in its file.

use client_rs_machinery::time::age;
use client_rs_machinery::{Json, Time, Unstructured, json};

/// A column of the table that `kubectl get` shows.
///
/// ```
/// use client_rs_apiserver::columns;
/// use client_rs_machinery::{Time, Unstructured, json};
///
/// let deployments = columns::of("apps", "deployments").expect("a built-in resource with its own columns");
/// let object: Unstructured = json!({
///     "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
///     "spec": {"replicas": 3}, "status": {"readyReplicas": 2},
/// })
/// .try_into()
/// .unwrap();
///
/// let ready = &deployments[1];
/// assert_eq!(ready.definition()["name"], json!("Ready"));
/// assert_eq!(ready.cell(&object, Time::now()), json!("2/3"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column {
    name: &'static str,
    kind: &'static str,
    format: &'static str,
    description: &'static str,
    /// 0 is always shown, 1 only with `-o wide`.
    priority: i64,
    cell: fn(&Unstructured, Time) -> Json,
}

impl Column {
    /// The definition of the column: name, type, format, description and priority, as in a `Table` object.
    pub fn definition(&self) -> Json {
        json!({
            "name": self.name, "type": self.kind, "format": self.format, "description": self.description,
            "priority": self.priority,
        })
    }

    /// Computes the cell of an object. `now` is the reference for ages.
    pub fn cell(&self, object: &Unstructured, now: Time) -> Json {
        (self.cell)(object, now)
    }
}

/// The columns of a built-in resource; `None` if it has only the default columns. The core group is `""`.
pub fn of(group: &str, resource: &str) -> Option<&'static [Column]> {
    super::find(group, resource).columns
}

/// The definition of a printer column of a custom resource.
pub(crate) fn custom_definition(column: &client_rs_schema::PrinterColumn) -> Json {
    json!({
        "name": column.name.as_str(), "type": column.kind.as_str(), "format": column.format.as_str(),
        "description": column.description.as_str(), "priority": column.priority,
    })
}

pub(super) const fn text(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "string", format: "", description, priority: 0, cell }
}

pub(super) const fn integer(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "integer", format: "", description, priority: 0, cell }
}

impl Column {
    pub(super) const fn boolean(
        name: &'static str,
        description: &'static str,
        cell: fn(&Unstructured, Time) -> Json,
    ) -> Self {
        Self { name, kind: "boolean", format: "", description, priority: 0, cell }
    }

    /// The same column with other cells.
    pub(super) const fn with(self, cell: fn(&Unstructured, Time) -> Json) -> Self {
        Self { cell, ..self }
    }

    /// The same column with the format of names.
    pub(super) const fn of_names(self) -> Self {
        Self { format: "name", ..self }
    }
}

pub(super) const fn wide(column: Column) -> Column {
    Column { priority: 1, ..column }
}

pub(super) const NAME: Column = Column {
    name: "Name",
    kind: "string",
    format: "name",
    description: "The name of the object.",
    priority: 0,
    cell: |object, _| object.name().into(),
};

pub(super) const READY_OF: Column =
    text("Ready", "Number of ready pods, and of desired pods.", |object, _| {
        let ready = number(at(object, &["status", "readyReplicas"]));
        format!("{ready}/{}", number(at(object, &["spec", "replicas"]))).into()
    });
pub(super) const AGE: Column = text("Age", "Time since the creation of the object.", |object, now| {
    object.creation_timestamp().map_or_else(|| "<unknown>".into(), |created| age(created, now).into())
});

pub(super) const CREATED: Column = Column {
    name: "Created At",
    kind: "date",
    format: "",
    description: "When the object was created.",
    priority: 0,
    cell: |object, _| Json::from(object.creation_timestamp().map(|created| created.to_string())),
};

pub(super) const DEFAULT: &[Column] = &[NAME, CREATED];

pub(super) const CONTAINERS: Column =
    wide(text("Containers", "Names of the containers in the template.", |object, _| {
        joined(at(object, &["spec", "template", "spec", "containers"]), "name")
    }));
pub(super) const IMAGES: Column =
    wide(text("Images", "Images of the containers in the template.", |object, _| {
        joined(at(object, &["spec", "template", "spec", "containers"]), "image")
    }));
pub(super) const SELECTOR: Column = wide(text("Selector", "Label selector of the pods.", |object, _| {
    selector(at(object, &["spec", "selector"]))
}));

static NULL: Json = Json::Null;

pub(super) fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    let Some((first, rest)) = path.split_first() else { return &NULL };
    object.object.get(first).and_then(|value| value.path(rest)).unwrap_or(&NULL)
}

pub(super) fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

pub(super) fn entries(value: &Json) -> usize {
    value.as_map().map_or(0, client_rs_machinery::Map::len)
}

pub(super) fn number(value: &Json) -> i64 {
    value.as_i64().unwrap_or(0)
}

pub(super) fn or_none(value: &Json) -> Json {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or("<none>").into()
}

pub(super) fn or_empty(value: &Json) -> Json {
    value.as_str().unwrap_or_default().into()
}

pub(super) fn is_true(value: &Json) -> Json {
    (value.as_bool() == Some(true)).into()
}

pub(super) fn or_unset(value: &Json) -> Json {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or("<unset>").into()
}

/// The first three of some texts, and how many more there are.
pub(super) fn first_three(all: &[String], without: &str) -> Json {
    match all.len() {
        0 => without.into(),
        1..=3 => all.join(",").into(),
        count => format!("{} + {} more...", all[..3].join(","), count - 3).into(),
    }
}

/// The short names of access modes.
pub(super) fn access_modes(value: &Json) -> Json {
    let known = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let has = |mode: &str| list(value).any(|one| one.as_str() == Some(mode));
    let short: Vec<&str> = known.iter().filter(|(mode, _)| has(mode)).map(|(_, short)| *short).collect();
    short.join(",").into()
}

pub(super) fn joined(value: &Json, field: &str) -> Json {
    list(value).filter_map(|item| item[field].as_str()).collect::<Vec<_>>().join(",").into()
}

pub(super) fn pairs(value: &Json) -> Json {
    let pairs = value.as_map().into_iter().flatten();
    let pairs: Vec<String> =
        pairs.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    if pairs.is_empty() { "<none>".into() } else { pairs.join(",").into() }
}

pub(super) fn selector(value: &Json) -> Json {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells that are always shown, as text.
    fn cells(group: &str, plural: &str, object: Json) -> Vec<String> {
        let object = Unstructured::try_from(object).unwrap();
        let now = Time::parse("2026-01-01T00:02:00Z").unwrap();
        let shown = of(group, plural).expect(plural).iter().filter(|column| column.priority == 0);
        shown
            .map(|column| column.cell(&object, now))
            .map(|cell| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned))
            .collect()
    }

    fn with(mut object: Json) -> Json {
        object.set(&["metadata"], json!({"name": "a", "creationTimestamp": "2026-01-01T00:00:00Z"})).unwrap();
        object
    }

    #[test]
    fn jobs_have_their_columns() {
        let job =
            |status: Json| with(json!({"spec": {"completions": 3, "parallelism": 1}, "status": status}));
        let running = json!({"succeeded": 1, "startTime": "2026-01-01T00:00:10Z"});
        assert_eq!(cells("batch", "jobs", job(running)), ["a", "Running", "1/3", "110s", "2m"]);
        let done = json!({
            "succeeded": 3, "startTime": "2026-01-01T00:00:10Z", "completionTime": "2026-01-01T00:00:15Z",
            "conditions": [{"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}],
        });
        assert_eq!(cells("batch", "jobs", job(done)), ["a", "Complete", "3/3", "5s", "2m"]);
        let waits = with(
            json!({"spec": {"parallelism": 4}, "status": {"conditions": [{"type": "Suspended", "status": "True"}]}}),
        );
        assert_eq!(cells("batch", "jobs", waits), ["a", "Suspended", "0/1 of 4", "", "2m"]);
        let cron = with(json!({
            "spec": {"schedule": "* * * * *", "suspend": false},
            "status": {"active": [{}], "lastScheduleTime": "2026-01-01T00:01:00Z"},
        }));
        assert_eq!(cells("batch", "cronjobs", cron), ["a", "* * * * *", "<none>", "False", "1", "60s", "2m"]);
    }

    #[test]
    fn other_kinds_have_their_columns() {
        let endpoints = with(json!({"subsets": [{
            "addresses": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}], "ports": [{"port": 80}, {"port": 443}],
        }]}));
        let shown = "10.0.0.1:80,10.0.0.2:80,10.0.0.1:443 + 1 more...";
        assert_eq!(cells("", "endpoints", endpoints), ["a", shown, "2m"]);
        assert_eq!(cells("", "endpoints", with(json!({}))), ["a", "<none>", "2m"]);
        let slice = with(
            json!({"addressType": "IPv4", "ports": [{"port": 80}], "endpoints": [{"addresses": ["10.0.0.1"]}]}),
        );
        assert_eq!(cells("discovery.k8s.io", "endpointslices", slice), ["a", "IPv4", "80", "10.0.0.1", "2m"]);
        let budget = with(json!({"spec": {"minAvailable": "50%"}, "status": {"disruptionsAllowed": 1}}));
        assert_eq!(cells("policy", "poddisruptionbudgets", budget), ["a", "50%", "N/A", "1", "2m"]);
        let claim = with(json!({
            "spec": {"volumeName": "v", "storageClassName": "fast"},
            "status": {"phase": "Bound", "capacity": {"storage": "1Gi"}, "accessModes": ["ReadOnlyMany", "ReadWriteOnce"]},
        }));
        let shown = ["a", "Bound", "v", "1Gi", "RWO,ROX", "fast", "<unset>", "2m"];
        assert_eq!(cells("", "persistentvolumeclaims", claim), shown);
        let quota = with(
            json!({"status": {"hard": {"limits.cpu": "2", "pods": "3"}, "used": {"limits.cpu": "1", "pods": "0"}}}),
        );
        assert_eq!(cells("", "resourcequotas", quota), ["a", "pods: 0/3", "limits.cpu: 1/2", "2m"]);
        let mut revision = with(json!({"revision": 2}));
        revision
            .set(
                &["metadata", "ownerReferences"],
                json!([{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "controller": true}]),
            )
            .unwrap();
        assert_eq!(cells("apps", "controllerrevisions", revision), ["a", "daemonset.apps/d", "2", "2m"]);
        let scaler = with(json!({
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 5,
                "metrics": [
                    {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}},
                    {"type": "Pods", "pods": {"metric": {"name": "x"}, "target": {"type": "AverageValue", "averageValue": "10"}}},
                    {"type": "External", "external": {"target": {"type": "AverageValue", "averageValue": "3"}}},
                ],
            },
            "status": {"currentReplicas": 2, "currentMetrics": [{"resource": {"current": {"averageUtilization": 50}}}]},
        }));
        let shown =
            ["a", "Deployment/web", "cpu: 50%/80%, <unknown>/10 + 1 more...", "<unset>", "5", "2", "2m"];
        assert_eq!(cells("autoscaling", "horizontalpodautoscalers", scaler), shown);
        let request = with(json!({
            "spec": {"signerName": "s", "username": "u", "expirationSeconds": 3600},
            "status": {"conditions": [{"type": "Approved"}], "certificate": "x"},
        }));
        let shown = ["a", "2m", "s", "u", "60m", "Approved,Issued"];
        assert_eq!(cells("certificates.k8s.io", "certificatesigningrequests", request), shown);
        let address =
            with(json!({"spec": {"parentRef": {"resource": "services", "namespace": "n", "name": "s"}}}));
        assert_eq!(cells("networking.k8s.io", "ipaddresses", address), ["a", "services/n/s"]);
        let binding = with(json!({"roleRef": {"kind": "Role", "name": "r"}}));
        assert_eq!(cells("rbac.authorization.k8s.io", "rolebindings", binding), ["a", "Role/r", "2m"]);
    }
}
