//! Deployments and replica sets.

use client_rs_machinery::Json;

use super::page::{Page, date, list, or_none, shown};
use super::{pod, selector};

/// A deployment and the replica sets that are its own.
pub(super) fn deployment(deployment: &Json, replica_sets: &[Json], page: &mut Page) {
    let (metadata, spec, status) = (&deployment["metadata"], &deployment["spec"], &deployment["status"]);
    let count = |field: &str| status[field].as_i64().unwrap_or(0);
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.field(0, "CreationTimestamp", date(&metadata["creationTimestamp"]));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    page.field(0, "Selector", selector(&spec["selector"]));
    page.field(
        0,
        "Replicas",
        format_args!(
            "{} desired | {} updated | {} total | {} available | {} unavailable",
            spec["replicas"].as_i64().unwrap_or(1),
            count("updatedReplicas"),
            count("replicas"),
            count("availableReplicas"),
            count("unavailableReplicas")
        ),
    );
    page.field(0, "StrategyType", shown(&spec["strategy"]["type"]));
    page.field(0, "MinReadySeconds", spec["minReadySeconds"].as_i64().unwrap_or(0));
    let rolling = &spec["strategy"]["rollingUpdate"];
    if rolling.as_map().is_some() {
        let (unavailable, surge) = (shown(&rolling["maxUnavailable"]), shown(&rolling["maxSurge"]));
        page.field(
            0,
            "RollingUpdateStrategy",
            format_args!("{unavailable} max unavailable, {surge} max surge"),
        );
    }
    pod::template(&spec["template"], page);
    if list(&status["conditions"]).next().is_some() {
        page.line(0, "Conditions:");
        page.line(1, "Type\tStatus\tReason");
        page.line(1, "----\t------\t------");
        for condition in list(&status["conditions"]) {
            let text = |field: &str| shown(&condition[field]);
            page.line(1, format_args!("{} \t{}\t{}", text("type"), text("status"), text("reason")));
        }
    }
    if replica_sets.is_empty() {
        return;
    }
    let mut sorted: Vec<&Json> = replica_sets.iter().collect();
    sorted.sort_by_key(|set| (shown(&set["metadata"]["creationTimestamp"]), shown(&set["metadata"]["name"])));
    let newest = sorted.iter().position(|set| same_template(&set["spec"]["template"], &spec["template"]));
    let told = |set: &&Json| {
        let created = set["status"]["replicas"].as_i64().unwrap_or(0);
        let wanted = set["spec"]["replicas"].as_i64().unwrap_or(0);
        format!("{} ({created}/{wanted} replicas created)", shown(&set["metadata"]["name"]))
    };
    let old: Vec<String> =
        sorted.iter().enumerate().filter(|(at, _)| Some(*at) != newest).map(|(_, set)| told(set)).collect();
    page.field(0, "OldReplicaSets", or_none(old.join(", ")));
    page.field(0, "NewReplicaSet", newest.map_or_else(|| "<none>".to_owned(), |at| told(&sorted[at])));
}

/// A replica set and the phases of its pods.
pub(super) fn replica_set(set: &Json, pods: &[Json], page: &mut Page) {
    let (metadata, spec, status) = (&set["metadata"], &set["spec"], &set["status"]);
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.field(0, "Selector", selector(&spec["selector"]));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    if let Some(owner) = list(&metadata["ownerReferences"]).find(|owner| owner["controller"] == true) {
        page.field(0, "Controlled By", format_args!("{}/{}", shown(&owner["kind"]), shown(&owner["name"])));
    }
    let (current, desired) =
        (status["replicas"].as_i64().unwrap_or(0), spec["replicas"].as_i64().unwrap_or(0));
    page.field(0, "Replicas", format_args!("{current} current / {desired} desired"));
    let uid = &metadata["uid"];
    let own = |pod: &&Json| list(&pod["metadata"]["ownerReferences"]).any(|owner| owner["uid"] == *uid);
    let count = |phase: &str| pods.iter().filter(own).filter(|pod| pod["status"]["phase"] == phase).count();
    page.field(
        0,
        "Pods Status",
        format_args!(
            "{} Running / {} Waiting / {} Succeeded / {} Failed",
            count("Running"),
            count("Pending"),
            count("Succeeded"),
            count("Failed")
        ),
    );
    pod::template(&spec["template"], page);
    if list(&status["conditions"]).next().is_some() {
        page.line(0, "Conditions:");
        page.line(1, "Type\tStatus\tReason");
        page.line(1, "----\t------\t------");
        for condition in list(&status["conditions"]) {
            let text = |field: &str| shown(&condition[field]);
            page.line(1, format_args!("{} \t{}\t{}", text("type"), text("status"), text("reason")));
        }
    }
}

/// Are they the same, except for the pod template hash?
fn same_template(one: &Json, other: &Json) -> bool {
    let bare = |template: &Json| {
        let mut template = template.clone();
        template.remove(&["metadata", "labels", "pod-template-hash"]);
        template
    };
    bare(one) == bare(other)
}
