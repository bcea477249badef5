//! `coordination.k8s.io`.

mod lease;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "coordination.k8s.io",
    create_on_update: true,
    unconditional_update: false,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&lease::RULES] };
