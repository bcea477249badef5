//! Patches of the Go libraries, compared with ours.

use client_rs_machinery::Json;
use client_rs_machinery::patch::{JsonPatch, merge_patch};
use client_rs_machinery::wire::Descriptor;
use client_rs_test_inputs::patches::{self, compare, lines};

use crate::shapes;

fn schema(kind: &str) -> &'static Descriptor {
    match kind {
        "Pod" => shapes::POD,
        "Service" => shapes::SERVICE,
        "Deployment" => shapes::DEPLOYMENT,
        "PodDisruptionBudget" => shapes::BUDGET,
        other => panic!("no such type: {other}"),
    }
}

#[test]
fn strategic_patches_are_made_and_applied_as_in_go() {
    patches::check_created(schema);
}

#[test]
fn strategic_patches_of_any_form_are_applied_as_in_go() {
    patches::check_applied(schema);
}

#[test]
fn json_patches_are_applied_as_in_go() {
    for line in lines("json") {
        let ours = JsonPatch::from_json(&line["patch"]).and_then(|patch| patch.apply(&line["original"]));
        let lenient = compare(&line, "applied", ours);
        // `add` and `copy` may name the whole document, which the RFC allows.
        let whole = |operation: &Json| operation["path"] == "" || operation["from"] == "";
        assert!(!lenient || line["patch"].as_list().unwrap().iter().any(whole), "{line}");
    }
}

#[test]
fn merge_patches_are_made_and_applied_as_in_go() {
    for line in lines("merge") {
        let [original, patch, current] = ["original", "patch", "current"].map(|name| line[name].clone());
        let applied = Ok::<_, String>(merge_patch::apply(&original, &patch));
        assert!(!compare(&line, "applied", applied), "{line}");
        let diff = Ok::<_, String>(merge_patch::diff(&original, &patch));
        assert!(!compare(&line, "diff", diff), "{line}");
        compare(&line, "threeWay", merge_patch::three_way(&original, &patch, &current, &[]));
    }
}
