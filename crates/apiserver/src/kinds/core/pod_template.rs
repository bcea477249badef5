//! `PodTemplate`.

use crate::kinds::rules::{Generation, KindRules};
use crate::kinds::shared::pod_defaults;

pub(super) const RULES: KindRules = KindRules {
    plural: "podtemplates",
    generation: Generation::With(&[&["template"]]),
    returns_deleted: true,
    defaults: |object| pod_defaults::template(object, &["template"]),
    ..super::SHARED
};
