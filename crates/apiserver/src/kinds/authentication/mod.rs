//! `authentication.k8s.io`: questions, which are answered and not stored.

mod self_subject_review;
mod token_review;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const SHARED: KindRules = KindRules { group: "authentication.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group =
    Group { rules: SHARED, kinds: &[&self_subject_review::RULES, &token_review::RULES] };
