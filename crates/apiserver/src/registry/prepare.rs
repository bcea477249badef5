//! What the server fills in or resets before an object is written.

use client_rs_machinery::{Json, Quantity, Time, Unstructured, json};

use super::catalog::Served;
use super::strategy::{Generation, Special};
use super::update::Part;

/// Before a create.
pub(super) fn create(served: &Served, object: &mut Unstructured, now: Time) {
    object.object.get_mut("metadata").and_then(Json::as_map_mut).and_then(|meta| meta.remove("generation"));
    if served.strategy.generation != Generation::None {
        object.set_generation(1);
    }
    if served.has("status") && served.strategy.special != Special::Node {
        reset(object, "status", None);
    }
    match served.strategy.special {
        Special::Namespace => namespace(object),
        Special::Pod => {
            let class = quality_of_service(object);
            object.object.insert("status", json!({"phase": "Pending", "qosClass": class}));
        }
        Special::PersistentVolume => {
            let now = now.to_string();
            object.object.insert("status", json!({"phase": "Pending", "lastPhaseTransitionTime": now}));
        }
        Special::None | Special::Node | Special::Secret => {}
    }
}

/// Before an update.
pub(super) fn update(served: &Served, part: Part, new: &mut Unstructured, old: &Unstructured) {
    new.set_generation(old.generation());
    match part {
        Part::Whole => {
            if served.has("status") {
                reset(new, "status", old.object.get("status"));
            }
            match served.strategy.special {
                Special::Namespace => copy(new, old, &["spec", "finalizers"]),
                Special::Secret if new.object.get("type").is_none() => {
                    reset(new, "type", old.object.get("type"));
                }
                _ => {}
            }
            let Generation::With(paths) = served.strategy.generation else { return };
            let changed = |path: &&[&str]| present(new, path) != present(old, path);
            if paths.iter().any(changed) {
                new.set_generation(old.generation() + 1);
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
            if (served.info.group, served.info.plural) == ("apps", "deployments") {
                copy(new, old, &["metadata", "labels"]);
            }
        }
        Part::Finalizers => reset(new, "status", old.object.get("status")),
    }
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
