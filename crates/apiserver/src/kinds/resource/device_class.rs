//! `DeviceClass`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "deviceclasses",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[columns::NAME, columns::AGE];
