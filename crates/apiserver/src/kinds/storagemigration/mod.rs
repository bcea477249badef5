//! `storagemigration.k8s.io`.

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const SHARED: KindRules = KindRules {
    group: "storagemigration.k8s.io",
    unconditional_update: false,
    status_resets_metadata: true,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[] };
