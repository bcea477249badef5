// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations by group.

/// Configurations of the group `admissionregistration`.
#[cfg(feature = "apply-admissionregistration")]
pub mod admissionregistration;
/// Configurations of the group `apiextensions`.
#[cfg(feature = "apply-apiextensions")]
pub mod apiextensions;
/// Configurations of the group `apiregistration`.
#[cfg(feature = "apply-apiregistration")]
pub mod apiregistration;
/// Configurations of the group `apiserverinternal`.
#[cfg(feature = "apply-apiserverinternal")]
pub mod apiserverinternal;
/// Configurations of the group `apps`.
#[cfg(feature = "apply-apps")]
pub mod apps;
/// Configurations of the group `autoscaling`.
#[cfg(feature = "apply-autoscaling")]
pub mod autoscaling;
/// Configurations of the group `batch`.
#[cfg(feature = "apply-batch")]
pub mod batch;
/// Configurations of the group `certificates`.
#[cfg(feature = "apply-certificates")]
pub mod certificates;
/// Configurations of the group `coordination`.
#[cfg(feature = "apply-coordination")]
pub mod coordination;
/// Configurations of the group `core`.
#[cfg(feature = "apply-core")]
pub mod core;
/// Configurations of the group `discovery`.
#[cfg(feature = "apply-discovery")]
pub mod discovery;
/// Configurations of the group `events`.
#[cfg(feature = "apply-events")]
pub mod events;
/// Configurations of the group `flowcontrol`.
#[cfg(feature = "apply-flowcontrol")]
pub mod flowcontrol;
/// Configurations of the group `lifecycle`.
#[cfg(feature = "apply-lifecycle")]
pub mod lifecycle;
/// Configurations of those of every group.
#[cfg(feature = "apply-meta")]
pub mod meta;
/// Configurations of the group `networking`.
#[cfg(feature = "apply-networking")]
pub mod networking;
/// Configurations of the group `node`.
#[cfg(feature = "apply-node")]
pub mod node;
/// Configurations of the group `policy`.
#[cfg(feature = "apply-policy")]
pub mod policy;
/// Configurations of the group `rbac`.
#[cfg(feature = "apply-rbac")]
pub mod rbac;
/// Configurations of the group `resource`.
#[cfg(feature = "apply-resource")]
pub mod resource;
/// Configurations of the group `scheduling`.
#[cfg(feature = "apply-scheduling")]
pub mod scheduling;
/// Configurations of the group `storage`.
#[cfg(feature = "apply-storage")]
pub mod storage;
/// Configurations of the group `storagemigration`.
#[cfg(feature = "apply-storagemigration")]
pub mod storagemigration;
