//! `scheduling.k8s.io`.

mod priority_class;

use crate::kinds::Group;
use crate::kinds::rules::{KindRules, StatusRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules =
    KindRules { group: "scheduling.k8s.io", status: StatusRules::RESETS_METADATA, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&priority_class::RULES] };
