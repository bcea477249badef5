//! `ServiceAccount`.

mod token;

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, KindRules, Serves, Subresource};

pub(super) const RULES: KindRules = KindRules {
    plural: "serviceaccounts",
    columns: Some(COLUMNS),
    subresources: &[Subresource::new("token", Serves::Post(&token::TOKEN))],
    delete: DeleteRules::RETURNS_OBJECT,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[columns::NAME, columns::AGE];
