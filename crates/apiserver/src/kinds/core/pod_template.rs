//! `PodTemplate`.

use crate::kinds::rules::{DeleteRules, Generation, KindRules};
use crate::kinds::shared::pod_defaults;

pub(super) const RULES: KindRules = KindRules {
    plural: "podtemplates",
    generation: Generation::With(&[&["template"]]),
    delete: DeleteRules::RETURNS_OBJECT,
    defaults: |object| pod_defaults::template(object, &["template"]),
    ..super::SHARED
};
