// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/scheduling/v1`.

mod priority_class;
mod priority_class_list;

pub use priority_class::PriorityClass;
pub use priority_class_list::PriorityClassList;
