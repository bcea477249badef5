// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/apiserverinternal/v1alpha1`.

use crate::apply::{configuration, kind, part};

configuration! { ServerStorageVersion
    set api_server_id "apiServerID" client_rs_machinery::Str;
    set encoding_version "encodingVersion" client_rs_machinery::Str;
    list decodable_versions "decodableVersions" client_rs_machinery::Str;
    list served_versions "servedVersions" client_rs_machinery::Str;
}

part! { ServerStorageVersion }

configuration! { StorageVersion + metadata
    set spec "spec" StorageVersionSpec;
    set status "status" StorageVersionStatus;
}

kind! { StorageVersion "internal.apiserver.k8s.io/v1alpha1" cluster status client_rs_api::apiserverinternal::v1alpha1::StorageVersion }

configuration! { StorageVersionCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { StorageVersionCondition }

configuration! { StorageVersionSpec
}

part! { StorageVersionSpec }

configuration! { StorageVersionStatus
    list storage_versions "storageVersions" ServerStorageVersion;
    set common_encoding_version "commonEncodingVersion" client_rs_machinery::Str;
    list conditions "conditions" StorageVersionCondition;
}

part! { StorageVersionStatus }
