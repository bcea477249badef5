//! `flowcontrol.apiserver.k8s.io`.

mod flow_schema;
mod priority_level_configuration;

use crate::kinds::rules::{Generation, KindRules};

/// What the kinds of the group share.
const GROUP: KindRules =
    KindRules { group: "flowcontrol.apiserver.k8s.io", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&flow_schema::RULES, &priority_level_configuration::RULES];
