//! Strategic merge patches of the generated types, compared with those of the Go libraries: the merge keys
//! and strategies are theirs.

#![cfg(all(feature = "apps", feature = "core", feature = "policy"))]

use client_rs_api::{apps, core, policy};
use client_rs_machinery::wire::{Descriptor, Message};
use client_rs_test_inputs::patches;

fn schema(kind: &str) -> &'static Descriptor {
    match kind {
        "Pod" => core::v1::Pod::DESCRIPTOR,
        "Service" => core::v1::Service::DESCRIPTOR,
        "Deployment" => apps::v1::Deployment::DESCRIPTOR,
        "PodDisruptionBudget" => policy::v1::PodDisruptionBudget::DESCRIPTOR,
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
