//! `RuntimeClass`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "runtimeclasses",
    create_on_update: true,
    unconditional_update: false,
    ..super::SHARED
};
