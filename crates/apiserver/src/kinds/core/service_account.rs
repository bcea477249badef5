//! `ServiceAccount`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "serviceaccounts", returns_deleted: true, columns: Some(COLUMNS), ..super::SHARED };

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Secrets", "How many secrets it names.", |object, _| {
        columns::list(columns::at(object, &["secrets"])).count().into()
    }),
    columns::AGE,
];
