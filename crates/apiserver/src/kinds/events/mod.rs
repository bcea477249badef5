//! `events.k8s.io`.

mod event;

use crate::kinds::Group;
use crate::kinds::rules::KindRules;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "events.k8s.io", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&event::RULES] };
