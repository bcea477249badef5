// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/scheduling/v1`.

use crate::apply::{configuration, kind};

configuration! { PriorityClass + metadata
    set value "value" i32;
    set global_default "globalDefault" bool;
    set description "description" client_rs_machinery::Str;
    set preemption_policy "preemptionPolicy" client_rs_machinery::Str;
}

kind! { PriorityClass "scheduling.k8s.io/v1" cluster stateless client_rs_api::scheduling::v1::PriorityClass }
