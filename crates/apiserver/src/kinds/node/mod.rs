//! `node.k8s.io`.

mod runtime_class;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "node.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&runtime_class::RULES] };
