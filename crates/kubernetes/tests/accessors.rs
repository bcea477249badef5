//! All accessors of the clientset compared with the discovery of the pinned server: every resource has its accessor, with
//! exactly its verbs and subresources, at exactly its path.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use client_rs_client::api::Api;
use client_rs_client::{AllNamespaces, RestClient, Verb};
use client_rs_kubernetes::Clientset;
use client_rs_machinery::{HasSubresource, Resource, subresource, verbs};
use client_rs_transport::http::{Body, Target, Transport, TransportError};

/// The facts of a resource according to its type.
#[derive(Debug)]
struct Row {
    /// Group, version and plural name.
    resource: (String, String, String),
    kind: &'static str,
    /// The path of an object.
    path: String,
    /// The path for all namespaces, if the resource is namespaced.
    all: Option<String>,
    verbs: BTreeSet<&'static str>,
    subresources: BTreeSet<&'static str>,
}

/// Whether a kind has a verb or subresource, as a constant: the inherent constant wins if its bound holds.
struct Probe<K, V>(PhantomData<(K, V)>);

trait Absent {
    const HAS: bool = false;
}

impl<K, V> Absent for Probe<K, V> {}

macro_rules! probes {
    ($($name:ident = $verb:ident;)*) => {$(
        struct $name;
        impl<K: verbs::$verb> Probe<K, $name> {
            const HAS: bool = true;
        }
    )*};
}

probes! {
    GetVerb = Get; ListVerb = List; WatchVerb = Watch; CreateVerb = Create; UpdateVerb = Update; PatchVerb = Patch;
    DeleteVerb = Delete; DeleteCollectionVerb = DeleteCollection;
}

macro_rules! part_probes {
    ($($part:ident),*) => {$(
        impl<K: HasSubresource<subresource::$part>> Probe<K, subresource::$part> {
            const HAS: bool = true;
        }
    )*};
}

part_probes!(
    Status,
    Scale,
    Eviction,
    Binding,
    Token,
    Approval,
    EphemeralContainers,
    Resize,
    Finalize,
    Log,
    Proxy,
    Attach,
    Exec,
    PortForward
);

macro_rules! has {
    ($kind:ty: $($name:literal $probe:ty),* $(,)?) => {{
        let mut found = BTreeSet::new();
        $(if <Probe<$kind, $probe>>::HAS {
            found.insert($name);
        })*
        found
    }};
}

fn path<K: Resource, S: client_rs_client::api::Reach>(api: &Api<K, S>, name: Option<&str>) -> String {
    let request = api.request(Verb::Get);
    let request = match name {
        Some(name) => request.name(name),
        None => request,
    };
    request.path_and_query("").unwrap()
}

macro_rules! row {
    ($rows:ident, $clientset:ident, $group:ident, $method:ident, namespaced, $kind:ty) => {
        let one: Api<$kind> = $clientset.$group().$method("ns");
        let all: Api<$kind, AllNamespaces> = $clientset.$group().$method(AllNamespaces);
        row!($rows, $kind, path(&one, Some("name")), Some(path(&all, None)));
    };
    ($rows:ident, $clientset:ident, $group:ident, $method:ident, cluster, $kind:ty) => {
        let one: Api<$kind> = $clientset.$group().$method();
        row!($rows, $kind, path(&one, Some("name")), None);
    };
    ($rows:ident, $kind:ty, $path:expr, $all:expr) => {
        let gvr = <$kind as Resource>::gvr();
        $rows.push(Row {
            resource: (gvr.group.to_string(), gvr.version.to_string(), gvr.resource.to_string()),
            kind: <$kind as Resource>::INFO.kind,
            path: $path,
            all: $all,
            verbs: has!($kind: "get" GetVerb, "list" ListVerb, "watch" WatchVerb, "create" CreateVerb,
                "update" UpdateVerb, "patch" PatchVerb, "delete" DeleteVerb, "deletecollection" DeleteCollectionVerb),
            subresources: has!($kind: "status" subresource::Status, "scale" subresource::Scale,
                "eviction" subresource::Eviction, "binding" subresource::Binding, "token" subresource::Token,
                "approval" subresource::Approval, "ephemeralcontainers" subresource::EphemeralContainers,
                "resize" subresource::Resize, "finalize" subresource::Finalize, "log" subresource::Log,
                "proxy" subresource::Proxy, "attach" subresource::Attach, "exec" subresource::Exec,
                "portforward" subresource::PortForward),
        });
    };
}

macro_rules! accessors {
    ($($feature:literal $group:ident $method:ident $scope:ident $kind:ty;)*) => {
        fn rows(clientset: &Clientset) -> Vec<Row> {
            let mut rows = Vec::new();
            $(
                #[cfg(feature = $feature)]
                {
                    row!(rows, clientset, $group, $method, $scope, $kind);
                }
            )*
            rows
        }

        /// The API groups and whether their features are on.
        fn features() -> BTreeMap<&'static str, bool> {
            BTreeMap::from([$(($feature, cfg!(feature = $feature))),*])
        }
    };
}

include!("generated/accessors.rs");

/// A client that never sends a request.
fn clientset() -> Clientset {
    let url = "https://k8s.example".parse().unwrap();
    let service = tower::service_fn(|_: http::Request<Body>| async {
        Err::<http::Response<Body>, _>(TransportError::Other("nobody there".into()))
    });
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    Clientset::from_rest(RestClient::new(&url, transport).unwrap())
}

fn schema(name: &str) -> serde_json::Value {
    let path = format!("{}/../../schema/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn texts(list: &serde_json::Value) -> BTreeSet<&str> {
    list.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str).collect()
}

#[test]
fn every_resource_verb_and_subresource_of_discovery_has_its_accessor_and_none_is_extra() {
    let rows = rows(&clientset());
    let discovery = schema("discovery.json");
    let mut accessors: BTreeMap<_, &Row> = rows.iter().map(|row| (row.resource.clone(), row)).collect();
    assert_eq!(accessors.len(), rows.len(), "two accessors of one resource");
    let on = features();
    let groups: BTreeSet<String> = rows.iter().map(|row| row.resource.0.clone()).collect();
    let (mut checked, mut wrong) = (0, Vec::new());
    for group in discovery["groups"].as_array().unwrap() {
        for version in group["versions"].as_array().unwrap() {
            for resource in version["resources"].as_array().unwrap() {
                let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
                let key = (text(&group["name"]), text(&version["version"]), text(&resource["name"]));
                let Some(row) = accessors.remove(&key) else {
                    if groups.contains(&key.0) || on.values().all(|on| *on) {
                        wrong.push(format!("{key:?} has no accessor"));
                    }
                    continue;
                };
                checked += 1;
                let root = match key.0.as_str() {
                    "" => format!("/api/{}", key.1),
                    group => format!("/apis/{group}/{}", key.1),
                };
                let namespaced = resource["namespaced"].as_bool().unwrap();
                let within = if namespaced { "/namespaces/ns" } else { "" };
                let expected = Row {
                    resource: key.clone(),
                    kind: row.kind,
                    path: format!("{root}{within}/{}/name", key.2),
                    all: namespaced.then(|| format!("{root}/{}", key.2)),
                    verbs: BTreeSet::new(),
                    subresources: BTreeSet::new(),
                };
                let parts: BTreeSet<&str> = resource["subresources"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|part| part["name"].as_str())
                    .collect();
                for (what, found, expected) in [
                    ("kind", row.kind.to_owned(), text(&resource["kind"])),
                    ("path", row.path.clone(), expected.path),
                    ("path of all namespaces", format!("{:?}", row.all), format!("{:?}", expected.all)),
                    ("verbs", format!("{:?}", row.verbs), format!("{:?}", texts(&resource["verbs"]))),
                    ("subresources", format!("{:?}", row.subresources), format!("{parts:?}")),
                ] {
                    if found != expected {
                        wrong.push(format!("{key:?}: {what} {found}, served {expected}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 60, "{checked} resources are few");

    // Resources of Go's client that this server does not serve: removed versions, and add-ons.
    let clients = schema("clients.json");
    let known: BTreeSet<(String, String, String)> = clients
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|client| {
            let text = |name: &str| client[name].as_str().map(str::to_owned);
            Some((text("group")?, text("version")?, text("resource")?))
        })
        .collect();
    for extra in accessors.keys() {
        assert!(known.contains(extra), "{extra:?} is served by nobody");
        let gone =
            ["alpha", "beta"].iter().any(|stage| extra.1.contains(stage)) || extra.0 == "metrics.k8s.io";
        assert!(gone, "{extra:?} has an accessor, and the server does not serve it");
    }
}
