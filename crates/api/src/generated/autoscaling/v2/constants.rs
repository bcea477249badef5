// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `HPAScalingPolicyType`.
pub const PERCENT_SCALING_POLICY: &str = "Percent";
/// A value of `HPAScalingPolicyType`.
pub const PODS_SCALING_POLICY: &str = "Pods";
/// A value of `HorizontalPodAutoscalerConditionType`.
pub const ABLE_TO_SCALE: &str = "AbleToScale";
/// A value of `HorizontalPodAutoscalerConditionType`.
pub const SCALED_TO_ZERO: &str = "ScaledToZero";
/// A value of `HorizontalPodAutoscalerConditionType`.
pub const SCALING_ACTIVE: &str = "ScalingActive";
/// A value of `HorizontalPodAutoscalerConditionType`.
pub const SCALING_LIMITED: &str = "ScalingLimited";
/// A value of `MetricSourceType`.
pub const CONTAINER_RESOURCE_METRIC_SOURCE_TYPE: &str = "ContainerResource";
/// A value of `MetricSourceType`.
pub const EXTERNAL_METRIC_SOURCE_TYPE: &str = "External";
/// A value of `MetricSourceType`.
pub const OBJECT_METRIC_SOURCE_TYPE: &str = "Object";
/// A value of `MetricSourceType`.
pub const PODS_METRIC_SOURCE_TYPE: &str = "Pods";
/// A value of `MetricSourceType`.
pub const RESOURCE_METRIC_SOURCE_TYPE: &str = "Resource";
/// A value of `MetricTargetType`.
pub const AVERAGE_VALUE_METRIC_TYPE: &str = "AverageValue";
/// A value of `MetricTargetType`.
pub const UTILIZATION_METRIC_TYPE: &str = "Utilization";
/// A value of `MetricTargetType`.
pub const VALUE_METRIC_TYPE: &str = "Value";
/// A value of `ScalingPolicySelect`.
pub const DISABLED_POLICY_SELECT: &str = "Disabled";
/// A value of `ScalingPolicySelect`.
pub const MAX_CHANGE_POLICY_SELECT: &str = "Max";
/// A value of `ScalingPolicySelect`.
pub const MIN_CHANGE_POLICY_SELECT: &str = "Min";
