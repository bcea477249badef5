// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/node/v1`.

use crate::apply::{configuration, kind, part};

configuration! { Overhead
    map pod_fixed "podFixed" client_rs_machinery::Quantity;
}

part! { Overhead }

configuration! { RuntimeClass + metadata
    set handler "handler" client_rs_machinery::Str;
    set overhead "overhead" Overhead;
    set scheduling "scheduling" Scheduling;
}

kind! { RuntimeClass "node.k8s.io/v1" cluster stateless client_rs_api::node::v1::RuntimeClass }

configuration! { Scheduling
    map node_selector "nodeSelector" client_rs_machinery::Str;
    list tolerations "tolerations" crate::apply::core::v1::Toleration;
}

part! { Scheduling }
