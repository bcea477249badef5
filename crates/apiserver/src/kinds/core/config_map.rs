//! `ConfigMap`.

use client_rs_machinery::{FieldError, Unstructured, validation};

use super::frozen;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, QuotaRules};
use crate::kinds::shared::checks::{at, invalid};

pub(super) const RULES: KindRules = KindRules {
    plural: "configmaps",
    quota: QuotaRules::counted("configmaps"),
    columns: Some(COLUMNS),
    validate,
    validate_update: |new, old, errors| frozen(new, old, &["data", "binaryData"], errors),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Data", "Number of entries.", |object, _| {
        (columns::entries(columns::at(object, &["data"]))
            + columns::entries(columns::at(object, &["binaryData"])))
        .into()
    }),
    columns::AGE,
];

fn validate(object: &Unstructured, errors: &mut Errors) {
    let (data, binary) = (at(object, "data"), at(object, "binaryData"));
    for (field, map) in [("data", data), ("binaryData", binary)] {
        for (key, _) in map.as_map().into_iter().flatten() {
            let path = format!("{field}[{key}]");
            invalid(&path, key, validation::config_map_key(key), errors);
            if field == "data" && binary.get(key.as_str()).is_some() {
                errors.push(FieldError::invalid(path, key, "duplicate of key present in binaryData"));
            }
        }
    }
}
