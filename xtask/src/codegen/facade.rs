//! The features of `client-rs` that pass the API's on: one per group, per kind of some, and per group's apply configurations.

use std::fmt::Write as _;

use anyhow::Result;

use super::plan::Plan;
use super::{apply, clientset, feature};

/// The manifest with the features.
pub(crate) const MANIFEST: &str = "crates/client-rs/Cargo.toml";

/// The name of a group's feature. Two names are taken: `events` records events and brings the group's types for that, and
/// `metrics` is the crate of that name, so that `metrics.k8s.io` bears the name that Kubernetes' documentation gives it.
fn name(group: &str) -> String {
    match group {
        "metrics" => "resource-metrics".to_owned(),
        _ => feature(group),
    }
}

/// The entry of a group in a list of groups: its feature; for `events` only types and clients.
fn member(group: &str) -> String {
    match group {
        "events" => "\"api\", \"client-rs-api/events\", \"client-rs-kubernetes?/events\"".to_owned(),
        _ => format!("{:?}", name(group)),
    }
}

pub(crate) fn features(plan: &Plan<'_>) -> Result<String> {
    let stable = plan.stable_groups();
    let groups = plan.features();
    let clients = clientset::features(plan)?;
    let applied = apply::features(plan)?;
    let mut text = String::new();
    let list =
        |names: Vec<String>| names.iter().fold(String::new(), |list, one| format!("{list}    {one},\n"));
    let of_stable =
        list(groups.keys().filter(|group| stable.contains(*group)).map(|group| member(group)).collect());
    let of_all = list(groups.keys().map(|group| member(group)).collect());
    write!(
        text,
        "# Every API group with a stable version; every API group.\nstable = [\n{of_stable}]\nfull = [\n{of_all}]\n"
    )?;
    writeln!(text, "# One API group: its types and, with `kubernetes`, its clients and informers.")?;
    for group in groups.keys().filter(|group| **group != "events") {
        let one = feature(group);
        let mut brings = vec!["\"api\"".to_owned(), format!("\"client-rs-api/{one}\"")];
        if clients.contains_key(*group) {
            brings.push(format!("\"client-rs-kubernetes?/{one}\""));
        }
        writeln!(text, "{} = [{}]", name(group), brings.join(", "))?;
    }
    writeln!(text, "# One kind of a group: its type and the types inside it.")?;
    for group in groups.keys() {
        for part in plan.parts.of_group(group) {
            writeln!(text, "{part} = [\"api\", \"client-rs-api/{part}\"]")?;
        }
    }
    writeln!(text, "# Apply configurations: of the stable groups, of all, of one.")?;
    for (name, of) in [("apply", "apply"), ("apply-full", "apply-full")] {
        writeln!(text, "{name} = [\"kubernetes\", \"client-rs-kubernetes/{of}\"]")?;
    }
    for group in applied.keys() {
        let one = format!("apply-{}", feature(group));
        writeln!(text, "{one} = [\"kubernetes\", \"client-rs-kubernetes/{one}\"]")?;
    }
    Ok(text)
}
