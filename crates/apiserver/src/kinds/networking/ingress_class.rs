//! `IngressClass`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "ingressclasses",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Controller", "Controller of the class.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "controller"]))
    }),
    columns::text("Parameters", "Object with the parameters of the class.", |object, _| {
        let parameters = columns::at(object, &["spec", "parameters"]);
        let part = |field: &str| parameters[field].as_str().unwrap_or_default();
        if parameters.is_null() {
            return "<none>".into();
        }
        let dot = if part("apiGroup").is_empty() { "" } else { "." };
        format!("{}{dot}{}/{}", part("kind"), part("apiGroup"), part("name")).into()
    }),
    columns::AGE,
];
