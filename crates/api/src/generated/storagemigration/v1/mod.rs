// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/storagemigration/v1`.

mod storage_version_migration;
mod storage_version_migration_list;
mod storage_version_migration_spec;
mod storage_version_migration_status;

pub use storage_version_migration::StorageVersionMigration;
pub use storage_version_migration_list::StorageVersionMigrationList;
pub use storage_version_migration_spec::StorageVersionMigrationSpec;
pub use storage_version_migration_status::StorageVersionMigrationStatus;
