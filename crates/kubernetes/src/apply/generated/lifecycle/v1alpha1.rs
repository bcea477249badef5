// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/lifecycle/v1alpha1`.

use crate::apply::{configuration, kind, part};

configuration! { Eviction + metadata
    set spec "spec" EvictionSpec;
    set status "status" EvictionStatus;
}

kind! { Eviction "lifecycle.k8s.io/v1alpha1" namespaced status client_rs_api::lifecycle::v1alpha1::Eviction }

configuration! { EvictionPodReference
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
}

part! { EvictionPodReference }

configuration! { EvictionRequest + metadata
    set spec "spec" EvictionRequestSpec;
    set status "status" EvictionRequestStatus;
}

kind! { EvictionRequest "lifecycle.k8s.io/v1alpha1" namespaced status client_rs_api::lifecycle::v1alpha1::EvictionRequest }

configuration! { EvictionRequestPodReference
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
}

part! { EvictionRequestPodReference }

configuration! { EvictionRequestSpec
    set target "target" EvictionRequestTarget;
    set requester "requester" client_rs_machinery::Str;
    set intent "intent" client_rs_machinery::Str;
}

part! { EvictionRequestSpec }

configuration! { EvictionRequestStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
    set observed_generation "observedGeneration" i64;
}

part! { EvictionRequestStatus }

configuration! { EvictionRequestTarget
    set pod "pod" EvictionRequestPodReference;
}

part! { EvictionRequestTarget }

configuration! { EvictionSpec
    set target "target" EvictionTarget;
}

part! { EvictionSpec }

configuration! { EvictionStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
    set observed_generation "observedGeneration" i64;
    list requesters "requesters" Requester;
    list target_responders "targetResponders" TargetResponder;
    list responders "responders" ResponderStatus;
}

part! { EvictionStatus }

configuration! { EvictionTarget
    set pod "pod" EvictionPodReference;
}

part! { EvictionTarget }

configuration! { Requester
    set name "name" client_rs_machinery::Str;
    set intent "intent" client_rs_machinery::Str;
}

part! { Requester }

configuration! { ResponderStatus
    set name "name" client_rs_machinery::Str;
    set start_time "startTime" client_rs_machinery::Time;
    set heartbeat_time "heartbeatTime" client_rs_machinery::Time;
    set expected_completion_time "expectedCompletionTime" client_rs_machinery::Time;
    set completion_time "completionTime" client_rs_machinery::Time;
    set message "message" client_rs_machinery::Str;
}

part! { ResponderStatus }

configuration! { TargetResponder
    set name "name" client_rs_machinery::Str;
    set priority "priority" i32;
    set state "state" client_rs_machinery::Str;
}

part! { TargetResponder }
