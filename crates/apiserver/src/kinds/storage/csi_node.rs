//! `CSINode`.

use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "csinodes",
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    resets: Some(&[&["status"]]),
    ..super::SHARED
};
