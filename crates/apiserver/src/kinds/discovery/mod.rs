//! `discovery.k8s.io`.

mod endpoint_slice;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "discovery.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&endpoint_slice::RULES] };
