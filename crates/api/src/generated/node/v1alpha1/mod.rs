// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/node/v1alpha1`.

mod overhead;
mod runtime_class;
mod runtime_class_list;
mod runtime_class_spec;
mod scheduling;

pub use overhead::Overhead;
pub use runtime_class::RuntimeClass;
pub use runtime_class_list::RuntimeClassList;
pub use runtime_class_spec::RuntimeClassSpec;
pub use scheduling::Scheduling;
