// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/autoscaling/v1`.

use crate::apply::{configuration, kind, part};

configuration! { CrossVersionObjectReference
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set api_version "apiVersion" client_rs_machinery::Str;
}

part! { CrossVersionObjectReference }

configuration! { HorizontalPodAutoscaler + metadata
    set spec "spec" HorizontalPodAutoscalerSpec;
    set status "status" HorizontalPodAutoscalerStatus;
}

kind! { HorizontalPodAutoscaler "autoscaling/v1" namespaced status client_rs_api::autoscaling::v1::HorizontalPodAutoscaler }

configuration! { HorizontalPodAutoscalerSpec
    set scale_target_ref "scaleTargetRef" CrossVersionObjectReference;
    set min_replicas "minReplicas" i32;
    set max_replicas "maxReplicas" i32;
    set target_cpu_utilization_percentage "targetCPUUtilizationPercentage" i32;
}

part! { HorizontalPodAutoscalerSpec }

configuration! { HorizontalPodAutoscalerStatus
    set observed_generation "observedGeneration" i64;
    set last_scale_time "lastScaleTime" client_rs_machinery::Time;
    set current_replicas "currentReplicas" i32;
    set desired_replicas "desiredReplicas" i32;
    set current_cpu_utilization_percentage "currentCPUUtilizationPercentage" i32;
}

part! { HorizontalPodAutoscalerStatus }

configuration! { Scale + metadata
    set spec "spec" ScaleSpec;
    set status "status" ScaleStatus;
}

kind! { Scale "autoscaling/v1" namespaced stateless client_rs_api::autoscaling::v1::Scale }

configuration! { ScaleSpec
    set replicas "replicas" i32;
}

part! { ScaleSpec }

configuration! { ScaleStatus
    set replicas "replicas" i32;
    set selector "selector" client_rs_machinery::Str;
}

part! { ScaleStatus }
