// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `policy`.

use client_rs_api::policy::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "policy" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "policy/v1" {
    pod_disruption_budgets: v1::PodDisruptionBudget,
});

version!(V1beta1 of "policy/v1beta1" {
    pod_disruption_budgets: v1beta1::PodDisruptionBudget,
});
