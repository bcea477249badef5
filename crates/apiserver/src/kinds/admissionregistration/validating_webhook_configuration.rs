//! `ValidatingWebhookConfiguration`.

use super::webhooks;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "validatingwebhookconfigurations",
    columns: Some(COLUMNS),
    generation: Generation::With(&[&["webhooks"]]),
    defaults: |object| webhooks::defaults(object, false),
    validate: webhooks::validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Webhooks", "Number of webhooks.", |object, _| {
        columns::list(columns::at(object, &["webhooks"])).count().into()
    }),
    columns::AGE,
];
