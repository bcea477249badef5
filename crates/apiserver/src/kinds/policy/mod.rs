//! `policy`.

mod pod_disruption_budget;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "policy", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&pod_disruption_budget::RULES];
