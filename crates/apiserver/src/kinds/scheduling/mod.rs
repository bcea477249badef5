//! `scheduling.k8s.io`.

mod priority_class;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// What the kinds of the group share.
const SHARED: KindRules =
    KindRules { group: "scheduling.k8s.io", status: StatusRules::RESETS_METADATA, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&priority_class::RULES] };
