//! Patches of all three kinds.

use client_rs_api::{apps, core, policy};
use client_rs_machinery::Json;
use client_rs_machinery::patch::strategic::{self, ThreeWayOptions};
use client_rs_machinery::patch::{JsonPatch, Patch, PatchType, Precondition, merge_patch};
use client_rs_machinery::wire::{Descriptor, Message};

use super::{json, sections};

/// Values are compared and copied as a whole: larger ones only take time.
const MAX_LENGTH: usize = 8 * 1024;

/// The diff of two documents changes the first into the second. A patch is applied or refused.
pub fn json_patch(data: &[u8]) {
    if data.len() > MAX_LENGTH {
        return;
    }
    let [original, modified, patch] = sections(data);
    let Some(original) = json(original) else { return };
    if let Ok(patch) = JsonPatch::parse(patch) {
        let written = patch.to_json();
        assert_eq!(JsonPatch::from_json(&written).map(|again| again.to_json()), Ok(written));
        let _ = patch.apply(&original);
    }
    let Some(modified) = json(modified) else { return };
    let diff = JsonPatch::diff(&original, &modified);
    assert_eq!(diff.apply(&original).as_ref(), Ok(&modified), "{diff:?}");
    assert!(JsonPatch::diff(&original, &original).0.is_empty());
}

/// The diff of two documents changes the first into the second, where a merge patch can express it.
pub fn merge_patch(data: &[u8]) {
    if data.len() > MAX_LENGTH {
        return;
    }
    let [original, modified, current] = sections(data).map(json);
    let (Some(original), Some(modified)) = (original, modified) else { return };
    // Like Go, and so like a server, `null` is dropped from objects in a list, unless the list takes the place of an object.
    if !has_null_in_list(&modified, false) {
        let merged = merge_patch::apply(&original, &modified);
        assert_eq!(merge_patch::apply(&merged, &modified), merged, "a second time changes nothing");
        if original.as_map().is_some()
            && modified.as_map().is_some()
            && !has_null(&original)
            && !has_null(&modified)
        {
            let diff = merge_patch::diff(&original, &modified);
            assert_eq!(merge_patch::apply(&original, &diff), modified, "{diff}");
        }
    }
    let Some(current) = current else { return };
    if let Ok(patch) = merge_patch::three_way(&original, &modified, &current, &Precondition::same_object()) {
        let _ = merge_patch::apply(&current, &patch);
    }
}

/// `null` anywhere but inside a list, where a merge patch keeps it.
fn has_null(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Map(map) => map.values().any(has_null),
        _ => false,
    }
}

fn has_null_in_list(value: &Json, in_list: bool) -> bool {
    match value {
        Json::Null => in_list,
        Json::Map(map) => map.values().any(|value| has_null_in_list(value, in_list)),
        Json::List(list) => list.iter().any(|value| has_null_in_list(value, true)),
        _ => false,
    }
}

/// Any patch is applied or refused, and no change makes no patch. The kind of `original` says which type it is.
pub fn strategic_patch(data: &[u8]) {
    if data.len() > MAX_LENGTH {
        return;
    }
    let [original, modified, current] = sections(data).map(json);
    let Some(original) = original else { return };
    let schema: &'static Descriptor = match original["kind"].as_str() {
        Some("Service") => core::v1::Service::DESCRIPTOR,
        Some("Deployment") => apps::v1::Deployment::DESCRIPTOR,
        Some("PodDisruptionBudget") => policy::v1::PodDisruptionBudget::DESCRIPTOR,
        _ => core::v1::Pod::DESCRIPTOR,
    };
    if let Ok(patch) = strategic::two_way(&original, &original, schema, &[]) {
        assert_eq!(patch, Json::Map(Default::default()), "of no change");
    }
    let Some(modified) = modified else { return };
    let _ = strategic::apply(&original, &modified, schema);
    if let Ok(patch) = strategic::two_way(&original, &modified, schema, &Precondition::same_object()) {
        let _ = strategic::apply(&original, &patch, schema);
    }
    for kind in [PatchType::Json, PatchType::Merge, PatchType::Strategic, PatchType::Apply] {
        if let Ok(patch) = Patch::parse(kind, &modified.to_vec()) {
            let _ = patch.apply_to(&original, Some(schema));
        }
    }
    let Some(current) = current else { return };
    for overwrite in [false, true] {
        let options = ThreeWayOptions::default().with_overwrite(overwrite);
        if let Ok(patch) = strategic::three_way(&original, &modified, &current, schema, options) {
            let _ = strategic::apply(&current, &patch, schema);
        }
    }
}
