// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/policy/v1`.

use crate::apply::{configuration, kind, part};

configuration! { PodDisruptionBudget + metadata
    set spec "spec" PodDisruptionBudgetSpec;
    set status "status" PodDisruptionBudgetStatus;
}

kind! { PodDisruptionBudget "policy/v1" namespaced status client_rs_api::policy::v1::PodDisruptionBudget }

configuration! { PodDisruptionBudgetSpec
    set min_available "minAvailable" client_rs_machinery::IntOrString;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set max_unavailable "maxUnavailable" client_rs_machinery::IntOrString;
    set unhealthy_pod_eviction_policy "unhealthyPodEvictionPolicy" client_rs_machinery::Str;
}

part! { PodDisruptionBudgetSpec }

configuration! { PodDisruptionBudgetStatus
    set observed_generation "observedGeneration" i64;
    map disrupted_pods "disruptedPods" client_rs_machinery::Time;
    set disruptions_allowed "disruptionsAllowed" i32;
    set current_healthy "currentHealthy" i32;
    set desired_healthy "desiredHealthy" i32;
    set expected_pods "expectedPods" i32;
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { PodDisruptionBudgetStatus }
