//! `CSIStorageCapacity`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "csistoragecapacities",
    columns: Some(COLUMNS),
    unconditional_update: false,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("StorageClassName", "Storage class of the volumes.", |object, _| {
        columns::or_empty(columns::at(object, &["storageClassName"]))
    }),
    columns::text("Capacity", "How much is left.", |object, _| {
        columns::or_unset(columns::at(object, &["capacity"]))
    }),
];
