//! What the server fills in or resets before an object is written.

use client_rs_machinery::{Json, Quantity, Time, Unstructured, json};

use super::catalog::Served;
use super::defaults;
use super::strategy::{Generation, Special};
use super::update::Part;
use client_rs_schema::definition;

/// Before a create.
pub(super) fn create(served: &Served, object: &mut Unstructured, now: Time) {
    object.object.get_mut("metadata").and_then(Json::as_map_mut).and_then(|meta| meta.remove("generation"));
    if served.strategy.generation != Generation::None {
        object.set_generation(1);
    }
    if served.has("status") && served.strategy.special != Special::Node {
        reset(object, "status", None);
    }
    if served.custom.is_some() {
        return;
    }
    gated(served, object);
    defaults::apply(served, object);
    match served.strategy.special {
        Special::Namespace => namespace(object),
        Special::Definition => {
            let names = json!({"plural": "", "kind": ""});
            object.object.insert("status", json!({"conditions": null, "acceptedNames": names}));
            definition::default(object);
            definition::note_storage(object);
        }
        Special::Pod => {
            admit_pod(object);
            // A grace of less than nothing is the least that there is.
            let grace = object.nested_i64(&["spec", "terminationGracePeriodSeconds"]).ok().flatten();
            if grace.is_some_and(|seconds| seconds < 0) {
                drop(object.set_nested(&["spec", "terminationGracePeriodSeconds"], 1_i64));
            }
            let class = quality_of_service(object);
            object.object.insert("status", json!({"phase": "Pending", "qosClass": class}));
        }
        Special::PersistentVolume => {
            let now = now.to_string();
            object.object.insert("status", json!({"phase": "Pending", "lastPhaseTransitionTime": now}));
        }
        Special::Node => {
            let not_ready = json!({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"});
            let taints = object.nested_slice(&["spec", "taints"]).ok().flatten().unwrap_or_default();
            if !taints.iter().any(|taint| taint["key"] == not_ready["key"]) {
                let all: Vec<Json> = taints.iter().cloned().chain([not_ready]).collect();
                drop(object.set_nested(&["spec", "taints"], Json::from(all)));
            }
        }
        Special::Job => job(object),
        Special::DaemonSet => {
            object.set_annotation("deprecated.daemonset.template.generation", "1");
        }
        Special::None | Special::Secret | Special::Service => {}
    }
}

/// Takes out what belongs to features that are off.
fn gated(served: &Served, object: &mut Unstructured) {
    for field in served.off {
        drop(object.remove_nested(&["spec", *field]));
    }
}

/// Counts the templates of a daemon set, in the annotation where its type once had a field.
fn template_generation(new: &mut Unstructured, old: &Unstructured) {
    const KEY: &str = "deprecated.daemonset.template.generation";
    let before: i64 = old.annotation(KEY).and_then(|text| text.parse().ok()).unwrap_or(1);
    let changed = present(new, &["spec", "template"]) != present(old, &["spec", "template"]);
    new.set_annotation(KEY, (before + i64::from(changed)).to_string());
}

/// A job knows its pods by its own UID, unless its author chose another way.
fn job(object: &mut Unstructured) {
    if object.nested(&["spec", "manualSelector"]) == Ok(Some(&Json::Bool(true))) {
        return;
    }
    drop(object.set_nested(&["spec", "manualSelector"], false));
    let (uid, name) = (object.uid().to_owned(), object.name().to_owned());
    let labels = [
        ("batch.kubernetes.io/controller-uid", &uid),
        ("batch.kubernetes.io/job-name", &name),
        ("controller-uid", &uid),
        ("job-name", &name),
    ];
    for (key, value) in labels {
        drop(object.set_nested(&["spec", "template", "metadata", "labels", key], value.as_str()));
    }
    let own = ["spec", "selector", "matchLabels", "batch.kubernetes.io/controller-uid"];
    drop(object.set_nested(&own, uid.as_str()));
    if object.labels().next().is_none() {
        let template = object.nested(&["spec", "template", "metadata", "labels"]).ok().flatten().cloned();
        drop(object.set_nested(&["metadata", "labels"], template.unwrap_or(Json::EMPTY_MAP)));
    }
}

/// Before an update.
pub(super) fn update(served: &Served, part: Part, new: &mut Unstructured, old: &Unstructured, now: Time) {
    new.set_generation(old.generation());
    if served.custom.is_none() {
        defaults::apply(served, new);
        gated(served, new);
    }
    match part {
        Part::Whole => {
            if served.has("status") {
                reset(new, "status", old.object.get("status"));
            }
            match served.strategy.special {
                Special::Namespace => copy(new, old, &["spec", "finalizers"]),
                Special::DaemonSet => template_generation(new, old),
                Special::Service if present(new, &["spec", "type"]) == Some(&json!("ExternalName")) => {
                    for field in ["ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"] {
                        drop(new.remove_nested(&["spec", field]));
                    }
                }
                Special::Definition => {
                    definition::default(new);
                    definition::note_storage(new);
                }
                Special::Secret if new.object.get("type").is_none() => {
                    reset(new, "type", old.object.get("type"));
                }
                _ => {}
            }
            if served.strategy.generation == Generation::Content && content(new) != content(old) {
                new.set_generation(old.generation() + 1);
            }
            let Generation::With(paths) = served.strategy.generation else { return };
            let changed = |path: &&[&str]| present(new, path) != present(old, path);
            if paths.iter().any(changed) {
                new.set_generation(old.generation() + 1);
            }
        }
        Part::Status if served.custom.is_some() => {
            // Nothing but the status is taken, not even labels, and who owns what of it.
            let status = new.object.get("status").cloned();
            let managed = present(new, &["metadata", "managedFields"]).cloned();
            *new = old.clone();
            reset(new, "status", status.as_ref());
            if let Some(managed) = managed {
                drop(new.set_nested(&["metadata", "managedFields"], managed));
            }
        }
        Part::Status => {
            keep_others(new, old, "status");
            if served.strategy.special == Special::Pod {
                copy(new, old, &["metadata", "ownerReferences"]);
                new.set_deletion_timestamp(None);
                if present(new, &["status", "qosClass"]).is_none() {
                    copy(new, old, &["status", "qosClass"]);
                }
            }
            if served.at() == ("apps", "deployments") {
                copy(new, old, &["metadata", "labels"]);
            }
        }
        Part::Binding => {}
        Part::Approval => {
            let conditions = new.nested(&["status", "conditions"]).ok().flatten().cloned();
            keep_others(new, old, "");
            if let Some(conditions) = conditions {
                drop(new.set_nested(&["status", "conditions"], stamped(conditions, now)));
            }
        }
        Part::EphemeralContainers => {
            let containers = new.nested(&["spec", "ephemeralContainers"]).ok().flatten().cloned();
            keep_others(new, old, "");
            if let Some(containers) = containers {
                drop(new.set_nested(&["spec", "ephemeralContainers"], containers));
            }
            keep_metadata(new, old);
            count_spec(new, old);
        }
        Part::Resize => {
            resize(new, old);
            keep_metadata(new, old);
            count_spec(new, old);
        }
        Part::Finalizers => reset(new, "status", old.object.get("status")),
    }
}

/// Takes from the old object what its metadata says to others.
fn keep_metadata(new: &mut Unstructured, old: &Unstructured) {
    for key in ["labels", "annotations", "finalizers", "ownerReferences"] {
        copy(new, old, &["metadata", key]);
    }
}

/// Counts a change of the spec.
fn count_spec(new: &mut Unstructured, old: &Unstructured) {
    if present(new, &["spec"]) != present(old, &["spec"]) {
        new.set_generation(old.generation() + 1);
    }
}

/// The conditions with the times that their author left out.
fn stamped(mut conditions: Json, now: Time) -> Json {
    let now = now.to_string();
    for condition in conditions.as_list_mut().into_iter().flat_map(|list| list.iter_mut()) {
        for key in ["lastUpdateTime", "lastTransitionTime"] {
            if condition.get(key).is_none_or(Json::is_null) {
                // It is an object, or the type would not have let it in.
                let _ = condition.set(&[key], now.as_str());
            }
        }
    }
    conditions
}

/// Of the new pod only what its containers may use counts.
fn resize(new: &mut Unstructured, old: &Unstructured) {
    let asked = new.clone();
    keep_others(new, old, "");
    for kind in ["containers", "initContainers"] {
        let (Ok(Some(wanted)), Ok(Some(own))) =
            (asked.nested_slice(&["spec", kind]), old.nested_slice(&["spec", kind]))
        else {
            continue;
        };
        let resized = own.iter().map(|container| {
            let mut container = container.clone();
            let same = wanted.iter().find(|wanted| wanted["name"] == container["name"]);
            for key in ["resources", "resizePolicy"] {
                if let Some(value) = same.and_then(|same| same.get(key)) {
                    let _ = container.set(&[key], value.clone());
                }
            }
            container
        });
        drop(new.set_nested(&["spec", kind], Json::from(resized.collect::<Vec<_>>())));
    }
}

/// Everything but the metadata.
fn content(object: &Unstructured) -> client_rs_machinery::Map<Json> {
    let mut content = object.object.clone();
    content.remove("metadata");
    content
}

/// Takes the value at a path from the old object, or its absence.
fn copy(new: &mut Unstructured, old: &Unstructured, path: &[&str]) {
    match old.nested(path).ok().flatten() {
        // Only an object that is no object is in the way, and the type has none there.
        Some(value) => drop(new.set_nested(path, value.clone())),
        None => drop(new.remove_nested(path)),
    }
}

/// The value at a path, where it says something.
fn present<'o>(object: &'o Unstructured, path: &[&str]) -> Option<&'o Json> {
    let (first, rest) = path.split_first()?;
    object.object.get(first)?.path(rest).filter(|value| match value {
        Json::Null => false,
        Json::Map(map) => !map.is_empty(),
        Json::List(list) => !list.is_empty(),
        _ => true,
    })
}

fn reset(object: &mut Unstructured, field: &str, value: Option<&Json>) {
    match value {
        Some(value) => object.object.insert(field, value.clone()),
        None => object.object.remove(field),
    };
}

/// Takes everything but metadata and one field from the old object.
fn keep_others(new: &mut Unstructured, old: &Unstructured, field: &str) {
    let is_its_own = |key: &str| key == "metadata" || key == field;
    new.object.retain(|key, _| is_its_own(key));
    for (key, value) in old.object.iter().filter(|(key, _)| !is_its_own(key)) {
        new.object.insert(key.clone(), value.clone());
    }
}

fn namespace(object: &mut Unstructured) {
    object.object.insert("status", json!({"phase": "Active"}));
    let spec = object.object.get("spec").and_then(|spec| spec.get("finalizers"));
    let mut finalizers: Vec<Json> = spec.and_then(Json::as_list).map(|all| all.to_vec()).unwrap_or_default();
    if !finalizers.contains(&json!("kubernetes")) {
        finalizers.push(json!("kubernetes"));
    }
    drop(object.set_nested(&["spec", "finalizers"], Json::from(finalizers)));
    let name = object.name().to_owned();
    if !name.is_empty() {
        object.set_label("kubernetes.io/metadata.name", name);
    }
}

/// What the real server's default admission adds to a pod by itself.
fn admit_pod(pod: &mut Unstructured) {
    let Some(spec) = pod.object.get_mut("spec").and_then(Json::as_map_mut) else { return };
    let account = spec.get("serviceAccountName").and_then(Json::as_str).unwrap_or("default").to_owned();
    spec.insert("serviceAccountName", account.as_str().into());
    spec.insert("serviceAccount", account.into());
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

/// The pod's class: what its containers ask for, and whether that is also their limit.
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
            // A request that is not given is the limit.
            guaranteed &= limit.is_some() && request.is_none_or(|request| Some(request) == limit);
        }
    }
    match (anything, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}
