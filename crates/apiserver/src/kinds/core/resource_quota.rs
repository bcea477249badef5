//! `ResourceQuota`.

use client_rs_machinery::{FieldError, Quantity, Unstructured, validation};

use crate::kinds::rules::{DeleteRules, Errors, KindRules, QuotaRules};
use crate::kinds::shared::checks::{NOT_NEGATIVE, at, immutable, invalid, list, quantity, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourcequotas",
    quota: QuotaRules::counted("resourcequotas"),
    delete: DeleteRules::RETURNS_OBJECT,
    validate,
    validate_update: |new, old, errors| immutable(&["spec", "scopes"], new, old, errors),
    ..super::SHARED
};

fn validate(object: &Unstructured, errors: &mut Errors) {
    const NAMES: &[&str] = &[
        "cpu",
        "memory",
        "ephemeral-storage",
        "requests.cpu",
        "requests.memory",
        "requests.storage",
        "requests.ephemeral-storage",
        "limits.cpu",
        "limits.memory",
        "limits.ephemeral-storage",
        "pods",
        "services",
        "replicationcontrollers",
        "resourcequotas",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    ];
    const SCOPES: &[&str] = &[
        "BestEffort",
        "CrossNamespacePodAffinity",
        "NotBestEffort",
        "NotTerminating",
        "PriorityClass",
        "Terminating",
        "VolumeAttributesClass",
    ];
    let spec = at(object, "spec");
    for (name, amount) in spec["hard"].as_map().into_iter().flatten() {
        let path = format!("spec.hard[{name}]");
        invalid(&path, name, validation::qualified_name(name), errors);
        if !name.contains('/') && !NAMES.contains(&name.as_str()) {
            for what in ["resource type or fully qualified", "resource for quota"] {
                errors.push(FieldError::invalid(path.as_str(), name, format!("must be a standard {what}")));
            }
        }
        if quantity(amount).is_some_and(|amount| amount < Quantity::default()) {
            errors.push(FieldError::invalid(path, text(amount), NOT_NEGATIVE));
        }
    }
    if list(&spec["scopes"]).any(|scope| !SCOPES.contains(&text(scope))) {
        wrong("spec.scopes", &spec["scopes"], "unsupported scope", errors);
    }
}
