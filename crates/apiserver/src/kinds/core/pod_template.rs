//! `PodTemplate`.

use crate::kinds::rules::{DeleteRules, Generation, KindRules};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "podtemplates",
    generation: Generation::With(&[&["template"]]),
    delete: DeleteRules::RETURNS_OBJECT,
    defaults: |object| pod_defaults::template(object, &["template"]),
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["template"], context);
        Ok(())
    }),
    ..super::SHARED
};
