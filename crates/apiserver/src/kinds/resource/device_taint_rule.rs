//! `DeviceTaintRule`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "devicetaintrules",
    generation: Generation::SPEC,
    stored_version: Some("v1beta2"),
    ..super::SHARED
};
