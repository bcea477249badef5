//! `Role`.

use super::validate_role;
use crate::kinds::rules::{Grants, KindRules, Rights};

pub(super) const RULES: KindRules = KindRules {
    plural: "roles",
    rights: Rights::grants(Grants::OwnRules),
    validate: |object, errors| validate_role(object, true, errors),
    ..super::SHARED
};
