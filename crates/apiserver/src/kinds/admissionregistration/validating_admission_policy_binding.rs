//! `ValidatingAdmissionPolicyBinding`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "validatingadmissionpolicybindings", generation: Generation::SPEC, ..super::SHARED };
