//! Policies in effect.

use anyhow::{Result, ensure};
use client_rs_client::RestClient;
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{Answer, delete, post};

pub(crate) const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
pub(crate) const BINDINGS: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/// The name of the config map that shows whether a policy is in effect.
const MARKER: &str = "marker";

/// A namespace with policies of its own.
pub(crate) struct Setup {
    pub(crate) client: RestClient,
    pub(crate) namespace: String,
    /// The paths of the policies and bindings.
    made: Vec<String>,
}

impl Setup {
    pub(crate) async fn new(stage: &Stage) -> Result<Self> {
        Ok(Self { client: stage.client()?, namespace: stage.namespace().await?, made: Vec::new() })
    }

    /// The name of a policy that no other scenario has.
    pub(crate) fn named(&self, name: &str) -> String {
        format!("{name}.{}", self.namespace)
    }

    /// The constraints of a policy that is for this namespace only.
    pub(crate) fn constraints(&self, rules: &Value) -> Value {
        json!({
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}},
            "resourceRules": rules,
        })
    }

    /// The constraints of a policy for the config maps of this namespace.
    pub(crate) fn config_maps(&self) -> Value {
        self.constraints(&json!([{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"],
        }]))
    }

    /// Creates a validating policy with its binding, both of the same name, and waits until they are in effect. The
    /// policy is for the config maps of the namespace unless it says otherwise.
    pub(crate) async fn validating(
        &mut self,
        name: &str,
        mut policy: Value,
        mut binding: Value,
    ) -> Result<()> {
        let name = self.named(name);
        if policy["matchConstraints"].is_null() {
            policy["matchConstraints"] = self.config_maps();
        }
        // The marker is warned of as soon as the server knows the policy and its last binding.
        let rules = policy["matchConstraints"]["resourceRules"].as_array_mut().unwrap();
        rules.push(json!({
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
            "resourceNames": [MARKER],
        }));
        let validations = policy["validations"].as_array().cloned().unwrap_or_default();
        let marker = json!({
            "expression": format!("object == null || object.metadata.name != '{MARKER}'"), "message": "marker",
        });
        policy["validations"] = validations.into_iter().chain([marker]).collect();
        binding["policyName"] = json!(name);
        if binding["validationActions"].is_null() {
            binding["validationActions"] = json!(["Deny"]);
        }
        let last = format!("marker.{name}");
        let marks = json!({
            "policyName": name, "validationActions": ["Warn"],
            "matchResources": {"resourceRules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
                "resourceNames": [MARKER],
            }]},
        });
        self.put(POLICIES, &name, "ValidatingAdmissionPolicy", policy).await?;
        self.put(BINDINGS, &name, "ValidatingAdmissionPolicyBinding", binding).await?;
        self.put(BINDINGS, &last, "ValidatingAdmissionPolicyBinding", marks).await?;
        let maps = format!("/api/v1/namespaces/{}/configmaps?dryRun=All", self.namespace);
        eventually("the policy is in effect", || async {
            let answer = post(&self.client, &maps, &json!({"metadata": {"name": MARKER}})).await?;
            let warned = answer.warnings.iter().any(|warning| warning.contains(&last));
            let refused =
                answer.message.contains(&format!("'{name}' denied request: failed to configure policy"));
            ensure!(warned || refused, "{answer:?}");
            Ok(())
        })
        .await
    }

    /// Creates a policy or a binding.
    pub(crate) async fn put(&mut self, path: &str, name: &str, kind: &str, spec: Value) -> Result<()> {
        let object = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec,
        });
        post(&self.client, path, &object).await?.accepted()?;
        self.made.push(format!("{path}/{name}"));
        Ok(())
    }

    /// Creates a config map, without storing it.
    pub(crate) async fn create(&self, map: &Value) -> Result<Answer> {
        let path = format!("/api/v1/namespaces/{}/configmaps?dryRun=All", self.namespace);
        post(&self.client, &path, map).await
    }

    /// Creates a config map with this value for the key `x`, without storing it.
    pub(crate) async fn create_with(&self, x: &str) -> Result<Answer> {
        self.create(&json!({"metadata": {"name": "a"}, "data": {"x": x}})).await
    }

    /// The message of a refused config map named `a`.
    pub(crate) fn denied(&self, policy: &str, message: &str) -> String {
        let name = self.named(policy);
        format!(
            "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy '{name}' with binding '{name}' denied request: \
             {message}"
        )
    }

    /// Removes the policy with this name, and its bindings.
    pub(crate) async fn remove(&mut self, name: &str) -> Result<()> {
        let name = self.named(name);
        for path in self.made.extract_if(.., |path| path.ends_with(&name)) {
            delete(&self.client, &path).await?.accepted()?;
        }
        Ok(())
    }

    /// Removes the policies and bindings.
    pub(crate) async fn strike(self) -> Result<()> {
        for path in self.made.iter().rev() {
            delete(&self.client, path).await?.accepted()?;
        }
        Ok(())
    }
}
