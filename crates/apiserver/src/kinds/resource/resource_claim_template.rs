//! `ResourceClaimTemplate`.

use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "resourceclaimtemplates", delete: DeleteRules::RETURNS_OBJECT, ..super::SHARED };
