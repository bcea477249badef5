//! `CSINode`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "csinodes",
    unconditional_update: false,
    returns_deleted: true,
    resets: &[("", &[&["status"]])],
    ..super::SHARED
};
