//! `SubjectAccessReview`.

use crate::kinds::rules::{Action, KindRules, Review};

pub(super) const RULES: KindRules = KindRules {
    plural: "subjectaccessreviews",
    action: Some(Action::Review(Review::Access)),
    ..super::SHARED
};
