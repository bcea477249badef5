// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/storagemigration/v1beta1`.

use crate::apply::{configuration, kind, part};

configuration! { StorageVersionMigration + metadata
    set spec "spec" StorageVersionMigrationSpec;
    set status "status" StorageVersionMigrationStatus;
}

kind! { StorageVersionMigration "storagemigration.k8s.io/v1beta1" cluster status client_rs_api::storagemigration::v1beta1::StorageVersionMigration }

configuration! { StorageVersionMigrationSpec
    set resource "resource" crate::apply::meta::v1::GroupResource;
}

part! { StorageVersionMigrationSpec }

configuration! { StorageVersionMigrationStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
    set resource_version "resourceVersion" client_rs_machinery::Str;
}

part! { StorageVersionMigrationStatus }
