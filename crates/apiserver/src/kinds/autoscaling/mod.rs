//! `autoscaling`.

mod horizontal_pod_autoscaler;
mod versions;

use crate::kinds::rules::{Generation, KindRules};

/// What the kinds of the group share.
const GROUP: KindRules =
    KindRules { group: "autoscaling", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&horizontal_pod_autoscaler::RULES];
