//! ClusterRole.

use super::validate_role;
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "clusterroles",
    validate: |object, errors| validate_role(object, false, errors),
    ..super::GROUP
};
