//! `ClusterRole`.

use super::validate_role;
use crate::kinds::rules::{Grants, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "clusterroles",
    grants: Some(Grants::Aggregated),
    validate: |object, errors| validate_role(object, false, errors),
    ..super::SHARED
};
