//! The core group.

mod binding;
mod component_status;
mod config_map;
mod endpoints;
pub(crate) mod event;
mod limit_range;
pub(crate) mod namespace;
mod node;
pub(crate) mod persistent_volume;
pub(crate) mod persistent_volume_claim;
mod pod;
mod pod_template;
mod replication_controller;
mod resource_quota;
mod secret;
mod service;
mod service_account;

use client_rs_machinery::{FieldError, Unstructured};

use crate::kinds::Group;
use crate::kinds::rules::{Errors, KindRules};
use crate::kinds::shared::checks::at;

/// The defaults for the kinds of the group.
const SHARED: KindRules = KindRules { group: "", ..KindRules::DEFAULT };

pub(super) const GROUP: Group = Group {
    rules: SHARED,
    kinds: &[
        &binding::RULES,
        &component_status::RULES,
        &config_map::RULES,
        &endpoints::RULES,
        &event::RULES,
        &limit_range::RULES,
        &namespace::RULES,
        &node::RULES,
        &persistent_volume::RULES,
        &persistent_volume_claim::RULES,
        &pod::RULES,
        &pod_template::RULES,
        &replication_controller::RULES,
        &resource_quota::RULES,
        &secret::RULES,
        &service::RULES,
        &service_account::RULES,
    ],
};

/// The protocols of ports.
const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

/// Refuses changes to an object that is marked as immutable, and to the mark.
fn frozen(new: &Unstructured, old: &Unstructured, fields: &[&str], errors: &mut Errors) {
    let is = |object: &Unstructured| at(object, "immutable").as_bool() == Some(true);
    if !is(old) {
        return;
    }
    let why = "field is immutable when `immutable` is set";
    if !is(new) {
        errors.push(FieldError::forbidden("immutable", why));
    }
    for field in fields {
        if at(new, field) != at(old, field) {
            errors.push(FieldError::forbidden(*field, why));
        }
    }
}
