//! `ResourceClaim`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "resourceclaims", returns_deleted: true, ..super::SHARED };
