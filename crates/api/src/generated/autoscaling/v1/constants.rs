// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

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
