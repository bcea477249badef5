//! `apps`: workloads.

mod controller_revision;
mod daemon_set;
mod deployment;
mod replica_set;
mod stateful_set;

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{FieldError, Json};

use crate::kinds::Group;
use crate::kinds::rules::{Errors, Generation, KindRules};
use crate::kinds::shared::checks::{is_empty, label_selector, list, not_negative, parsed, text, wrong};
use crate::kinds::shared::pod_spec;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "apps", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &controller_revision::RULES,
        &daemon_set::RULES,
        &deployment::RULES,
        &replica_set::RULES,
        &stateful_set::RULES,
    ],
};

/// The differences between workloads in the rules for selector and template.
struct Workload {
    /// The name of the kind in the error about an empty selector.
    selector_owner: &'static str,
    /// The name of the kind in the errors about the template.
    template_owner: &'static str,
    /// Whether a selector is required.
    needs_selector: bool,
    /// The error for a malformed selector. `None`: no error, and the template is checked all the same.
    unreadable_selector: Option<&'static str>,
    /// Whether each claim template adds a volume of its name, which replaces a volume of the template.
    has_claims: bool,
}

impl Workload {
    const DEFAULT: Self = Self {
        selector_owner: "",
        template_owner: "",
        needs_selector: true,
        unreadable_selector: Some("invalid label selector"),
        has_claims: false,
    };

    /// Validates selector, template and `minReadySeconds`.
    fn validate(&self, spec: &Json, errors: &mut Errors) {
        let selector = self.selector(spec, errors);
        self.template(spec, selector.as_ref(), errors);
        not_negative(spec, "spec", &["minReadySeconds"], errors);
    }

    /// The selector; `None` if it can't be compared with the labels of a template.
    fn selector(&self, spec: &Json, errors: &mut Errors) -> Option<Selector> {
        let selector = &spec["selector"];
        if selector.is_null() {
            if self.needs_selector {
                errors.push(FieldError::required("spec.selector", ""));
            }
            return Some(Selector::nothing());
        }
        label_selector(selector, "spec.selector", errors);
        if is_empty(selector) {
            let why = format!("empty selector is invalid for {}", self.selector_owner);
            errors.push(FieldError::invalid_json("spec.selector", "{}", why));
            return Some(Selector::everything());
        }
        let parsed = parsed(selector);
        if let (None, Some(why)) = (&parsed, self.unreadable_selector) {
            errors.push(FieldError::invalid_json("spec.selector", shown(selector), why));
        }
        parsed
    }

    fn template(&self, spec: &Json, selector: Option<&Selector>, errors: &mut Errors) {
        let (path, template) = ("spec.template", &spec["template"]);
        let claims = if self.has_claims { &spec["volumeClaimTemplates"] } else { &Json::Null };
        let claims: Vec<&str> = list(claims).map(|claim| text(&claim["metadata"]["name"])).collect();
        let labels = &template["metadata"]["labels"];
        // The malformed selector was reported, so the template is not checked.
        let Some(selector) = selector else {
            if self.unreadable_selector.is_none() {
                pod_spec::template(template, &claims, path, errors);
            }
            return;
        };
        let lookup = labels::from_fn(|key| labels.get(key).and_then(Json::as_str));
        if !selector.matches(&lookup) {
            let why = "`selector` does not match template `labels`";
            wrong("spec.template.metadata.labels", labels, why, errors);
        }
        pod_spec::template(template, &claims, path, errors);
        let policy = template["spec"]["restartPolicy"].as_str().unwrap_or("Always");
        if ["OnFailure", "Never"].contains(&policy) {
            errors.push(FieldError::not_supported("spec.template.spec.restartPolicy", policy, &["Always"]));
        }
        if !template["spec"]["activeDeadlineSeconds"].is_null() {
            let why = format!("activeDeadlineSeconds in {} is not Supported", self.template_owner);
            errors.push(FieldError::forbidden("spec.template.spec.activeDeadlineSeconds", why));
        }
    }
}

/// A selector as the real server prints it, with its fields in a fixed order.
fn shown(selector: &Json) -> String {
    let mut parts = Vec::new();
    if !is_empty(&selector["matchLabels"]) {
        parts.push(format!("\"matchLabels\":{}", selector["matchLabels"]));
    }
    if !is_empty(&selector["matchExpressions"]) {
        parts.push(format!("\"matchExpressions\":{}", selector["matchExpressions"]));
    }
    format!("{{{}}}", parts.join(","))
}

/// A strategy as the real server prints an unknown one.
fn strategy_shown(strategy: &Json) -> String {
    format!("{{\"Type\":{},\"RollingUpdate\":null}}", strategy["type"])
}
