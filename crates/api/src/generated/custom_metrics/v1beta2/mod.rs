// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/metrics/pkg/apis/custom_metrics/v1beta2`.

mod metric_identifier;
mod metric_list_options;
mod metric_value;
mod metric_value_list;

pub use metric_identifier::MetricIdentifier;
pub use metric_list_options::MetricListOptions;
pub use metric_value::MetricValue;
pub use metric_value_list::MetricValueList;
