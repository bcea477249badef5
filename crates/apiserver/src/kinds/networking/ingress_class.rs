//! `IngressClass`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "ingressclasses", generation: Generation::SPEC, ..super::SHARED };
