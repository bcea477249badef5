// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `events`.

use client_rs_api::events::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "events" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "events/v1" {
    events: v1::Event,
});

version!(V1beta1 of "events/v1beta1" {
    events: v1beta1::Event,
});
