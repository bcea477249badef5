//! `resource.k8s.io`.

mod device_class;
mod device_taint_rule;
mod resource_claim;
mod resource_claim_template;
mod resource_slice;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "resource.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[
    &device_class::RULES,
    &device_taint_rule::RULES,
    &resource_claim::RULES,
    &resource_claim_template::RULES,
    &resource_slice::RULES,
];
