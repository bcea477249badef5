//! `scheduling.k8s.io`.

mod priority_class;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "scheduling.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&priority_class::RULES];
