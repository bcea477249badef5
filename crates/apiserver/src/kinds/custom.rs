//! The entry of custom resources: the facts that all of them share. What one of them has of its own is in its definition,
//! which [`Rules::Custom`](super::Rules::Custom) holds.

use super::columns::NAME;
use super::rules::{Generation, KindRules};
use crate::custom::Custom;

pub(crate) const RULES: KindRules = KindRules {
    generation: Generation::Content,
    unconditional_update: false,
    plain_finalizers: true,
    own_labels: true,
    status_resets_metadata: true,
    columns: Some(&[NAME]),
    warnings: Custom::finalizer_warnings,
    ..KindRules::DEFAULT
};
