// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/coordination/v1beta1`.

use crate::apply::{configuration, kind, part};

configuration! { LeaseCandidate + metadata
    set spec "spec" LeaseCandidateSpec;
}

kind! { LeaseCandidate "coordination.k8s.io/v1beta1" namespaced stateless client_rs_api::coordination::v1beta1::LeaseCandidate }

configuration! { LeaseCandidateSpec
    set lease_name "leaseName" client_rs_machinery::Str;
    set ping_time "pingTime" client_rs_machinery::MicroTime;
    set renew_time "renewTime" client_rs_machinery::MicroTime;
    set binary_version "binaryVersion" client_rs_machinery::Str;
    set emulation_version "emulationVersion" client_rs_machinery::Str;
    set strategy "strategy" client_rs_machinery::Str;
}

part! { LeaseCandidateSpec }
