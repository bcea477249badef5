//! The configured webhooks.

use std::sync::Arc;

use client_rs_machinery::{Json, Str, Unstructured};

use super::criteria::{Criteria, texts};
use super::policy::Compiled;
use crate::kinds::AdmissionPlugin;
use crate::kinds::admissionregistration::{Expressions, Use};
use crate::object::ClientConfig;
use crate::registry::{ListRequest, Registry, Selection};

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
    /// The requests that it is called for.
    pub(super) criteria: Criteria,
    pub(super) conditions: Vec<Compiled>,
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
            criteria: Criteria::of_webhook(webhook),
            conditions: list("matchConditions").map(condition).collect(),
            ignores_failure: text("failurePolicy") == "Ignore",
            timeout: webhook["timeoutSeconds"].as_i64().and_then(|of| u32::try_from(of).ok()).unwrap_or(10),
            takes_dry_runs: matches!(text("sideEffects"), "None" | "NoneOnDryRun"),
            reinvoked: text("reinvocationPolicy") == "IfNeeded",
            version: versions.iter().find_map(known),
        }
    }
}

fn condition(condition: &Json) -> Compiled {
    let expression = condition["expression"].as_str().unwrap_or_default();
    let program = Expressions::new(false).compile(expression, Use::Condition);
    Compiled::new(expression.to_owned(), program, &[])
}
