//! `ResourceClaimTemplate`.

use super::resource_claim;
use crate::kinds::rules::{DeleteRules, KindRules};
use crate::kinds::shared::defaulting::within;

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceclaimtemplates",
    defaults: |object| resource_claim::spec_defaults(within(within(object, "spec"), "spec")),
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};
