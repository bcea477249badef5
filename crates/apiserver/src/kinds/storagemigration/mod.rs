//! `storagemigration.k8s.io`.

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// What the kinds of the group share.
const SHARED: KindRules = KindRules {
    group: "storagemigration.k8s.io",
    unconditional_update: false,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[] };
