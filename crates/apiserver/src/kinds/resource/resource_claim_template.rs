//! `ResourceClaimTemplate`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceclaimtemplates",
    columns: Some(COLUMNS),
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[columns::NAME, columns::AGE];
