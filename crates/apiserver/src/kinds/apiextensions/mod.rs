//! `apiextensions.k8s.io`: definitions of custom resources.

mod custom_resource_definition;

use crate::kinds::rules::{Generation, KindRules};

/// What the kinds of the group share.
const GROUP: KindRules = KindRules {
    group: "apiextensions.k8s.io",
    generation: Generation::SPEC,
    unconditional_update: false,
    plain_finalizers: true,
    ..KindRules::DEFAULT
};

pub(super) const KINDS: &[&KindRules] = &[&custom_resource_definition::RULES];
