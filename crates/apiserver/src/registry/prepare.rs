//! Sets or resets fields before an object is written. Here are the rules that are the same for all kinds; the rules
//! of a single kind are in its entry.

use client_rs_machinery::{Json, Time, Unstructured};

use super::catalog::Served;
use super::update::Part;
use crate::kinds::Generation;
use crate::kinds::shared::fields::{keep_others, present, reset};

/// Before a create.
pub(super) fn create(served: &Served, object: &mut Unstructured, now: Time) {
    let rules = &served.rules;
    object.object.get_mut("metadata").and_then(Json::as_map_mut).and_then(|meta| meta.remove("generation"));
    if rules.generation != Generation::None {
        object.set_generation(1);
    }
    if served.has("status") && !rules.status.kept_on_create {
        reset(object, "status", None);
    }
    gated(served, object);
    (rules.defaults)(&mut object.object);
    (rules.prepare_create)(object, now);
}

/// Before an update.
pub(super) fn update(served: &Served, part: Part, new: &mut Unstructured, old: &Unstructured, now: Time) {
    let rules = &served.rules;
    new.set_generation(old.generation());
    (rules.defaults)(&mut new.object);
    gated(served, new);
    match part {
        Part::Whole => {
            if served.has("status") {
                reset(new, "status", old.object.get("status"));
            }
            (rules.prepare_update)(new, old);
            let grows = match rules.generation {
                Generation::None => false,
                Generation::Content => content(new) != content(old),
                Generation::With(paths) => paths.iter().any(|path| present(new, path) != present(old, path)),
            };
            if grows {
                new.set_generation(old.generation() + 1);
            }
        }
        Part::Status => {
            keep_others(new, old, "status");
            (rules.status.prepare)(new, old, now);
        }
        Part::Sub(rules) => (rules.prepare)(new, old, now),
    }
}

/// Removes the fields of features that are off.
fn gated(served: &Served, object: &mut Unstructured) {
    for field in served.off {
        drop(object.remove_nested(&["spec", *field]));
    }
}

/// Everything except the metadata.
fn content(object: &Unstructured) -> client_rs_machinery::Map<Json> {
    let mut content = object.object.clone();
    content.remove("metadata");
    content
}
