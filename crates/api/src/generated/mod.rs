// Made by `cargo xtask codegen` from schema: change those, not this.
//! Everything generated.

mod scheme;
mod served;

pub use scheme::scheme;
pub use served::served;

/// The group `admission` (not a default feature).
#[cfg(feature = "admission")]
pub mod admission;
/// The group `admissionregistration`.
#[cfg(feature = "admissionregistration")]
pub mod admissionregistration;
/// The group `apidiscovery`.
#[cfg(feature = "apidiscovery")]
pub mod apidiscovery;
/// The group `apiextensions`.
#[cfg(feature = "apiextensions")]
pub mod apiextensions;
/// The group `apiregistration`.
#[cfg(feature = "apiregistration")]
pub mod apiregistration;
/// The group `apiserverinternal` (not a default feature).
#[cfg(feature = "apiserverinternal")]
pub mod apiserverinternal;
/// The group `apps`.
#[cfg(feature = "apps")]
pub mod apps;
/// The group `authentication`.
#[cfg(feature = "authentication")]
pub mod authentication;
/// The group `authorization`.
#[cfg(feature = "authorization")]
pub mod authorization;
/// The group `autoscaling`.
#[cfg(any(feature = "autoscaling-horizontal-pod-autoscaler", feature = "autoscaling-scale"))]
pub mod autoscaling;
/// The group `batch`.
#[cfg(feature = "batch")]
pub mod batch;
/// The group `certificates`.
#[cfg(feature = "certificates")]
pub mod certificates;
/// The group `coordination`.
#[cfg(feature = "coordination")]
pub mod coordination;
/// The group `core`.
#[cfg(any(
    feature = "core-component-status",
    feature = "core-config-map",
    feature = "core-endpoints",
    feature = "core-event",
    feature = "core-limit-range",
    feature = "core-namespace",
    feature = "core-node",
    feature = "core-persistent-volume",
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller",
    feature = "core-resource-quota",
    feature = "core-secret",
    feature = "core-service",
    feature = "core-service-account"
))]
pub mod core;
/// The group `custom_metrics` (not a default feature).
#[cfg(feature = "custom-metrics")]
pub mod custom_metrics;
/// The group `discovery`.
#[cfg(feature = "discovery")]
pub mod discovery;
/// The group `events`.
#[cfg(feature = "events")]
pub mod events;
/// The group `extensions` (not a default feature).
#[cfg(feature = "extensions")]
pub mod extensions;
/// The group `external_metrics` (not a default feature).
#[cfg(feature = "external-metrics")]
pub mod external_metrics;
/// The group `flowcontrol`.
#[cfg(feature = "flowcontrol")]
pub mod flowcontrol;
/// The group `imagepolicy` (not a default feature).
#[cfg(feature = "imagepolicy")]
pub mod imagepolicy;
/// The group `lifecycle` (not a default feature).
#[cfg(feature = "lifecycle")]
pub mod lifecycle;
/// The group `metrics` (not a default feature).
#[cfg(feature = "metrics")]
pub mod metrics;
/// The group `networking`.
#[cfg(feature = "networking")]
pub mod networking;
/// The group `node`.
#[cfg(feature = "node")]
pub mod node;
/// The group `policy`.
#[cfg(feature = "policy")]
pub mod policy;
/// The group `rbac`.
#[cfg(feature = "rbac")]
pub mod rbac;
/// The group `resource`.
#[cfg(feature = "resource")]
pub mod resource;
/// The group `scheduling`.
#[cfg(feature = "scheduling")]
pub mod scheduling;
/// The group `storage`.
#[cfg(feature = "storage")]
pub mod storage;
/// The group `storagemigration`.
#[cfg(feature = "storagemigration")]
pub mod storagemigration;
