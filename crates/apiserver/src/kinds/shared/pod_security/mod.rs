//! Pod security: the levels that the labels of a namespace set for its pods.
//!
//! Pods that violate the enforced level are refused. Pods, and workloads with a template of pods, that violate the
//! level for warnings are stored with a warning. The level for audits has no effect, because there is no audit log;
//! its labels are validated.

mod baseline;
mod checks;
mod policy;
mod restricted;

use std::collections::HashSet;

use client_rs_machinery::{
    ApiError, FieldErrors, GroupKind, GroupResource, Json, Unstructured, collections::VecMap,
};

use super::checks::{at, list};
use crate::kinds::rules::{AdmissionPlugin, Touched, WriteContext, Written};
use checks::{Pod, Violations};
use policy::{Level, Policy, Standard};

/// How many pods of a namespace are checked against a new level.
const PODS_MAX: usize = 3000;

/// Refuses a pod that violates the enforced level of its namespace, and warns.
pub(crate) fn check_pod(
    new: &Unstructured,
    old: Option<&Unstructured>,
    context: &dyn WriteContext,
) -> Result<(), ApiError> {
    if old.is_some_and(|old| !changes_images(new, old)) {
        return Ok(());
    }
    let Some(policy) = policy_of(new.namespace(), context) else { return Ok(()) };
    let pod = Pod { metadata: at(new, "metadata"), spec: at(new, "spec") };
    let violations = checks::violations(policy.enforce, &pod);
    if !violations.is_empty() {
        let why = format!("violates PodSecurity \"{}\": {}", policy.enforce, violations.detail());
        return Err(ApiError::forbidden(&GroupResource::new("", "pods"), new.name(), why));
    }
    warn(policy.warn, &pod, context);
    Ok(())
}

/// Warns of a workload whose pods would violate the level for warnings. `template` is the path of its pod template.
pub(crate) fn warn_of_template(write: &Written<'_>, template: &[&str], context: &dyn WriteContext) {
    if write.part != Touched::Whole {
        return;
    }
    let Some(policy) = policy_of(write.new.namespace(), context) else { return };
    let Ok(Some(template)) = write.new.nested(template) else { return };
    warn(policy.warn, &Pod { metadata: &template["metadata"], spec: &template["spec"] }, context);
}

/// Refuses a namespace with malformed labels. Warns of existing pods that violate a new enforced level.
pub(crate) fn check_namespace(write: &Written<'_>, context: &dyn WriteContext) -> Result<(), ApiError> {
    if write.part != Touched::Whole || !context.runs(AdmissionPlugin::PodSecurity) {
        return Ok(());
    }
    let (new, errors) = Policy::of(write.new);
    let (old, known) = write.old.map(Policy::of).unwrap_or_default();
    if !errors.is_empty() && errors != known {
        let kind = GroupKind::new("", "Namespace");
        return Err(ApiError::invalid(&kind, write.new.name(), &FieldErrors(errors)));
    }
    let relaxed = new.enforce.version == old.enforce.version && new.enforce.level <= old.enforce.level;
    if write.old.is_some() && new.enforce != old.enforce && new.enforce.level != Level::Privileged && !relaxed
    {
        for text in existing(write.new.name(), new.enforce, context) {
            context.warn(&text);
        }
    }
    Ok(())
}

/// The policy of a namespace; `None` if it allows everything.
fn policy_of(namespace: &str, context: &dyn WriteContext) -> Option<Policy> {
    if !context.runs(AdmissionPlugin::PodSecurity) {
        return None;
    }
    let namespace = context.find("", "namespaces", "", namespace)?;
    if !policy::has_labels(&namespace) {
        return None;
    }
    Some(Policy::of(&namespace).0)
}

fn warn(standard: Standard, pod: &Pod<'_>, context: &dyn WriteContext) {
    let violations = checks::violations(standard, pod);
    if !violations.is_empty() {
        context.warn(&format!("would violate PodSecurity \"{standard}\": {}", violations.detail()));
    }
}

/// Whether an update changes an image or adds an ephemeral container. Other updates are always allowed.
fn changes_images(new: &Unstructured, old: &Unstructured) -> bool {
    fn images<'p>(pod: &'p Unstructured, kind: &str) -> impl Iterator<Item = &'p Json> {
        list(&at(pod, "spec")[kind]).map(|container| &container["image"])
    }
    if ["containers", "initContainers"].iter().any(|kind| images(new, kind).ne(images(old, kind))) {
        return true;
    }
    list(&at(new, "spec")["ephemeralContainers"]).any(|container| {
        let mut known = list(&at(old, "spec")["ephemeralContainers"]);
        known
            .find(|known| known["name"] == container["name"])
            .is_none_or(|known| known["image"] != container["image"])
    })
}

/// The warnings about existing pods that violate a level: one for each kind of violation.
fn existing(namespace: &str, standard: Standard, context: &dyn WriteContext) -> Vec<String> {
    let (mut first, mut others, mut controllers) = (Vec::new(), Vec::new(), HashSet::new());
    context.each_in("", "pods", namespace, &mut |pod| {
        // Pods of a controller are alike: one of each comes first.
        let known = pod.controller().is_some_and(|owner| !controllers.insert(owner.uid.to_owned()));
        if known { others.push(pod.clone()) } else { first.push(pod.clone()) }
    });
    first.append(&mut others);
    let (total, checked) = (first.len(), first.len().min(PODS_MAX));
    let mut found: VecMap<String, (String, usize)> = VecMap::new();
    for pod in &first[..checked] {
        let violations: Violations =
            checks::violations(standard, &Pod { metadata: at(pod, "metadata"), spec: at(pod, "spec") });
        if !violations.is_empty() {
            let (name, count) = found.entry(violations.reason()).or_default();
            if *count == 0 || pod.name() < name.as_str() {
                pod.name().clone_into(name);
            }
            *count += 1;
        }
    }
    let mut warnings = Vec::new();
    if checked < total {
        warnings.push(format!(
            "new PodSecurity enforce level only checked against the first {checked} of {total} existing pods"
        ));
    }
    if !found.is_empty() {
        warnings.push(format!(
            "existing pods in namespace {namespace:?} violate the new PodSecurity enforce level \"{standard}\""
        ));
    }
    let mut named: Vec<String> = found
        .into_iter()
        .map(|(reason, (name, count))| match count {
            1 => format!("{name}: {reason}"),
            2 => format!("{name} (and 1 other pod): {reason}"),
            _ => format!("{name} (and {} other pods): {reason}", count - 1),
        })
        .collect();
    named.sort();
    warnings.append(&mut named);
    warnings
}
