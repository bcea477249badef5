//! `RoleBinding`.

use super::{binding_defaults, validate_binding, validate_binding_update};
use crate::kinds::rules::{Grants, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "rolebindings",
    grants: Some(Grants::RoleRef),
    defaults: binding_defaults,
    validate: |object, errors| validate_binding(object, true, errors),
    validate_update: validate_binding_update,
    ..super::SHARED
};
