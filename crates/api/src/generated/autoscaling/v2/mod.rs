// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/autoscaling/v2`.

mod constants;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod container_resource_metric_source;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod container_resource_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod cross_version_object_reference;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod external_metric_source;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod external_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_behavior;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_condition;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_list;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_spec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod hpa_scaling_policy;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod hpa_scaling_rules;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod metric_identifier;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod metric_spec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod metric_target;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod metric_value_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod object_metric_source;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod object_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod pods_metric_source;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod pods_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod resource_metric_source;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod resource_metric_status;

pub use constants::*;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use container_resource_metric_source::ContainerResourceMetricSource;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use container_resource_metric_status::ContainerResourceMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use cross_version_object_reference::CrossVersionObjectReference;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use external_metric_source::ExternalMetricSource;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use external_metric_status::ExternalMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler::HorizontalPodAutoscaler;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_behavior::HorizontalPodAutoscalerBehavior;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_condition::HorizontalPodAutoscalerCondition;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_list::HorizontalPodAutoscalerList;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_spec::HorizontalPodAutoscalerSpec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_status::HorizontalPodAutoscalerStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use hpa_scaling_policy::HPAScalingPolicy;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use hpa_scaling_rules::HPAScalingRules;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use metric_identifier::MetricIdentifier;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use metric_spec::MetricSpec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use metric_status::MetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use metric_target::MetricTarget;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use metric_value_status::MetricValueStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use object_metric_source::ObjectMetricSource;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use object_metric_status::ObjectMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use pods_metric_source::PodsMetricSource;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use pods_metric_status::PodsMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use resource_metric_source::ResourceMetricSource;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use resource_metric_status::ResourceMetricStatus;
