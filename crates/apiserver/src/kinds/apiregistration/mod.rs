//! `apiregistration.k8s.io`: the groups of aggregated API servers.

mod api_service;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, NameRule, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "apiregistration.k8s.io",
    name: NameRule::PathSegment,
    unconditional_update: false,
    plain_finalizers: true,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&api_service::RULES] };
