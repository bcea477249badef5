// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/policy/v1`.

mod constants;
mod eviction;
mod pod_disruption_budget;
mod pod_disruption_budget_list;
mod pod_disruption_budget_spec;
mod pod_disruption_budget_status;

pub use constants::*;
pub use eviction::Eviction;
pub use pod_disruption_budget::PodDisruptionBudget;
pub use pod_disruption_budget_list::PodDisruptionBudgetList;
pub use pod_disruption_budget_spec::PodDisruptionBudgetSpec;
pub use pod_disruption_budget_status::PodDisruptionBudgetStatus;
