//! `VolumeAttributesClass`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "volumeattributesclasses",
    columns: Some(COLUMNS),
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("DriverName", "Driver of the volumes.", |object, _| {
        columns::or_empty(columns::at(object, &["driverName"]))
    }),
    columns::AGE,
];
