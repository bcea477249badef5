//! The limit ranges of a namespace: they set defaults in new pods, and bound the resources of pods and claims.

use client_rs_machinery::{ApiError, GroupResource, Json, Quantity, Unstructured};

use super::amounts::Amounts;
use super::checks::{at, list, text};
use super::pod_resources::{self, Side};
use crate::kinds::rules::{AdmissionPlugin, WriteContext};

/// The annotation that lists the defaults that a pod got.
const ANNOTATION: &str = "kubernetes.io/limit-ranger";
/// The largest amount whose thousandths fit into an `i64`.
const MILLI_MAX: i64 = i64::MAX / 1000;

/// Sets the default requests and limits of a new pod's containers.
pub(crate) fn set_defaults(pod: &mut Unstructured, context: &dyn WriteContext) {
    for limits in ranges(pod.namespace(), context) {
        let (mut requests, mut maxima) = (Amounts::default(), Amounts::default());
        for limit in limits.iter().filter(|limit| text(&limit["type"]) == "Container") {
            requests.set_all(&Amounts::of(&limit["defaultRequest"]));
            maxima.set_all(&Amounts::of(&limit["default"]));
        }
        merge(pod, &requests, &maxima);
    }
}

/// Refuses a pod whose resources are not within the limits.
pub(crate) fn check_pod(pod: &Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    check(pod, "pods", context, &|limit, errors| {
        let spec = at(pod, "spec");
        match text(&limit["type"]) {
            "Container" => {
                for container in list(&spec["containers"]).chain(list(&spec["initContainers"])) {
                    let of = |side: &str| Amounts::of(&container["resources"][side]);
                    Bounds::of(limit).check("Container", &of("requests"), &of("limits"), errors);
                }
            }
            "Pod" => {
                let of = |side| pod_resources::of_spec(spec, side);
                Bounds::of(limit).check("Pod", &of(Side::Requests), &of(Side::Limits), errors);
            }
            _ => {}
        }
    })
}

/// Refuses a claim whose requests are not within the limits.
pub(crate) fn check_claim(claim: &Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    check(claim, "persistentvolumeclaims", context, &|limit, errors| {
        const TYPE: &str = "PersistentVolumeClaim";
        if text(&limit["type"]) != TYPE {
            return;
        }
        let requests = Amounts::of(&at(claim, "spec")["resources"]["requests"]);
        let bounds = Bounds::of(limit);
        for (name, least) in bounds.min.iter() {
            errors.extend(below(TYPE, name, least, requests.get(name), None));
        }
        for (name, most) in bounds.max.iter() {
            let why = match requests.get(name) {
                None => Some("No request is specified".to_owned()),
                Some(request) if exceeds(request, most) => Some(format!("but request is {request}")),
                Some(_) => None,
            };
            errors.extend(why.map(|why| above(TYPE, name, most, &why)));
        }
    })
}

/// The limits of each range in a namespace.
fn ranges(namespace: &str, context: &dyn WriteContext) -> Vec<Vec<Json>> {
    let mut all = Vec::new();
    if !context.runs(AdmissionPlugin::LimitRanger) {
        return all;
    }
    context.each_in("", "limitranges", namespace, &mut |range| {
        all.push(list(&at(range, "spec")["limits"]).cloned().collect());
    });
    all
}

fn check(
    object: &Unstructured,
    plural: &str,
    context: &dyn WriteContext,
    check: &dyn Fn(&Json, &mut Vec<String>),
) -> Result<(), ApiError> {
    for limits in ranges(object.namespace(), context) {
        let mut errors = Vec::new();
        for limit in &limits {
            check(limit, &mut errors);
        }
        if let Some(why) = joined(&errors) {
            return Err(ApiError::forbidden(&GroupResource::new("", plural), object.name(), why));
        }
    }
    Ok(())
}

/// Several errors as one text, as Go aggregates them: each text once.
fn joined(errors: &[String]) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    for error in errors {
        if !seen.contains(&error.as_str()) {
            seen.push(error);
        }
    }
    match seen.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}

fn merge(pod: &mut Unstructured, requests: &Amounts, limits: &Amounts) {
    let mut set = Vec::new();
    for (kind, called) in [("containers", "container"), ("initContainers", "init container")] {
        let Some(containers) =
            pod.object.get_mut("spec").and_then(|spec| spec.path_mut(&[kind])).and_then(Json::as_list_mut)
        else {
            continue;
        };
        for container in containers.iter_mut() {
            let name = text(&container["name"]).to_owned();
            for (side, defaults) in [("request", requests), ("limit", limits)] {
                let path = ["resources", if side == "request" { "requests" } else { "limits" }];
                let own = Amounts::of(container.path(&path).unwrap_or(&Json::Null));
                let missing: Vec<&str> = defaults.names().filter(|name| !own.has(name)).collect();
                for resource in &missing {
                    if let Some(amount) = defaults.get(resource) {
                        // It can't fail: the type allows only objects here.
                        let _ = container.set(&[path[0], path[1], resource], amount.as_str());
                    }
                }
                if !missing.is_empty() {
                    set.push(format!("{} {side} for {called} {name}", missing.join(", ")));
                }
            }
        }
    }
    if !set.is_empty() {
        pod.set_annotation(ANNOTATION, format!("LimitRanger plugin set: {}", set.join("; ")));
    }
}

/// The bounds of one type of object.
struct Bounds {
    min: Amounts,
    max: Amounts,
    ratio: Amounts,
}

impl Bounds {
    fn of(limit: &Json) -> Self {
        Self {
            min: Amounts::of(&limit["min"]),
            max: Amounts::of(&limit["max"]),
            ratio: Amounts::of(&limit["maxLimitRequestRatio"]),
        }
    }

    fn check(&self, kind: &str, requests: &Amounts, limits: &Amounts, errors: &mut Vec<String>) {
        for (name, least) in self.min.iter() {
            errors.extend(below(kind, name, least, requests.get(name), limits.get(name)));
        }
        for (name, most) in self.max.iter() {
            let why = match (requests.get(name), limits.get(name)) {
                (_, None) => Some("No limit is specified".to_owned()),
                (_, Some(limit)) if exceeds(limit, most) => Some(format!("but limit is {limit}")),
                (Some(request), _) if exceeds(request, most) => Some(format!("but request is {request}")),
                _ => None,
            };
            errors.extend(why.map(|why| above(kind, name, most, &why)));
        }
        for (name, most) in self.ratio.iter() {
            errors.extend(ratio(kind, name, most, requests.get(name), limits.get(name)));
        }
    }
}

fn below(
    kind: &str,
    name: &str,
    least: &Quantity,
    request: Option<&Quantity>,
    limit: Option<&Quantity>,
) -> Option<String> {
    let prefix = format!("minimum {name} usage per {kind} is {least}");
    match (request, limit) {
        (None, _) => Some(format!("{prefix}.  No request is specified")),
        (Some(request), _) if exceeds(least, request) => Some(format!("{prefix}, but request is {request}")),
        (_, Some(limit)) if exceeds(least, limit) => Some(format!("{prefix}, but limit is {limit}")),
        _ => None,
    }
}

fn above(kind: &str, name: &str, most: &Quantity, why: &str) -> String {
    let separator = if why.starts_with("No") { ".  " } else { ", " };
    format!("maximum {name} usage per {kind} is {most}{separator}{why}")
}

/// Whether one amount is larger than another, at a precision of thousandths.
fn exceeds(one: &Quantity, other: &Quantity) -> bool {
    if one.value() <= MILLI_MAX && other.value() <= MILLI_MAX {
        return one.milli_value() > other.milli_value();
    }
    one.value() > other.value()
}

// The ratio is a float in the real server too.
#[allow(clippy::cast_precision_loss)]
fn ratio(
    kind: &str,
    name: &str,
    most: &Quantity,
    request: Option<&Quantity>,
    limit: Option<&Quantity>,
) -> Option<String> {
    let prefix = format!("{name} max limit to request ratio per {kind} is {most}");
    let fine = |amount: Option<&Quantity>| amount.is_none_or(|amount| amount.value() <= MILLI_MAX);
    let fine = fine(request) && fine(limit) && fine(Some(most));
    let value = |amount: &Quantity| if fine { amount.milli_value() } else { amount.value() };
    let (request, limit) = (request.map_or(0, value), limit.map_or(0, value));
    if request == 0 {
        return Some(format!("{prefix}, but no request is specified or request is 0"));
    }
    if limit == 0 {
        return Some(format!("{prefix}, but no limit is specified or limit is 0"));
    }
    let shown = limit as f64 / request as f64;
    let (observed, allowed) = if most.value() <= MILLI_MAX {
        (shown * 1000.0, most.milli_value() as f64)
    } else {
        (shown, most.value() as f64)
    };
    (observed > allowed).then(|| format!("{prefix}, but provided ratio is {shown:.6}"))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn checked(limit: &Json, requests: &Json, limits: &Json) -> Vec<String> {
        let mut errors = Vec::new();
        Bounds::of(limit).check("Container", &Amounts::of(requests), &Amounts::of(limits), &mut errors);
        errors
    }

    #[test]
    fn amounts_outside_of_the_bounds_are_refused_with_the_real_texts() {
        let none = json!({});
        let cpu = |amount: &str| json!({"cpu": amount});
        let min = json!({"min": {"cpu": "100m"}});
        assert_eq!(
            checked(&min, &none, &none),
            ["minimum cpu usage per Container is 100m.  No request is specified"]
        );
        assert_eq!(
            checked(&min, &cpu("50m"), &none),
            ["minimum cpu usage per Container is 100m, but request is 50m"]
        );
        assert_eq!(checked(&min, &cpu("100m"), &none), [""; 0]);
        let max = json!({"max": {"cpu": "1"}});
        assert_eq!(
            checked(&max, &none, &none),
            ["maximum cpu usage per Container is 1.  No limit is specified"]
        );
        assert_eq!(
            checked(&max, &cpu("1"), &cpu("2")),
            ["maximum cpu usage per Container is 1, but limit is 2"]
        );
        let ratio = json!({"maxLimitRequestRatio": {"cpu": "2"}});
        assert_eq!(
            checked(&ratio, &cpu("1"), &cpu("3")),
            ["cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000"]
        );
        assert_eq!(
            checked(&ratio, &none, &cpu("3")),
            [
                "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"
            ]
        );
        assert_eq!(checked(&ratio, &cpu("1"), &cpu("2")), [""; 0]);
    }

    #[test]
    fn defaults_are_set_where_a_container_has_none_and_are_listed() {
        let mut pod = Unstructured::try_from(json!({
            "metadata": {"name": "p", "namespace": "n"},
            "spec": {"containers": [{"name": "a"}, {"name": "b", "resources": {"requests": {"cpu": "1"}}}],
                     "initContainers": [{"name": "i"}]},
        }))
        .unwrap();
        merge(
            &mut pod,
            &Amounts::of(&json!({"cpu": "100m", "memory": "1Gi"})),
            &Amounts::of(&json!({"cpu": "500m"})),
        );
        assert_eq!(
            pod.annotation(ANNOTATION),
            Some(
                "LimitRanger plugin set: cpu, memory request for container a; cpu limit for container a; memory \
                 request for container b; cpu limit for container b; cpu, memory request for init container i; \
                 cpu limit for init container i"
            )
        );
        let resources = pod.nested_slice(&["spec", "containers"]).unwrap().unwrap()[1]["resources"].clone();
        assert_eq!(resources, json!({"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "500m"}}));
    }
}
