//! `ServiceCIDR`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "servicecidrs", status_resets_metadata: true, ..super::SHARED };
