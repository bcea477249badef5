//! `autoscaling`.

mod horizontal_pod_autoscaler;
mod versions;

use crate::kinds::Group;
use crate::kinds::rules::{Generation, KindRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules =
    KindRules { group: "autoscaling", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&horizontal_pod_autoscaler::RULES] };
