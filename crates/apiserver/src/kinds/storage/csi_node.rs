//! `CSINode`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "csinodes",
    resets: &[("", &[&["status"]])],
    unconditional_update: false,
    returns_deleted: true,
    ..super::SHARED
};
