//! `resource.k8s.io`.

mod device_class;
mod device_taint_rule;
mod resource_claim;
mod resource_claim_template;
mod resource_slice;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules =
    KindRules { group: "resource.k8s.io", status: StatusRules::RESETS_METADATA, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &device_class::RULES,
        &device_taint_rule::RULES,
        &resource_claim::RULES,
        &resource_claim_template::RULES,
        &resource_slice::RULES,
    ],
};
