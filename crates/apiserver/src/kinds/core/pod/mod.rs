//! `Pod`.

mod admission;
mod binding;
mod ephemeral;
mod eviction;
mod quota;
mod resize;
mod runtime_class;
mod status;
mod topology;
mod update;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{FieldError, Json, Map, Object, Quantity, Time, Unstructured, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{
    ConnectTo, DeleteRules, Generation, Grace, KindRules, QuotaRules, SelectableField, Serves, Subresource,
};
use crate::kinds::shared::checks::{at, is_empty, list};
use crate::kinds::shared::defaulting::{default, items, within};
use crate::kinds::shared::{pod_defaults, pod_spec};

pub(super) use binding::BINDING;

pub(super) const RULES: KindRules = KindRules {
    plural: "pods",
    generation: Generation::SPEC,
    fields: FIELDS,
    own_labels: true,
    columns: Some(COLUMNS),
    binds_tokens: true,
    subresources: SUBRESOURCES,
    status: status::STATUS,
    delete: DeleteRules { grace: Some(grace), ..DeleteRules::RETURNS_OBJECT },
    quota: QuotaRules::charges(&quota::CHARGES),
    defaults,
    admit: Some(admission::admit),
    prepare_create,
    prepare_update: admission::keep,
    validate: |object, errors| pod_spec::spec(at(object, "spec"), "spec", errors),
    validate_create: |object, errors| {
        if !is_empty(&at(object, "spec")["ephemeralContainers"]) {
            errors.push(FieldError::forbidden("spec.ephemeralContainers", "cannot be set on create"));
        }
    },
    validate_update: update::validate,
    check_admission: Some(admission::check),
    ..super::SHARED
};

const FIELDS: &[SelectableField] = &[
    SelectableField::text("spec.nodeName", &["spec", "nodeName"]),
    SelectableField::text("spec.restartPolicy", &["spec", "restartPolicy"]),
    SelectableField::text("spec.schedulerName", &["spec", "schedulerName"]),
    SelectableField::text("spec.serviceAccountName", &["spec", "serviceAccountName"]),
    SelectableField::boolean("spec.hostNetwork", &["spec", "hostNetwork"]),
    SelectableField::text("status.phase", &["status", "phase"]),
    SelectableField::text("status.podIP", &["status", "podIP"]),
    SelectableField::text("status.podIPs", &["status", "podIP"]),
    SelectableField::text("status.nominatedNodeName", &["status", "nominatedNodeName"]),
];

const SUBRESOURCES: &[Subresource] = &[
    Subresource::new("ephemeralcontainers", Serves::Part(&ephemeral::EPHEMERAL_CONTAINERS)),
    Subresource::new("resize", Serves::Part(&resize::RESIZE)),
    Subresource::new("binding", Serves::Post(&BINDING)),
    Subresource::new("eviction", Serves::Post(&eviction::EVICTION)),
    Subresource::connect("exec", Some("PodExecOptions"), ConnectTo::Streams),
    Subresource::connect("attach", Some("PodAttachOptions"), ConnectTo::Streams),
    Subresource::connect("portforward", Some("PodPortForwardOptions"), ConnectTo::Streams),
    Subresource::connect("log", None, ConnectTo::Log),
    Subresource::connect("proxy", Some("PodProxyOptions"), ConnectTo::Pod),
];

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Ready", "Number of ready containers, and of all containers.", |object, _| {
        let ready = columns::list(columns::at(object, &["status", "containerStatuses"]))
            .filter(|status| status["ready"] == json!(true));
        format!("{}/{}", ready.count(), columns::list(columns::at(object, &["spec", "containers"])).count())
            .into()
    }),
    columns::text("Status", "Phase of the pod, or a more specific reason.", |object, _| {
        pod_status(object).into()
    }),
    columns::text("Restarts", "Number of container restarts.", |object, _| {
        let counts = columns::list(columns::at(object, &["status", "containerStatuses"]))
            .filter_map(|status| status["restartCount"].as_i64());
        counts.sum::<i64>().to_string().into()
    }),
    columns::AGE,
    columns::wide(columns::text("IP", "IP address of the pod.", |object, _| {
        columns::or_none(columns::at(object, &["status", "podIP"]))
    })),
    columns::wide(columns::text("Node", "Node of the pod.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "nodeName"]))
    })),
    columns::wide(columns::text(
        "Nominated Node",
        "Node on which the pod may run after preemption.",
        |object, _| columns::or_none(columns::at(object, &["status", "nominatedNodeName"])),
    )),
    columns::wide(columns::text("Readiness Gates", "Additional conditions for readiness.", |object, _| {
        if columns::list(columns::at(object, &["spec", "readinessGates"])).next().is_none() {
            return "<none>".into();
        }
        let gates: Vec<&str> = columns::list(columns::at(object, &["spec", "readinessGates"]))
            .filter_map(|gate| gate["conditionType"].as_str())
            .collect();
        let met = columns::list(columns::at(object, &["status", "conditions"]))
            .filter(|condition| condition["status"] == json!("True"))
            .filter(|condition| condition["type"].as_str().is_some_and(|name| gates.contains(&name)));
        format!("{}/{}", met.count(), gates.len()).into()
    })),
];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    for kind in ["initContainers", "containers"] {
        for container in items(spec, kind) {
            requests(container);
        }
    }
    // A negative grace period becomes the shortest one. That of a template stays.
    if spec.get("terminationGracePeriodSeconds").and_then(Json::as_i64).is_some_and(|seconds| seconds < 0) {
        spec.insert("terminationGracePeriodSeconds", 1_i64.into());
    }
    default(spec, "enableServiceLinks", true);
    pod_defaults::pod_spec(spec);
}

/// A limit without a request is also the request.
fn requests(container: &mut Map<Json>) {
    let Some(resources) = container.get_mut("resources").and_then(Json::as_map_mut) else { return };
    let Some(limits) = resources.get("limits").and_then(Json::as_map).cloned() else { return };
    let requests = within(resources, "requests");
    for (resource, amount) in &limits {
        if !requests.contains_key(resource) {
            requests.insert(resource.clone(), amount.clone());
        }
    }
}

fn prepare_create(object: &mut Unstructured, now: Time) {
    let mut status = json!({"phase": "Pending", "qosClass": quality_of_service(object)});
    if list(&at(object, "spec")["schedulingGates"]).next().is_some() {
        let gated = json!([{
            "type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "lastProbeTime": null,
            "lastTransitionTime": now.to_string(),
            "message": "Scheduling is blocked due to non-empty scheduling gates",
        }]);
        let _ = status.set(&["conditions"], gated);
    }
    object.object.insert("status", status);
}

fn grace(pod: &Unstructured, options: &DeleteOptions) -> Grace {
    // A negative value means one second.
    let asked = options.grace_period_seconds.map(|seconds| if seconds < 0 { 1 } else { seconds });
    if pod.is_being_deleted() {
        let current = pod.deletion_grace_period_seconds().unwrap_or(0);
        return match asked {
            _ if current == 0 => Grace::None,
            Some(seconds) if seconds < current => Grace::Seconds(seconds),
            _ => Grace::Pending,
        };
    }
    let text = |path: &[&str]| pod.nested_str(path).ok().flatten().unwrap_or_default();
    let unscheduled = text(&["spec", "nodeName"]).is_empty();
    let finished = matches!(text(&["status", "phase"]), "Failed" | "Succeeded");
    if unscheduled || finished {
        return Grace::Seconds(0);
    }
    let own = || pod.nested_i64(&["spec", "terminationGracePeriodSeconds"]).ok().flatten().unwrap_or(0);
    let seconds = asked.unwrap_or_else(own);
    Grace::Seconds(if seconds < 0 { 1 } else { seconds })
}

/// The quality of service class, from the requests and limits of the containers.
fn quality_of_service(pod: &Unstructured) -> &'static str {
    let none = Json::EMPTY_LIST;
    let spec = pod.object.get("spec");
    let of = |kind| spec.and_then(|spec| spec.get(kind)).unwrap_or(&none).as_list().into_iter().flatten();
    let (mut anything, mut guaranteed) = (false, true);
    for container in of("initContainers").chain(of("containers")) {
        for resource in ["cpu", "memory"] {
            let amount = |kind: &str| {
                let text = container["resources"][kind].get(resource)?;
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                text.parse::<Quantity>().ok().filter(|amount| *amount != Quantity::default())
            };
            let (request, limit) = (amount("requests"), amount("limits"));
            anything |= request.is_some() || limit.is_some();
            // A missing request is equal to the limit.
            guaranteed &= limit.is_some() && request.is_none_or(|request| Some(request) == limit);
        }
    }
    match (anything, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}

/// The status column: the most specific reason.
fn pod_status(pod: &Unstructured) -> String {
    let reason = columns::at(pod, &["status", "reason"]).as_str().filter(|reason| !reason.is_empty());
    let phase = columns::at(pod, &["status", "phase"]).as_str().unwrap_or("Unknown");
    let mut status = reason.unwrap_or(phase).to_owned();
    for container in columns::list(columns::at(pod, &["status", "containerStatuses"])) {
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
    fn defaulting_is_idempotent() {
        let mut object = json!({"spec": {
            "containers": [{"name": "c", "resources": {"limits": {"cpu": "1"}}, "livenessProbe": {"httpGet": {"port": 1}}}],
            "volumes": [{"name": "v"}, {"name": "w", "secret": {"secretName": "s"}}],
        }});
        let map = object.as_map_mut().unwrap();
        defaults(map);
        let once = map.clone();
        defaults(map);
        assert_eq!(*map, once);
        let object = Json::Map(once);
        assert_eq!(object.pointer("/spec/containers/0/resources/requests/cpu"), Some(&json!("1")));
        assert_eq!(object.pointer("/spec/containers/0/livenessProbe/httpGet/path"), Some(&json!("/")));
        assert_eq!(object.pointer("/spec/volumes/0/emptyDir"), Some(&json!({})));
        assert_eq!(object.pointer("/spec/volumes/1/secret/defaultMode"), Some(&json!(420)));
    }

    #[test]
    fn the_row_of_a_pod_is_as_kubectl_shows_it() {
        let pod: Unstructured = json!({
            "metadata": {"name": "a", "creationTimestamp": "1970-01-01T00:00:00Z"},
            "spec": {"nodeName": "n", "containers": [{"name": "c"}, {"name": "d"}]},
            "status": {"phase": "Running", "podIP": "10.0.0.1", "containerStatuses": [
                {"ready": true, "restartCount": 2}, {"ready": false, "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
            ]},
        })
        .try_into()
        .unwrap();
        let now = client_rs_machinery::Time::new(60, 0).unwrap();
        let cells: Vec<Json> = COLUMNS.iter().map(|column| column.cell(&pod, now)).collect();
        let expected =
            json!(["a", "1/2", "CrashLoopBackOff", "2", "60s", "10.0.0.1", "n", "<none>", "<none>"]);
        assert_eq!(Json::from(cells), expected);
    }
}
