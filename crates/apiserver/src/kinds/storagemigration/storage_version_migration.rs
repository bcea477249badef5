//! StorageVersionMigration.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "storageversionmigrations", unconditional_update: false, ..super::GROUP };
