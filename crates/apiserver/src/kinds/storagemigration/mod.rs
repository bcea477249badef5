//! `storagemigration.k8s.io`.

mod storage_version_migration;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "storagemigration.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&storage_version_migration::RULES];
