//! `discovery.k8s.io`.

mod endpoint_slice;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "discovery.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&endpoint_slice::RULES];
