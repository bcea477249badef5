//! `ServiceCIDR`.

use crate::kinds::rules::{KindRules, StatusRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "servicecidrs", status: StatusRules::RESETS_METADATA, ..super::SHARED };
