//! `ClusterRoleBinding`.

use super::{binding_defaults, validate_binding, validate_binding_update};
use crate::kinds::rules::{Grants, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "clusterrolebindings",
    grants: Some(Grants::RoleRef),
    defaults: binding_defaults,
    validate: |object, errors| validate_binding(object, false, errors),
    validate_update: validate_binding_update,
    ..super::SHARED
};
