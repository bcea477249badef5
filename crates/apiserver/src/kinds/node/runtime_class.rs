//! `RuntimeClass`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "runtimeclasses",
    columns: Some(COLUMNS),
    create_on_update: true,
    unconditional_update: false,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Handler", "Handler of the container runtime.", |object, _| {
        columns::or_empty(columns::at(object, &["handler"]))
    }),
    columns::AGE,
];
