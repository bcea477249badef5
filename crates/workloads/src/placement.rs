//! The nodes that a pod may run on: node name, node selector, node affinity, taints.

use std::time::Duration;

use client_rs_api::core::v1::{Node, NodeSelectorRequirement, Pod, PodSpec, Taint, Toleration};

use crate::clock::seconds;

/// Whether the pod may be assigned to the node.
pub(crate) fn fits(pod: &Pod, node: &Node) -> bool {
    let spec = &pod.spec;
    selects(spec, node)
        && (!node.spec.unschedulable || tolerates(&spec.tolerations, &unschedulable()))
        && hinders(spec, node, &["NoSchedule", "NoExecute"]).is_none()
}

/// Whether name, selector and required affinity of the pod match the node.
pub(crate) fn selects(spec: &PodSpec, node: &Node) -> bool {
    let (name, labels) = (&node.metadata.name, &node.metadata.labels);
    if !spec.node_name.is_empty() && spec.node_name != *name {
        return false;
    }
    if !spec.node_selector.iter().all(|(key, value)| labels.get(key) == Some(value)) {
        return false;
    }
    let affinity = spec.affinity.as_deref().and_then(|affinity| affinity.node_affinity.as_deref());
    let required =
        affinity.and_then(|affinity| affinity.required_during_scheduling_ignored_during_execution.as_deref());
    // Terms are alternatives, and one without requirements matches nothing.
    required.is_none_or(|required| {
        required.node_selector_terms.iter().any(|term| {
            let empty = term.match_expressions.is_empty() && term.match_fields.is_empty();
            let label =
                |need: &NodeSelectorRequirement| meets(need, labels.get(&need.key).map(|value| &**value));
            let field =
                |need: &NodeSelectorRequirement| &*need.key == "metadata.name" && meets(need, Some(name));
            !empty && term.match_expressions.iter().all(label) && term.match_fields.iter().all(field)
        })
    })
}

/// The first taint of the node with one of these effects that the pod does not tolerate.
pub(crate) fn hinders<'a>(spec: &PodSpec, node: &'a Node, effects: &[&str]) -> Option<&'a Taint> {
    let counts = |taint: &&Taint| effects.contains(&&*taint.effect);
    node.spec.taints.iter().filter(counts).find(|taint| !tolerates(&spec.tolerations, taint))
}

/// Whether one of the tolerations is about the taint.
pub(crate) fn tolerates(tolerations: &[Toleration], taint: &Taint) -> bool {
    toleration(tolerations, taint).is_some()
}

/// The first toleration that is about the taint.
fn toleration<'a>(tolerations: &'a [Toleration], taint: &Taint) -> Option<&'a Toleration> {
    tolerations.iter().find(|one| {
        (one.effect.is_empty() || one.effect == taint.effect)
            && (one.key.is_empty() || one.key == taint.key)
            && match &*one.operator {
                "" | "Equal" => one.value == taint.value && !one.key.is_empty(),
                "Exists" => true,
                _ => false,
            }
    })
}

/// The ports of the host that a pod takes: protocol, address (empty for all), number.
fn host_ports(spec: &PodSpec) -> impl Iterator<Item = (&str, &str, i32)> {
    let ports = spec.containers.iter().flat_map(|container| container.ports.iter());
    ports.filter(|port| port.host_port != 0).map(|port| {
        let address = if &*port.host_ip == "0.0.0.0" { "" } else { &*port.host_ip };
        (if port.protocol.is_empty() { "TCP" } else { &*port.protocol }, address, port.host_port)
    })
}

/// Whether a pod takes ports of its host.
pub(crate) fn takes_host_ports(spec: &PodSpec) -> bool {
    host_ports(spec).next().is_some()
}

/// Whether two pods take the same port of a host.
pub(crate) fn clash(one: &PodSpec, other: &PodSpec) -> bool {
    host_ports(one).any(|(protocol, address, port)| {
        host_ports(other).any(|(their_protocol, their_address, their_port)| {
            let same = address == their_address || address.is_empty() || their_address.is_empty();
            same && (protocol, port) == (their_protocol, their_port)
        })
    })
}

/// How long the pod may stay on the node once its taints are known; `None` is forever.
pub(crate) fn patience(spec: &PodSpec, node: &Node) -> Option<Duration> {
    let taints = node.spec.taints.iter().filter(|taint| &*taint.effect == "NoExecute");
    let limits = taints.map(|taint| match toleration(&spec.tolerations, taint) {
        Some(found) => found.toleration_seconds.map(seconds),
        None => Some(Duration::ZERO),
    });
    limits.flatten().min()
}

fn unschedulable() -> Taint {
    Taint { key: "node.kubernetes.io/unschedulable".into(), effect: "NoSchedule".into(), ..Taint::EMPTY }
}

fn meets(need: &NodeSelectorRequirement, value: Option<&str>) -> bool {
    let listed = || value.is_some_and(|value| need.values.iter().any(|one| &**one == value));
    let compared = |holds: fn(i64, i64) -> bool| {
        let wanted = need.values.first().and_then(|text| text.parse::<i64>().ok());
        let found = value.and_then(|text| text.parse::<i64>().ok());
        found.zip(wanted).is_some_and(|(found, wanted)| holds(found, wanted))
    };
    match &*need.operator {
        "In" => listed(),
        "NotIn" => !listed(),
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        "Gt" => compared(|found, wanted| found > wanted),
        "Lt" => compared(|found, wanted| found < wanted),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::wire::Message;

    use super::*;

    fn pod(spec: &str) -> Pod {
        Pod::from_json(format!(r#"{{"apiVersion":"v1","kind":"Pod","spec":{spec}}}"#).as_bytes()).unwrap()
    }

    fn node(spec: &str) -> Node {
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n1","labels":{{"disk":"ssd","cores":"8"}}}},"spec":{spec}}}"#
        );
        Node::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn selectors_and_affinity_choose_nodes() {
        let node = node("{}");
        let affinity = |terms: &str| {
            format!(
                r#"{{"affinity":{{"nodeAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":{{"nodeSelectorTerms":[{terms}]}}}}}}}}"#
            )
        };
        let expression = |key: &str, operator: &str, values: &str| {
            affinity(&format!(
                r#"{{"matchExpressions":[{{"key":"{key}","operator":"{operator}","values":[{values}]}}]}}"#
            ))
        };
        for (spec, expected) in [
            ("{}".to_owned(), true),
            (r#"{"nodeSelector":{"disk":"ssd"}}"#.to_owned(), true),
            (r#"{"nodeSelector":{"disk":"hdd"}}"#.to_owned(), false),
            (r#"{"nodeName":"n2"}"#.to_owned(), false),
            (expression("disk", "In", r#""ssd","nvme""#), true),
            (expression("disk", "NotIn", r#""ssd""#), false),
            (expression("gpu", "NotIn", r#""a""#), true),
            (expression("gpu", "Exists", ""), false),
            (expression("gpu", "DoesNotExist", ""), true),
            (expression("cores", "Gt", r#""4""#), true),
            (expression("cores", "Lt", r#""4""#), false),
            (expression("disk", "Gt", r#""4""#), false),
            (affinity(r#"{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}"#), true),
            (affinity(r#"{"matchFields":[{"key":"metadata.name","operator":"In","values":["n2"]}]}"#), false),
            (affinity("{}"), false),
            (affinity(r#"{},{"matchExpressions":[{"key":"disk","operator":"Exists"}]}"#), true),
        ] {
            assert_eq!(fits(&pod(&spec), &node), expected, "{spec}");
        }
    }

    #[test]
    fn two_pods_can_not_take_the_same_port_of_a_host() {
        let with = |port: &str| pod(&format!(r#"{{"containers":[{{"name":"c","ports":[{port}]}}]}}"#));
        let of = |more: &str| with(&format!(r#"{{"containerPort":80,"hostPort":8080{more}}}"#));
        for (one, other, expected) in [
            ("", "", true),
            ("", r#","protocol":"UDP""#, false),
            ("", r#","hostIP":"127.0.0.1""#, true),
            (r#","hostIP":"0.0.0.0""#, r#","hostIP":"127.0.0.1""#, true),
            (r#","hostIP":"127.0.0.2""#, r#","hostIP":"127.0.0.1""#, false),
        ] {
            assert_eq!(clash(&of(one).spec, &of(other).spec), expected, "{one} {other}");
        }
        assert!(!clash(&of("").spec, &with(r#"{"containerPort":8080}"#).spec));
    }

    #[test]
    fn the_shortest_toleration_decides_how_long_a_pod_stays() {
        let tainted = node(
            r#"{"taints":[{"key":"a","effect":"NoExecute"},{"key":"b","effect":"NoExecute"},{"key":"c","effect":"NoSchedule"}]}"#,
        );
        let with = |tolerations: &str| pod(&format!(r#"{{"tolerations":[{tolerations}]}}"#));
        let exists = |key: &str, seconds: &str| {
            format!(r#"{{"key":"{key}","operator":"Exists","tolerationSeconds":{seconds}}}"#)
        };
        let (forever, long, short) = (exists("a", "null"), exists("a", "60"), exists("b", "5"));
        for (tolerations, expected) in [
            (String::new(), Some(0)),
            (forever.clone(), Some(0)),
            (format!("{long},{short}"), Some(5)),
            (format!("{forever},{short}"), Some(5)),
            // The first that matches counts.
            (format!("{forever},{long},{}", exists("b", "null")), None),
            (format!("{long},{}", exists("b", "-3")), Some(0)),
            (r#"{"operator":"Exists"}"#.to_owned(), None),
        ] {
            let found = patience(&with(&tolerations).spec, &tainted);
            assert_eq!(found, expected.map(Duration::from_secs), "{tolerations}");
        }
        assert_eq!(patience(&pod("{}").spec, &node("{}")), None);
    }

    #[test]
    fn taints_need_tolerations() {
        let tainted = node(r#"{"taints":[{"key":"gpu","value":"a","effect":"NoSchedule"}]}"#);
        let soft = node(r#"{"taints":[{"key":"gpu","effect":"PreferNoSchedule"}]}"#);
        let closed = node(r#"{"unschedulable":true}"#);
        let with = |toleration: &str| pod(&format!(r#"{{"tolerations":[{toleration}]}}"#));
        for (toleration, expected) in [
            (r#"{"key":"gpu","operator":"Exists"}"#, true),
            (r#"{"operator":"Exists"}"#, true),
            (r#"{"key":"gpu","value":"a"}"#, true),
            (r#"{"key":"gpu","value":"b"}"#, false),
            (r#"{"key":"gpu","operator":"Exists","effect":"NoExecute"}"#, false),
            (r#"{"value":"a"}"#, false),
        ] {
            assert_eq!(fits(&with(toleration), &tainted), expected, "{toleration}");
        }
        assert!(!fits(&pod("{}"), &tainted) && fits(&pod("{}"), &soft) && !fits(&pod("{}"), &closed));
        let key = "node.kubernetes.io/unschedulable";
        assert!(fits(&with(&format!(r#"{{"key":"{key}","operator":"Exists"}}"#)), &closed));
    }
}
