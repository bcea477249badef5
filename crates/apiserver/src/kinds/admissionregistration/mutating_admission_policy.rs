//! `MutatingAdmissionPolicy`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "mutatingadmissionpolicies", generation: Generation::SPEC, ..super::SHARED };
