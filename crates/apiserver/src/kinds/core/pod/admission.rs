//! The real server's built-in admission of pods: limit ranges, service account token, priority, tolerations, runtime
//! class, topology, pod security.

use client_rs_machinery::{ApiError, ErrorCause, GroupResource, Json, Map, Quantity, Unstructured, json};

use super::{quota, runtime_class, topology};
use crate::kinds::rules::{AdmissionPlugin, Touched, WriteContext, Written};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, is_empty, text};
use crate::kinds::shared::fields::copy;
use crate::kinds::shared::{limits, pod_resources, pod_security};

const TOKEN_PATH: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_SECONDS: i64 = 3607;

/// Sets the fields of a new pod that depend on other objects, or refuses the pod.
pub(super) fn admit(pod: &mut Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    limits::set_defaults(pod, context);
    let accounts = context.runs(AdmissionPlugin::ServiceAccount);
    if accounts && context.mounts_tokens() {
        mount_token(pod, context)?;
    }
    set_account(pod, if accounts { "default" } else { "" });
    if context.runs(AdmissionPlugin::Priority) {
        prioritize(pod, context)?;
    }
    if let Some(spec) = pod.object.get_mut("spec").and_then(Json::as_map_mut) {
        tolerate(spec);
    }
    runtime_class::apply(pod, context)?;
    let node = text(&at(pod, "spec")["nodeName"]);
    if !node.is_empty()
        && let Some(node) = context.find("", "nodes", "", node)
    {
        topology::copy_labels(pod, &node);
    }
    Ok(())
}

/// Refuses a pod, or a change of one, that the limits, the security level or the runtime class do not allow.
pub(super) fn check(write: &Written<'_>, context: &dyn WriteContext) -> Result<(), ApiError> {
    let Written { new, old, part } = *write;
    if part == Touched::Status {
        return Ok(());
    }
    let resized =
        part == Touched::Other && old.is_some_and(|old| quota::resources(new) != quota::resources(old));
    if old.is_none() || resized && old.is_some_and(|old| old.deletion_timestamp().is_none()) {
        limits::check_pod(new, context)?;
    }
    pod_security::check_pod(new, old, context)?;
    if old.is_none() {
        runtime_class::check(new, context)?;
    }
    if resized { check_resize(new, context) } else { Ok(()) }
}

/// Refuses to resize a pod beyond the capacity of its node.
fn check_resize(pod: &Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    let name = text(&at(pod, "spec")["nodeName"]);
    if name.is_empty() {
        return Ok(());
    }
    let Some(node) = context.find("", "nodes", "", name) else {
        return Err(refused(pod, format!("node {name:?} not found")));
    };
    let because = |why: String, cause: &str| {
        let mut status = refused(pod, why).into_status();
        if let Some(details) = &mut status.details {
            details.causes = [ErrorCause { cause_type: cause.into(), ..ErrorCause::default() }].into();
        }
        Err(ApiError::from(status))
    };
    let system = node.label("kubernetes.io/os").unwrap_or("linux");
    if system != "linux" {
        let why = format!("pod resize is only supported on linux nodes, node {name:?} is {system:?}");
        return because(why, "UnsupportedPlatform");
    }
    let requests = pod_resources::charged(pod, pod_resources::Side::Requests);
    let allocatable = Amounts::of(&at(&node, "status")["allocatable"]);
    let of = |amounts: &Amounts, name: &str| amounts.get(name).cloned().unwrap_or_default();
    let mut missing = Vec::new();
    for (resource, shown) in
        [("cpu", Quantity::milli_value as fn(&Quantity) -> i64), ("memory", Quantity::value)]
    {
        let (wanted, most) = (of(&requests, resource), of(&allocatable, resource));
        if wanted > most {
            missing.push(format!("{resource}, requested: {}, allocatable: {}", shown(&wanted), shown(&most)));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let why = format!("node didn't have enough allocatable resources: {}", missing.join("; "));
    because(why, "NodeCapacity")
}

/// The error for a pod. A new pod may not have its name yet.
pub(super) fn refused(pod: &Unstructured, why: String) -> ApiError {
    let name = if pod.name().is_empty() { pod.generate_name() } else { pod.name() };
    ApiError::forbidden(&GroupResource::new("", "pods"), name, why)
}

fn prioritize(pod: &mut Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    let name = pod.nested_str(&["spec", "priorityClassName"]).ok().flatten();
    let class = if let Some(name) = name.filter(|name| !name.is_empty()) {
        let found = context.find("scheduling.k8s.io", "priorityclasses", "", name);
        let why = || format!("no PriorityClass with name {name} was found");
        Some(found.ok_or_else(|| refused(pod, why()))?)
    } else {
        default_priority(context)
    };
    let value =
        class.as_ref().and_then(|class| class.object.get("value")).and_then(Json::as_i64).unwrap_or(0);
    let given = pod.nested_i64(&["spec", "priority"]).ok().flatten();
    if let Some(given) = given.filter(|given| *given != value) {
        let why = format!(
            "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller \
             computed {value} from the given PriorityClass name"
        );
        return Err(refused(pod, why));
    }
    drop(pod.set_nested(&["spec", "priority"], value));
    let policy = class.as_ref().and_then(|class| class.object.get("preemptionPolicy")).and_then(Json::as_str);
    let policy = policy.unwrap_or("PreemptLowerPriority");
    let given = at(pod, "spec")["preemptionPolicy"].as_str();
    if let Some(given) = given.filter(|given| *given != policy) {
        let why = format!(
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission \
             controller computed {policy} from the given PriorityClass name"
        );
        return Err(refused(pod, why));
    }
    drop(pod.set_nested(&["spec", "preemptionPolicy"], policy));
    if let Some(class) = class {
        drop(pod.set_nested(&["spec", "priorityClassName"], class.name()));
    }
    Ok(())
}

/// The global default priority class; if there are several, the one with the lowest value.
fn default_priority(context: &dyn WriteContext) -> Option<Unstructured> {
    let value = |class: &Unstructured| class.object.get("value").and_then(Json::as_i64).unwrap_or(0);
    let mut lowest: Option<Unstructured> = None;
    context.each("scheduling.k8s.io", "priorityclasses", &mut |class| {
        let is_default = class.object.get("globalDefault") == Some(&Json::Bool(true));
        if is_default && lowest.as_ref().is_none_or(|lowest| value(class) < value(lowest)) {
            lowest = Some(class.clone());
        }
    });
    lowest
}

/// Sets the secrets for images and the token of the pod's service account.
fn mount_token(pod: &mut Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    let namespace = pod.namespace().to_owned();
    let account = pod.nested_str(&["spec", "serviceAccountName"]).ok().flatten().unwrap_or("default");
    let Some(found) = context.find("", "serviceaccounts", &namespace, account) else {
        let why = format!(
            "error looking up service account {namespace}/{account}: serviceaccount {account:?} not found"
        );
        return Err(refused(pod, why));
    };
    let secrets = found.object.get("imagePullSecrets").filter(|secrets| !is_empty(secrets));
    if let Some(secrets) = secrets.filter(|_| is_empty(&at(pod, "spec")["imagePullSecrets"])) {
        drop(pod.set_nested(&["spec", "imagePullSecrets"], secrets.clone()));
    }
    let wants = |value: Option<&Json>| value.and_then(Json::as_bool);
    let own = wants(pod.nested(&["spec", "automountServiceAccountToken"]).ok().flatten());
    let of_account = wants(found.object.get("automountServiceAccountToken"));
    if !own.or(of_account).unwrap_or(true) {
        return Ok(());
    }
    let volume = format!("kube-api-access-{}", context.suffix("volume"));
    let mut mounted = false;
    for kind in ["initContainers", "containers"] {
        let Some(containers) =
            pod.object.get_mut("spec").and_then(|spec| spec.path_mut(&[kind])).and_then(Json::as_list_mut)
        else {
            continue;
        };
        for container in containers.iter_mut() {
            let mounts = container["volumeMounts"].as_list().cloned().unwrap_or_default();
            if mounts.iter().any(|mount| mount["mountPath"].as_str() == Some(TOKEN_PATH)) {
                continue;
            }
            let mount = json!({"name": volume.as_str(), "readOnly": true, "mountPath": TOKEN_PATH});
            let all: Vec<Json> = mounts.iter().cloned().chain([mount]).collect();
            // It can't fail: the type allows only objects here.
            mounted |= container.set(&["volumeMounts"], all).is_ok();
        }
    }
    if mounted {
        let volumes = pod.nested_slice(&["spec", "volumes"]).ok().flatten().unwrap_or_default();
        let all: Vec<Json> = volumes.iter().cloned().chain([token_volume(&volume)]).collect();
        drop(pod.set_nested(&["spec", "volumes"], Json::from(all)));
    }
    Ok(())
}

fn token_volume(name: &str) -> Json {
    json!({"name": name, "projected": {"defaultMode": 420, "sources": [
        {"serviceAccountToken": {"expirationSeconds": TOKEN_SECONDS, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [
            {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}},
        ]}},
    ]}})
}

/// Sets the service account, in both fields.
fn set_account(pod: &mut Unstructured, default: &str) {
    let Some(spec) = pod.object.get_mut("spec").and_then(Json::as_map_mut) else { return };
    let account = spec.get("serviceAccountName").and_then(Json::as_str).unwrap_or(default).to_owned();
    if account.is_empty() {
        return;
    }
    spec.insert("serviceAccountName", account.as_str().into());
    spec.insert("serviceAccount", account.into());
}

/// Keeps the fields of an update that the server has set, if the update omits them.
pub(super) fn keep(new: &mut Unstructured, old: &Unstructured) {
    for key in ["priority", "preemptionPolicy"] {
        if at(new, "spec")[key].is_null() {
            copy(new, old, &["spec", key]);
        }
    }
    let tolerated = !is_empty(&at(old, "spec")["tolerations"]);
    if let Some(spec) = new.object.get_mut("spec").and_then(Json::as_map_mut).filter(|_| tolerated) {
        tolerate(spec);
    }
}

/// Adds the tolerations for unreachable nodes.
fn tolerate(spec: &mut Map<Json>) {
    let tolerations = spec.get("tolerations").and_then(Json::as_list).cloned().unwrap_or_default();
    let mut all: Vec<Json> = tolerations.to_vec();
    for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerated = |toleration: &Json| {
            (toleration["key"].as_str().unwrap_or_default().is_empty() || toleration["key"] == json!(key))
                && matches!(toleration["effect"].as_str().unwrap_or_default(), "" | "NoExecute")
        };
        if !tolerations.iter().any(tolerated) {
            all.push(
                json!({"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}),
            );
        }
    }
    spec.insert("tolerations", all.into());
}
