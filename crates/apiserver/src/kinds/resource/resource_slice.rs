//! `ResourceSlice`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "resourceslices",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Node", "Node that has the devices.", |object, _| {
        columns::or_unset(columns::at(object, &["spec", "nodeName"]))
    }),
    columns::text("Driver", "Driver of the devices.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "driver"]))
    }),
    columns::text("Pool", "Pool of the devices.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "pool", "name"]))
    }),
    columns::AGE,
];
