//! Endpoint slices, as controllers keep them: the endpoints that are wanted, spread over as few changed slices as possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::discovery::v1::{Endpoint, EndpointPort, EndpointSlice};
use client_rs_controller::Result;
use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
use client_rs_machinery::{List, Map, Str};

use crate::kind::ENDPOINT_SLICE;
use crate::plan::Plan;

/// The label of a slice with the name of its service.
pub(crate) const SERVICE_NAME: &str = "kubernetes.io/service-name";
/// The label of a slice with the name of who keeps it.
pub(crate) const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";
/// The label of the slices of a service without an address.
pub(crate) const HEADLESS: &str = "service.kubernetes.io/headless";
/// The most endpoints of a slice.
const MOST: usize = 100;

/// Endpoints with the same ports and the same type of addresses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) address_type: &'static str,
    pub(crate) ports: List<EndpointPort>,
    pub(crate) endpoints: Vec<Endpoint>,
}

/// The common part of all slices of an owner.
pub(crate) struct Slices {
    pub(crate) base: Str,
    pub(crate) namespace: Str,
    pub(crate) labels: Map<Str>,
    pub(crate) owner: OwnerReference,
}

impl Slices {
    /// Plans the writes that bring the existing slices to the groups.
    pub(crate) fn reconcile(
        &self,
        existing: &[Arc<EndpointSlice>],
        groups: Vec<Group>,
        plan: &mut Plan,
    ) -> Result<()> {
        let mut unused: Vec<&Arc<EndpointSlice>> = existing.iter().collect();
        for group in groups {
            let (of_group, others) = unused
                .into_iter()
                .partition(|slice| &*slice.address_type == group.address_type && slice.ports == group.ports);
            unused = others;
            self.fill(of_group, &group, plan)?;
        }
        for slice in unused {
            plan.delete(&ENDPOINT_SLICE, &**slice, None);
        }
        Ok(())
    }

    /// Spreads the endpoints of a group over its slices.
    fn fill(&self, slices: Vec<&Arc<EndpointSlice>>, group: &Group, plan: &mut Plan) -> Result<()> {
        let mut wanted: BTreeMap<Str, &Endpoint> = BTreeMap::new();
        for endpoint in &group.endpoints {
            wanted.insert(endpoint.addresses.first().cloned().unwrap_or_default(), endpoint);
        }
        // Endpoints stay in their slices.
        let mut kept: Vec<(&Arc<EndpointSlice>, Vec<Endpoint>)> = Vec::new();
        for slice in slices {
            let stays = |old: &Endpoint| wanted.remove(old.addresses.first()?).cloned();
            kept.push((slice, slice.endpoints.iter().filter_map(stays).collect()));
        }
        let mut new: Vec<Endpoint> = wanted.into_values().cloned().collect();
        for (_, endpoints) in &mut kept {
            let room = MOST.saturating_sub(endpoints.len()).min(new.len());
            endpoints.extend(new.drain(..room));
        }
        // One slice stays although it is empty, so that there is one.
        let mut left = kept.iter().any(|(_, endpoints)| !endpoints.is_empty()) || !new.is_empty();
        for (slice, endpoints) in &kept {
            if endpoints.is_empty() && left {
                plan.delete(&ENDPOINT_SLICE, &***slice, None);
                continue;
            }
            left = true;
            let mut changed = EndpointSlice::clone(slice);
            changed.endpoints = endpoints.clone().into();
            changed.metadata.labels = self.labels.clone();
            if changed != ***slice {
                plan.update(&ENDPOINT_SLICE, &changed)?;
            }
        }
        if kept.is_empty() && new.is_empty() {
            plan.create(&ENDPOINT_SLICE, &self.slice(group, &[]), None)?;
        }
        for part in new.chunks(MOST) {
            plan.create(&ENDPOINT_SLICE, &self.slice(group, part), None)?;
        }
        Ok(())
    }

    fn slice(&self, group: &Group, endpoints: &[Endpoint]) -> EndpointSlice {
        EndpointSlice {
            metadata: ObjectMeta {
                generate_name: format!("{}-", self.base).into(),
                namespace: self.namespace.clone(),
                labels: self.labels.clone(),
                owner_references: [self.owner.clone()].into(),
                ..ObjectMeta::EMPTY
            },
            address_type: group.address_type.into(),
            endpoints: endpoints.into(),
            ports: group.ports.clone(),
        }
    }
}

/// The type of an address.
pub(crate) fn address_type(address: &str) -> &'static str {
    if address.contains(':') { "IPv6" } else { "IPv4" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn slices() -> Slices {
        Slices {
            base: "web".into(),
            namespace: "shop".into(),
            labels: [(SERVICE_NAME, "web")].into(),
            owner: OwnerReference { kind: "Service".into(), name: "web".into(), ..OwnerReference::EMPTY },
        }
    }

    fn group(numbers: std::ops::Range<usize>) -> Vec<Group> {
        let endpoint = |number| Endpoint {
            addresses: [Str::from(format!("10.0.{}.{}", number / 256, number % 256))].into(),
            ..Endpoint::EMPTY
        };
        vec![Group { address_type: "IPv4", ports: List::EMPTY, endpoints: numbers.map(endpoint).collect() }]
    }

    /// Applies a plan, and returns how many slices are written, and how many endpoints each has.
    fn step(model: &mut Model, groups: Vec<Group>) -> (usize, Vec<usize>) {
        let mut plan = Plan::default();
        slices().reconcile(&model.all(&ENDPOINT_SLICE), groups, &mut plan).unwrap();
        let writes = plan.steps.len();
        model.apply(plan);
        let mut sizes: Vec<usize> =
            model.all::<EndpointSlice>(&ENDPOINT_SLICE).iter().map(|slice| slice.endpoints.len()).collect();
        sizes.sort_unstable();
        (writes, sizes)
    }

    #[test]
    fn endpoints_are_spread_over_slices_and_few_of_them_change() {
        let mut model = Model::default();
        assert_eq!(step(&mut model, group(0..0)), (1, vec![0]));
        assert_eq!(step(&mut model, group(0..0)), (0, vec![0]));
        assert_eq!(step(&mut model, group(0..250)), (3, vec![50, 100, 100]));
        assert_eq!(step(&mut model, group(0..250)), (0, vec![50, 100, 100]));
        // One more goes where there is room.
        assert_eq!(step(&mut model, group(0..251)), (1, vec![51, 100, 100]));
        // Empty slices are deleted, except the last.
        assert_eq!(step(&mut model, group(0..1)).1, [1]);
        assert_eq!(step(&mut model, group(0..0)), (1, vec![0]));
        assert_eq!(step(&mut model, Vec::new()), (1, vec![]));
    }

    #[test]
    fn other_ports_are_another_slice() {
        let mut model = Model::default();
        step(&mut model, group(0..2));
        let mut other = group(0..2);
        other[0].ports = [EndpointPort { port: Some(80), ..EndpointPort::EMPTY }].into();
        assert_eq!(step(&mut model, other), (2, vec![2]));
        assert_eq!(address_type("::1"), "IPv6");
    }
}
