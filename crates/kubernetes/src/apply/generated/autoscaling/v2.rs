// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/autoscaling/v2`.

use crate::apply::{configuration, kind, part};

configuration! { ContainerResourceMetricSource
    set name "name" client_rs_machinery::Str;
    set target "target" MetricTarget;
    set container "container" client_rs_machinery::Str;
}

part! { ContainerResourceMetricSource }

configuration! { ContainerResourceMetricStatus
    set name "name" client_rs_machinery::Str;
    set current "current" MetricValueStatus;
    set container "container" client_rs_machinery::Str;
}

part! { ContainerResourceMetricStatus }

configuration! { CrossVersionObjectReference
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set api_version "apiVersion" client_rs_machinery::Str;
}

part! { CrossVersionObjectReference }

configuration! { ExternalMetricSource
    set metric "metric" MetricIdentifier;
    set target "target" MetricTarget;
}

part! { ExternalMetricSource }

configuration! { ExternalMetricStatus
    set metric "metric" MetricIdentifier;
    set current "current" MetricValueStatus;
}

part! { ExternalMetricStatus }

configuration! { HPAScalingPolicy
    set type_ "type" client_rs_machinery::Str;
    set value "value" i32;
    set period_seconds "periodSeconds" i32;
}

part! { HPAScalingPolicy }

configuration! { HPAScalingRules
    set stabilization_window_seconds "stabilizationWindowSeconds" i32;
    set select_policy "selectPolicy" client_rs_machinery::Str;
    list policies "policies" HPAScalingPolicy;
    set tolerance "tolerance" client_rs_machinery::Quantity;
}

part! { HPAScalingRules }

configuration! { HorizontalPodAutoscaler + metadata
    set spec "spec" HorizontalPodAutoscalerSpec;
    set status "status" HorizontalPodAutoscalerStatus;
}

kind! { HorizontalPodAutoscaler "autoscaling/v2" namespaced status client_rs_api::autoscaling::v2::HorizontalPodAutoscaler }

configuration! { HorizontalPodAutoscalerBehavior
    set scale_up "scaleUp" HPAScalingRules;
    set scale_down "scaleDown" HPAScalingRules;
}

part! { HorizontalPodAutoscalerBehavior }

configuration! { HorizontalPodAutoscalerCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
}

part! { HorizontalPodAutoscalerCondition }

configuration! { HorizontalPodAutoscalerSpec
    set scale_target_ref "scaleTargetRef" CrossVersionObjectReference;
    set min_replicas "minReplicas" i32;
    set max_replicas "maxReplicas" i32;
    list metrics "metrics" MetricSpec;
    set behavior "behavior" HorizontalPodAutoscalerBehavior;
}

part! { HorizontalPodAutoscalerSpec }

configuration! { HorizontalPodAutoscalerStatus
    set observed_generation "observedGeneration" i64;
    set last_scale_time "lastScaleTime" client_rs_machinery::Time;
    set current_replicas "currentReplicas" i32;
    set desired_replicas "desiredReplicas" i32;
    list current_metrics "currentMetrics" MetricStatus;
    list conditions "conditions" HorizontalPodAutoscalerCondition;
}

part! { HorizontalPodAutoscalerStatus }

configuration! { MetricIdentifier
    set name "name" client_rs_machinery::Str;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
}

part! { MetricIdentifier }

configuration! { MetricSpec
    set type_ "type" client_rs_machinery::Str;
    set object "object" ObjectMetricSource;
    set pods "pods" PodsMetricSource;
    set resource "resource" ResourceMetricSource;
    set container_resource "containerResource" ContainerResourceMetricSource;
    set external "external" ExternalMetricSource;
}

part! { MetricSpec }

configuration! { MetricStatus
    set type_ "type" client_rs_machinery::Str;
    set object "object" ObjectMetricStatus;
    set pods "pods" PodsMetricStatus;
    set resource "resource" ResourceMetricStatus;
    set container_resource "containerResource" ContainerResourceMetricStatus;
    set external "external" ExternalMetricStatus;
}

part! { MetricStatus }

configuration! { MetricTarget
    set type_ "type" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Quantity;
    set average_value "averageValue" client_rs_machinery::Quantity;
    set average_utilization "averageUtilization" i32;
}

part! { MetricTarget }

configuration! { MetricValueStatus
    set value "value" client_rs_machinery::Quantity;
    set average_value "averageValue" client_rs_machinery::Quantity;
    set average_utilization "averageUtilization" i32;
}

part! { MetricValueStatus }

configuration! { ObjectMetricSource
    set described_object "describedObject" CrossVersionObjectReference;
    set target "target" MetricTarget;
    set metric "metric" MetricIdentifier;
}

part! { ObjectMetricSource }

configuration! { ObjectMetricStatus
    set metric "metric" MetricIdentifier;
    set current "current" MetricValueStatus;
    set described_object "describedObject" CrossVersionObjectReference;
}

part! { ObjectMetricStatus }

configuration! { PodsMetricSource
    set metric "metric" MetricIdentifier;
    set target "target" MetricTarget;
}

part! { PodsMetricSource }

configuration! { PodsMetricStatus
    set metric "metric" MetricIdentifier;
    set current "current" MetricValueStatus;
}

part! { PodsMetricStatus }

configuration! { ResourceMetricSource
    set name "name" client_rs_machinery::Str;
    set target "target" MetricTarget;
}

part! { ResourceMetricSource }

configuration! { ResourceMetricStatus
    set name "name" client_rs_machinery::Str;
    set current "current" MetricValueStatus;
}

part! { ResourceMetricStatus }
