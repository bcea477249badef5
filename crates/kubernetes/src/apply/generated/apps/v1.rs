// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/apps/v1`.

use crate::apply::{configuration, kind, part};

configuration! { ControllerRevision + metadata
    set data "data" client_rs_machinery::Json;
    set revision "revision" i64;
}

kind! { ControllerRevision "apps/v1" namespaced stateless client_rs_api::apps::v1::ControllerRevision }

configuration! { DaemonSet + metadata
    set spec "spec" DaemonSetSpec;
    set status "status" DaemonSetStatus;
}

kind! { DaemonSet "apps/v1" namespaced status client_rs_api::apps::v1::DaemonSet }

configuration! { DaemonSetCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { DaemonSetCondition }

configuration! { DaemonSetSpec
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set template "template" crate::apply::core::v1::PodTemplateSpec;
    set update_strategy "updateStrategy" DaemonSetUpdateStrategy;
    set min_ready_seconds "minReadySeconds" i32;
    set revision_history_limit "revisionHistoryLimit" i32;
}

part! { DaemonSetSpec }

configuration! { DaemonSetStatus
    set current_number_scheduled "currentNumberScheduled" i32;
    set number_misscheduled "numberMisscheduled" i32;
    set desired_number_scheduled "desiredNumberScheduled" i32;
    set number_ready "numberReady" i32;
    set observed_generation "observedGeneration" i64;
    set updated_number_scheduled "updatedNumberScheduled" i32;
    set number_available "numberAvailable" i32;
    set number_unavailable "numberUnavailable" i32;
    set collision_count "collisionCount" i32;
    list conditions "conditions" DaemonSetCondition;
}

part! { DaemonSetStatus }

configuration! { DaemonSetUpdateStrategy
    set type_ "type" client_rs_machinery::Str;
    set rolling_update "rollingUpdate" RollingUpdateDaemonSet;
}

part! { DaemonSetUpdateStrategy }

configuration! { Deployment + metadata
    set spec "spec" DeploymentSpec;
    set status "status" DeploymentStatus;
}

kind! { Deployment "apps/v1" namespaced status client_rs_api::apps::v1::Deployment }

configuration! { DeploymentCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_update_time "lastUpdateTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { DeploymentCondition }

configuration! { DeploymentSpec
    set replicas "replicas" i32;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set template "template" crate::apply::core::v1::PodTemplateSpec;
    set strategy "strategy" DeploymentStrategy;
    set min_ready_seconds "minReadySeconds" i32;
    set revision_history_limit "revisionHistoryLimit" i32;
    set paused "paused" bool;
    set progress_deadline_seconds "progressDeadlineSeconds" i32;
}

part! { DeploymentSpec }

configuration! { DeploymentStatus
    set observed_generation "observedGeneration" i64;
    set replicas "replicas" i32;
    set updated_replicas "updatedReplicas" i32;
    set ready_replicas "readyReplicas" i32;
    set available_replicas "availableReplicas" i32;
    set unavailable_replicas "unavailableReplicas" i32;
    set terminating_replicas "terminatingReplicas" i32;
    list conditions "conditions" DeploymentCondition;
    set collision_count "collisionCount" i32;
}

part! { DeploymentStatus }

configuration! { DeploymentStrategy
    set type_ "type" client_rs_machinery::Str;
    set rolling_update "rollingUpdate" RollingUpdateDeployment;
}

part! { DeploymentStrategy }

configuration! { ReplicaSet + metadata
    set spec "spec" ReplicaSetSpec;
    set status "status" ReplicaSetStatus;
}

kind! { ReplicaSet "apps/v1" namespaced status client_rs_api::apps::v1::ReplicaSet }

configuration! { ReplicaSetCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { ReplicaSetCondition }

configuration! { ReplicaSetSpec
    set replicas "replicas" i32;
    set min_ready_seconds "minReadySeconds" i32;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set template "template" crate::apply::core::v1::PodTemplateSpec;
}

part! { ReplicaSetSpec }

configuration! { ReplicaSetStatus
    set replicas "replicas" i32;
    set fully_labeled_replicas "fullyLabeledReplicas" i32;
    set ready_replicas "readyReplicas" i32;
    set available_replicas "availableReplicas" i32;
    set terminating_replicas "terminatingReplicas" i32;
    set observed_generation "observedGeneration" i64;
    list conditions "conditions" ReplicaSetCondition;
}

part! { ReplicaSetStatus }

configuration! { RollingUpdateDaemonSet
    set max_unavailable "maxUnavailable" client_rs_machinery::IntOrString;
    set max_surge "maxSurge" client_rs_machinery::IntOrString;
}

part! { RollingUpdateDaemonSet }

configuration! { RollingUpdateDeployment
    set max_unavailable "maxUnavailable" client_rs_machinery::IntOrString;
    set max_surge "maxSurge" client_rs_machinery::IntOrString;
}

part! { RollingUpdateDeployment }

configuration! { RollingUpdateStatefulSetStrategy
    set partition "partition" i32;
    set max_unavailable "maxUnavailable" client_rs_machinery::IntOrString;
}

part! { RollingUpdateStatefulSetStrategy }

configuration! { StatefulSet + metadata
    set spec "spec" StatefulSetSpec;
    set status "status" StatefulSetStatus;
}

kind! { StatefulSet "apps/v1" namespaced status client_rs_api::apps::v1::StatefulSet }

configuration! { StatefulSetCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { StatefulSetCondition }

configuration! { StatefulSetOrdinals
    set start "start" i32;
}

part! { StatefulSetOrdinals }

configuration! { StatefulSetPersistentVolumeClaimRetentionPolicy
    set when_deleted "whenDeleted" client_rs_machinery::Str;
    set when_scaled "whenScaled" client_rs_machinery::Str;
}

part! { StatefulSetPersistentVolumeClaimRetentionPolicy }

configuration! { StatefulSetSpec
    set replicas "replicas" i32;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set template "template" crate::apply::core::v1::PodTemplateSpec;
    list volume_claim_templates "volumeClaimTemplates" crate::apply::core::v1::PersistentVolumeClaim;
    set service_name "serviceName" client_rs_machinery::Str;
    set pod_management_policy "podManagementPolicy" client_rs_machinery::Str;
    set update_strategy "updateStrategy" StatefulSetUpdateStrategy;
    set revision_history_limit "revisionHistoryLimit" i32;
    set min_ready_seconds "minReadySeconds" i32;
    set persistent_volume_claim_retention_policy "persistentVolumeClaimRetentionPolicy" StatefulSetPersistentVolumeClaimRetentionPolicy;
    set ordinals "ordinals" StatefulSetOrdinals;
}

part! { StatefulSetSpec }

configuration! { StatefulSetStatus
    set observed_generation "observedGeneration" i64;
    set replicas "replicas" i32;
    set ready_replicas "readyReplicas" i32;
    set current_replicas "currentReplicas" i32;
    set updated_replicas "updatedReplicas" i32;
    set current_revision "currentRevision" client_rs_machinery::Str;
    set update_revision "updateRevision" client_rs_machinery::Str;
    set collision_count "collisionCount" i32;
    list conditions "conditions" StatefulSetCondition;
    set available_replicas "availableReplicas" i32;
}

part! { StatefulSetStatus }

configuration! { StatefulSetUpdateStrategy
    set type_ "type" client_rs_machinery::Str;
    set rolling_update "rollingUpdate" RollingUpdateStatefulSetStrategy;
}

part! { StatefulSetUpdateStrategy }
