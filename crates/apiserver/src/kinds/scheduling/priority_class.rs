//! `PriorityClass`.

use client_rs_machinery::{ApiError, FieldError, GroupResource, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{AdmissionPlugin, Errors, Generation, KindRules, WriteContext, Written};
use crate::kinds::shared::checks::{IMMUTABLE, at, text};
use crate::kinds::shared::defaulting::default;

pub(super) const RULES: KindRules = KindRules {
    plural: "priorityclasses",
    columns: Some(COLUMNS),
    generation: Generation::With(&[]),
    defaults: |object| default(object, "preemptionPolicy", "PreemptLowerPriority"),
    validate,
    validate_update,
    check_admission: Some(check_default),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Value", "Priority of the pods.", |object, _| {
        columns::number(columns::at(object, &["value"])).into()
    }),
    columns::Column::boolean("Global-Default", "Whether pods without a class have this one.", |object, _| {
        (columns::at(object, &["globalDefault"]).as_bool() == Some(true)).into()
    }),
    columns::AGE,
    columns::text("PreemptionPolicy", "Whether the pods may displace others.", |object, _| {
        columns::or_empty(columns::at(object, &["preemptionPolicy"]))
    }),
];

/// The highest priority that users can set.
const HIGHEST: i64 = 1_000_000_000;

/// Refuses a second global default.
fn check_default(write: &Written<'_>, context: &dyn WriteContext) -> Result<(), ApiError> {
    if !context.runs(AdmissionPlugin::Priority) {
        return Ok(());
    }
    let is_default = |class: &Unstructured| at(class, "globalDefault").as_bool() == Some(true);
    let mut other = None;
    if is_default(write.new) {
        context.each(RULES.group, RULES.plural, &mut |class| {
            if is_default(class) && (write.old.is_none() || class.name() != write.new.name()) {
                other.get_or_insert_with(|| class.name().to_owned());
            }
        });
    }
    let Some(other) = other else { return Ok(()) };
    let why = format!("PriorityClass {other} is already marked as default. Only one default can exist");
    Err(ApiError::forbidden(&GroupResource::new(RULES.group, RULES.plural), write.new.name(), why))
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let name = object.name();
    if name.starts_with("system-") {
        if !["system-cluster-critical", "system-node-critical"].contains(&name) {
            let why = format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {name} is not a \
                 known system priority class"
            );
            errors.push(FieldError::forbidden("metadata.name", why));
        }
    } else if at(object, "value").as_i64().is_some_and(|value| value > HIGHEST) {
        let why = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        errors.push(FieldError::forbidden("value", why));
    }
    let policy = text(at(object, "preemptionPolicy"));
    if !["", "PreemptLowerPriority", "Never"].contains(&policy) {
        let supported = ["PreemptLowerPriority", "Never"];
        errors.push(FieldError::not_supported("preemptionPolicy", policy, &supported));
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    if at(new, "value") != at(old, "value") {
        errors.push(FieldError::forbidden("value", "may not be changed in an update."));
    }
    let policy = at(new, "preemptionPolicy");
    if policy != at(old, "preemptionPolicy") {
        errors.push(FieldError::invalid("preemptionPolicy", text(policy), IMMUTABLE));
    }
}
