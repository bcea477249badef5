//! `VolumeAttachment`.

use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "volumeattachments",
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};
