//! The checks of the baseline level, in the order of their names.

use client_rs_machinery::Json;

use super::checks::{Check, Pod, Violation, containers, distinct, plural, quoted, setters};
use crate::kinds::shared::checks::{entries, list, text};

pub(super) const CHECKS: &[Check] = &[
    Check::new("appArmorProfile", &[(0, app_armor)]),
    Check::new("capabilities_baseline", &[(0, capabilities)]),
    Check::new("hostNamespaces", &[(0, host_namespaces)]),
    Check::new("hostPathVolumes", &[(0, host_paths)]),
    Check::new("hostPorts", &[(0, host_ports)]),
    Check::new("hostProbesAndHostLifecycle", &[(34, host_probes)]),
    Check::new("privileged", &[(0, privileged)]),
    Check::new("procMount", &[(0, proc_mount), (35, proc_mount_outside_of_user_namespaces)]),
    Check::new("seLinuxOptions", &[(0, se_linux), (31, se_linux_with_engines)]),
    Check::new("seccompProfile_baseline", &[(0, seccomp_annotations), (19, seccomp)]),
    Check::new(
        "sysctls",
        &[
            (0, |pod| sysctls(pod, 5)),
            (27, |pod| sysctls(pod, 6)),
            (29, |pod| sysctls(pod, 10)),
            (32, |pod| sysctls(pod, 12)),
            (37, |pod| sysctls(pod, 14)),
        ],
    ),
    Check::new("windowsHostProcess", &[(0, host_process)]),
];

fn security(container: &Json) -> &Json {
    &container["securityContext"]
}

fn app_armor(pod: &Pod<'_>) -> Option<Violation> {
    const ANNOTATION: &str = "container.apparmor.security.beta.kubernetes.io/";
    let profile = |context: &Json| {
        let profile = context["appArmorProfile"].as_map()?;
        let kind = profile.get("type").map(text).unwrap_or_default().to_owned();
        (!matches!(kind.as_str(), "RuntimeDefault" | "Localhost")).then_some(kind)
    };
    let of_pod = profile(pod.security());
    let bad = pod.named(|container| profile(security(container)).is_some());
    let values = pod.containers().filter_map(|container| profile(security(container))).chain(of_pod.clone());
    let mut values: Vec<String> = values.collect();
    values.sort();
    values.dedup();
    let mut annotations: Vec<String> = entries(&pod.metadata["annotations"])
        .filter(|(key, value)| {
            let allowed = value.is_empty() || *value == "runtime/default" || value.starts_with("localhost/");
            key.starts_with(ANNOTATION) && !allowed
        })
        .map(|(key, value)| format!("{key}={value:?}"))
        .collect();
    annotations.sort();
    let annotated =
        (!annotations.is_empty()).then(|| plural("annotation", "annotations", annotations.len()).to_owned());
    values.append(&mut annotations);
    let all: Vec<String> = setters(of_pod.is_some(), &bad).into_iter().chain(annotated).collect();
    (!all.is_empty()).then(|| {
        let reason = plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.len());
        let detail =
            format!("{} must not set AppArmor profile type to {}", all.join(" and "), quoted(&values));
        Violation::new(reason, detail)
    })
}

fn capabilities(pod: &Pod<'_>) -> Option<Violation> {
    const ALLOWED: &[&str] = &[
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    ];
    added(pod, |capability| !ALLOWED.contains(&capability))
        .map(|detail| Violation::new("non-default capabilities", detail))
}

/// The containers that add capabilities that are not allowed.
pub(super) fn added(pod: &Pod<'_>, is_bad: impl Fn(&str) -> bool + Copy) -> Option<String> {
    let of = move |container| {
        list(&security(container)["capabilities"]["add"]).map(text).filter(move |name| is_bad(name))
    };
    let bad = pod.named(|container| of(container).next().is_some());
    let values = distinct(pod.containers().flat_map(of));
    (!bad.is_empty()).then(|| {
        let values = quoted(&values);
        format!("{} must not include {values} in securityContext.capabilities.add", containers(&bad))
    })
}

fn host_namespaces(pod: &Pod<'_>) -> Option<Violation> {
    let set = ["hostNetwork", "hostPID", "hostIPC"].iter().filter(|name| is_true(&pod.spec[**name]));
    let set: Vec<String> = set.map(|name| format!("{name}=true")).collect();
    (!set.is_empty()).then(|| Violation::new("host namespaces", set.join(", ")))
}

fn is_true(value: &Json) -> bool {
    value.as_bool() == Some(true)
}

fn host_paths(pod: &Pod<'_>) -> Option<Violation> {
    let volumes = list(&pod.spec["volumes"]).filter(|volume| !volume["hostPath"].is_null());
    let names: Vec<&str> = volumes.map(|volume| text(&volume["name"])).collect();
    (!names.is_empty()).then(|| {
        let detail = format!("{} {}", plural("volume", "volumes", names.len()), quoted(&names));
        Violation::new("hostPath volumes", detail)
    })
}

fn host_ports(pod: &Pod<'_>) -> Option<Violation> {
    let of = |container: &'_ Json| -> Vec<i64> {
        let ports = list(&container["ports"]);
        ports.filter_map(|port| port["hostPort"].as_i64()).filter(|port| *port != 0).collect()
    };
    let bad = pod.named(|container| !of(container).is_empty());
    let mut ports: Vec<String> = pod.containers().flat_map(of).map(|port| port.to_string()).collect();
    ports.sort();
    ports.dedup();
    (!bad.is_empty()).then(|| {
        let uses = plural("uses", "use", bad.len());
        let what = plural("hostPort", "hostPorts", ports.len());
        Violation::new("hostPort", format!("{} {uses} {what} {}", containers(&bad), ports.join(", ")))
    })
}

fn host_probes(pod: &Pod<'_>) -> Option<Violation> {
    let of = |container: &'_ Json| -> Vec<String> {
        let probes = ["livenessProbe", "readinessProbe", "startupProbe"].map(|name| &container[name]);
        let hooks = ["postStart", "preStop"].map(|name| &container["lifecycle"][name]);
        let handlers = probes.into_iter().chain(hooks);
        let hosts = handlers.flat_map(|handler| [&handler["httpGet"]["host"], &handler["tcpSocket"]["host"]]);
        hosts.map(text).filter(|host| !host.is_empty()).map(str::to_owned).collect()
    };
    let bad = distinct(pod.named(|container| !of(container).is_empty()).into_iter());
    let mut hosts: Vec<String> = pod.containers().flat_map(of).collect();
    hosts.sort();
    hosts.dedup();
    (!bad.is_empty()).then(|| {
        const WHAT: &str = "probe or lifecycle host";
        let uses = plural("uses", "use", bad.len());
        let what = plural(WHAT, "probe or lifecycle hosts", hosts.len());
        Violation::new(WHAT, format!("{} {uses} {what} {}", containers(&bad), quoted(&hosts)))
    })
}

fn privileged(pod: &Pod<'_>) -> Option<Violation> {
    let bad = pod.named(|container| is_true(&security(container)["privileged"]));
    (!bad.is_empty()).then(|| {
        let detail = format!("{} must not set securityContext.privileged=true", containers(&bad));
        Violation::new("privileged", detail)
    })
}

pub(super) fn proc_mount(pod: &Pod<'_>) -> Option<Violation> {
    let of = |container| {
        let kind = security(container)["procMount"].as_str();
        kind.filter(|kind| *kind != "Default")
    };
    let bad = pod.named(|container| of(container).is_some());
    let values = distinct(pod.containers().filter_map(of));
    (!bad.is_empty()).then(|| {
        let values = quoted(&values);
        let detail = format!("{} must not set securityContext.procMount to {values}", containers(&bad));
        Violation::new("procMount", detail)
    })
}

fn proc_mount_outside_of_user_namespaces(pod: &Pod<'_>) -> Option<Violation> {
    if pod.is_in_user_namespace() { None } else { proc_mount(pod) }
}

fn se_linux(pod: &Pod<'_>) -> Option<Violation> {
    se_linux_types(pod, &["", "container_t", "container_init_t", "container_kvm_t"])
}

fn se_linux_with_engines(pod: &Pod<'_>) -> Option<Violation> {
    se_linux_types(pod, &["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"])
}

fn se_linux_types(pod: &Pod<'_>, allowed: &[&str]) -> Option<Violation> {
    let options = |context: &'_ Json| context["seLinuxOptions"].clone();
    let is_type_bad = |options: &Json| !allowed.contains(&text(&options["type"]));
    let is_set = |options: &Json, field: &str| !text(&options[field]).is_empty();
    let is_bad = |context: &Json| {
        let options = options(context);
        is_type_bad(&options) || is_set(&options, "user") || is_set(&options, "role")
    };
    let of_pod = is_bad(pod.security());
    let bad = pod.named(|container| is_bad(security(container)));
    let setters = setters(of_pod, &bad)?;
    let all: Vec<Json> = pod.containers().map(security).chain([pod.security()]).map(options).collect();
    let types =
        distinct(all.iter().filter(|options| is_type_bad(options)).map(|options| text(&options["type"])));
    let mut data = Vec::new();
    if !types.is_empty() {
        data.push(format!("{} {}", plural("type", "types", types.len()), quoted(&types)));
    }
    for field in ["user", "role"] {
        if all.iter().any(|options| is_set(options, field)) {
            data.push(format!("{field} may not be set"));
        }
    }
    let detail = format!("{setters} set forbidden securityContext.seLinuxOptions: {}", data.join("; "));
    Some(Violation::new("seLinuxOptions", detail))
}

fn seccomp_annotations(pod: &Pod<'_>) -> Option<Violation> {
    const OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
    let names = pod.containers().map(|container| {
        format!("container.seccomp.security.alpha.kubernetes.io/{}", text(&container["name"]))
    });
    let mut bad: Vec<String> = std::iter::once(OF_POD.to_owned())
        .chain(names)
        .filter_map(|key| {
            let value = pod.metadata["annotations"].get(key.as_str())?.as_str()?;
            let allowed =
                matches!(value, "runtime/default" | "docker/default") || value.starts_with("localhost/");
            (!allowed).then(|| format!("{key}={value:?}"))
        })
        .collect();
    bad.sort();
    bad.dedup();
    (!bad.is_empty()).then(|| {
        let what = plural("annotation", "annotations", bad.len());
        Violation::new("seccompProfile", format!("forbidden {what} {}", bad.join(", ")))
    })
}

fn seccomp(pod: &Pod<'_>) -> Option<Violation> {
    let setters = setters(is_seccomp_bad(pod.security()), &pod.named(|one| is_seccomp_bad(security(one))))?;
    Some(bad_seccomp(pod, &setters))
}

/// The violation of a pod in which someone sets a profile that is not allowed.
pub(super) fn bad_seccomp(pod: &Pod<'_>, setters: &str) -> Violation {
    let all = pod.containers().map(security).chain([pod.security()]);
    let values = distinct(
        all.filter(|context| is_seccomp_bad(context)).map(|context| text(&context["seccompProfile"]["type"])),
    );
    let values = quoted(&values);
    let detail = format!("{setters} must not set securityContext.seccompProfile.type to {values}");
    Violation::new("seccompProfile", detail)
}

/// Whether a security context sets a seccomp profile that is not allowed.
pub(super) fn is_seccomp_bad(context: &Json) -> bool {
    let profile = &context["seccompProfile"];
    !profile.is_null() && !matches!(text(&profile["type"]), "RuntimeDefault" | "Localhost")
}

/// The first `count` of these are allowed.
fn sysctls(pod: &Pod<'_>, count: usize) -> Option<Violation> {
    const SAFE: [&str; 14] = [
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.ping_group_range",
        "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_wmem",
        "net.ipv4.tcp_slow_start_after_idle",
        "net.ipv4.tcp_notsent_lowat",
    ];
    let names = list(&pod.security()["sysctls"]).map(|sysctl| text(&sysctl["name"]));
    let bad: Vec<&str> = names.filter(|name| !SAFE[..count].contains(name)).collect();
    (!bad.is_empty()).then(|| Violation::new("forbidden sysctls", bad.join(", ")))
}

fn host_process(pod: &Pod<'_>) -> Option<Violation> {
    let is = |context: &Json| is_true(&context["windowsOptions"]["hostProcess"]);
    let setters = setters(is(pod.security()), &pod.named(|container| is(security(container))))?;
    let detail = format!("{setters} must not set securityContext.windowsOptions.hostProcess=true");
    Some(Violation::new("hostProcess", detail))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn detail(rule: super::super::checks::Rule, metadata: &Json, spec: &Json) -> String {
        rule(&Pod { metadata, spec })
            .map(|found| format!("{}: {}", found.reason, found.detail))
            .unwrap_or_default()
    }

    fn of(rule: super::super::checks::Rule, context: Json) -> String {
        let one = json!({"name": "a", "securityContext": context.clone()});
        let spec = json!({"securityContext": context, "containers": [one, {"name": "b"}]});
        detail(rule, &json!({}), &spec)
    }

    #[test]
    fn violations_have_the_real_texts() {
        let none = json!({});
        assert_eq!(
            detail(
                app_armor,
                &json!({"annotations": {"container.apparmor.security.beta.kubernetes.io/a": "unconfined"}}),
                &json!({"containers": [{"name": "a", "securityContext": {"appArmorProfile": {"type": "Unconfined"}}}]})
            ),
            "forbidden AppArmor profiles: container \"a\" and annotation must not set AppArmor profile type to \
             \"Unconfined\", \"container.apparmor.security.beta.kubernetes.io/a=\"unconfined\"\""
        );
        assert_eq!(
            of(capabilities, json!({"capabilities": {"add": ["SYS_ADMIN", "CHOWN", "NET_RAW"]}})),
            "non-default capabilities: container \"a\" must not include \"NET_RAW\", \"SYS_ADMIN\" in \
             securityContext.capabilities.add"
        );
        assert_eq!(
            detail(host_namespaces, &none, &json!({"hostNetwork": true, "hostIPC": true})),
            "host namespaces: hostNetwork=true, hostIPC=true"
        );
        let ports = json!({"containers": [{"name": "a", "ports": [{"hostPort": 80}, {"hostPort": 443}]}]});
        assert_eq!(detail(host_ports, &none, &ports), "hostPort: container \"a\" uses hostPorts 443, 80");
        let probes = json!({"containers": [{"name": "a", "livenessProbe": {"httpGet": {"host": "h"}}}]});
        assert_eq!(
            detail(host_probes, &none, &probes),
            "probe or lifecycle host: container \"a\" uses probe or lifecycle host \"h\""
        );
        assert_eq!(
            of(privileged, json!({"privileged": true})),
            "privileged: container \"a\" must not set securityContext.privileged=true"
        );
        assert_eq!(
            of(proc_mount, json!({"procMount": "Unmasked"})),
            "procMount: container \"a\" must not set securityContext.procMount to \"Unmasked\""
        );
        assert_eq!(
            of(se_linux, json!({"seLinuxOptions": {"type": "container_engine_t", "user": "u"}})),
            "seLinuxOptions: pod and container \"a\" set forbidden securityContext.seLinuxOptions: type \
             \"container_engine_t\"; user may not be set"
        );
        assert_eq!(of(se_linux_with_engines, json!({"seLinuxOptions": {"type": "container_engine_t"}})), "");
        assert_eq!(
            of(seccomp, json!({"seccompProfile": {"type": "Unconfined"}})),
            "seccompProfile: pod and container \"a\" must not set securityContext.seccompProfile.type to \
             \"Unconfined\""
        );
        assert_eq!(
            of(
                |pod| sysctls(pod, 5),
                json!({"sysctls": [{"name": "net.ipv4.tcp_rmem"}, {"name": "kernel.msgmax"}]})
            ),
            "forbidden sysctls: net.ipv4.tcp_rmem, kernel.msgmax"
        );
        assert_eq!(
            of(host_process, json!({"windowsOptions": {"hostProcess": true}})),
            "hostProcess: pod and container \"a\" must not set securityContext.windowsOptions.hostProcess=true"
        );
    }

    #[test]
    fn before_1_19_seccomp_profiles_are_annotations() {
        let metadata = json!({"annotations": {
            "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
            "container.seccomp.security.alpha.kubernetes.io/a": "docker/default",
        }});
        assert_eq!(
            detail(seccomp_annotations, &metadata, &json!({"containers": [{"name": "a"}]})),
            "seccompProfile: forbidden annotation seccomp.security.alpha.kubernetes.io/pod=\"unconfined\""
        );
    }
}
