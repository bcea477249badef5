// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/metrics/pkg/apis/external_metrics/v1beta1`.

mod external_metric_value;
mod external_metric_value_list;

pub use external_metric_value::ExternalMetricValue;
pub use external_metric_value_list::ExternalMetricValueList;
