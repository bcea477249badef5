// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `coordination`.

use client_rs_api::coordination::{v1, v1alpha2, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "coordination" {
    v1: V1,
    v1alpha2: V1alpha2,
    v1beta1: V1beta1,
});

version!(V1 of "coordination/v1" {
    leases: v1::Lease,
});

version!(V1alpha2 of "coordination/v1alpha2" {
    lease_candidates: v1alpha2::LeaseCandidate,
});

version!(V1beta1 of "coordination/v1beta1" {
    lease_candidates: v1beta1::LeaseCandidate,
    leases: v1beta1::Lease,
});
