//! The checks that the restricted level adds to the baseline level, in the order of their names.

use client_rs_machinery::Json;

use super::baseline::{added, bad_seccomp, is_seccomp_bad, proc_mount};
use super::checks::{Check, Pod, Violation, containers, distinct, plural, quoted, setters};
use crate::kinds::shared::checks::{list, text};

pub(super) const CHECKS: &[Check] = &[
    Check::new("allowPrivilegeEscalation", &[(8, escalation), (25, |pod| unless_windows(pod, escalation))]),
    Check::new(
        "capabilities_restricted",
        &[(22, capabilities), (25, |pod| unless_windows(pod, capabilities))],
    )
    .replacing("capabilities_baseline"),
    Check::new("procMount_restricted", &[(35, proc_mount)]).replacing("procMount"),
    Check::new("restrictedVolumes", &[(0, volumes)]).replacing("hostPathVolumes"),
    Check::new("runAsNonRoot", &[(0, non_root), (35, |pod| outside_of_user_namespaces(pod, non_root))]),
    Check::new("runAsUser", &[(23, user), (35, |pod| outside_of_user_namespaces(pod, user))]),
    Check::new("seccompProfile_restricted", &[(19, seccomp), (25, |pod| unless_windows(pod, seccomp))])
        .replacing("seccompProfile_baseline"),
];

type Rule = super::checks::Rule;

/// Pods of Windows have none of these fields.
fn unless_windows(pod: &Pod<'_>, rule: Rule) -> Option<Violation> {
    if pod.is_windows() { None } else { rule(pod) }
}

fn outside_of_user_namespaces(pod: &Pod<'_>, rule: Rule) -> Option<Violation> {
    if pod.is_in_user_namespace() { None } else { rule(pod) }
}

fn escalation(pod: &Pod<'_>) -> Option<Violation> {
    let bad = pod
        .named(|container| container["securityContext"]["allowPrivilegeEscalation"].as_bool() != Some(false));
    (!bad.is_empty()).then(|| {
        let detail = format!("{} must set securityContext.allowPrivilegeEscalation=false", containers(&bad));
        Violation::new("allowPrivilegeEscalation != false", detail)
    })
}

fn capabilities(pod: &Pod<'_>) -> Option<Violation> {
    let keeps = pod.named(|container| {
        !list(&container["securityContext"]["capabilities"]["drop"]).any(|dropped| text(dropped) == "ALL")
    });
    let keeps = (!keeps.is_empty())
        .then(|| format!("{} must set securityContext.capabilities.drop=[\"ALL\"]", containers(&keeps)));
    let added = added(pod, |capability| capability != "NET_BIND_SERVICE");
    let details: Vec<String> = keeps.into_iter().chain(added).collect();
    (!details.is_empty()).then(|| Violation::new("unrestricted capabilities", details.join("; ")))
}

fn volumes(pod: &Pod<'_>) -> Option<Violation> {
    const ALLOWED: &[&str] = &[
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ];
    const OTHERS: &[&str] = &[
        "hostPath",
        "gcePersistentDisk",
        "awsElasticBlockStore",
        "gitRepo",
        "nfs",
        "iscsi",
        "glusterfs",
        "rbd",
        "flexVolume",
        "cinder",
        "cephfs",
        "flocker",
        "fc",
        "azureFile",
        "vsphereVolume",
        "quobyte",
        "azureDisk",
        "photonPersistentDisk",
        "portworxVolume",
        "scaleIO",
        "storageos",
    ];
    let is = |volume: &Json, kind: &str| !volume[kind].is_null();
    let bad: Vec<&Json> =
        list(&pod.spec["volumes"]).filter(|volume| !ALLOWED.iter().any(|kind| is(volume, kind))).collect();
    let kinds = distinct(
        bad.iter().map(|volume| OTHERS.iter().find(|kind| is(volume, kind)).copied().unwrap_or("unknown")),
    );
    let names: Vec<&str> = bad.iter().map(|volume| text(&volume["name"])).collect();
    (!names.is_empty()).then(|| {
        let detail = format!(
            "{} {} {} {} {}",
            plural("volume", "volumes", names.len()),
            quoted(&names),
            plural("uses", "use", names.len()),
            plural("restricted volume type", "restricted volume types", kinds.len()),
            quoted(&kinds)
        );
        Violation::new("restricted volume types", detail)
    })
}

fn non_root(pod: &Pod<'_>) -> Option<Violation> {
    const REASON: &str = "runAsNonRoot != true";
    let of = |context: &Json| context["runAsNonRoot"].as_bool();
    let of_pod = of(pod.security());
    let bad = pod.named(|container| of(&container["securityContext"]) == Some(false));
    if let Some(setters) = setters(of_pod == Some(false), &bad) {
        return Some(Violation::new(
            REASON,
            format!("{setters} must not set securityContext.runAsNonRoot=false"),
        ));
    }
    let silent = pod.named(|container| of(&container["securityContext"]).is_none() && of_pod != Some(true));
    (!silent.is_empty()).then(|| {
        Violation::new(
            REASON,
            format!("pod or {} must set securityContext.runAsNonRoot=true", containers(&silent)),
        )
    })
}

fn user(pod: &Pod<'_>) -> Option<Violation> {
    let is_root = |context: &Json| context["runAsUser"].as_i64() == Some(0);
    let bad = pod.named(|container| is_root(&container["securityContext"]));
    let setters = setters(is_root(pod.security()), &bad)?;
    Some(Violation::new("runAsUser=0", format!("{setters} must not set runAsUser=0")))
}

fn seccomp(pod: &Pod<'_>) -> Option<Violation> {
    let bad = pod.named(|container| is_seccomp_bad(&container["securityContext"]));
    if let Some(setters) = setters(is_seccomp_bad(pod.security()), &bad) {
        return Some(bad_seccomp(pod, &setters));
    }
    let has = |context: &Json| !context["seccompProfile"].is_null();
    if has(pod.security()) {
        return None;
    }
    let silent = pod.named(|container| !has(&container["securityContext"]));
    (!silent.is_empty()).then(|| {
        let detail = format!(
            "pod or {} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"",
            containers(&silent)
        );
        Violation::new("seccompProfile", detail)
    })
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn detail(rule: Rule, spec: &Json) -> String {
        let metadata = json!({});
        rule(&Pod { metadata: &metadata, spec })
            .map(|found| format!("{}: {}", found.reason, found.detail))
            .unwrap_or_default()
    }

    #[test]
    fn violations_have_the_real_texts() {
        let add = json!({"containers": [
            {"name": "a", "securityContext": {"capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}}},
            {"name": "b", "securityContext": {"capabilities": {"add": ["CHOWN"]}}},
        ]});
        assert_eq!(
            detail(capabilities, &add),
            "unrestricted capabilities: container \"b\" must set securityContext.capabilities.drop=[\"ALL\"]; \
             container \"b\" must not include \"CHOWN\" in securityContext.capabilities.add"
        );
        let root = json!({"securityContext": {"runAsUser": 0}, "containers": [
            {"name": "a", "securityContext": {"runAsUser": 0}}, {"name": "b", "securityContext": {"runAsUser": 0}},
        ]});
        assert_eq!(
            detail(user, &root),
            "runAsUser=0: pod and containers \"a\", \"b\" must not set runAsUser=0"
        );
        let mixed = json!({"volumes": [
            {"name": "v", "nfs": {}}, {"name": "w", "iscsi": {}}, {"name": "x", "emptyDir": {}}, {"name": "y"},
        ]});
        assert_eq!(
            detail(volumes, &mixed),
            "restricted volume types: volumes \"v\", \"w\", \"y\" use restricted volume types \"iscsi\", \"nfs\", \
             \"unknown\""
        );
        let profiles = json!({"containers": [
            {"name": "a", "securityContext": {"seccompProfile": {"type": "Localhost"}}}, {"name": "b"},
        ]});
        assert_eq!(
            detail(seccomp, &profiles),
            "seccompProfile: pod or container \"b\" must set securityContext.seccompProfile.type to \
             \"RuntimeDefault\" or \"Localhost\""
        );
    }

    #[test]
    fn pods_of_windows_have_no_capabilities() {
        let windows = json!({"os": {"name": "windows"}, "containers": [{"name": "a"}]});
        assert_eq!(detail(|pod| unless_windows(pod, capabilities), &windows), "");
        assert_ne!(detail(capabilities, &windows), "");
    }
}
