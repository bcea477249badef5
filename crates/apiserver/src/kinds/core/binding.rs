//! `Binding`: it is not stored, it binds a pod.

use crate::kinds::rules::{Action, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "bindings", action: Some(Action::BindPod), ..super::SHARED };
