//! `RoleBinding`.

use super::{BINDING_COLUMNS, binding_defaults, validate_binding, validate_binding_update};
use crate::kinds::rules::{Grants, KindRules, Rights};

pub(super) const RULES: KindRules = KindRules {
    plural: "rolebindings",
    columns: Some(BINDING_COLUMNS),
    rights: Rights::grants(Grants::RoleRef),
    defaults: binding_defaults,
    validate: |object, errors| validate_binding(object, true, errors),
    validate_update: validate_binding_update,
    ..super::SHARED
};
