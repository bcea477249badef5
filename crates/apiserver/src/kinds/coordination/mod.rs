//! `coordination.k8s.io`.

mod lease;
mod lease_candidate;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules {
    group: "coordination.k8s.io",
    create_on_update: true,
    unconditional_update: false,
    ..KindRules::DEFAULT
};

pub(super) const KINDS: &[&KindRules] = &[&lease::RULES, &lease_candidate::RULES];
