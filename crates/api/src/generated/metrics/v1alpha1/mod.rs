// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/metrics/pkg/apis/metrics/v1alpha1`.

mod container_metrics;
mod node_metrics;
mod node_metrics_list;
mod pod_metrics;
mod pod_metrics_list;

pub use container_metrics::ContainerMetrics;
pub use node_metrics::NodeMetrics;
pub use node_metrics_list::NodeMetricsList;
pub use pod_metrics::PodMetrics;
pub use pod_metrics_list::PodMetricsList;
