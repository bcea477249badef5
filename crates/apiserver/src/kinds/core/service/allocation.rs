//! The cluster IPs and node ports of services. Each is allocated to one service only.

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::{
    ApiError, FieldError, FieldErrors, GroupKind, Json, Map, Object, Unstructured, json,
};

use crate::kinds::rules::WriteContext;
use crate::kinds::shared::addresses::AddressRange;
use crate::kinds::shared::checks::{is_empty, list, text};

const NODE_PORTS: std::ops::RangeInclusive<i64> = 30_000..=32_767;
/// The largest number of addresses at the start of a range that are left for services that name their address.
const STATIC_MAX: u64 = 256;

/// Allocates the missing addresses and ports of a service, and keeps those that it had.
///
/// Services are written one at a time, so no two get the same.
pub(super) fn allocate(
    service: &mut Unstructured,
    old: Option<&Unstructured>,
    context: &dyn WriteContext,
) -> Result<(), ApiError> {
    let name = service.name().to_owned();
    let invalid = |error: FieldError| {
        ApiError::invalid(&GroupKind::new("", "Service"), &name, &FieldErrors(vec![error]))
    };
    let place = (service.namespace().to_owned(), name.clone());
    let Some(spec) = service.object.get_mut("spec").and_then(Json::as_map_mut) else { return Ok(()) };
    if spec.get("type").and_then(Json::as_str) == Some("ExternalName") {
        return Ok(());
    }
    let before = old.and_then(|old| old.object.get("spec")).cloned().unwrap_or_default();
    let mut address = string(spec, "clusterIP");
    if address.is_empty() {
        text(&before["clusterIP"]).clone_into(&mut address);
    }
    let anywhere = address == "None" && spec.get("selector").is_none_or(is_empty);
    if !anywhere {
        families(spec, &address).map_err(&invalid)?;
    }
    let addresses = Addresses { context, ranges: ranges(context) };
    if address.is_empty() {
        address = addresses.free()?;
    } else if address != "None" && address != text(&before["clusterIP"]) {
        addresses.check(&address).map_err(|why| {
            let why = format!("failed to allocate IP {address}: {why}");
            let shown = json!([address.as_str()]).to_string();
            invalid(FieldError::invalid_json("spec.clusterIPs", shown, why))
        })?;
    }
    spec.insert("clusterIP", address.as_str().into());
    spec.insert("clusterIPs", json!([address.as_str()]));
    // A headless service without a selector may have endpoints of both families.
    let (of, policy) = if anywhere {
        (json!(["IPv4", "IPv6"]), "RequireDualStack")
    } else {
        (json!(["IPv4"]), "SingleStack")
    };
    for (key, value) in [("ipFamilies", of), ("ipFamilyPolicy", policy.into())] {
        if spec.get(key).is_none_or(is_empty) {
            spec.insert(key, value);
        }
    }
    let kind = string(spec, "type");
    if kind == "NodePort" || kind == "LoadBalancer" {
        let mut ports = Ports::taken(context, &place);
        ports.of_service(spec, &before).map_err(&invalid)?;
    }
    Ok(())
}

fn string(spec: &Map<Json>, key: &str) -> String {
    spec.get(key).map(text).unwrap_or_default().to_owned()
}

/// Refuses IPv6: the range of services is IPv4.
fn families(spec: &Map<Json>, address: &str) -> Result<(), FieldError> {
    if string(spec, "ipFamilyPolicy") == "RequireDualStack" {
        let why = "this cluster is not configured for dual-stack services";
        return Err(FieldError::invalid("spec.ipFamilyPolicy", "RequireDualStack", why));
    }
    let families = spec.get("ipFamilies").into_iter().flat_map(list);
    if let Some((index, _)) = families.enumerate().find(|(_, family)| text(family) == "IPv6") {
        let why = "not configured on this cluster";
        return Err(FieldError::invalid(format!("spec.ipFamilies[{index}]"), "IPv6", why));
    }
    if matches!(address.parse(), Ok(IpAddr::V6(_))) {
        let (shown, why) = (json!([address]).to_string(), "IPv6 is not configured on this cluster");
        return Err(FieldError::invalid_json("spec.clusterIPs[0]", shown, why));
    }
    Ok(())
}

/// The ranges of cluster IPs: the server's own, then those of `ServiceCIDR` objects.
fn ranges(context: &dyn WriteContext) -> Vec<AddressRange> {
    let mut all = vec![context.service_range()];
    context.each("networking.k8s.io", "servicecidrs", &mut |object| {
        let cidrs = object.nested_slice(&["spec", "cidrs"]).ok().flatten().unwrap_or_default();
        let parsed = cidrs.iter().filter_map(|cidr| AddressRange::canonical(text(cidr)).ok());
        if !object.is_being_deleted() {
            for range in parsed.filter(AddressRange::is_ipv4) {
                if !all.contains(&range) {
                    all.push(range);
                }
            }
        }
    });
    all
}

struct Addresses<'c> {
    context: &'c dyn WriteContext,
    ranges: Vec<AddressRange>,
}

impl Addresses<'_> {
    /// Checks an address that a service names.
    fn check(&self, address: &str) -> Result<(), &'static str> {
        let Ok(parsed) = address.parse::<IpAddr>() else { return Ok(()) };
        if !self.ranges.iter().any(|range| range.serves(parsed)) {
            return Err("the provided network does not match the current range");
        }
        if self.is_taken(address) || self.of_services().contains(address) {
            return Err("provided IP is already allocated");
        }
        Ok(())
    }

    /// A free address: random, and not from the start of the range as long as there are others.
    fn free(&self) -> Result<String, ApiError> {
        let services = self.of_services();
        for range in self.ranges.iter().filter(|range| range.count() > 0) {
            let count = range.count();
            let fixed = (count / 16).clamp(16, STATIC_MAX).min(count - 1);
            let start = fastrand::u64(fixed..count);
            let offsets = (start..count).chain(fixed..start).chain(0..fixed);
            let mut candidates = offsets.map(|offset| range.at(offset).to_string());
            if let Some(free) = candidates.find(|free| !self.is_taken(free) && !services.contains(free)) {
                return Ok(free);
            }
        }
        Err(ApiError::internal_error("failed to allocate a serviceIP: range is full"))
    }

    fn is_taken(&self, address: &str) -> bool {
        self.context.find("networking.k8s.io", "ipaddresses", "", address).is_some()
    }

    fn of_services(&self) -> HashSet<String> {
        let mut all = HashSet::new();
        self.context.each("", "services", &mut |service| {
            all.extend(service.nested_str(&["spec", "clusterIP"]).ok().flatten().map(str::to_owned));
        });
        all
    }
}

/// The node ports of other services.
struct Ports {
    taken: HashSet<i64>,
}

impl Ports {
    fn taken(context: &dyn WriteContext, except: &(String, String)) -> Self {
        let mut taken = HashSet::new();
        context.each("", "services", &mut |service| {
            let is_other = (service.namespace(), service.name()) != (except.0.as_str(), except.1.as_str());
            let Some(spec) = service.object.get("spec").filter(|_| is_other) else { return };
            taken.extend(list(&spec["ports"]).filter_map(|port| port["nodePort"].as_i64()));
            taken.extend(spec["healthCheckNodePort"].as_i64());
        });
        taken.remove(&0);
        Self { taken }
    }

    /// Allocates the node ports of a service that had the spec `before`.
    fn of_service(&mut self, spec: &mut Map<Json>, before: &Json) -> Result<(), FieldError> {
        let balancer = string(spec, "type") == "LoadBalancer";
        let wanted = !balancer || spec.get("allocateLoadBalancerNodePorts") != Some(&Json::Bool(false));
        let local = string(spec, "externalTrafficPolicy") == "Local";
        // A number can be used once per protocol.
        let mut own: Vec<(i64, String)> = Vec::new();
        if let Some(ports) = spec.get_mut("ports").and_then(Json::as_list_mut) {
            for (index, port) in ports.make_mut().iter_mut().enumerate() {
                let had = list(&before["ports"])
                    .find(|old| old["port"] == port["port"] && old["protocol"] == port["protocol"])
                    .and_then(|old| old["nodePort"].as_i64());
                let asked = port["nodePort"].as_i64().filter(|number| *number != 0);
                let protocol = text(&port["protocol"]).to_owned();
                let number = match asked.or(had.filter(|number| *number != 0)) {
                    Some(number) => {
                        let again = own.contains(&(number, protocol.clone()));
                        self.check(number, again, &format!("spec.ports[{index}].nodePort"))?;
                        number
                    }
                    None if !wanted => continue,
                    None => self.free(&own)?,
                };
                own.push((number, protocol));
                if let Some(port) = port.as_map_mut() {
                    port.insert("nodePort", number.into());
                }
            }
        }
        if balancer && local {
            let asked = spec.get("healthCheckNodePort").and_then(Json::as_i64).filter(|number| *number != 0);
            let number = match asked.or(before["healthCheckNodePort"].as_i64().filter(|number| *number != 0))
            {
                Some(number) => {
                    self.check(number, false, "spec.healthCheckNodePort")?;
                    number
                }
                None => self.free(&own)?,
            };
            spec.insert("healthCheckNodePort", number.into());
        }
        Ok(())
    }

    fn check(&self, number: i64, again: bool, path: &str) -> Result<(), FieldError> {
        let why = if !NODE_PORTS.contains(&number) {
            let (first, last) = (NODE_PORTS.start(), NODE_PORTS.end());
            format!("provided port is not in the valid range. The range of valid ports is {first}-{last}")
        } else if again || self.taken.contains(&number) {
            "provided port is already allocated".to_owned()
        } else {
            return Ok(());
        };
        Err(FieldError::invalid_json(path, number.to_string(), why))
    }

    fn free(&mut self, own: &[(i64, String)]) -> Result<i64, FieldError> {
        let start = fastrand::i64(NODE_PORTS);
        let mut all = (start..=*NODE_PORTS.end()).chain(*NODE_PORTS.start()..start);
        let is_free =
            |number: &i64| !self.taken.contains(number) && !own.iter().any(|(used, _)| used == number);
        let found = all.find(is_free).ok_or_else(|| {
            FieldError::internal("spec.ports", "failed to allocate a nodePort: range is full")
        })?;
        self.taken.insert(found);
        Ok(found)
    }
}
