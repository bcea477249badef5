//! `ResourceSlice`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceslices",
    generation: Generation::SPEC,
    returns_deleted: true,
    ..super::SHARED
};
