//! `Role`.

use super::validate_role;
use crate::kinds::rules::{Grants, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "roles",
    grants: Some(Grants::OwnRules),
    validate: |object, errors| validate_role(object, true, errors),
    ..super::SHARED
};
