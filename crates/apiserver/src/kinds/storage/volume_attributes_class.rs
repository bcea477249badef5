//! `VolumeAttributesClass`.

use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules =
    KindRules { plural: "volumeattributesclasses", delete: DeleteRules::RETURNS_OBJECT, ..super::SHARED };
