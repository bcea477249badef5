//! `DeviceClass`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "deviceclasses",
    generation: Generation::SPEC,
    returns_deleted: true,
    ..super::SHARED
};
