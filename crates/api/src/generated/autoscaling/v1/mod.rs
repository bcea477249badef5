// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/autoscaling/v1`.

mod constants;
#[cfg(feature = "autoscaling")]
mod container_resource_metric_source;
#[cfg(feature = "autoscaling")]
mod container_resource_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod cross_version_object_reference;
#[cfg(feature = "autoscaling")]
mod external_metric_source;
#[cfg(feature = "autoscaling")]
mod external_metric_status;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler;
#[cfg(feature = "autoscaling")]
mod horizontal_pod_autoscaler_condition;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_list;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_spec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
mod horizontal_pod_autoscaler_status;
#[cfg(feature = "autoscaling")]
mod metric_spec;
#[cfg(feature = "autoscaling")]
mod metric_status;
#[cfg(feature = "autoscaling")]
mod object_metric_source;
#[cfg(feature = "autoscaling")]
mod object_metric_status;
#[cfg(feature = "autoscaling")]
mod pods_metric_source;
#[cfg(feature = "autoscaling")]
mod pods_metric_status;
#[cfg(feature = "autoscaling")]
mod resource_metric_source;
#[cfg(feature = "autoscaling")]
mod resource_metric_status;
#[cfg(feature = "autoscaling-scale")]
mod scale;
#[cfg(feature = "autoscaling-scale")]
mod scale_spec;
#[cfg(feature = "autoscaling-scale")]
mod scale_status;

pub use constants::*;
#[cfg(feature = "autoscaling")]
pub use container_resource_metric_source::ContainerResourceMetricSource;
#[cfg(feature = "autoscaling")]
pub use container_resource_metric_status::ContainerResourceMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use cross_version_object_reference::CrossVersionObjectReference;
#[cfg(feature = "autoscaling")]
pub use external_metric_source::ExternalMetricSource;
#[cfg(feature = "autoscaling")]
pub use external_metric_status::ExternalMetricStatus;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler::HorizontalPodAutoscaler;
#[cfg(feature = "autoscaling")]
pub use horizontal_pod_autoscaler_condition::HorizontalPodAutoscalerCondition;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_list::HorizontalPodAutoscalerList;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_spec::HorizontalPodAutoscalerSpec;
#[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
pub use horizontal_pod_autoscaler_status::HorizontalPodAutoscalerStatus;
#[cfg(feature = "autoscaling")]
pub use metric_spec::MetricSpec;
#[cfg(feature = "autoscaling")]
pub use metric_status::MetricStatus;
#[cfg(feature = "autoscaling")]
pub use object_metric_source::ObjectMetricSource;
#[cfg(feature = "autoscaling")]
pub use object_metric_status::ObjectMetricStatus;
#[cfg(feature = "autoscaling")]
pub use pods_metric_source::PodsMetricSource;
#[cfg(feature = "autoscaling")]
pub use pods_metric_status::PodsMetricStatus;
#[cfg(feature = "autoscaling")]
pub use resource_metric_source::ResourceMetricSource;
#[cfg(feature = "autoscaling")]
pub use resource_metric_status::ResourceMetricStatus;
#[cfg(feature = "autoscaling-scale")]
pub use scale::Scale;
#[cfg(feature = "autoscaling-scale")]
pub use scale_spec::ScaleSpec;
#[cfg(feature = "autoscaling-scale")]
pub use scale_status::ScaleStatus;
