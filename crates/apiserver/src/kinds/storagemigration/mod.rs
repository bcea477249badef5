//! `storagemigration.k8s.io`.

mod storage_version_migration;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "storagemigration.k8s.io",
    unconditional_update: false,
    stored_version: Some("v1beta1"),
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&storage_version_migration::RULES] };
