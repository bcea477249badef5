// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `flowcontrol`.

use client_rs_api::flowcontrol::{v1, v1beta1, v1beta2, v1beta3};

use crate::informers::accessors::{group, version};

group!(Informers of "flowcontrol" {
    v1: V1,
    v1beta1: V1beta1,
    v1beta2: V1beta2,
    v1beta3: V1beta3,
});

version!(V1 of "flowcontrol/v1" {
    flow_schemas: v1::FlowSchema,
    priority_level_configurations: v1::PriorityLevelConfiguration,
});

version!(V1beta1 of "flowcontrol/v1beta1" {
    flow_schemas: v1beta1::FlowSchema,
    priority_level_configurations: v1beta1::PriorityLevelConfiguration,
});

version!(V1beta2 of "flowcontrol/v1beta2" {
    flow_schemas: v1beta2::FlowSchema,
    priority_level_configurations: v1beta2::PriorityLevelConfiguration,
});

version!(V1beta3 of "flowcontrol/v1beta3" {
    flow_schemas: v1beta3::FlowSchema,
    priority_level_configurations: v1beta3::PriorityLevelConfiguration,
});
