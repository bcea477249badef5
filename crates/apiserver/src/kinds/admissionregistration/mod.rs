//! `admissionregistration.k8s.io`. Webhooks never review its kinds.

mod expressions;
mod matching;
mod mutating_admission_policy;
mod mutating_admission_policy_binding;
mod mutating_webhook_configuration;
pub(crate) mod types;
mod validating_admission_policy;
mod validating_admission_policy_binding;
mod validating_webhook_configuration;
mod webhooks;

pub(crate) use expressions::{ExpressionError, Expressions, Types, Use};

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "admissionregistration.k8s.io",
    unconditional_update: false,
    exempt_from_webhooks: true,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &mutating_admission_policy::RULES,
        &mutating_admission_policy_binding::RULES,
        &mutating_webhook_configuration::RULES,
        &validating_admission_policy::RULES,
        &validating_admission_policy_binding::RULES,
        &validating_webhook_configuration::RULES,
    ],
};
