//! `batch`: workloads that run to completion.

mod cron_job;
mod job;
mod job_status;
mod schedule;

use crate::kinds::Group;
use crate::kinds::rules::{Generation, KindRules};

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "batch", generation: Generation::SPEC, ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group { rules: SHARED, kinds: &[&cron_job::RULES, &job::RULES] };
