//! LeaseCandidate.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules { plural: "leasecandidates", ..super::GROUP };
