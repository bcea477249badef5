//! Addresses and ports of services, and the objects of addresses and ranges.

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use super::http::{Http, MERGE_PATCH};

const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";
const RANGES: &str = "/apis/networking.k8s.io/v1/servicecidrs";

fn service(name: &str, spec: &Value) -> Value {
    let mut spec = spec.clone();
    if spec["ports"].is_null() {
        spec["ports"] = json!([{"port": 80}]);
    }
    json!({"metadata": {"name": name}, "spec": spec})
}

pub(super) async fn cluster_ips(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let services = format!("/api/v1/namespaces/{namespace}/services");
    let range = http.get(&format!("{RANGES}/kubernetes")).await?.ok(200)?;
    ensure!(range["spec"]["cidrs"] == json!(["10.0.0.0/16"]), "{range}");
    ensure!(range["status"]["conditions"][0]["type"] == "Ready", "{range}");
    let made = http.post(&services, &service("a", &json!({}))).await?.ok(201)?;
    let own = made["spec"]["clusterIP"].as_str().context("no address")?.to_owned();
    ensure!(made["spec"]["clusterIPs"] == json!([own]) && own.starts_with("10.0."), "{made}");
    let address = http.get(&format!("{ADDRESSES}/{own}")).await?.ok(200)?;
    let parent = json!({"resource": "services", "namespace": namespace, "name": "a"});
    ensure!(address["spec"]["parentRef"] == parent, "{address}");
    let labels = &address["metadata"]["labels"];
    ensure!(labels["ipaddress.kubernetes.io/managed-by"] == "ipallocator.k8s.io", "{labels}");
    let refused = |address: &str, why: &str| {
        format!("spec.clusterIPs: Invalid value: [{address:?}]: failed to allocate IP {address}: {why}")
    };
    let outside = "the provided network does not match the current range";
    for address in ["192.168.7.7", "10.0.0.0", "10.0.255.255"] {
        let spec = json!({"clusterIP": address});
        http.refused(&services, &service("b", &spec), &refused(address, outside)).await?;
    }
    let taken = refused(&own, "provided IP is already allocated");
    http.refused(&services, &service("b", &json!({"clusterIP": own})), &taken).await?;
    for (spec, why) in [
        (
            json!({"clusterIP": "fd00::5"}),
            "spec.clusterIPs[0]: Invalid value: [\"fd00::5\"]: IPv6 is not configured on this cluster",
        ),
        (
            json!({"ipFamilyPolicy": "RequireDualStack"}),
            "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not configured for dual-stack \
             services",
        ),
        (
            json!({"ipFamilies": ["IPv6"]}),
            "spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster",
        ),
        (
            json!({"clusterIP": "10.0.0.12", "clusterIPs": ["10.0.0.13"]}),
            "spec.clusterIPs: Invalid value: [\"10.0.0.13\"]: first value must match `clusterIP`",
        ),
        (
            json!({"clusterIPs": ["10.0.0.13"]}),
            "spec.clusterIPs: Invalid value: [\"10.0.0.13\"]: must be empty when `clusterIP` is not specified",
        ),
    ] {
        http.refused(&services, &service("b", &spec), why).await?;
    }
    let headless =
        http.post(&services, &service("headless", &json!({"clusterIP": "None"}))).await?.ok(201)?;
    ensure!(headless["spec"]["ipFamilies"] == json!(["IPv4", "IPv6"]), "{headless}");
    ensure!(headless["spec"]["ipFamilyPolicy"] == "RequireDualStack", "{headless}");
    let preferred = service("preferred", &json!({"ipFamilyPolicy": "PreferDualStack"}));
    let preferred = http.post(&services, &preferred).await?.ok(201)?;
    ensure!(preferred["spec"]["ipFamilies"] == json!(["IPv4"]), "{preferred}");
    // Another type gives the address back.
    let external = json!({"spec": {"type": "ExternalName", "externalName": "a.example", "ports": null}});
    let external = http.patch(&format!("{services}/preferred"), MERGE_PATCH, &external).await?.ok(200)?;
    ensure!(external["spec"]["clusterIP"].is_null(), "{external}");
    let released = preferred["spec"]["clusterIP"].as_str().context("no address")?;
    http.delete(&format!("{services}/a")).await?.ok(200)?;
    for address in [own.as_str(), released] {
        eventually("the address is free", || async {
            http.get(&format!("{ADDRESSES}/{address}")).await?.ok(404).map(drop)
        })
        .await?;
    }
    Ok(())
}

pub(super) async fn node_ports(stage: &Stage) -> Result<()> {
    let (http, namespace) = (Http::new(stage)?, stage.namespace().await?);
    let services = format!("/api/v1/namespaces/{namespace}/services");
    let ports = |ports: Value| json!({"type": "NodePort", "ports": ports});
    let out = "provided port is not in the valid range. The range of valid ports is 30000-32767";
    let why = format!("spec.ports[0].nodePort: Invalid value: 99: {out}");
    http.refused(&services, &service("a", &ports(json!([{"port": 80, "nodePort": 99}]))), &why).await?;
    let made = http.post(&services, &service("a", &ports(json!([{"port": 80}])))).await?.ok(201)?;
    let number = made["spec"]["ports"][0]["nodePort"].as_i64().context("no node port")?;
    let taken = |index: usize| {
        format!("spec.ports[{index}].nodePort: Invalid value: {number}: provided port is already allocated")
    };
    let same = ports(json!([{"port": 80, "nodePort": number}]));
    http.refused(&services, &service("b", &same), &taken(0)).await?;
    http.delete(&format!("{services}/a")).await?.ok(200)?;
    let twice =
        json!([{"name": "a", "port": 80, "nodePort": number}, {"name": "b", "port": 81, "nodePort": number}]);
    http.refused(&services, &service("c", &ports(twice)), &taken(1)).await?;
    // Once per protocol.
    let protocols = json!([
        {"name": "a", "port": 80, "nodePort": number, "protocol": "TCP"},
        {"name": "b", "port": 80, "nodePort": number, "protocol": "UDP"},
    ]);
    http.post(&services, &service("c", &ports(protocols))).await?.ok(201)?;
    let balancer = json!({"type": "LoadBalancer", "externalTrafficPolicy": "Local"});
    let local = http.post(&services, &service("local", &balancer)).await?.ok(201)?;
    let health = local["spec"]["healthCheckNodePort"].as_i64().unwrap_or_default();
    ensure!((30_000..=32_767).contains(&health), "{local}");
    let none = json!({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": false});
    let none = http.post(&services, &service("none", &none)).await?.ok(201)?;
    ensure!(none["spec"]["ports"][0]["nodePort"].is_null(), "{none}");
    // Another type drops the ports.
    let plain = json!({"spec": {"type": "ClusterIP"}});
    let plain = http.patch(&format!("{services}/c"), MERGE_PATCH, &plain).await?.ok(200)?;
    ensure!(plain["spec"]["ports"][0]["nodePort"].is_null(), "{plain}");
    ensure!(plain["spec"]["externalTrafficPolicy"].is_null(), "{plain}");
    Ok(())
}

pub(super) async fn canonical(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let address = |name: &str| json!({"metadata": {"name": name}, "spec": {"parentRef": {"resource": "services", "namespace": "x", "name": "s"}}});
    for (name, why) in [
        ("010.1.1.1", "must not have leading 0s"),
        ("FE80::1", "must be in canonical form (\"fe80::1\")"),
        ("x", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
        ("::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"),
    ] {
        let why = format!("metadata.name: Invalid value: {name:?}: {why}");
        http.refused(ADDRESSES, &address(name), &why).await?;
    }
    let missing = "spec.parentRef: Required value";
    http.refused(ADDRESSES, &json!({"metadata": {"name": "10.1.1.2"}}), missing).await?;
    let own = format!("fe80::{:x}", std::process::id() % 60_000 + 1);
    http.post(ADDRESSES, &address(&own)).await?.ok(201)?;
    let moved = json!({"spec": {"parentRef": {"name": "z"}}});
    let moved = http.patch(&format!("{ADDRESSES}/{own}"), MERGE_PATCH, &moved).await?;
    moved.refuses(422, "spec.parentRef: Invalid value: null: field is immutable")?;
    let _ = http.delete(&format!("{ADDRESSES}/{own}")).await?;
    let range = |cidrs: Value| json!({"metadata": {"name": "conformance"}, "spec": {"cidrs": cidrs}});
    let invalid = |cidr: &str, why: &str| format!("spec.cidrs[0]: Invalid value: {cidr:?}: {why}");
    for (cidr, why) in [
        ("bogus", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("10.0.0.0/33", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("10.5.0.7/24", "must not have bits set beyond the prefix length"),
        ("010.5.0.0/24", "must not have leading 0s in IP or prefix length"),
        ("FD00::/112", "must be in canonical form (\"fd00::/112\")"),
    ] {
        http.refused(RANGES, &range(json!([cidr])), &invalid(cidr, why)).await?;
    }
    http.refused(RANGES, &range(json!([])), "spec.cidrs: Required value: at least one CIDR required").await?;
    let families = "spec.cidrs: Invalid value: [\"10.5.0.0/24\",\"10.6.0.0/24\"]: may specify no more than one IP for each \
                    IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    http.refused(RANGES, &range(json!(["10.5.0.0/24", "10.6.0.0/24"])), families).await?;
    let many = "spec.cidrs: Invalid value: {\"CIDRs\":[\"10.5.0.0/24\",\"fd00::/112\",\"10.7.0.0/24\"]}: may only hold up to \
                2 values";
    http.refused(RANGES, &range(json!(["10.5.0.0/24", "fd00::/112", "10.7.0.0/24"])), many).await
}
