//! `ComponentStatus`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "componentstatuses",
    deprecated: Some("v1 ComponentStatus is deprecated in v1.19+"),
    ..super::SHARED
};
