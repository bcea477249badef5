//! `VolumeAttributesClass`.

use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "volumeattributesclasses", returns_deleted: true, ..super::SHARED };
