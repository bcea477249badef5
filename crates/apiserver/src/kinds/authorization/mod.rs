//! `authorization.k8s.io`: reviews, which are answered and not stored.

mod local_subject_access_review;
mod self_subject_access_review;
mod self_subject_rules_review;
mod subject_access_review;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "authorization.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &local_subject_access_review::RULES,
        &self_subject_access_review::RULES,
        &self_subject_rules_review::RULES,
        &subject_access_review::RULES,
    ],
};
