//! The cluster IPs and node ports of services. Each is allocated to one service only.

use std::collections::HashSet;
use std::net::Ipv4Addr;

use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Unstructured, json};

use crate::kinds::rules::WriteContext;

/// The real server's default is 10.0.0.0/24. A larger range leaves room for large tests.
const FIRST: u32 = u32::from_be_bytes([10, 0, 0, 1]);
const COUNT: u32 = 65_534;
const ADDRESS: &[&str] = &["spec", "clusterIP"];
const NODE_PORTS: std::ops::RangeInclusive<i64> = 30_000..=32_767;

/// The addresses and ports of other services.
struct Taken {
    addresses: HashSet<String>,
    ports: HashSet<i64>,
}

/// Allocates the missing addresses and ports of a service, and keeps those that it had.
///
/// Services are written one at a time, so no two get the same.
pub(super) fn allocate(
    service: &mut Unstructured,
    old: Option<&Unstructured>,
    context: &dyn WriteContext,
) -> Result<(), ApiError> {
    let kind = service.nested_str(&["spec", "type"]).ok().flatten().unwrap_or_default().to_owned();
    if kind == "ExternalName" {
        return Ok(());
    }
    let same =
        |other: &Unstructured| (other.namespace(), other.name()) == (service.namespace(), service.name());
    let taken = taken(context, same);
    let text = |object: &Unstructured, path: &[&str]| {
        object.nested_str(path).ok().flatten().unwrap_or_default().to_owned()
    };
    let mut address = text(service, ADDRESS);
    if address.is_empty() {
        address = old.map(|old| text(old, ADDRESS)).unwrap_or_default();
    }
    if address.is_empty() {
        let start = fastrand::u32(0..COUNT);
        let candidates = (0..COUNT).map(|step| Ipv4Addr::from(FIRST + (start + step) % COUNT).to_string());
        address = candidates
            .into_iter()
            .find(|candidate| !taken.addresses.contains(candidate))
            .ok_or_else(|| ApiError::internal_error("failed to allocate a serviceIP: range is full"))?;
    } else if address != "None" && taken.addresses.contains(&address) {
        let why = "failed to allocate IP: provided IP is already allocated";
        let error = FieldError::invalid("spec.clusterIPs", &address, why);
        return Err(ApiError::invalid(
            &GroupKind::new("", "Service"),
            service.name(),
            &FieldErrors(vec![error]),
        ));
    }
    let Some(spec) = service.object.get_mut("spec").and_then(Json::as_map_mut) else { return Ok(()) };
    spec.insert("clusterIP", address.as_str().into());
    spec.insert("clusterIPs", json!([address.as_str()]));
    for (key, value) in [("ipFamilies", json!(["IPv4"])), ("ipFamilyPolicy", json!("SingleStack"))] {
        if spec.get(key).is_none_or(Json::is_null) {
            spec.insert(key, value);
        }
    }
    if kind == "NodePort" || kind == "LoadBalancer" {
        node_ports(spec, old, taken.ports)?;
    }
    Ok(())
}

fn taken(context: &dyn WriteContext, skip: impl Fn(&Unstructured) -> bool) -> Taken {
    let mut taken = Taken { addresses: HashSet::new(), ports: HashSet::new() };
    context.each("", "services", &mut |service| {
        let Some(spec) = service.object.get("spec").filter(|_| !skip(service)) else { return };
        taken.addresses.extend(spec["clusterIP"].as_str().map(str::to_owned));
        let ports = spec["ports"].as_list().into_iter().flatten();
        taken.ports.extend(ports.filter_map(|port| port["nodePort"].as_i64()));
    });
    taken
}

fn node_ports(
    spec: &mut client_rs_machinery::Map<Json>,
    old: Option<&Unstructured>,
    mut taken: HashSet<i64>,
) -> Result<(), ApiError> {
    let before = old.and_then(|old| old.nested_slice(&["spec", "ports"]).ok().flatten()).unwrap_or_default();
    let Some(ports) = spec.get_mut("ports").and_then(Json::as_list_mut) else { return Ok(()) };
    for port in ports.make_mut() {
        let had =
            before.iter().find(|old| old["port"] == port["port"] && old["protocol"] == port["protocol"]);
        let had = had.and_then(|old| old["nodePort"].as_i64());
        let asked = port["nodePort"].as_i64().filter(|number| *number != 0).or(had);
        let number = match asked {
            Some(number) => number,
            None => {
                NODE_PORTS
                    .cycle_from(fastrand::i64(NODE_PORTS))
                    .find(|number| !taken.contains(number))
                    .ok_or_else(|| ApiError::internal_error("failed to allocate a nodePort: range is full"))?
            }
        };
        taken.insert(number);
        if let Some(port) = port.as_map_mut() {
            port.insert("nodePort", number.into());
        }
    }
    Ok(())
}

trait CycleFrom {
    /// The numbers of the range, each once, starting from a given number.
    fn cycle_from(&self, start: i64) -> impl Iterator<Item = i64>;
}

impl CycleFrom for std::ops::RangeInclusive<i64> {
    fn cycle_from(&self, start: i64) -> impl Iterator<Item = i64> {
        (start..=*self.end()).chain(*self.start()..start)
    }
}
