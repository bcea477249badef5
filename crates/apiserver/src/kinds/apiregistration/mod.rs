//! `apiregistration.k8s.io`: groups that other servers serve.

mod api_service;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, NameRule, StatusRules};

/// What the kinds of the group share.
const SHARED: KindRules = KindRules {
    group: "apiregistration.k8s.io",
    name: NameRule::PathSegment,
    unconditional_update: false,
    plain_finalizers: true,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&api_service::RULES] };
