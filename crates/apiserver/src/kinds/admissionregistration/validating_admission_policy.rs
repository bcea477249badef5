//! `ValidatingAdmissionPolicy`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "validatingadmissionpolicies", generation: Generation::SPEC, ..super::SHARED };
