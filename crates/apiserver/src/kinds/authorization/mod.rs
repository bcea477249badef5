//! `authorization.k8s.io`: questions, which are answered and not stored.

mod local_subject_access_review;
mod self_subject_access_review;
mod self_subject_rules_review;
mod subject_access_review;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
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
