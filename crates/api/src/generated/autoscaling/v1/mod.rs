// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/autoscaling/v1`.

mod constants;
mod container_resource_metric_source;
mod container_resource_metric_status;
mod cross_version_object_reference;
mod external_metric_source;
mod external_metric_status;
mod horizontal_pod_autoscaler;
mod horizontal_pod_autoscaler_condition;
mod horizontal_pod_autoscaler_list;
mod horizontal_pod_autoscaler_spec;
mod horizontal_pod_autoscaler_status;
mod metric_spec;
mod metric_status;
mod object_metric_source;
mod object_metric_status;
mod pods_metric_source;
mod pods_metric_status;
mod resource_metric_source;
mod resource_metric_status;
mod scale;
mod scale_spec;
mod scale_status;

pub use constants::*;
pub use container_resource_metric_source::ContainerResourceMetricSource;
pub use container_resource_metric_status::ContainerResourceMetricStatus;
pub use cross_version_object_reference::CrossVersionObjectReference;
pub use external_metric_source::ExternalMetricSource;
pub use external_metric_status::ExternalMetricStatus;
pub use horizontal_pod_autoscaler::HorizontalPodAutoscaler;
pub use horizontal_pod_autoscaler_condition::HorizontalPodAutoscalerCondition;
pub use horizontal_pod_autoscaler_list::HorizontalPodAutoscalerList;
pub use horizontal_pod_autoscaler_spec::HorizontalPodAutoscalerSpec;
pub use horizontal_pod_autoscaler_status::HorizontalPodAutoscalerStatus;
pub use metric_spec::MetricSpec;
pub use metric_status::MetricStatus;
pub use object_metric_source::ObjectMetricSource;
pub use object_metric_status::ObjectMetricStatus;
pub use pods_metric_source::PodsMetricSource;
pub use pods_metric_status::PodsMetricStatus;
pub use resource_metric_source::ResourceMetricSource;
pub use resource_metric_status::ResourceMetricStatus;
pub use scale::Scale;
pub use scale_spec::ScaleSpec;
pub use scale_status::ScaleStatus;
