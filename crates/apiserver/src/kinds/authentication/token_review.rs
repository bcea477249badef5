//! `TokenReview`.

use crate::kinds::rules::{Action, KindRules, Review};

pub(super) const RULES: KindRules =
    KindRules { plural: "tokenreviews", action: Some(Action::Review(Review::Token)), ..super::SHARED };
