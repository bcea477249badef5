//! Services.

use client_rs_machinery::Json;

use super::page::{Page, list, or_none, shown};
use crate::output::pairs;

/// So many endpoints are named, the rest is counted.
const MOST_ENDPOINTS: usize = 3;

pub(super) fn describe(service: &Json, slices: &[Json], page: &mut Page) {
    let (metadata, spec) = (&service["metadata"], &service["spec"]);
    let joined = |field: &str| list(&spec[field]).map(shown).collect::<Vec<_>>().join(",");
    page.field(0, "Name", shown(&metadata["name"]));
    page.field(0, "Namespace", shown(&metadata["namespace"]));
    page.labels("Labels", &metadata["labels"]);
    page.annotations("Annotations", &metadata["annotations"]);
    page.field(0, "Selector", pairs(&spec["selector"]));
    page.field(0, "Type", shown(&spec["type"]));
    page.some(0, "IP Family Policy", &spec["ipFamilyPolicy"]);
    page.field(0, "IP Families", or_none(joined("ipFamilies")));
    page.field(0, "IP", shown(&spec["clusterIP"]));
    page.field(0, "IPs", or_none(joined("clusterIPs")));
    if list(&spec["externalIPs"]).next().is_some() {
        page.field(0, "External IPs", joined("externalIPs"));
    }
    page.some(0, "Desired LoadBalancer IP", &spec["loadBalancerIP"]);
    page.some(0, "External Name", &spec["externalName"]);
    let ingress: Vec<String> = list(&service["status"]["loadBalancer"]["ingress"])
        .map(|entry| match (shown(&entry["ip"]), shown(&entry["ipMode"])) {
            (ip, _) if ip.is_empty() => shown(&entry["hostname"]),
            (ip, mode) if mode.is_empty() => ip,
            (ip, mode) => format!("{ip} ({mode})"),
        })
        .collect();
    if !ingress.is_empty() {
        page.field(0, "LoadBalancer Ingress", ingress.join(", "));
    }
    for port in list(&spec["ports"]) {
        let protocol = shown(&port["protocol"]);
        let name = match shown(&port["name"]) {
            name if name.is_empty() => "<unset>".to_owned(),
            name => name,
        };
        page.line(0, format_args!("Port:\t{name}\t{}/{protocol}", shown(&port["port"])));
        page.field(0, "TargetPort", format_args!("{}/{protocol}", shown(&port["targetPort"])));
        page.some(0, "AppProtocol", &port["appProtocol"]);
        if port["nodePort"].as_i64().is_some_and(|port| port != 0) {
            page.line(0, format_args!("NodePort:\t{name}\t{}/{protocol}", shown(&port["nodePort"])));
        }
        page.field(0, "Endpoints", endpoints(slices, &shown(&port["name"])));
    }
    page.field(0, "Session Affinity", shown(&spec["sessionAffinity"]));
    page.some(0, "External Traffic Policy", &spec["externalTrafficPolicy"]);
    page.some(0, "Internal Traffic Policy", &spec["internalTrafficPolicy"]);
    if spec["healthCheckNodePort"].as_i64().is_some_and(|port| port != 0) {
        page.some(0, "HealthCheck NodePort", &spec["healthCheckNodePort"]);
    }
    if list(&spec["loadBalancerSourceRanges"]).next().is_some() {
        page.field(0, "LoadBalancer Source Ranges", joined("loadBalancerSourceRanges"));
    }
    page.some(0, "Traffic Distribution", &spec["trafficDistribution"]);
}

/// The endpoints of a port.
fn endpoints(slices: &[Json], port_name: &str) -> String {
    if slices.is_empty() {
        return "<none>".to_owned();
    }
    let mut all = Vec::new();
    for slice in slices {
        let ready = || list(&slice["endpoints"]).filter(|endpoint| endpoint["conditions"]["ready"] != false);
        let address = |endpoint: &Json| shown(&endpoint["addresses"][0]);
        if list(&slice["ports"]).next().is_none() {
            all.extend(ready().map(address));
        }
        for port in list(&slice["ports"]).filter(|port| shown(&port["name"]) == port_name) {
            all.extend(ready().map(|endpoint| {
                let host = address(endpoint);
                let host = if host.contains(':') { format!("[{host}]") } else { host };
                format!("{host}:{}", shown(&port["port"]))
            }));
        }
    }
    match all.len() {
        count if count > MOST_ENDPOINTS => {
            format!("{} + {} more...", all[..MOST_ENDPOINTS].join(","), count - MOST_ENDPOINTS)
        }
        _ => all.join(","),
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn endpoints_are_named_and_counted() {
        let endpoint = |ip: &str| json!({"addresses": [ip]});
        let slice = json!({
            "ports": [{"name": "http", "port": 8080}, {"name": "other", "port": 1}],
            "endpoints": [endpoint("10.0.0.1"), endpoint("fd00::1"), {"addresses": ["x"], "conditions": {"ready": false}}],
        });
        let slices = [slice];
        assert_eq!(endpoints(&slices, "http"), "10.0.0.1:8080,[fd00::1]:8080");
        let many =
            [json!({"endpoints": (0..5).map(|n| endpoint(&format!("10.0.0.{n}"))).collect::<Vec<_>>()})];
        assert_eq!(endpoints(&many, ""), "10.0.0.0,10.0.0.1,10.0.0.2 + 2 more...");
        assert_eq!(endpoints(&[], ""), "<none>");
    }
}
