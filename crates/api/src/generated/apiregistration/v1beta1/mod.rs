// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1`.

mod api_service;
mod api_service_condition;
mod api_service_list;
mod api_service_spec;
mod api_service_status;
mod constants;
mod service_reference;

pub use api_service::APIService;
pub use api_service_condition::APIServiceCondition;
pub use api_service_list::APIServiceList;
pub use api_service_spec::APIServiceSpec;
pub use api_service_status::APIServiceStatus;
pub use constants::*;
pub use service_reference::ServiceReference;
