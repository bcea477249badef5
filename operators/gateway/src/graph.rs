//! The graph: which function reads which collections. It finds the entries that a change concerns.

use client_rs::api::core::v1::Service;
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::cache::InformerError;
use client_rs::collections::{Graph, LiveSet};
use client_rs::controller::DerivedObject;
use client_rs::prelude::{ClusterClient, Json, ObjectKey};

use crate::api::{Gateway, Route};
use crate::routing::{claim, configuration, endpoints, status, verdict};

/// The collections that the operator writes.
pub(crate) struct Derived {
    /// The config map of each gateway.
    pub(crate) configurations: LiveSet<ObjectKey, DerivedObject>,
    /// The status of each route.
    pub(crate) statuses: LiveSet<ObjectKey, Json>,
}

/// Derives the collections from the informers of the client.
///
/// ```text
/// services ─┐
/// slices ─── endpoints ─┐
/// routes ─────────────── claims ── verdicts ── configurations
/// gateways ────────────────────────┘      └─── statuses
/// ```
pub(crate) fn derive(graph: &Graph, client: &ClusterClient) -> Result<Derived, InformerError> {
    let gateways = graph.informer::<Gateway>("gateways", &client.informer())?;
    let routes = graph.informer::<Route>("routes", &client.informer())?;
    let services = graph.informer::<Service>("services", &client.informer())?;
    let slices = graph.informer::<EndpointSlice>("endpoint slices", &client.informer())?;

    let ready = graph.filter_map("endpoints", &slices, |key, slice, _| endpoints(key, slice));
    let by_service = graph.index(&ready, |_, endpoints| [endpoints.service.clone()]);
    let claims = graph.map("claims", &routes, move |key, route, look| {
        let service = ObjectKey::new(key.namespace.clone(), route.spec.service.as_str());
        let slices = look.indexed(&by_service, &service).map(|(_, endpoints)| &**endpoints);
        claim(key, route, look.get(&services, &service).map(|service| &**service), slices)
    });

    let (by_place, all_gateways) = (graph.index(&claims, |_, claim| [claim.place.clone()]), gateways.clone());
    let verdicts = graph.map("verdicts", &claims, move |_, claim, look| {
        let has_gateway = look.get(&all_gateways, &claim.place.gateway).is_some();
        verdict(claim, has_gateway, look.indexed(&by_place, &claim.place).map(|(_, rival)| &**rival))
    });

    let by_gateway = graph.index(&verdicts, |_, verdict| [verdict.place.gateway.clone()]);
    let configurations = graph.filter_map("configurations", &gateways, move |key, gateway, look| {
        let mut verdicts = look.indexed(&by_gateway, key).map(|(_, verdict)| &**verdict).peekable();
        // No route, no config map: the sink deletes it.
        verdicts.peek()?;
        // The gateway owns its config map, so the garbage collector deletes one with the other.
        DerivedObject::new(&**gateway, configuration(gateway.spec.port, verdicts)).ok()
    });
    let statuses = graph.filter_map("statuses", &routes, move |key, route, look| {
        Some(status(route.metadata.generation, &look.get(&verdicts, key)?.outcome))
    });
    Ok(Derived { configurations, statuses })
}
