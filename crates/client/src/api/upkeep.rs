//! Operations that are patches of well-known fields: restart, cordon, uncordon.

use client_rs_machinery::meta::v1::PatchOptions;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Cordonable, Restartable, Time, json, verbs};

use super::{Api, ApiRequest, ByName};

/// The annotation of a pod template that `kubectl rollout restart` sets.
const RESTARTED_AT: &str = "kubectl.kubernetes.io/restartedAt";

/// Workloads.
impl<K: Restartable + Payload + verbs::Patch, S: ByName> Api<K, S> {
    /// Replaces all pods of a Deployment, StatefulSet or DaemonSet by its own update strategy, like `kubectl rollout restart`:
    /// writes the current time into an annotation of the pod template.
    ///
    /// It returns when the request is accepted. Use [`wait_for`](Self::wait_for) to wait for the new pods. A second call in the same
    /// second changes nothing. A paused Deployment gets its new pods when it is resumed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::apps::v1::Deployment;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("PATCH /apis/apps/v1/namespaces/shop/deployments/web", "{}");
    /// # let deployments = Api::<Deployment>::namespaced(&server.client(), "shop");
    /// deployments.restart("web").await?;
    /// assert!(String::from_utf8_lossy(server.received()[0].body()).contains("kubectl.kubernetes.io/restartedAt"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Other kinds can't be restarted:
    ///
    /// ```compile_fail,E0277
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let maps = Api::<ConfigMap>::namespaced(&Canned::new().client(), "shop");
    /// let request = maps.restart("settings");
    /// ```
    pub fn restart(&self, name: &str) -> ApiRequest<K, PatchOptions> {
        let now = Time::now().to_string();
        let template = json!({"metadata": {"annotations": {RESTARTED_AT: now}}});
        self.patch(name, &Patch::Merge(json!({"spec": {"template": template}})))
    }
}

/// Nodes.
impl<K: Cordonable + Payload + verbs::Patch, S: ByName> Api<K, S> {
    /// Marks a node as unschedulable, like `kubectl cordon`. Its pods stay.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new()
    /// #     .on("PATCH /api/v1/nodes/n1", r#"{"spec": {"unschedulable": true}}"#)
    /// #     .on("PATCH /api/v1/nodes/n1", "{}");
    /// # let nodes = Api::<Node>::cluster(&server.client());
    /// assert!(nodes.cordon("n1").await?.spec.unschedulable);
    /// assert!(!nodes.uncordon("n1").await?.spec.unschedulable);
    /// assert_eq!(server.received()[1].body(), r#"{"spec":{"unschedulable":null}}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cordon(&self, name: &str) -> ApiRequest<K, PatchOptions> {
        self.patch(name, &Patch::Merge(json!({"spec": {"unschedulable": true}})))
    }

    /// Marks a node as schedulable again, like `kubectl uncordon`.
    pub fn uncordon(&self, name: &str) -> ApiRequest<K, PatchOptions> {
        self.patch(name, &Patch::Merge(json!({"spec": {"unschedulable": null}})))
    }
}
