//! `Binding`: it is not stored; creating it binds a pod.

use super::pod;
use crate::kinds::rules::{Action, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "bindings",
    action: Some(Action::Post { plural: "pods", post: &pod::BINDING }),
    ..super::SHARED
};
