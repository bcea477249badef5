//! The custom resource and the desired state of its children. `bench/controller/src/lib.rs` defines them.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{ConfigMap, Service, ServicePort, ServiceSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, Resource as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "bench.client-rs.dev", version = "v1", kind = "App", namespaced, status = "AppStatus")]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppSpec {
    pub(crate) replicas: i32,
    pub(crate) message: String,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppStatus {
    #[serde(default)]
    observed_generation: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    ready: bool,
}

pub(crate) fn config_map(app: &App) -> Result<ConfigMap, &'static str> {
    let data = BTreeMap::from([
        ("message".to_owned(), app.spec.message.clone()),
        ("replicas".to_owned(), app.spec.replicas.to_string()),
    ]);
    Ok(ConfigMap { metadata: metadata(app)?, data: Some(data), ..ConfigMap::default() })
}

pub(crate) fn service(app: &App) -> Result<Service, &'static str> {
    let port = ServicePort {
        name: Some("http".to_owned()),
        port: 80,
        target_port: Some(IntOrString::Int(8080)),
        ..ServicePort::default()
    };
    let spec = ServiceSpec {
        cluster_ip: Some("None".to_owned()),
        selector: Some(BTreeMap::from([("app".to_owned(), app.metadata.name.clone().unwrap_or_default())])),
        ports: Some(vec![port]),
        ..ServiceSpec::default()
    };
    Ok(Service { metadata: metadata(app)?, spec: Some(spec), ..Service::default() })
}

/// Whether a `Service` has everything that is desired. The server adds fields of its own.
pub(crate) fn service_matches(existing: &Service, desired: &Service) -> bool {
    let selector = |service: &Service| service.spec.as_ref().and_then(|spec| spec.selector.clone());
    let ports = |service: &Service| -> Vec<_> {
        let ports = service.spec.iter().flat_map(|spec| spec.ports.iter().flatten());
        ports.map(|port| (port.name.clone(), port.port, port.target_port.clone())).collect()
    };
    selector(existing) == selector(desired) && ports(existing) == ports(desired)
}

pub(crate) fn status(app: &App) -> AppStatus {
    AppStatus {
        observed_generation: app.metadata.generation.unwrap_or_default(),
        message: app.spec.message.clone(),
        ready: true,
    }
}

fn metadata(app: &App) -> Result<ObjectMeta, &'static str> {
    let owner = app.controller_owner_ref(&()).ok_or("the App has no UID")?;
    Ok(ObjectMeta {
        name: app.metadata.name.clone(),
        namespace: app.metadata.namespace.clone(),
        owner_references: Some(vec![owner]),
        ..ObjectMeta::default()
    })
}
