//! `SelfSubjectReview`.

use crate::kinds::rules::{Action, KindRules, Review};

pub(super) const RULES: KindRules = KindRules {
    plural: "selfsubjectreviews",
    action: Some(Action::Review(Review::OwnIdentity)),
    ..super::SHARED
};
