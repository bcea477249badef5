//! `flowcontrol.apiserver.k8s.io`.

mod flow_schema;
mod priority_level_configuration;

use crate::kinds::Group;
use crate::kinds::rules::{Generation, KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules {
    group: "flowcontrol.apiserver.k8s.io",
    generation: Generation::SPEC,
    status: StatusRules::RESETS_METADATA,
    ..KindRules::DEFAULT
};

pub(super) const GROUP: Group =
    Group { rules: SHARED, kinds: &[&flow_schema::RULES, &priority_level_configuration::RULES] };
