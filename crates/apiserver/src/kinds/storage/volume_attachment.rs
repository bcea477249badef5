//! `VolumeAttachment`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "volumeattachments",
    unconditional_update: false,
    returns_deleted: true,
    ..super::SHARED
};
