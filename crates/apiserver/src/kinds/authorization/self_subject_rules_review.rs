//! `SelfSubjectRulesReview`.

use crate::kinds::rules::{Action, KindRules, Review};

pub(super) const RULES: KindRules = KindRules {
    plural: "selfsubjectrulesreviews",
    action: Some(Action::Review(Review::OwnRules)),
    ..super::SHARED
};
