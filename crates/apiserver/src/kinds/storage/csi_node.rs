//! `CSINode`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "csinodes",
    columns: Some(COLUMNS),
    unconditional_update: false,
    delete: DeleteRules::RETURNS_OBJECT,
    resets: Some(&[&["status"]]),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Drivers", "Number of drivers on the node.", |object, _| {
        columns::list(columns::at(object, &["spec", "drivers"])).count().into()
    }),
    columns::AGE,
];
