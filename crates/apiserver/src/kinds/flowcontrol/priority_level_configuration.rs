//! PriorityLevelConfiguration.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules { plural: "prioritylevelconfigurations", ..super::GROUP };
