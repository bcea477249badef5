//! `PodTemplate`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Generation, KindRules};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "podtemplates",
    columns: Some(COLUMNS),
    generation: Generation::With(&[&["template"]]),
    delete: DeleteRules::RETURNS_OBJECT,
    defaults: |object| pod_defaults::template(object, &["template"]),
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Containers", "Names of the containers in the template.", |object, _| {
        columns::joined(columns::at(object, &["template", "spec", "containers"]), "name")
    }),
    columns::text("Images", "Images of the containers in the template.", |object, _| {
        columns::joined(columns::at(object, &["template", "spec", "containers"]), "image")
    }),
    columns::text("Pod Labels", "Labels of the pods.", |object, _| {
        columns::pairs(columns::at(object, &["template", "metadata", "labels"]))
    }),
];
