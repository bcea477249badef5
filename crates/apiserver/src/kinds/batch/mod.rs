//! `batch`: what runs pods to their end.

mod cron_job;
mod job;
mod schedule;

use crate::kinds::Group;
use crate::kinds::rules::{Generation, KindRules};

/// What the kinds of the group share.
const SHARED: KindRules = KindRules { group: "batch", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&cron_job::RULES, &job::RULES] };
