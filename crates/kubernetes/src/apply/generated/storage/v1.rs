// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/storage/v1`.

use crate::apply::{configuration, kind, part};

configuration! { CSIDriver + metadata
    set spec "spec" CSIDriverSpec;
}

kind! { CSIDriver "storage.k8s.io/v1" cluster stateless client_rs_api::storage::v1::CSIDriver }

configuration! { CSIDriverSpec
    set attach_required "attachRequired" bool;
    set pod_info_on_mount "podInfoOnMount" bool;
    list volume_lifecycle_modes "volumeLifecycleModes" client_rs_machinery::Str;
    set storage_capacity "storageCapacity" bool;
    set fs_group_policy "fsGroupPolicy" client_rs_machinery::Str;
    list token_requests "tokenRequests" TokenRequest;
    set requires_republish "requiresRepublish" bool;
    set se_linux_mount "seLinuxMount" bool;
    set node_allocatable_update_period_seconds "nodeAllocatableUpdatePeriodSeconds" i64;
    set service_account_token_in_secrets "serviceAccountTokenInSecrets" bool;
    set prevent_pod_scheduling_if_missing "preventPodSchedulingIfMissing" bool;
}

part! { CSIDriverSpec }

configuration! { CSINode + metadata
    set spec "spec" CSINodeSpec;
    set status "status" CSINodeStatus;
}

kind! { CSINode "storage.k8s.io/v1" cluster status client_rs_api::storage::v1::CSINode }

configuration! { CSINodeDriver
    set name "name" client_rs_machinery::Str;
    set node_id "nodeID" client_rs_machinery::Str;
    list topology_keys "topologyKeys" client_rs_machinery::Str;
    set allocatable "allocatable" VolumeNodeResources;
}

part! { CSINodeDriver }

configuration! { CSINodeSpec
    list drivers "drivers" CSINodeDriver;
}

part! { CSINodeSpec }

configuration! { CSINodeStatus
    list storage_health "storageHealth" StorageHealth;
}

part! { CSINodeStatus }

configuration! { CSIStorageCapacity + metadata
    set node_topology "nodeTopology" crate::apply::meta::v1::LabelSelector;
    set storage_class_name "storageClassName" client_rs_machinery::Str;
    set capacity "capacity" client_rs_machinery::Quantity;
    set maximum_volume_size "maximumVolumeSize" client_rs_machinery::Quantity;
}

kind! { CSIStorageCapacity "storage.k8s.io/v1" namespaced stateless client_rs_api::storage::v1::CSIStorageCapacity }

configuration! { StorageClass + metadata
    set provisioner "provisioner" client_rs_machinery::Str;
    map parameters "parameters" client_rs_machinery::Str;
    set reclaim_policy "reclaimPolicy" client_rs_machinery::Str;
    list mount_options "mountOptions" client_rs_machinery::Str;
    set allow_volume_expansion "allowVolumeExpansion" bool;
    set volume_binding_mode "volumeBindingMode" client_rs_machinery::Str;
    list allowed_topologies "allowedTopologies" crate::apply::core::v1::TopologySelectorTerm;
}

kind! { StorageClass "storage.k8s.io/v1" cluster stateless client_rs_api::storage::v1::StorageClass }

configuration! { StorageHealth
    set name "name" client_rs_machinery::Str;
    list health_conditions "healthConditions" StorageHealthCondition;
}

part! { StorageHealth }

configuration! { StorageHealthCondition
    set status "status" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set access_mode "accessMode" client_rs_machinery::Str;
    set volume_mode "volumeMode" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
}

part! { StorageHealthCondition }

configuration! { TokenRequest
    set audience "audience" client_rs_machinery::Str;
    set expiration_seconds "expirationSeconds" i64;
}

part! { TokenRequest }

configuration! { VolumeAttachment + metadata
    set spec "spec" VolumeAttachmentSpec;
    set status "status" VolumeAttachmentStatus;
}

kind! { VolumeAttachment "storage.k8s.io/v1" cluster status client_rs_api::storage::v1::VolumeAttachment }

configuration! { VolumeAttachmentSource
    set persistent_volume_name "persistentVolumeName" client_rs_machinery::Str;
    set inline_volume_spec "inlineVolumeSpec" crate::apply::core::v1::PersistentVolumeSpec;
}

part! { VolumeAttachmentSource }

configuration! { VolumeAttachmentSpec
    set attacher "attacher" client_rs_machinery::Str;
    set source "source" VolumeAttachmentSource;
    set node_name "nodeName" client_rs_machinery::Str;
}

part! { VolumeAttachmentSpec }

configuration! { VolumeAttachmentStatus
    set attached "attached" bool;
    map attachment_metadata "attachmentMetadata" client_rs_machinery::Str;
    set attach_error "attachError" VolumeError;
    set detach_error "detachError" VolumeError;
}

part! { VolumeAttachmentStatus }

configuration! { VolumeAttributesClass + metadata
    set driver_name "driverName" client_rs_machinery::Str;
    map parameters "parameters" client_rs_machinery::Str;
}

kind! { VolumeAttributesClass "storage.k8s.io/v1" cluster stateless client_rs_api::storage::v1::VolumeAttributesClass }

configuration! { VolumeError
    set time "time" client_rs_machinery::Time;
    set message "message" client_rs_machinery::Str;
    set error_code "errorCode" i32;
}

part! { VolumeError }

configuration! { VolumeNodeResources
    set count "count" i32;
}

part! { VolumeNodeResources }
