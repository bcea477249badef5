//! `VolumeAttachment`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "volumeattachments",
    columns: Some(COLUMNS),
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Attacher", "Driver that attaches the volume.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "attacher"]))
    })
    .of_names(),
    columns::text("PV", "Volume that is attached.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "source", "persistentVolumeName"]))
    }),
    columns::text("Node", "Node that it is attached to.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "nodeName"]))
    }),
    columns::Column::boolean("Attached", "Whether the volume is attached.", |object, _| {
        columns::is_true(columns::at(object, &["status", "attached"]))
    }),
    columns::AGE,
];
