//! `MutatingAdmissionPolicyBinding`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "mutatingadmissionpolicybindings", generation: Generation::SPEC, ..super::SHARED };
