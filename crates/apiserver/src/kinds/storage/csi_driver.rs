//! `CSIDriver`.

use client_rs_machinery::{Json, Map, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};
use crate::kinds::shared::defaulting::{default, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "csidrivers",
    columns: Some(COLUMNS),
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    defaults,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::Column::boolean("AttachRequired", "Whether volumes have to be attached.", |object, _| {
        columns::is_true(columns::at(object, &["spec", "attachRequired"]))
    }),
    columns::Column::boolean(
        "PodInfoOnMount",
        "Whether the driver gets the names of the pod.",
        |object, _| columns::is_true(columns::at(object, &["spec", "podInfoOnMount"])),
    ),
    columns::Column::boolean(
        "StorageCapacity",
        "Whether the driver reports how much it has left.",
        |object, _| columns::is_true(columns::at(object, &["spec", "storageCapacity"])),
    ),
    columns::text("TokenRequests", "Audiences of the tokens that the driver gets.", |object, _| {
        let all: Vec<&str> = columns::list(columns::at(object, &["spec", "tokenRequests"]))
            .map(|one| one["audience"].as_str().unwrap_or_default())
            .collect();
        if all.is_empty() { "<unset>".into() } else { all.join(",").into() }
    }),
    columns::Column::boolean(
        "RequiresRepublish",
        "Whether volumes are published again and again.",
        |object, _| columns::is_true(columns::at(object, &["spec", "requiresRepublish"])),
    ),
    columns::text("Modes", "How long the volumes live.", |object, _| {
        let all: Vec<&str> = columns::list(columns::at(object, &["spec", "volumeLifecycleModes"]))
            .filter_map(Json::as_str)
            .collect();
        if all.is_empty() { "<none>".into() } else { all.join(",").into() }
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "attachRequired", true);
    default(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    for flag in [
        "podInfoOnMount",
        "preventPodSchedulingIfMissing",
        "requiresRepublish",
        "seLinuxMount",
        "storageCapacity",
    ] {
        default(spec, flag, false);
    }
    default(spec, "volumeLifecycleModes", json!(["Persistent"]));
}
