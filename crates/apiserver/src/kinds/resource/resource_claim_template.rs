//! `ResourceClaimTemplate`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "resourceclaimtemplates", returns_deleted: true, ..super::SHARED };
