//! `ValidatingWebhookConfiguration`.

use super::webhooks;
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "validatingwebhookconfigurations",
    generation: Generation::With(&[&["webhooks"]]),
    defaults: |object| webhooks::defaults(object, false),
    validate: webhooks::validate,
    ..super::SHARED
};
