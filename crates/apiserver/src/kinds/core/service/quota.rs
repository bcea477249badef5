//! The resources that quotas count for services.

use client_rs_machinery::{Quantity, Time, Unstructured};

use crate::kinds::rules::{Charges, Touched};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, list, text};

pub(super) const CHARGES: Charges = Charges {
    has: |name| [SERVICES, NODE_PORTS, LOAD_BALANCERS].contains(&name),
    usage,
    // The type can change.
    on_update: |write, _| write.part == Touched::Whole,
    in_scope: |_, _| false,
    constraints: |_, _| Ok(()),
};

const SERVICES: &str = "services";
const NODE_PORTS: &str = "services.nodeports";
const LOAD_BALANCERS: &str = "services.loadbalancers";

fn usage(service: &Unstructured, _: Time) -> Amounts {
    let spec = at(service, "spec");
    let ports = || list(&spec["ports"]);
    let given = || ports().filter(|port| port["nodePort"].as_i64().unwrap_or_default() != 0);
    let (node_ports, balancers) = match text(&spec["type"]) {
        "NodePort" => (ports().count(), 0),
        "LoadBalancer" if spec["allocateLoadBalancerNodePorts"].as_bool() == Some(false) => {
            (given().count(), 1)
        }
        "LoadBalancer" => (ports().count(), 1),
        _ => (0, 0),
    };
    let mut used = Amounts::default();
    for (name, count) in [(SERVICES, 1), (NODE_PORTS, node_ports), (LOAD_BALANCERS, balancers)] {
        used.set(name, Quantity::from(i64::try_from(count).unwrap_or(i64::MAX)));
    }
    used
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::{Json, json};

    use super::*;

    #[test]
    fn node_ports_and_load_balancers_are_counted() {
        let used = |spec: Json| usage(&Unstructured::try_from(json!({"spec": spec})).unwrap(), Time::now());
        let ports = json!([{"port": 1}, {"port": 2, "nodePort": 30000}]);
        for (spec, expected) in [
            (json!({"type": "ClusterIP", "ports": ports.clone()}), (0, 0)),
            (json!({"type": "NodePort", "ports": ports.clone()}), (0, 2)),
            (json!({"type": "LoadBalancer", "ports": ports.clone()}), (1, 2)),
            (json!({"type": "LoadBalancer", "ports": ports, "allocateLoadBalancerNodePorts": false}), (1, 1)),
        ] {
            let (balancers, node_ports) = expected;
            let expected =
                format!("services=1,services.loadbalancers={balancers},services.nodeports={node_ports}");
            assert_eq!(used(spec).shown(), expected);
        }
    }
}
