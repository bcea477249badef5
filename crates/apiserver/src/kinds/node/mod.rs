//! `node.k8s.io`.

mod runtime_class;

use crate::kinds::rules::KindRules;

/// What the kinds of the group share.
const GROUP: KindRules = KindRules { group: "node.k8s.io", ..KindRules::DEFAULT };

pub(super) const KINDS: &[&KindRules] = &[&runtime_class::RULES];
