//! `ResourceSlice`.

use crate::kinds::rules::{DeleteRules, Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceslices",
    generation: Generation::SPEC,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};
