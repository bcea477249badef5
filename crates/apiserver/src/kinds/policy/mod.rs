//! `policy`.

mod pod_disruption_budget;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "policy", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&pod_disruption_budget::RULES] };
