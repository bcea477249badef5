//! `CSIStorageCapacity`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "csistoragecapacities", unconditional_update: false, ..super::SHARED };
