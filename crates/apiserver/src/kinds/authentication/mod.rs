//! `authentication.k8s.io`: reviews, which are answered and not stored.

mod self_subject_review;
mod token_review;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "authentication.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group =
    Group { rules: SHARED, kinds: &[&self_subject_review::RULES, &token_review::RULES] };
