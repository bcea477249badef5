//! `apiextensions.k8s.io`: definitions of custom resources.

mod custom_resource_definition;

use crate::kinds::Group;
use crate::kinds::rules::{Generation, KindRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "apiextensions.k8s.io",
    generation: Generation::SPEC,
    unconditional_update: false,
    plain_finalizers: true,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&custom_resource_definition::RULES] };
