//! `DeviceTaintRule`.

use client_rs_machinery::Time;
use client_rs_machinery::time::age;

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "devicetaintrules",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    stored_version: Some("v1beta2"),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Key", "Key of the taint.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "taint", "key"]))
    }),
    columns::text("Value", "Value of the taint.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "taint", "value"]))
    }),
    columns::text("Effect", "Effect of the taint.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "taint", "effect"]))
    }),
    columns::text("TimeAdded", "Time since the taint was added.", |object, now| {
        let added = columns::at(object, &["spec", "taint", "timeAdded"]).as_str();
        added
            .and_then(|text| text.parse::<Time>().ok())
            .map_or_else(String::new, |time| age(time, now))
            .into()
    }),
    columns::AGE,
];
