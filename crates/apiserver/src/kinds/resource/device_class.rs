//! `DeviceClass`.

use crate::kinds::rules::{DeleteRules, Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "deviceclasses",
    generation: Generation::SPEC,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};
