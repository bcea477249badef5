//! `ControllerRevision`.

use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "controllerrevisions", generation: Generation::None, ..super::SHARED };
