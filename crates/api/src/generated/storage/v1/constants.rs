// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `FSGroupPolicy`.
pub const FILE_FS_GROUP_POLICY: &str = "File";
/// A value of `FSGroupPolicy`.
pub const NONE_FS_GROUP_POLICY: &str = "None";
/// A value of `FSGroupPolicy`.
pub const READ_WRITE_ONCE_WITH_FS_TYPE_FS_GROUP_POLICY: &str = "ReadWriteOnceWithFSType";
/// A value of `StorageHealthStatusType`.
pub const STORAGE_DEGRADED: &str = "StorageDegraded";
/// A value of `StorageHealthStatusType`.
pub const STORAGE_UNREACHABLE: &str = "StorageUnreachable";
/// A value of `VolumeBindingMode`.
pub const VOLUME_BINDING_IMMEDIATE: &str = "Immediate";
/// A value of `VolumeBindingMode`.
pub const VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER: &str = "WaitForFirstConsumer";
/// A value of `VolumeLifecycleMode`.
pub const VOLUME_LIFECYCLE_EPHEMERAL: &str = "Ephemeral";
/// A value of `VolumeLifecycleMode`.
pub const VOLUME_LIFECYCLE_PERSISTENT: &str = "Persistent";
