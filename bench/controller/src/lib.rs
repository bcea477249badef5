//! The custom resource of `cargo xtask bench controller`, and the desired state of its children.
//!
//! The peers have the same in their own words: `bench/operator-kubers` and `bench/go/cmd/appcontroller`.

use client_rs::api::core::v1::{ConfigMap, Service, ServicePort, ServiceSpec};
use client_rs::machinery::references::{ReferenceError, controller_reference};
use client_rs::prelude::*;
use serde::{Deserialize, Serialize};

/// An application.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "bench.client-rs.dev", version = "v1", kind = "App", namespaced, status = AppStatus)]
pub struct AppSpec {
    /// A number for the `ConfigMap`.
    pub replicas: i32,
    /// A text for the `ConfigMap` and the status.
    pub message: String,
}

/// The observed state of an application.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppStatus {
    /// The generation that was observed.
    #[serde(default)]
    pub observed_generation: i64,
    /// The text of the spec.
    #[serde(default)]
    pub message: String,
    /// Whether the children exist.
    #[serde(default)]
    pub ready: bool,
}

/// The desired `ConfigMap` of an App.
///
/// # Errors
///
/// If the App did not come from a server.
pub fn config_map(app: &App) -> Result<ConfigMap, ReferenceError> {
    let mut map = ConfigMap { metadata: metadata(app)?, ..ConfigMap::EMPTY };
    map.data.insert("message", app.spec.message.as_str().into());
    map.data.insert("replicas", app.spec.replicas.to_string().into());
    Ok(map)
}

/// The desired `Service` of an App. It is headless, so that no server runs out of addresses.
///
/// # Errors
///
/// If the App did not come from a server.
pub fn service(app: &App) -> Result<Service, ReferenceError> {
    let mut spec = ServiceSpec {
        cluster_ip: "None".into(),
        ports: [ServicePort {
            name: "http".into(),
            port: 80,
            target_port: 8080.into(),
            ..ServicePort::EMPTY
        }]
        .into(),
        ..ServiceSpec::EMPTY
    };
    spec.selector.insert("app", app.metadata.name.clone());
    Ok(Service { metadata: metadata(app)?, spec: spec.into(), ..Service::EMPTY })
}

/// Whether a `Service` has everything that is desired. The server adds fields of its own.
#[must_use]
pub fn service_matches(existing: &Service, desired: &Service) -> bool {
    let ports = |service: &Service| -> Vec<_> {
        service
            .spec
            .ports
            .iter()
            .map(|port| (port.name.clone(), port.port, port.target_port.clone()))
            .collect()
    };
    existing.spec.selector == desired.spec.selector && ports(existing) == ports(desired)
}

/// The desired status of an App whose children exist.
#[must_use]
pub fn status(app: &App) -> AppStatus {
    AppStatus { observed_generation: app.metadata.generation, message: app.spec.message.clone(), ready: true }
}

fn metadata(app: &App) -> Result<ObjectMeta, ReferenceError> {
    Ok(ObjectMeta {
        name: app.metadata.name.clone(),
        namespace: app.metadata.namespace.clone(),
        owner_references: [controller_reference(app)?].into(),
        ..ObjectMeta::EMPTY
    })
}
