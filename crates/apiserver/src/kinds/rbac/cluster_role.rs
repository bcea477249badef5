//! `ClusterRole`.

use super::validate_role;
use crate::kinds::rules::{Grants, KindRules, Rights};

pub(super) const RULES: KindRules = KindRules {
    plural: "clusterroles",
    rights: Rights::grants(Grants::Aggregated),
    validate: |object, errors| validate_role(object, false, errors),
    ..super::SHARED
};
