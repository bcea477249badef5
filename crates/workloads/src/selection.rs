//! The selection of controllers.

use std::fmt;
use std::str::FromStr;

use client_rs_controller::{ControllerOptions, RunnableController};
use client_rs_events::EventRecorder;

use crate::shell::Cluster;
use crate::{
    cron_job, daemon_set, deployment, disruption, job, mirroring, replica_set, replication_controller,
    service_endpoints, stateful_set, volumes,
};

type Build = fn(&Cluster, EventRecorder, ControllerOptions) -> RunnableController;

/// A controller that can run.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// The component that its events name.
    pub(crate) component: &'static str,
    pub(crate) build: Option<Build>,
}

const fn known(name: &'static str, component: &'static str, build: Build) -> Known {
    Known { name, component, build: Some(build) }
}

/// All controllers, by their short names in kube-controller-manager; `node` plays nodes and the scheduler.
pub(crate) static CONTROLLERS: &[Known] = &[
    known("deployment", "deployment-controller", deployment::build),
    known("replicaset", "replicaset-controller", replica_set::build),
    known("replicationcontroller", "replication-controller", replication_controller::build),
    known("statefulset", "statefulset-controller", stateful_set::build),
    known("daemonset", "daemonset-controller", daemon_set::build),
    known("job", "job-controller", job::build),
    known("cronjob", "cronjob-controller", cron_job::build),
    known("endpoint", "endpoint-controller", service_endpoints::build_endpoints),
    known("endpointslice", "endpoint-slice-controller", service_endpoints::build_slices),
    known("endpointslicemirroring", "endpoint-slice-mirroring-controller", mirroring::build),
    known("persistentvolume-binder", "persistentvolume-controller", volumes::build_claims),
    known("persistentvolume", "persistentvolume-controller", volumes::build_volumes),
    known("disruption", "controllermanager", disruption::build),
    Known { name: "node", component: "kubelet", build: None },
];

/// A choice of controllers, written as for kube-controller-manager's `--controllers`: `*` is all of them, `name` is one, `-name` is
/// all but this one. What comes first decides.
///
/// ```
/// use client_rs_workloads::Selection;
///
/// let all_but_one: Selection = "-replicaset,*".parse()?;
/// assert!(all_but_one.has("deployment") && !all_but_one.has("replicaset"));
/// let two: Selection = "deployment,replicaset".parse()?;
/// assert!(two.has("replicaset") && !two.has("node"));
/// assert!("deployments".parse::<Selection>().unwrap_err().to_string().contains("replicaset"));
/// # Ok::<(), client_rs_workloads::UnknownController>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<String>);

/// The error for the name of a controller that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownController(String);

impl Selection {
    /// The names of all controllers.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CONTROLLERS.iter().map(|known| known.name)
    }

    /// Whether a controller runs.
    pub fn has(&self, name: &str) -> bool {
        let about = |part: &&String| part.strip_prefix('-').unwrap_or(part) == name;
        match self.0.iter().find(about) {
            Some(part) => !part.starts_with('-'),
            None => self.0.iter().any(|part| part == "*"),
        }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self(vec!["*".to_owned()])
    }
}

impl FromStr for Selection {
    type Err = UnknownController;

    fn from_str(text: &str) -> Result<Self, UnknownController> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let checked = parts.map(|part| {
            let name = part.strip_prefix('-').unwrap_or(part);
            let exists = part == "*" || Self::names().any(|known| known == name);
            if exists { Ok(part.to_owned()) } else { Err(UnknownController(name.to_owned())) }
        });
        checked.collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for UnknownController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Selection::names().collect();
        write!(f, "there is no controller {:?}; there are: {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownController {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_first_decides() {
        for (text, deployment, node) in [
            ("*", true, true),
            ("", false, false),
            ("*,-node", true, false),
            ("-node,node,*", true, false),
            ("node", false, true),
            (" node , deployment", true, true),
        ] {
            let selection: Selection = text.parse().unwrap();
            assert_eq!((selection.has("deployment"), selection.has("node")), (deployment, node), "{text:?}");
        }
        assert!("-nodes".parse::<Selection>().is_err());
        let names: std::collections::BTreeSet<&str> = Selection::names().collect();
        assert_eq!(names.len(), CONTROLLERS.len());
    }
}
