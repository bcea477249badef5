//! `MutatingWebhookConfiguration`.

use super::webhooks;
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "mutatingwebhookconfigurations",
    generation: Generation::With(&[&["webhooks"]]),
    defaults: |object| webhooks::defaults(object, true),
    validate: webhooks::validate,
    ..super::SHARED
};
