//! `ResourceClaim`.

use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "resourceclaims", delete: DeleteRules::RETURNS_OBJECT, ..super::SHARED };
