//! `apiregistration.k8s.io`: groups that other servers serve.

mod api_service;

use crate::kinds::rules::{KindRules, NameRule};

/// What the kinds of the group share.
const GROUP: KindRules = KindRules {
    group: "apiregistration.k8s.io",
    name: NameRule::PathSegment,
    unconditional_update: false,
    plain_finalizers: true,
    ..KindRules::DEFAULT
};

pub(super) const KINDS: &[&KindRules] = &[&api_service::RULES];
