//! `ResourceClaimTemplate`.

use super::resource_claim;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};
use crate::kinds::shared::defaulting::within;

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceclaimtemplates",
    columns: Some(COLUMNS),
    defaults: |object| resource_claim::spec_defaults(within(within(object, "spec"), "spec")),
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[columns::NAME, columns::AGE];
