//! The nodes that a pod may run on: node name, node selector, node affinity, taints.

use client_rs_api::core::v1::{Node, NodeSelectorRequirement, Pod, PodSpec, Taint, Toleration};

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
    tolerations.iter().any(|one| {
        (one.effect.is_empty() || one.effect == taint.effect)
            && (one.key.is_empty() || one.key == taint.key)
            && match &*one.operator {
                "" | "Equal" => one.value == taint.value && !one.key.is_empty(),
                "Exists" => true,
                _ => false,
            }
    })
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
