//! `ResourceQuota`.

use client_rs_machinery::{FieldError, Json, Quantity, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Errors, KindRules, QuotaRules, StatusRules};
use crate::kinds::shared::checks::{NOT_NEGATIVE, at, immutable, invalid, list, quantity, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourcequotas",
    columns: Some(COLUMNS),
    quota: QuotaRules::counted("resourcequotas"),
    delete: DeleteRules::RETURNS_OBJECT,
    status: StatusRules {
        validate: |new, _, errors| {
            for field in ["hard", "used"] {
                amounts(&at(new, "status")[field], &format!("status.{field}"), errors);
            }
        },
        ..StatusRules::DEFAULT
    },
    validate,
    validate_update: |new, old, errors| immutable(&["spec", "scopes"], new, old, errors),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Request", "Usage and limits of requests.", |object, _| usage(object, false)),
    columns::text("Limit", "Usage and limits of limits.", |object, _| usage(object, true)),
    columns::AGE,
];

/// The usage of the resources whose names begin with `limits`, or of the others.
fn usage(object: &Unstructured, limits: bool) -> Json {
    let (hard, used) = (columns::at(object, &["status", "hard"]), columns::at(object, &["status", "used"]));
    let all = hard.as_map().into_iter().flatten().filter(|(name, _)| name.starts_with("limits") == limits);
    let all: Vec<String> =
        all.map(|(name, most)| format!("{name}: {}/{}", text(&used[name.as_str()]), text(most))).collect();
    all.join(", ").into()
}

/// The resources without a domain.
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

/// Validates the amounts of resources.
fn amounts(amounts: &Json, path: &str, errors: &mut Errors) {
    for (name, amount) in amounts.as_map().into_iter().flatten() {
        let path = format!("{path}[{name}]");
        let before = errors.len();
        invalid(&path, name, validation::qualified_name(name), errors);
        let malformed = errors.len() > before;
        if !name.contains('/') && !NAMES.contains(&name.as_str()) {
            let mut refuse = |what: &str| {
                errors.push(FieldError::invalid(path.as_str(), name, format!("must be a standard {what}")));
            };
            if !malformed {
                refuse("resource type or fully qualified");
            }
            refuse("resource for quota");
        }
        if quantity(amount).is_some_and(|amount| amount < Quantity::default()) {
            errors.push(FieldError::invalid(path, text(amount), NOT_NEGATIVE));
        }
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
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
    amounts(&spec["hard"], "spec.hard", errors);
    if list(&spec["scopes"]).any(|scope| !SCOPES.contains(&text(scope))) {
        wrong("spec.scopes", &spec["scopes"], "unsupported scope", errors);
    }
}
