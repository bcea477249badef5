// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/discovery/v1`.

use crate::apply::{configuration, kind, part};

configuration! { Endpoint
    list addresses "addresses" client_rs_machinery::Str;
    set conditions "conditions" EndpointConditions;
    set hostname "hostname" client_rs_machinery::Str;
    set target_ref "targetRef" crate::apply::core::v1::ObjectReference;
    map deprecated_topology "deprecatedTopology" client_rs_machinery::Str;
    set node_name "nodeName" client_rs_machinery::Str;
    set zone "zone" client_rs_machinery::Str;
    set hints "hints" EndpointHints;
}

part! { Endpoint }

configuration! { EndpointConditions
    set ready "ready" bool;
    set serving "serving" bool;
    set terminating "terminating" bool;
}

part! { EndpointConditions }

configuration! { EndpointHints
    list for_zones "forZones" ForZone;
    list for_nodes "forNodes" ForNode;
}

part! { EndpointHints }

configuration! { EndpointPort
    set name "name" client_rs_machinery::Str;
    set protocol "protocol" client_rs_machinery::Str;
    set port "port" i32;
    set app_protocol "appProtocol" client_rs_machinery::Str;
}

part! { EndpointPort }

configuration! { EndpointSlice + metadata
    set address_type "addressType" client_rs_machinery::Str;
    list endpoints "endpoints" Endpoint;
    list ports "ports" EndpointPort;
}

kind! { EndpointSlice "discovery.k8s.io/v1" namespaced stateless client_rs_api::discovery::v1::EndpointSlice }

configuration! { ForNode
    set name "name" client_rs_machinery::Str;
}

part! { ForNode }

configuration! { ForZone
    set name "name" client_rs_machinery::Str;
}

part! { ForZone }
