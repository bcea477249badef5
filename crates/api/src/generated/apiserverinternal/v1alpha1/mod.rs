// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/apiserverinternal/v1alpha1`.

mod constants;
mod server_storage_version;
mod storage_version;
mod storage_version_condition;
mod storage_version_list;
mod storage_version_spec;
mod storage_version_status;

pub use constants::*;
pub use server_storage_version::ServerStorageVersion;
pub use storage_version::StorageVersion;
pub use storage_version_condition::StorageVersionCondition;
pub use storage_version_list::StorageVersionList;
pub use storage_version_spec::StorageVersionSpec;
pub use storage_version_status::StorageVersionStatus;
