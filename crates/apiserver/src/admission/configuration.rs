//! The configured webhooks.

use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Json, Str, Unstructured};

use super::conditions::Condition;
use crate::kinds::AdmissionPlugin;
use crate::object::{ClientConfig, Info, label_selector};
use crate::registry::{ListRequest, Operation, Registry, Selection};

const GROUP: &str = "admissionregistration.k8s.io";
const MUTATING: &str = "mutatingwebhookconfigurations";
const VALIDATING: &str = "validatingwebhookconfigurations";

/// All webhooks in call order: sorted by the name of their configuration, then in the order of its list.
#[derive(Debug, Default)]
pub(super) struct Configured {
    /// The revisions of the latest writes to both kinds of configuration.
    revisions: (u64, u64),
    pub(super) mutating: Vec<Arc<Webhook>>,
    pub(super) validating: Vec<Arc<Webhook>>,
}

/// A webhook.
// Each flag is a field of the configuration.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug)]
pub(super) struct Webhook {
    /// Identifies the configuration and the webhook in it.
    pub(super) id: Str,
    pub(super) name: Str,
    pub(super) client: Arc<ClientConfig>,
    rules: Vec<Rule>,
    /// Whether it is also called for requests in other versions than its rules name.
    pub(super) equivalent: bool,
    pub(super) namespaces: Selector,
    pub(super) objects: Selector,
    pub(super) conditions: Vec<Condition>,
    /// Whether a failed call is ignored.
    pub(super) ignores_failure: bool,
    /// In seconds.
    pub(super) timeout: u32,
    /// Whether it may be called in a dry run: it has no side effects, or none in dry runs.
    pub(super) takes_dry_runs: bool,
    /// Whether it is called again when other webhooks change the object after it.
    pub(super) reinvoked: bool,
    /// The version of the review: the first that both sides support.
    pub(super) version: Option<&'static str>,
}

/// The rules of a webhook.
#[derive(Debug)]
struct Rule {
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    operations: Vec<String>,
    scope: Str,
}

impl Configured {
    /// The current configurations; `None` if `known` is up to date.
    pub(super) fn newer(known: &Self, registry: &Registry) -> Option<Self> {
        let revisions = (registry.latest(GROUP, MUTATING), registry.latest(GROUP, VALIDATING));
        if revisions == known.revisions {
            return None;
        }
        let all = |plugin: AdmissionPlugin, plural: &str| {
            if !registry.options().runs(plugin) {
                return None;
            }
            let served = registry.catalog().find(GROUP, "v1", plural)?;
            let everything = Selection::default();
            let listing = registry.list(&served, &ListRequest::all("", &everything)).ok()?;
            Some(listing.items.iter().flat_map(|item| Webhook::all(&item.object)).collect())
        };
        Some(Self {
            revisions,
            mutating: all(AdmissionPlugin::MutatingAdmissionWebhook, MUTATING).unwrap_or_default(),
            validating: all(AdmissionPlugin::ValidatingAdmissionWebhook, VALIDATING).unwrap_or_default(),
        })
    }
}

impl Webhook {
    fn all(configuration: &Unstructured) -> Vec<Arc<Self>> {
        let webhooks = configuration.object.get("webhooks").and_then(Json::as_list).into_iter().flatten();
        webhooks.enumerate().map(|(at, webhook)| Arc::new(Self::read(configuration, at, webhook))).collect()
    }

    fn read(configuration: &Unstructured, at: usize, webhook: &Json) -> Self {
        let name = webhook["name"].as_shared_str().cloned().unwrap_or_default();
        let text = |key: &str| webhook[key].as_str().unwrap_or_default();
        let versions = texts(&webhook["admissionReviewVersions"]);
        let known = |version: &String| ["v1", "v1beta1"].into_iter().find(|known| known == version);
        let list = |key: &str| webhook[key].as_list().into_iter().flatten();
        Self {
            // The UID distinguishes it from an earlier configuration of the same name.
            id: format!("{}/{}/{name}/{at}", configuration.name(), configuration.uid()).into(),
            name,
            client: Arc::new(ClientConfig::read(&webhook["clientConfig"])),
            rules: list("rules").map(Rule::read).collect(),
            equivalent: text("matchPolicy") != "Exact",
            namespaces: selector(&webhook["namespaceSelector"]),
            objects: selector(&webhook["objectSelector"]),
            conditions: list("matchConditions").map(Condition::read).collect(),
            ignores_failure: text("failurePolicy") == "Ignore",
            timeout: webhook["timeoutSeconds"].as_i64().and_then(|of| u32::try_from(of).ok()).unwrap_or(10),
            takes_dry_runs: matches!(text("sideEffects"), "None" | "NoneOnDryRun"),
            reinvoked: text("reinvocationPolicy") == "IfNeeded",
            version: versions.iter().find_map(known),
        }
    }

    /// Whether the webhook's rules match the request. `subresource` is empty for the object itself.
    pub(super) fn is_for(&self, resource: &Info, subresource: &str, operation: Operation) -> bool {
        self.rules.iter().any(|rule| rule.is_for(resource, subresource, operation))
    }
}

impl Rule {
    fn read(rule: &Json) -> Self {
        Self {
            groups: texts(&rule["apiGroups"]),
            versions: texts(&rule["apiVersions"]),
            resources: texts(&rule["resources"]),
            operations: texts(&rule["operations"]),
            scope: rule["scope"].as_shared_str().cloned().unwrap_or_else(|| "*".into()),
        }
    }

    fn is_for(&self, resource: &Info, subresource: &str, operation: Operation) -> bool {
        let among = |all: &[String], one: &str| all.iter().any(|known| known == "*" || known == one);
        let in_scope = match self.scope.as_str() {
            "*" => true,
            "Namespaced" => resource.namespaced,
            "Cluster" => !resource.namespaced,
            _ => false,
        };
        let named = |name: &String| {
            let (of, sub) = name.split_once('/').unwrap_or((name, ""));
            (of == "*" || of == resource.plural.as_str()) && (sub == "*" || sub == subresource)
        };
        in_scope
            && among(&self.operations, operation.as_str())
            && among(&self.groups, &resource.group)
            && among(&self.versions, &resource.version)
            && self.resources.iter().any(named)
    }
}

fn texts(list: &Json) -> Vec<String> {
    list.as_list().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Parses a selector. Malformed ones were refused when the configuration was written.
fn selector(value: &Json) -> Selector {
    label_selector(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn info(group: &str, version: &str, plural: &str, namespaced: bool) -> Info {
        Info {
            group: group.into(),
            version: version.into(),
            plural: plural.into(),
            namespaced,
            ..Info::default()
        }
    }

    #[test]
    fn rules_match_their_resources() {
        let pods = info("", "v1", "pods", true);
        let nodes = info("", "v1", "nodes", false);
        let rule = |resources: Json, operations: Json, scope: &str| {
            Rule::read(&json!({
                "apiGroups": ["", "apps"], "apiVersions": ["v1"], "resources": resources, "operations": operations,
                "scope": scope,
            }))
        };
        let all = rule(json!(["*"]), json!(["*"]), "*");
        assert!(all.is_for(&pods, "", Operation::Create) && all.is_for(&nodes, "", Operation::Delete));
        assert!(!all.is_for(&pods, "status", Operation::Update), "a star is not a subresource");
        let every = rule(json!(["*/*"]), json!(["UPDATE"]), "Namespaced");
        assert!(
            every.is_for(&pods, "status", Operation::Update) && every.is_for(&pods, "", Operation::Update)
        );
        assert!(!every.is_for(&nodes, "", Operation::Update) && !every.is_for(&pods, "", Operation::Create));
        let status = rule(json!(["pods/status"]), json!(["UPDATE"]), "*");
        assert!(
            status.is_for(&pods, "status", Operation::Update) && !status.is_for(&pods, "", Operation::Update)
        );
        assert!(!all.is_for(&info("batch", "v1", "jobs", true), "", Operation::Create));
        assert!(!all.is_for(&info("apps", "v1beta1", "deployments", true), "", Operation::Create));
    }
}
