//! `SelfSubjectAccessReview`.

use crate::kinds::rules::{Action, KindRules, Review};

pub(super) const RULES: KindRules = KindRules {
    plural: "selfsubjectaccessreviews",
    action: Some(Action::Review(Review::OwnAccess)),
    ..super::SHARED
};
