//! Pods, and the templates of pods.

use std::fmt::Write as _;

use client_rs_machinery::{Json, Time};

use super::page::{Page, date, list, or_none, shown, since};

pub(super) fn describe(pod: &Json, page: &mut Page, now: Time) {
    let (metadata, spec, status) = (&pod["metadata"], &pod["spec"], &pod["status"]);
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.some(0, "Priority", &spec["priority"]);
    page.some(0, "Priority Class Name", &spec["priorityClassName"]);
    page.some(0, "Runtime Class Name", &spec["runtimeClassName"]);
    page.some(0, "Service Account", &spec["serviceAccountName"]);
    match shown(&spec["nodeName"]) {
        node if node.is_empty() => page.field(0, "Node", "<none>"),
        node => page.field(0, "Node", format_args!("{node}/{}", shown(&status["hostIP"]))),
    }
    if !status["startTime"].is_null() {
        page.field(0, "Start Time", date(&status["startTime"]));
    }
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    let phase = shown(&status["phase"]);
    if !metadata["deletionTimestamp"].is_null() && !matches!(phase.as_str(), "Failed" | "Succeeded") {
        let lasts = since(&metadata["deletionTimestamp"], now);
        page.field(0, "Status", format_args!("Terminating (lasts {lasts})"));
        let grace = metadata["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
        page.field(0, "Termination Grace Period", format_args!("{grace}s"));
    } else {
        page.field(0, "Status", phase);
    }
    page.some(0, "Reason", &status["reason"]);
    page.some(0, "Message", &status["message"]);
    seccomp(&spec["securityContext"]["seccompProfile"], 0, 0, page);
    page.field(0, "IP", shown(&status["podIP"]));
    if list(&status["podIPs"]).next().is_none() {
        page.field(0, "IPs", "<none>");
    } else {
        page.line(0, "IPs:");
        for ip in list(&status["podIPs"]) {
            page.field(1, "IP", shown(&ip["ip"]));
        }
    }
    let controller = list(&metadata["ownerReferences"]).find(|owner| owner["controller"] == true);
    if let Some(owner) = controller {
        page.field(0, "Controlled By", format_args!("{}/{}", shown(&owner["kind"]), shown(&owner["name"])));
    }
    page.some(0, "NominatedNodeName", &status["nominatedNodeName"]);
    if spec["resources"].as_map().is_some() {
        page.line(0, "Resources:");
        resources(&spec["resources"], 1, page);
    }
    for (label, field, statuses, always) in [
        ("Init Containers", "initContainers", "initContainerStatuses", false),
        ("Containers", "containers", "containerStatuses", true),
        ("Ephemeral Containers", "ephemeralContainers", "ephemeralContainerStatuses", false),
    ] {
        if always || list(&spec[field]).next().is_some() {
            containers(label, &spec[field], &status[statuses], Some(pod), "", page);
        }
    }
    gates(spec, status, page);
    if list(&status["conditions"]).next().is_some() {
        page.line(0, "Conditions:");
        page.line(1, "Type\tStatus");
        for condition in list(&status["conditions"]) {
            page.line(1, format_args!("{} \t{} ", shown(&condition["type"]), shown(&condition["status"])));
        }
    }
    volumes(&spec["volumes"], "", page);
    page.field(0, "QoS Class", quality(pod));
    page.labels("Node-Selectors", &spec["nodeSelector"]);
    tolerations("Tolerations", &spec["tolerations"], page);
    spread("", &spec["topologySpreadConstraints"], page);
}

/// The pod template.
pub(super) fn template(template: &Json, page: &mut Page) {
    let (metadata, spec) = (&template["metadata"], &template["spec"]);
    page.line(0, "Pod Template:");
    page.labels("  Labels", &metadata["labels"]);
    if metadata["annotations"].as_map().is_some_and(|annotations| !annotations.is_empty()) {
        page.annotations("  Annotations", &metadata["annotations"]);
    }
    page.some(1, "Service Account", &spec["serviceAccountName"]);
    if list(&spec["initContainers"]).next().is_some() {
        containers("Init Containers", &spec["initContainers"], &Json::Null, None, "  ", page);
    }
    containers("Containers", &spec["containers"], &Json::Null, None, "  ", page);
    volumes(&spec["volumes"], "  ", page);
    spread("  ", &spec["topologySpreadConstraints"], page);
    page.some(1, "Priority Class Name", &spec["priorityClassName"]);
    page.labels("  Node-Selectors", &spec["nodeSelector"]);
    tolerations("  Tolerations", &spec["tolerations"], page);
}

fn gates(spec: &Json, status: &Json, page: &mut Page) {
    if list(&spec["readinessGates"]).next().is_none() {
        return;
    }
    page.line(0, "Readiness Gates:");
    page.line(1, "Type\tStatus");
    for gate in list(&spec["readinessGates"]) {
        let wanted = &gate["conditionType"];
        let found = list(&status["conditions"]).find(|condition| condition["type"] == *wanted);
        let is = found.map_or_else(|| "<none>".to_owned(), |condition| shown(&condition["status"]));
        page.line(1, format_args!("{} \t{is} ", shown(wanted)));
    }
}

fn seccomp(profile: &Json, level: usize, inner: usize, page: &mut Page) {
    if profile.as_map().is_some() {
        page.field(level, "SeccompProfile", shown(&profile["type"]));
        if profile["type"] == "Localhost" {
            page.field(inner, "LocalhostProfile", shown(&profile["localhostProfile"]));
        }
    }
}

fn containers(label: &str, all: &Json, statuses: &Json, pod: Option<&Json>, space: &str, page: &mut Page) {
    let none = if list(all).next().is_none() { " <none>" } else { "" };
    page.line(0, format_args!("{space}{label}:{none}"));
    let indent = if space.is_empty() { "" } else { " " };
    for container in list(all) {
        page.line(1, format_args!("{indent}{}:", shown(&container["name"])));
        let status = list(statuses).find(|status| status["name"] == container["name"]);
        basics(container, status, page);
        for (title, field) in [("Command", "command"), ("Args", "args")] {
            if list(&container[field]).next().is_some() {
                page.line(2, format_args!("{title}:"));
                for word in list(&container[field]) {
                    shown(word).split('\n').for_each(|line| page.line(3, line));
                }
            }
        }
        if let Some(status) = status {
            state("State", &status["state"], page);
            if status["lastState"]["terminated"].as_map().is_some() {
                state("Last State", &status["lastState"], page);
            }
            page.field(2, "Ready", if status["ready"] == true { "True" } else { "False" });
            page.field(2, "Restart Count", status["restartCount"].as_i64().unwrap_or(0));
        }
        resources(&container["resources"], 2, page);
        for (title, field) in
            [("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")]
        {
            if container[field].as_map().is_some() {
                page.field(2, title, probe(&container[field]));
            }
        }
        environment(container, pod, page);
        mounts(container, page);
    }
}

fn basics(container: &Json, status: Option<&Json>, page: &mut Page) {
    if let Some(status) = status {
        page.field(2, "Container ID", shown(&status["containerID"]));
    }
    page.field(2, "Image", shown(&container["image"]));
    if let Some(status) = status {
        page.field(2, "Image ID", shown(&status["imageID"]));
    }
    for (one, several, field) in [("Port", "Ports", "containerPort"), ("Host Port", "Host Ports", "hostPort")]
    {
        let ports: Vec<String> = list(&container["ports"])
            .map(|port| {
                let text = format!("{}/{}", port[field].as_i64().unwrap_or(0), shown(&port["protocol"]));
                match shown(&port["name"]) {
                    name if name.is_empty() => text,
                    name => format!("{text} ({name})"),
                }
            })
            .collect();
        let title = if ports.len() > 1 { several } else { one };
        page.field(2, title, or_none(ports.join(", ")));
    }
    seccomp(&container["securityContext"]["seccompProfile"], 2, 3, page);
}

fn state(title: &str, state: &Json, page: &mut Page) {
    let (running, waiting, terminated) = (&state["running"], &state["waiting"], &state["terminated"]);
    if running.as_map().is_some() {
        page.field(2, title, "Running");
        page.field(3, "Started", date(&running["startedAt"]));
    } else if terminated.as_map().is_some() {
        page.field(2, title, "Terminated");
        page.some(3, "Reason", &terminated["reason"]);
        page.some(3, "Message", &terminated["message"]);
        page.field(3, "Exit Code", terminated["exitCode"].as_i64().unwrap_or(0));
        if terminated["signal"].as_i64().is_some_and(|signal| signal > 0) {
            page.some(3, "Signal", &terminated["signal"]);
        }
        page.field(3, "Started", date(&terminated["startedAt"]));
        page.field(3, "Finished", date(&terminated["finishedAt"]));
    } else {
        page.field(2, title, "Waiting");
        page.some(3, "Reason", &waiting["reason"]);
    }
}

fn resources(resources: &Json, level: usize, page: &mut Page) {
    for (title, field) in [("Limits", "limits"), ("Requests", "requests")] {
        let Some(amounts) = resources[field].as_map().filter(|amounts| !amounts.is_empty()) else { continue };
        page.line(level, format_args!("{title}:"));
        for (name, amount) in amounts {
            page.field(level + 1, name, shown(amount));
        }
    }
}

fn probe(probe: &Json) -> String {
    let number = |field: &str| probe[field].as_i64().unwrap_or(0);
    let attributes = format!(
        "delay={}s timeout={}s period={}s successThreshold={} failureThreshold={}",
        number("initialDelaySeconds"),
        number("timeoutSeconds"),
        number("periodSeconds"),
        number("successThreshold"),
        number("failureThreshold")
    );
    let (exec, http, tcp, grpc) = (&probe["exec"], &probe["httpGet"], &probe["tcpSocket"], &probe["grpc"]);
    let what = if exec.as_map().is_some() {
        let words: Vec<String> = list(&exec["command"]).map(shown).collect();
        format!("exec [{}]", words.join(" "))
    } else if http.as_map().is_some() {
        let (host, port, path) = (shown(&http["host"]), shown(&http["port"]), shown(&http["path"]));
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
        format!("http-get {}://{host}:{port}{slash}{path}", shown(&http["scheme"]).to_lowercase())
    } else if tcp.as_map().is_some() {
        format!("tcp-socket {}:{}", shown(&tcp["host"]), shown(&tcp["port"]))
    } else if grpc.as_map().is_some() {
        format!("grpc <pod>:{} {}", shown(&grpc["port"]), shown(&grpc["service"]))
    } else {
        "unknown".to_owned()
    };
    format!("{what} {attributes}")
}

fn environment(container: &Json, pod: Option<&Json>, page: &mut Page) {
    if list(&container["envFrom"]).next().is_some() {
        page.line(2, "Environment Variables from:");
        for source in list(&container["envFrom"]) {
            let (from, reference) = if source["configMapRef"].as_map().is_some() {
                ("ConfigMap", &source["configMapRef"])
            } else {
                ("Secret", &source["secretRef"])
            };
            let prefix = match shown(&source["prefix"]) {
                prefix if prefix.is_empty() => String::new(),
                prefix => format!(" with prefix '{prefix}'"),
            };
            let optional = reference["optional"] == true;
            page.line(3, format_args!("{}\t{from}{prefix}\tOptional: {optional}", shown(&reference["name"])));
        }
    }
    let none = if list(&container["env"]).next().is_none() { "\t<none>" } else { "" };
    page.line(2, format_args!("Environment:{none}"));
    for variable in list(&container["env"]) {
        let (name, from) = (shown(&variable["name"]), &variable["valueFrom"]);
        let (field, resource) = (&from["fieldRef"], &from["resourceFieldRef"]);
        let (secret, config) = (&from["secretKeyRef"], &from["configMapKeyRef"]);
        if from.as_map().is_none() {
            for (at, line) in shown(&variable["value"]).split('\n').enumerate() {
                let name = if at == 0 { format!("{name}:") } else { String::new() };
                page.line(3, format_args!("{name}\t{line}"));
            }
        } else if field.as_map().is_some() {
            let path = shown(&field["fieldPath"]);
            let value = pod.map(|pod| field_value(pod, &path)).unwrap_or_default();
            page.field(3, &name, format_args!("{value} ({}:{path})", shown(&field["apiVersion"])));
        } else if resource.as_map().is_some() {
            let resource = shown(&resource["resource"]);
            let (part, which) = resource.split_once('.').unwrap_or((&resource, ""));
            let value = shown(&container["resources"][part][which]);
            let unlimited = value.is_empty() && part == "limits" && matches!(which, "cpu" | "memory");
            let value = if unlimited { "node allocatable".to_owned() } else { value };
            page.field(3, &name, format_args!("{value} ({resource})"));
        } else {
            let (reference, form) =
                if secret.as_map().is_some() { (secret, "in secret") } else { (config, "of config map") };
            let (key, of) = (shown(&reference["key"]), shown(&reference["name"]));
            let optional = reference["optional"] == true;
            page.line(
                3,
                format_args!("{name}:\t<set to the key '{key}' {form} '{of}'>\tOptional: {optional}"),
            );
        }
    }
}

/// The value of a variable from the pod's metadata. Other fields are unknown before the pod runs, or are elsewhere on the page.
fn field_value(pod: &Json, path: &str) -> String {
    let metadata = &pod["metadata"];
    match path.strip_prefix("metadata.") {
        Some(field @ ("name" | "namespace" | "uid")) => shown(&metadata[field]),
        Some(field) => match field.split_once("['") {
            Some((map @ ("labels" | "annotations"), key)) => {
                shown(&metadata[map][key.trim_end_matches("']")])
            }
            _ => String::new(),
        },
        None => String::new(),
    }
}

fn mounts(container: &Json, page: &mut Page) {
    let none = if list(&container["volumeMounts"]).next().is_none() { "\t<none>" } else { "" };
    page.line(2, format_args!("Mounts:{none}"));
    let mut mounts: Vec<&Json> = list(&container["volumeMounts"]).collect();
    mounts.sort_by_key(|mount| shown(&mount["mountPath"]));
    for mount in mounts {
        let mut flags = vec![if mount["readOnly"] == true { "ro".to_owned() } else { "rw".to_owned() }];
        match shown(&mount["subPath"]) {
            path if path.is_empty() => {}
            path => flags.push(format!("path={path:?}")),
        }
        page.line(
            3,
            format_args!(
                "{} from {} ({})",
                shown(&mount["mountPath"]),
                shown(&mount["name"]),
                flags.join(",")
            ),
        );
    }
    if list(&container["volumeDevices"]).next().is_some() {
        page.line(2, format_args!("Devices:{none}"));
        for device in list(&container["volumeDevices"]) {
            page.line(3, format_args!("{} from {}", shown(&device["devicePath"]), shown(&device["name"])));
        }
    }
}

fn volumes(volumes: &Json, space: &str, page: &mut Page) {
    if list(volumes).next().is_none() {
        page.line(0, format_args!("{space}Volumes:\t<none>"));
        return;
    }
    page.line(0, format_args!("{space}Volumes:"));
    let indent = if space.is_empty() { "" } else { " " };
    for volume in list(volumes) {
        page.line(1, format_args!("{indent}{}:", shown(&volume["name"])));
        let source = volume
            .as_map()
            .into_iter()
            .flatten()
            .find(|(key, value)| *key != "name" && value.as_map().is_some());
        match source {
            Some((kind, source)) => volume_source(kind, source, page),
            None => page.line(1, "<unknown>"),
        }
    }
}

fn volume_source(kind: &str, source: &Json, page: &mut Page) {
    let flag = |field: &str| source[field] == true;
    let text = |field: &str| shown(&source[field]);
    match kind {
        "hostPath" => {
            page.field(2, "Type", "HostPath (bare host directory volume)");
            page.field(2, "Path", text("path"));
            let kind = if source["type"].is_null() { "<none>".to_owned() } else { text("type") };
            page.field(2, "HostPathType", kind);
        }
        "emptyDir" => {
            page.field(2, "Type", "EmptyDir (a temporary directory that shares a pod's lifetime)");
            page.field(2, "Medium", text("medium"));
            let limit = Some(text("sizeLimit")).filter(|limit| !matches!(limit.as_str(), "" | "0"));
            page.field(2, "SizeLimit", limit.unwrap_or_else(|| "<unset>".to_owned()));
        }
        "secret" => {
            page.field(2, "Type", "Secret (a volume populated by a Secret)");
            page.field(2, "SecretName", text("secretName"));
            page.field(2, "Optional", flag("optional"));
        }
        "configMap" => {
            page.field(2, "Type", "ConfigMap (a volume populated by a ConfigMap)");
            page.field(2, "Name", text("name"));
            page.field(2, "Optional", flag("optional"));
        }
        "nfs" => {
            page.field(2, "Type", "NFS (an NFS mount that lasts the lifetime of a pod)");
            page.field(2, "Server", text("server"));
            page.field(2, "Path", text("path"));
            page.field(2, "ReadOnly", flag("readOnly"));
        }
        "persistentVolumeClaim" => {
            page.field(
                2,
                "Type",
                "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)",
            );
            page.field(2, "ClaimName", text("claimName"));
            page.field(2, "ReadOnly", flag("readOnly"));
        }
        "downwardAPI" => {
            page.field(2, "Type", "DownwardAPI (a volume populated by information about the pod)");
            page.line(2, "Items:");
            for item in list(&source["items"]) {
                for what in [&item["fieldRef"]["fieldPath"], &item["resourceFieldRef"]["resource"]] {
                    if !what.is_null() {
                        page.line(3, format_args!("{} -> {}", shown(what), shown(&item["path"])));
                    }
                }
            }
        }
        "projected" => {
            page.field(2, "Type", "Projected (a volume that contains injected data from multiple sources)");
            for part in list(&source["sources"]) {
                let (secret, config, token) =
                    (&part["secret"], &part["configMap"], &part["serviceAccountToken"]);
                if secret.as_map().is_some() {
                    page.field(2, "SecretName", shown(&secret["name"]));
                    page.field(2, "Optional", secret["optional"] == true);
                } else if part["downwardAPI"].as_map().is_some() {
                    page.field(2, "DownwardAPI", "true");
                } else if config.as_map().is_some() {
                    page.field(2, "ConfigMapName", shown(&config["name"]));
                    page.field(2, "Optional", config["optional"] == true);
                } else if token.as_map().is_some() {
                    page.field(
                        2,
                        "TokenExpirationSeconds",
                        token["expirationSeconds"].as_i64().unwrap_or(3600),
                    );
                }
            }
        }
        "csi" => {
            page.field(2, "Type", "CSI (a Container Storage Interface (CSI) volume source)");
            page.field(2, "Driver", text("driver"));
            page.field(2, "FSType", text("fsType"));
            page.field(2, "ReadOnly", flag("readOnly"));
        }
        // Other types are rare; their fields are printed as they are.
        other => {
            page.field(2, "Type", other);
            for (field, value) in source.as_map().into_iter().flatten() {
                page.field(2, field, shown(value));
            }
        }
    }
}

pub(super) fn tolerations(title: &str, tolerations: &Json, page: &mut Page) {
    let mut all: Vec<&Json> = list(tolerations).collect();
    all.sort_by_key(|toleration| shown(&toleration["key"]));
    let texts = all.into_iter().map(|toleration| {
        let (key, value, effect) =
            (shown(&toleration["key"]), shown(&toleration["value"]), shown(&toleration["effect"]));
        let mut text = key.clone();
        if !value.is_empty() {
            text.push('=');
            text.push_str(&value);
        }
        if !effect.is_empty() {
            text.push(':');
            text.push_str(&effect);
        }
        if toleration["operator"] == "Exists" && value.is_empty() {
            text += if key.is_empty() && effect.is_empty() { "op=Exists" } else { " op=Exists" };
        }
        if let Some(seconds) = toleration["tolerationSeconds"].as_i64() {
            let _ = write!(text, " for {seconds}s");
        }
        text
    });
    page.column(title, texts.collect::<Vec<_>>());
}

fn spread(space: &str, constraints: &Json, page: &mut Page) {
    let mut all: Vec<&Json> = list(constraints).collect();
    if all.is_empty() {
        return;
    }
    all.sort_by_key(|constraint| shown(&constraint["topologyKey"]));
    let texts = all.into_iter().map(|constraint| {
        let selector = super::selector(&constraint["labelSelector"]);
        let selector = if constraint["labelSelector"].is_null() {
            String::new()
        } else {
            format!(" for selector {selector}")
        };
        format!(
            "{}:{} when max skew {} is exceeded{selector}",
            shown(&constraint["topologyKey"]),
            shown(&constraint["whenUnsatisfiable"]),
            shown(&constraint["maxSkew"])
        )
    });
    page.column(&format!("{space}Topology Spread Constraints"), texts.collect::<Vec<_>>());
}

/// The quality-of-service class of a pod.
fn quality(pod: &Json) -> String {
    match shown(&pod["status"]["qosClass"]) {
        said if !said.is_empty() => said,
        _ => {
            let containers = || list(&pod["spec"]["containers"]);
            let amounts = |container: &Json, field: &str| {
                container["resources"][field].as_map().is_some_and(|map| !map.is_empty())
            };
            let guaranteed = |container: &Json| {
                let (limits, requests) =
                    (&container["resources"]["limits"], &container["resources"]["requests"]);
                ["cpu", "memory"].iter().all(|name| {
                    !limits[*name].is_null()
                        && (requests[*name].is_null() || requests[*name] == limits[*name])
                })
            };
            if containers().all(|container| !amounts(container, "limits") && !amounts(container, "requests"))
            {
                "BestEffort".to_owned()
            } else if containers().all(guaranteed) {
                "Guaranteed".to_owned()
            } else {
                "Burstable".to_owned()
            }
        }
    }
}
