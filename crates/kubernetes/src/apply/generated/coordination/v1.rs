// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/coordination/v1`.

use crate::apply::{configuration, kind, part};

configuration! { Lease + metadata
    set spec "spec" LeaseSpec;
}

kind! { Lease "coordination.k8s.io/v1" namespaced stateless client_rs_api::coordination::v1::Lease }

configuration! { LeaseSpec
    set holder_identity "holderIdentity" client_rs_machinery::Str;
    set lease_duration_seconds "leaseDurationSeconds" i32;
    set acquire_time "acquireTime" client_rs_machinery::MicroTime;
    set renew_time "renewTime" client_rs_machinery::MicroTime;
    set lease_transitions "leaseTransitions" i32;
    set strategy "strategy" client_rs_machinery::Str;
    set preferred_holder "preferredHolder" client_rs_machinery::Str;
}

part! { LeaseSpec }
