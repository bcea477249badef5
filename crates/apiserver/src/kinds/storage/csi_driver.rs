//! `CSIDriver`.

use client_rs_machinery::{Json, Map, json};

use crate::kinds::rules::{DeleteRules, KindRules};
use crate::kinds::shared::defaulting::{default, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "csidrivers",
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    defaults,
    ..super::SHARED
};

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
