//! The rules of routing, as pure functions: which backends, configurations and statuses follow from the objects. They know nothing of informers, changes and writes.

use client_rs::api::core::v1::Service;
use client_rs::api::discovery::v1::EndpointSlice;
use client_rs::machinery::Time;
use client_rs::prelude::{Json, ObjectKey, Str, json};

use crate::api::{Route, RouteSpec};

/// The ready addresses of one slice, and its ports by name. Nothing else of a slice reaches the routes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Endpoints {
    pub(crate) service: ObjectKey,
    addresses: Vec<Str>,
    ports: Vec<(Str, i32)>,
}

pub(crate) fn endpoints(key: &ObjectKey, slice: &EndpointSlice) -> Option<Endpoints> {
    let service = slice.metadata.labels.get("kubernetes.io/service-name")?;
    // A missing condition means ready.
    let ready = slice.endpoints.iter().filter(|endpoint| endpoint.conditions.ready != Some(false));
    let ports =
        slice.ports.iter().filter_map(|port| Some((port.name.clone().unwrap_or_default(), port.port?)));
    Some(Endpoints {
        service: ObjectKey::new(key.namespace.clone(), service.clone()),
        addresses: ready.flat_map(|endpoint| endpoint.addresses.iter().cloned()).collect(),
        ports: ports.collect(),
    })
}

/// Where requests are matched. A gateway has at most one route for each place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) gateway: ObjectKey,
    pub(crate) host: String,
    pub(crate) path: String,
}

/// A route that wants a place, and the backends that it would have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) place: Place,
    /// The oldest claim wins; of two with the same age, the one whose name comes first.
    since: (Option<Time>, ObjectKey),
    backends: Result<Vec<String>, &'static str>,
}

pub(crate) fn claim<'a>(
    key: &ObjectKey,
    route: &Route,
    service: Option<&Service>,
    slices: impl Iterator<Item = &'a Endpoints>,
) -> Claim {
    let spec = &route.spec;
    Claim {
        place: Place {
            gateway: ObjectKey::new(key.namespace.clone(), spec.gateway.as_str()),
            host: spec.host.clone(),
            path: spec.path.clone(),
        },
        since: (route.metadata.creation_timestamp, key.clone()),
        backends: backends(spec, service, slices),
    }
}

/// The backends of a route, sorted.
fn backends<'a>(
    spec: &RouteSpec,
    service: Option<&Service>,
    slices: impl Iterator<Item = &'a Endpoints>,
) -> Result<Vec<String>, &'static str> {
    let service = service.ok_or("NoService")?;
    let port = service.spec.ports.iter().find(|port| port.port == spec.port).ok_or("NoPort")?;
    let mut backends = Vec::new();
    for slice in slices {
        for (_, number) in slice.ports.iter().filter(|(name, _)| *name == port.name) {
            backends.extend(slice.addresses.iter().map(|address| format!("{address}:{number}")));
        }
    }
    backends.sort();
    backends.dedup();
    Ok(backends)
}

/// The decision about a claim: the backends that the gateway gets, or the reason why it does not get the route.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) place: Place,
    pub(crate) outcome: Result<Vec<String>, &'static str>,
}

/// Decides about a claim, with all claims of the same place.
pub(crate) fn verdict<'a>(
    claim: &Claim,
    has_gateway: bool,
    rivals: impl Iterator<Item = &'a Claim>,
) -> Verdict {
    let is_first = rivals.map(|rival| &rival.since).min().is_none_or(|first| *first == claim.since);
    let outcome = match &claim.backends {
        _ if !has_gateway => Err("NoGateway"),
        _ if !is_first => Err("Taken"),
        decided => decided.clone(),
    };
    Verdict { place: claim.place.clone(), outcome }
}

/// The config map of a gateway: its accepted routes, the longest path of a host first.
pub(crate) fn configuration<'a>(port: i32, verdicts: impl Iterator<Item = &'a Verdict>) -> Json {
    let mut routes: Vec<(&Place, &Vec<String>)> =
        verdicts.filter_map(|verdict| Some((&verdict.place, verdict.outcome.as_ref().ok()?))).collect();
    routes.sort_by_key(|(place, _)| (&place.host, std::cmp::Reverse(place.path.len()), &place.path));
    let routes = routes.iter().map(|(place, backends)| {
        let backends: Json = backends.iter().map(String::as_str).collect();
        json!({"host": place.host.as_str(), "path": place.path.as_str(), "backends": backends})
    });
    let file = json!({"port": port, "routes": routes.collect::<Json>()});
    json!({"data": {"gateway.json": file.to_string()}})
}

/// The status of a route.
pub(crate) fn status(generation: i64, outcome: &Result<Vec<String>, &'static str>) -> Json {
    let backends = outcome.as_ref().map_or(0, Vec::len);
    json!({
        "accepted": outcome.is_ok(),
        "reason": outcome.as_ref().err().copied().unwrap_or("Accepted"),
        "backends": i64::try_from(backends).unwrap_or(i64::MAX),
        "observedGeneration": generation,
    })
}

#[cfg(test)]
mod tests {
    use client_rs::prelude::Message;

    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("shop", name)
    }

    fn route(name: &str, path: &str, created: i64) -> Route {
        let mut route = Route::new(
            name,
            RouteSpec {
                gateway: "edge".to_owned(),
                host: "shop.example".to_owned(),
                path: path.to_owned(),
                service: "web".to_owned(),
                port: 80,
            },
        );
        route.metadata.creation_timestamp = Time::new(created, 0);
        route
    }

    fn service(port: i32) -> Service {
        let service = format!(r#"{{"spec": {{"ports": [{{"name": "http", "port": {port}}}]}}}}"#);
        Service::from_json(service.as_bytes()).unwrap()
    }

    fn slice() -> Endpoints {
        let slice = br#"{
            "metadata": {"labels": {"kubernetes.io/service-name": "web"}},
            "ports": [{"name": "http", "port": 8080}, {"name": "admin", "port": 9090}],
            "endpoints": [
                {"addresses": ["10.0.0.2"], "conditions": {"ready": true}},
                {"addresses": ["10.0.0.3"], "conditions": {"ready": false}},
                {"addresses": ["10.0.0.1"]}
            ]
        }"#;
        endpoints(&key("web-1"), &EndpointSlice::from_json(slice).unwrap()).unwrap()
    }

    fn claimed(name: &str, path: &str, created: i64) -> Claim {
        claim(&key(name), &route(name, path, created), Some(&service(80)), [&slice()].into_iter())
    }

    #[test]
    fn the_backends_are_the_ready_addresses_with_the_target_port() {
        assert_eq!(slice().service, key("web"));
        let claim = claimed("a", "/", 1);
        assert_eq!(claim.backends, Ok(vec!["10.0.0.1:8080".to_owned(), "10.0.0.2:8080".to_owned()]));
    }

    #[test]
    fn a_route_without_gateway_service_or_port_is_not_accepted() {
        let outcome = |service: Option<&Service>, has_gateway| {
            let claim = claim(&key("a"), &route("a", "/", 1), service, [&slice()].into_iter());
            verdict(&claim, has_gateway, [&claim].into_iter()).outcome
        };
        assert_eq!(outcome(None, true), Err("NoService"));
        assert_eq!(outcome(Some(&service(81)), true), Err("NoPort"));
        assert_eq!(outcome(Some(&service(80)), false), Err("NoGateway"));
        assert_eq!(outcome(Some(&service(80)), true).map(|backends| backends.len()), Ok(2));
    }

    #[test]
    fn of_two_routes_for_one_place_the_older_one_wins() {
        let (old, new, twin) = (claimed("b", "/", 1), claimed("a", "/", 2), claimed("c", "/", 1));
        let all = [&new, &old, &twin];
        let accepted = |claim: &Claim| verdict(claim, true, all.into_iter()).outcome.is_ok();
        assert_eq!((accepted(&old), accepted(&new), accepted(&twin)), (true, false, false));
    }

    #[test]
    fn the_configuration_has_the_longest_path_first_and_only_accepted_routes() {
        let mut refused = verdict(&claimed("c", "/x", 1), true, std::iter::empty());
        refused.outcome = Err("Taken");
        let verdicts = ["/", "/cart"].map(|path| verdict(&claimed("a", path, 1), true, std::iter::empty()));
        let map = configuration(8080, verdicts.iter().chain([&refused]));
        let file = Json::parse(map["data"]["gateway.json"].as_str().unwrap().as_bytes()).unwrap();
        let paths: Vec<_> =
            file["routes"].as_list().unwrap().iter().map(|route| route["path"].as_str()).collect();
        assert_eq!(paths, [Some("/cart"), Some("/")]);
        assert_eq!(file["port"].as_i64(), Some(8080));
    }

    #[test]
    fn the_status_has_the_reason() {
        let accepted = status(7, &Ok(vec!["10.0.0.1:80".to_owned()]));
        assert_eq!(
            accepted,
            json!({"accepted": true, "reason": "Accepted", "backends": 1, "observedGeneration": 7})
        );
        assert_eq!(status(7, &Err("Taken"))["reason"].as_str(), Some("Taken"));
    }
}
