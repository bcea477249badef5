//! Nodes.

use std::collections::BTreeMap;

use client_rs_machinery::{Json, Quantity, Time};

use super::page::{Page, date, list, or_none, shown, since};

/// Related data of a node.
#[derive(Debug)]
pub(super) struct Around {
    /// Its lease, or the reason why it is missing.
    pub(super) lease: Result<Json, String>,
    /// The pods on it that have not ended; none: they may not be seen.
    pub(super) pods: Option<Vec<Json>>,
}

pub(super) fn describe(node: &Json, around: &Around, page: &mut Page, now: Time) {
    let (metadata, spec, status) = (&node["metadata"], &node["spec"], &node["status"]);
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Roles", or_none(roles(&metadata["labels"]).join(",")));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    page.field(0, "CreationTimestamp", date(&metadata["creationTimestamp"]));
    taints(&spec["taints"], page);
    page.field(0, "Unschedulable", spec["unschedulable"] == true);
    match &around.lease {
        Ok(lease) => {
            let time = |field: &str| match &lease["spec"][field] {
                Json::Null => "<unset>".to_owned(),
                time => date(time),
            };
            let holder = &lease["spec"]["holderIdentity"];
            page.line(0, "Lease:");
            page.field(
                1,
                "HolderIdentity",
                if holder.is_null() { "<unset>".to_owned() } else { shown(holder) },
            );
            page.field(1, "AcquireTime", time("acquireTime"));
            page.field(1, "RenewTime", time("renewTime"));
        }
        Err(why) => page.field(0, "Lease", format_args!("Failed to get lease: {why}")),
    }
    if list(&status["conditions"]).next().is_some() {
        page.line(0, "Conditions:");
        page.line(1, "Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage");
        page.line(1, "----\t------\t-----------------\t------------------\t------\t-------");
        for condition in list(&status["conditions"]) {
            let text = |field: &str| shown(&condition[field]);
            page.line(
                1,
                format_args!(
                    "{} \t{} \t{} \t{} \t{} \t{}",
                    text("type"),
                    text("status"),
                    date(&condition["lastHeartbeatTime"]),
                    date(&condition["lastTransitionTime"]),
                    text("reason"),
                    text("message")
                ),
            );
        }
    }
    page.line(0, "Addresses:");
    for address in list(&status["addresses"]) {
        page.field(1, &shown(&address["type"]), shown(&address["address"]));
    }
    for (title, field) in [("Capacity", "capacity"), ("Allocatable", "allocatable")] {
        if let Some(amounts) = status[field].as_map().filter(|amounts| !amounts.is_empty()) {
            page.line(0, format_args!("{title}:"));
            amounts.iter().for_each(|(name, amount)| page.field(1, name, shown(amount)));
        }
    }
    page.line(0, "System Info:");
    for (title, field) in [
        ("Machine ID", "machineID"),
        ("System UUID", "systemUUID"),
        ("Boot ID", "bootID"),
        ("Kernel Version", "kernelVersion"),
        ("OS Image", "osImage"),
        ("Operating System", "operatingSystem"),
        ("Architecture", "architecture"),
        ("Container Runtime Version", "containerRuntimeVersion"),
        ("Kubelet Version", "kubeletVersion"),
    ] {
        page.field(1, title, shown(&status["nodeInfo"][field]));
    }
    page.some(0, "PodCIDR", &spec["podCIDR"]);
    let ranges: Vec<String> = list(&spec["podCIDRs"]).map(shown).collect();
    if !ranges.is_empty() {
        page.field(0, "PodCIDRs", ranges.join(","));
    }
    page.some(0, "ProviderID", &spec["providerID"]);
    match &around.pods {
        Some(pods) => usage(status, pods, page, now),
        None => page.field(0, "Pods", "not authorized"),
    }
}

fn roles(labels: &Json) -> Vec<String> {
    let mut roles: Vec<String> = labels
        .as_map()
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
            Some("") => None,
            Some(role) => Some(role.to_owned()),
            None => Some(shown(value)).filter(|role| *key == "kubernetes.io/role" && !role.is_empty()),
        })
        .collect();
    roles.sort();
    roles.dedup();
    roles
}

fn taints(taints: &Json, page: &mut Page) {
    let mut all: Vec<&Json> = list(taints).collect();
    all.sort_by_key(|taint| (shown(&taint["effect"]), shown(&taint["key"])));
    let texts = all.into_iter().map(|taint| {
        let (key, value, effect) = (shown(&taint["key"]), shown(&taint["value"]), shown(&taint["effect"]));
        match (value.is_empty(), effect.is_empty()) {
            (true, true) => key,
            (true, false) => format!("{key}:{effect}"),
            (false, true) => format!("{key}={value}:"),
            (false, false) => format!("{key}={value}:{effect}"),
        }
    });
    page.column("Taints", texts.collect::<Vec<_>>());
}

type Amounts = BTreeMap<String, Quantity>;

/// The resource requests of a node's pods, and the allocatable amounts.
fn usage(status: &Json, pods: &[Json], page: &mut Page, now: Time) {
    let allocatable = match status["allocatable"].as_map() {
        Some(amounts) if !amounts.is_empty() => &status["allocatable"],
        _ => &status["capacity"],
    };
    page.field(0, "Non-terminated Pods", format_args!("({} in total)", pods.len()));
    page.line(1, "Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge");
    page.line(1, "---------\t----\t\t------------\t----------\t---------------\t-------------\t---");
    let (mut requests, mut limits) = (Amounts::new(), Amounts::new());
    for pod in pods {
        let (request, limit) = (of_pod(pod, "requests"), of_pod(pod, "limits"));
        let metadata = &pod["metadata"];
        page.line(
            1,
            format_args!(
                "{}\t{}\t\t{}\t{}\t{}\t{}\t{}",
                shown(&metadata["namespace"]),
                shown(&metadata["name"]),
                share(&request, "cpu", allocatable),
                share(&limit, "cpu", allocatable),
                share(&request, "memory", allocatable),
                share(&limit, "memory", allocatable),
                since(&metadata["creationTimestamp"], now)
            ),
        );
        add(&mut requests, &request);
        add(&mut limits, &limit);
    }
    page.line(0, "Allocated resources:");
    page.line(1, "(Total limits may be over 100 percent, i.e., overcommitted.)");
    page.line(1, "Resource\tRequests\tLimits");
    page.line(1, "--------\t--------\t------");
    let names = allocatable.as_map().into_iter().flatten().map(|(name, _)| name.as_str());
    let (huge, others): (Vec<&str>, Vec<&str>) = names.partition(|name| name.starts_with("hugepages-"));
    for name in ["cpu", "memory", "ephemeral-storage"].into_iter().chain(huge) {
        let (requested, limited) = (share(&requests, name, allocatable), share(&limits, name, allocatable));
        page.line(1, format_args!("{name}\t{requested}\t{limited}"));
    }
    for name in
        others.into_iter().filter(|name| !matches!(*name, "cpu" | "memory" | "ephemeral-storage" | "pods"))
    {
        page.line(1, format_args!("{name}\t{}\t{}", amount(&requests, name), amount(&limits, name)));
    }
}

fn amount(amounts: &Amounts, name: &str) -> String {
    amounts.get(name).map_or_else(|| "0".to_owned(), |amount| amount.canonical().to_string())
}

/// An amount and its percentage of the total.
fn share(amounts: &Amounts, name: &str, of: &Json) -> String {
    let value = |quantity: &Quantity| if name == "cpu" { quantity.milli_value() } else { quantity.value() };
    let whole =
        of[name].as_str().and_then(|text| Quantity::parse(text).ok()).map_or(0, |whole| value(&whole));
    let part = amounts.get(name).map_or(0, value);
    let percent = if whole == 0 { 0 } else { i128::from(part) * 100 / i128::from(whole) };
    format!("{} ({percent}%)", amount(amounts, name))
}

/// The resource requests of a pod: the sum of its containers, or its greediest init container if that is more.
fn of_pod(pod: &Json, field: &str) -> Amounts {
    let spec = &pod["spec"];
    let mut sum = Amounts::new();
    for container in list(&spec["containers"]) {
        add(&mut sum, &read(&container["resources"][field]));
    }
    for container in list(&spec["initContainers"]) {
        let needed = read(&container["resources"][field]);
        if container["restartPolicy"] == "Always" {
            add(&mut sum, &needed);
            continue;
        }
        for (name, amount) in needed {
            let has = sum.entry(name).or_insert(Quantity::ZERO);
            if *has < amount {
                *has = amount;
            }
        }
    }
    for (name, amount) in read(&spec["resources"][field]) {
        sum.insert(name, amount);
    }
    let mut overhead = read(&spec["overhead"]);
    // A pod without a limit has none with its overhead either.
    overhead.retain(|name, _| field == "requests" || sum.contains_key(name));
    add(&mut sum, &overhead);
    sum
}

fn read(amounts: &Json) -> Amounts {
    let entries = amounts.as_map().into_iter().flatten();
    entries
        .filter_map(|(name, amount)| Some((name.to_string(), Quantity::parse(&shown(amount)).ok()?)))
        .collect()
}

fn add(sum: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let has = sum.entry(name.clone()).or_insert(Quantity::ZERO);
        *has = &*has + amount;
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn amounts_are_summed_and_compared() {
        let container =
            |cpu: &str, memory: &str| json!({"resources": {"requests": {"cpu": cpu, "memory": memory}}});
        let pod = json!({"spec": {
            "containers": [container("100m", "64Mi"), container("200m", "64Mi")],
            "initContainers": [container("1", "1Mi")],
            "overhead": {"cpu": "50m"},
        }});
        let requests = of_pod(&pod, "requests");
        assert_eq!((amount(&requests, "cpu"), amount(&requests, "memory")), ("1050m".into(), "128Mi".into()));
        assert_eq!(share(&requests, "cpu", &json!({"cpu": "4"})), "1050m (26%)");
        assert_eq!(share(&of_pod(&pod, "limits"), "memory", &Json::Null), "0 (0%)");
    }

    #[test]
    fn roles_are_read_from_labels() {
        let labels = json!({
            "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "old",
        });
        assert_eq!(roles(&labels), ["control-plane", "old", "worker"]);
    }
}
