//! What the real server's admission does to new pods with the help of other objects: priorities, and the token of their
//! service account.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, Unstructured, json};

use super::catalog::Served;
use super::{ListRequest, Registry, Selection, Stored, WriteOptions};

const TOKEN_PATH: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_SECONDS: i64 = 3607;

impl Registry {
    /// Fills in what other objects say of a new pod, or refuses it.
    pub(super) fn admit_pod(
        &self,
        pods: &Served,
        pod: &mut Unstructured,
        options: WriteOptions<'_>,
    ) -> Result<(), ApiError> {
        self.prioritize(pods, pod)?;
        if self.options.populates {
            let suffix = options.keep("volume", super::create::random_suffix);
            self.mount_token(pods, pod, &suffix)?;
        }
        Ok(())
    }

    fn prioritize(&self, pods: &Served, pod: &mut Unstructured) -> Result<(), ApiError> {
        let Some(classes) = self.catalog().find("scheduling.k8s.io", "v1", "priorityclasses") else {
            return Ok(());
        };
        let text = |pod: &Unstructured| {
            pod.nested_str(&["spec", "priorityClassName"]).ok().flatten().map(str::to_owned)
        };
        let class = if let Some(name) = text(pod).filter(|name| !name.is_empty()) {
            let found = self.find(&classes, "", &name).ok_or_else(|| {
                let why = format!("no PriorityClass with name {name} was found");
                ApiError::forbidden(&pods.group_resource(), pod.name(), why)
            })?;
            Some(found.stored)
        } else {
            self.default_priority(&classes)
        };
        let value = class
            .as_ref()
            .and_then(|class| class.object.object.get("value"))
            .and_then(Json::as_i64)
            .unwrap_or(0);
        let given = pod.nested_i64(&["spec", "priority"]).ok().flatten();
        if let Some(given) = given.filter(|given| *given != value) {
            let why = format!(
                "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller \
                 computed {value} from the given PriorityClass name"
            );
            return Err(ApiError::forbidden(&pods.group_resource(), pod.name(), why));
        }
        drop(pod.set_nested(&["spec", "priority"], value));
        let policy = class
            .as_ref()
            .and_then(|class| class.object.object.get("preemptionPolicy"))
            .and_then(Json::as_str);
        drop(pod.set_nested(&["spec", "preemptionPolicy"], policy.unwrap_or("PreemptLowerPriority")));
        if let Some(class) = class {
            drop(pod.set_nested(&["spec", "priorityClassName"], class.object.name()));
        }
        Ok(())
    }

    /// The lowest of the classes that say they are for everyone.
    fn default_priority(&self, classes: &Served) -> Option<Arc<Stored>> {
        let everything = Selection::default();
        let all = self.list(classes, &ListRequest::all("", &everything)).ok()?.items;
        let defaults = all
            .into_iter()
            .filter(|class| class.object.object.get("globalDefault") == Some(&Json::Bool(true)));
        defaults.min_by_key(|class| class.object.object.get("value").and_then(Json::as_i64).unwrap_or(0))
    }

    fn mount_token(&self, pods: &Served, pod: &mut Unstructured, suffix: &str) -> Result<(), ApiError> {
        let Some(accounts) = self.catalog().find("", "v1", "serviceaccounts") else { return Ok(()) };
        let (name, namespace) = (pod.name().to_owned(), pod.namespace().to_owned());
        let account =
            pod.nested_str(&["spec", "serviceAccountName"]).ok().flatten().unwrap_or("default").to_owned();
        let Some(found) = self.find(&accounts, &namespace, &account) else {
            let why = format!(
                "error looking up service account {namespace}/{account}: serviceaccount {account:?} not found"
            );
            return Err(ApiError::forbidden(&pods.group_resource(), &name, why));
        };
        let wants = |value: Option<&Json>| value.and_then(Json::as_bool);
        let own = wants(pod.nested(&["spec", "automountServiceAccountToken"]).ok().flatten());
        let of_account = wants(found.stored.object.object.get("automountServiceAccountToken"));
        if !own.or(of_account).unwrap_or(true) {
            return Ok(());
        }
        let volume = format!("kube-api-access-{suffix}");
        let mut mounted = false;
        for kind in ["initContainers", "containers"] {
            let Some(containers) = pod
                .object
                .get_mut("spec")
                .and_then(|spec| spec.path_mut(&[kind]))
                .and_then(Json::as_list_mut)
            else {
                continue;
            };
            for container in containers.iter_mut() {
                let mounts = container["volumeMounts"].as_list().cloned().unwrap_or_default();
                if mounts.iter().any(|mount| mount["mountPath"].as_str() == Some(TOKEN_PATH)) {
                    continue;
                }
                let mount = json!({"name": volume.as_str(), "readOnly": true, "mountPath": TOKEN_PATH});
                let all: Vec<Json> = mounts.iter().cloned().chain([mount]).collect();
                // A container is an object, or the type would not have let it in.
                mounted |= container.set(&["volumeMounts"], all).is_ok();
            }
        }
        if mounted {
            let volumes = pod.nested_slice(&["spec", "volumes"]).ok().flatten().unwrap_or_default();
            let all: Vec<Json> = volumes.iter().cloned().chain([token_volume(&volume)]).collect();
            drop(pod.set_nested(&["spec", "volumes"], Json::from(all)));
        }
        Ok(())
    }
}

fn token_volume(name: &str) -> Json {
    json!({"name": name, "projected": {"defaultMode": 420, "sources": [
        {"serviceAccountToken": {"expirationSeconds": TOKEN_SECONDS, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [
            {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}},
        ]}},
    ]}})
}
