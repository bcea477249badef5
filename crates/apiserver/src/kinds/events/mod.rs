//! `events.k8s.io`.

mod event;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "events.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&event::RULES];
