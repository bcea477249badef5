//! The kinds that the controllers write.

use client_rs_machinery::{GroupKind, GroupVersionResource, Object};

/// A kind of objects and the resource that serves it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) plural: &'static str,
}

impl Kind {
    const fn new(group: &'static str, name: &'static str, plural: &'static str) -> Self {
        Self { group, name, plural }
    }

    /// The resource. All of them have the version `v1`.
    pub(crate) fn resource(&self) -> GroupVersionResource {
        GroupVersionResource::new(self.group, "v1", self.plural)
    }

    pub(crate) fn group_kind(&self) -> GroupKind {
        GroupKind::new(self.group, self.name)
    }

    /// Whether an object has a controller of this kind with this name.
    pub(crate) fn controls(&self, name: &str, object: &dyn Object) -> bool {
        object.controller().is_some_and(|owner| owner.kind == self.name && owner.name == name)
    }
}

pub(crate) static CONTROLLER_REVISION: Kind = Kind::new("apps", "ControllerRevision", "controllerrevisions");
pub(crate) static CRON_JOB: Kind = Kind::new("batch", "CronJob", "cronjobs");
pub(crate) static DAEMON_SET: Kind = Kind::new("apps", "DaemonSet", "daemonsets");
pub(crate) static DEPLOYMENT: Kind = Kind::new("apps", "Deployment", "deployments");
pub(crate) static ENDPOINTS: Kind = Kind::new("", "Endpoints", "endpoints");
pub(crate) static ENDPOINT_SLICE: Kind = Kind::new("discovery.k8s.io", "EndpointSlice", "endpointslices");
pub(crate) static JOB: Kind = Kind::new("batch", "Job", "jobs");
pub(crate) static PERSISTENT_VOLUME: Kind = Kind::new("", "PersistentVolume", "persistentvolumes");
pub(crate) static PERSISTENT_VOLUME_CLAIM: Kind =
    Kind::new("", "PersistentVolumeClaim", "persistentvolumeclaims");
pub(crate) static POD: Kind = Kind::new("", "Pod", "pods");
pub(crate) static POD_DISRUPTION_BUDGET: Kind =
    Kind::new("policy", "PodDisruptionBudget", "poddisruptionbudgets");
pub(crate) static REPLICATION_CONTROLLER: Kind =
    Kind::new("", "ReplicationController", "replicationcontrollers");
pub(crate) static REPLICA_SET: Kind = Kind::new("apps", "ReplicaSet", "replicasets");
pub(crate) static SERVICE: Kind = Kind::new("", "Service", "services");
pub(crate) static STATEFUL_SET: Kind = Kind::new("apps", "StatefulSet", "statefulsets");
pub(crate) static STORAGE_CLASS: Kind = Kind::new("storage.k8s.io", "StorageClass", "storageclasses");
