//! Role.

use super::validate_role;
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "roles",
    validate: |object, errors| validate_role(object, true, errors),
    ..super::GROUP
};
