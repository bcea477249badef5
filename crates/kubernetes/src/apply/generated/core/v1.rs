// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/core/v1`.

use crate::apply::{configuration, kind, part};

configuration! { AWSElasticBlockStoreVolumeSource
    set volume_id "volumeID" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set partition "partition" i32;
    set read_only "readOnly" bool;
}

part! { AWSElasticBlockStoreVolumeSource }

configuration! { Affinity
    set node_affinity "nodeAffinity" NodeAffinity;
    set pod_affinity "podAffinity" PodAffinity;
    set pod_anti_affinity "podAntiAffinity" PodAntiAffinity;
}

part! { Affinity }

configuration! { AppArmorProfile
    set type_ "type" client_rs_machinery::Str;
    set localhost_profile "localhostProfile" client_rs_machinery::Str;
}

part! { AppArmorProfile }

configuration! { AttachedVolume
    set name "name" client_rs_machinery::Str;
    set device_path "devicePath" client_rs_machinery::Str;
}

part! { AttachedVolume }

configuration! { AzureDiskVolumeSource
    set disk_name "diskName" client_rs_machinery::Str;
    set disk_uri "diskURI" client_rs_machinery::Str;
    set caching_mode "cachingMode" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set kind "kind" client_rs_machinery::Str;
}

part! { AzureDiskVolumeSource }

configuration! { AzureFilePersistentVolumeSource
    set secret_name "secretName" client_rs_machinery::Str;
    set share_name "shareName" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set secret_namespace "secretNamespace" client_rs_machinery::Str;
}

part! { AzureFilePersistentVolumeSource }

configuration! { AzureFileVolumeSource
    set secret_name "secretName" client_rs_machinery::Str;
    set share_name "shareName" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { AzureFileVolumeSource }

configuration! { CSIPersistentVolumeSource
    set driver "driver" client_rs_machinery::Str;
    set volume_handle "volumeHandle" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set fs_type "fsType" client_rs_machinery::Str;
    map volume_attributes "volumeAttributes" client_rs_machinery::Str;
    set controller_publish_secret_ref "controllerPublishSecretRef" SecretReference;
    set node_stage_secret_ref "nodeStageSecretRef" SecretReference;
    set node_publish_secret_ref "nodePublishSecretRef" SecretReference;
    set controller_expand_secret_ref "controllerExpandSecretRef" SecretReference;
    set node_expand_secret_ref "nodeExpandSecretRef" SecretReference;
}

part! { CSIPersistentVolumeSource }

configuration! { CSIVolumeSource
    set driver "driver" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set fs_type "fsType" client_rs_machinery::Str;
    map volume_attributes "volumeAttributes" client_rs_machinery::Str;
    set node_publish_secret_ref "nodePublishSecretRef" LocalObjectReference;
}

part! { CSIVolumeSource }

configuration! { Capabilities
    list add "add" client_rs_machinery::Str;
    list drop "drop" client_rs_machinery::Str;
}

part! { Capabilities }

configuration! { CephFSPersistentVolumeSource
    list monitors "monitors" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set user "user" client_rs_machinery::Str;
    set secret_file "secretFile" client_rs_machinery::Str;
    set secret_ref "secretRef" SecretReference;
    set read_only "readOnly" bool;
}

part! { CephFSPersistentVolumeSource }

configuration! { CephFSVolumeSource
    list monitors "monitors" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set user "user" client_rs_machinery::Str;
    set secret_file "secretFile" client_rs_machinery::Str;
    set secret_ref "secretRef" LocalObjectReference;
    set read_only "readOnly" bool;
}

part! { CephFSVolumeSource }

configuration! { CinderPersistentVolumeSource
    set volume_id "volumeID" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set secret_ref "secretRef" SecretReference;
}

part! { CinderPersistentVolumeSource }

configuration! { CinderVolumeSource
    set volume_id "volumeID" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set secret_ref "secretRef" LocalObjectReference;
}

part! { CinderVolumeSource }

configuration! { ClientIPConfig
    set timeout_seconds "timeoutSeconds" i32;
}

part! { ClientIPConfig }

configuration! { ClusterTrustBundleProjection
    set name "name" client_rs_machinery::Str;
    set signer_name "signerName" client_rs_machinery::Str;
    set label_selector "labelSelector" crate::apply::meta::v1::LabelSelector;
    set optional "optional" bool;
    set path "path" client_rs_machinery::Str;
    set user "user" i64;
}

part! { ClusterTrustBundleProjection }

configuration! { ConfigMap + metadata
    set immutable "immutable" bool;
    map data "data" client_rs_machinery::Str;
    map binary_data "binaryData" client_rs_machinery::Blob;
}

kind! { ConfigMap "v1" namespaced stateless client_rs_api::core::v1::ConfigMap }

configuration! { ConfigMapEnvSource
    set name "name" client_rs_machinery::Str;
    set optional "optional" bool;
}

part! { ConfigMapEnvSource }

configuration! { ConfigMapKeySelector
    set name "name" client_rs_machinery::Str;
    set key "key" client_rs_machinery::Str;
    set optional "optional" bool;
}

part! { ConfigMapKeySelector }

configuration! { ConfigMapNodeConfigSource
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
    set resource_version "resourceVersion" client_rs_machinery::Str;
    set kubelet_config_key "kubeletConfigKey" client_rs_machinery::Str;
}

part! { ConfigMapNodeConfigSource }

configuration! { ConfigMapProjection
    set name "name" client_rs_machinery::Str;
    list items "items" KeyToPath;
    set optional "optional" bool;
}

part! { ConfigMapProjection }

configuration! { ConfigMapVolumeSource
    set name "name" client_rs_machinery::Str;
    list items "items" KeyToPath;
    set default_mode "defaultMode" i32;
    set optional "optional" bool;
    set default_user "defaultUser" i64;
}

part! { ConfigMapVolumeSource }

configuration! { Container
    set name "name" client_rs_machinery::Str;
    set image "image" client_rs_machinery::Str;
    list command "command" client_rs_machinery::Str;
    list args "args" client_rs_machinery::Str;
    set working_dir "workingDir" client_rs_machinery::Str;
    list ports "ports" ContainerPort;
    list env_from "envFrom" EnvFromSource;
    list env "env" EnvVar;
    set resources "resources" ResourceRequirements;
    list resize_policy "resizePolicy" ContainerResizePolicy;
    set restart_policy "restartPolicy" client_rs_machinery::Str;
    list restart_policy_rules "restartPolicyRules" ContainerRestartRule;
    list volume_mounts "volumeMounts" VolumeMount;
    list volume_devices "volumeDevices" VolumeDevice;
    set liveness_probe "livenessProbe" Probe;
    set readiness_probe "readinessProbe" Probe;
    set startup_probe "startupProbe" Probe;
    set lifecycle "lifecycle" Lifecycle;
    set termination_message_path "terminationMessagePath" client_rs_machinery::Str;
    set termination_message_policy "terminationMessagePolicy" client_rs_machinery::Str;
    set image_pull_policy "imagePullPolicy" client_rs_machinery::Str;
    set security_context "securityContext" SecurityContext;
    set stdin "stdin" bool;
    set stdin_once "stdinOnce" bool;
    set tty "tty" bool;
}

part! { Container }

configuration! { ContainerExtendedResourceRequest
    set container_name "containerName" client_rs_machinery::Str;
    set resource_name "resourceName" client_rs_machinery::Str;
    set request_name "requestName" client_rs_machinery::Str;
}

part! { ContainerExtendedResourceRequest }

configuration! { ContainerImage
    list names "names" client_rs_machinery::Str;
    set size_bytes "sizeBytes" i64;
}

part! { ContainerImage }

configuration! { ContainerPort
    set name "name" client_rs_machinery::Str;
    set host_port "hostPort" i32;
    set container_port "containerPort" i32;
    set protocol "protocol" client_rs_machinery::Str;
    set host_ip "hostIP" client_rs_machinery::Str;
}

part! { ContainerPort }

configuration! { ContainerResizePolicy
    set resource_name "resourceName" client_rs_machinery::Str;
    set restart_policy "restartPolicy" client_rs_machinery::Str;
}

part! { ContainerResizePolicy }

configuration! { ContainerRestartRule
    set action "action" client_rs_machinery::Str;
    set exit_codes "exitCodes" ContainerRestartRuleOnExitCodes;
}

part! { ContainerRestartRule }

configuration! { ContainerRestartRuleOnExitCodes
    set operator "operator" client_rs_machinery::Str;
    list values "values" i32;
}

part! { ContainerRestartRuleOnExitCodes }

configuration! { ContainerState
    set waiting "waiting" ContainerStateWaiting;
    set running "running" ContainerStateRunning;
    set terminated "terminated" ContainerStateTerminated;
}

part! { ContainerState }

configuration! { ContainerStateRunning
    set started_at "startedAt" client_rs_machinery::Time;
}

part! { ContainerStateRunning }

configuration! { ContainerStateTerminated
    set exit_code "exitCode" i32;
    set signal "signal" i32;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set started_at "startedAt" client_rs_machinery::Time;
    set finished_at "finishedAt" client_rs_machinery::Time;
    set container_id "containerID" client_rs_machinery::Str;
}

part! { ContainerStateTerminated }

configuration! { ContainerStateWaiting
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { ContainerStateWaiting }

configuration! { ContainerStatus
    set name "name" client_rs_machinery::Str;
    set state "state" ContainerState;
    set last_state "lastState" ContainerState;
    set ready "ready" bool;
    set restart_count "restartCount" i32;
    set image "image" client_rs_machinery::Str;
    set image_id "imageID" client_rs_machinery::Str;
    set container_id "containerID" client_rs_machinery::Str;
    set started "started" bool;
    map allocated_resources "allocatedResources" client_rs_machinery::Quantity;
    set resources "resources" ResourceRequirements;
    list volume_mounts "volumeMounts" VolumeMountStatus;
    set user "user" ContainerUser;
    list allocated_resources_status "allocatedResourcesStatus" ResourceStatus;
    set stop_signal "stopSignal" client_rs_machinery::Str;
}

part! { ContainerStatus }

configuration! { ContainerUser
    set linux "linux" LinuxContainerUser;
}

part! { ContainerUser }

configuration! { DaemonEndpoint
    set port "Port" i32;
}

part! { DaemonEndpoint }

configuration! { DownwardAPIProjection
    list items "items" DownwardAPIVolumeFile;
}

part! { DownwardAPIProjection }

configuration! { DownwardAPIVolumeFile
    set path "path" client_rs_machinery::Str;
    set field_ref "fieldRef" ObjectFieldSelector;
    set resource_field_ref "resourceFieldRef" ResourceFieldSelector;
    set mode "mode" i32;
    set user "user" i64;
}

part! { DownwardAPIVolumeFile }

configuration! { DownwardAPIVolumeSource
    list items "items" DownwardAPIVolumeFile;
    set default_mode "defaultMode" i32;
    set default_user "defaultUser" i64;
}

part! { DownwardAPIVolumeSource }

configuration! { EmptyDirVolumeSource
    set medium "medium" client_rs_machinery::Str;
    set size_limit "sizeLimit" client_rs_machinery::Quantity;
    set mode "mode" i32;
}

part! { EmptyDirVolumeSource }

configuration! { EndpointAddress
    set ip "ip" client_rs_machinery::Str;
    set hostname "hostname" client_rs_machinery::Str;
    set node_name "nodeName" client_rs_machinery::Str;
    set target_ref "targetRef" ObjectReference;
}

part! { EndpointAddress }

configuration! { EndpointPort
    set name "name" client_rs_machinery::Str;
    set port "port" i32;
    set protocol "protocol" client_rs_machinery::Str;
    set app_protocol "appProtocol" client_rs_machinery::Str;
}

part! { EndpointPort }

configuration! { EndpointSubset
    list addresses "addresses" EndpointAddress;
    list not_ready_addresses "notReadyAddresses" EndpointAddress;
    list ports "ports" EndpointPort;
}

part! { EndpointSubset }

configuration! { Endpoints + metadata
    list subsets "subsets" EndpointSubset;
}

kind! { Endpoints "v1" namespaced stateless client_rs_api::core::v1::Endpoints }

configuration! { EnvFromSource
    set prefix "prefix" client_rs_machinery::Str;
    set config_map_ref "configMapRef" ConfigMapEnvSource;
    set secret_ref "secretRef" SecretEnvSource;
}

part! { EnvFromSource }

configuration! { EnvVar
    set name "name" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set value_from "valueFrom" EnvVarSource;
}

part! { EnvVar }

configuration! { EnvVarSource
    set field_ref "fieldRef" ObjectFieldSelector;
    set resource_field_ref "resourceFieldRef" ResourceFieldSelector;
    set config_map_key_ref "configMapKeyRef" ConfigMapKeySelector;
    set secret_key_ref "secretKeyRef" SecretKeySelector;
    set file_key_ref "fileKeyRef" FileKeySelector;
}

part! { EnvVarSource }

configuration! { EphemeralContainer
    set name "name" client_rs_machinery::Str;
    set image "image" client_rs_machinery::Str;
    list command "command" client_rs_machinery::Str;
    list args "args" client_rs_machinery::Str;
    set working_dir "workingDir" client_rs_machinery::Str;
    list ports "ports" ContainerPort;
    list env_from "envFrom" EnvFromSource;
    list env "env" EnvVar;
    set resources "resources" ResourceRequirements;
    list resize_policy "resizePolicy" ContainerResizePolicy;
    set restart_policy "restartPolicy" client_rs_machinery::Str;
    list restart_policy_rules "restartPolicyRules" ContainerRestartRule;
    list volume_mounts "volumeMounts" VolumeMount;
    list volume_devices "volumeDevices" VolumeDevice;
    set liveness_probe "livenessProbe" Probe;
    set readiness_probe "readinessProbe" Probe;
    set startup_probe "startupProbe" Probe;
    set lifecycle "lifecycle" Lifecycle;
    set termination_message_path "terminationMessagePath" client_rs_machinery::Str;
    set termination_message_policy "terminationMessagePolicy" client_rs_machinery::Str;
    set image_pull_policy "imagePullPolicy" client_rs_machinery::Str;
    set security_context "securityContext" SecurityContext;
    set stdin "stdin" bool;
    set stdin_once "stdinOnce" bool;
    set tty "tty" bool;
    set target_container_name "targetContainerName" client_rs_machinery::Str;
}

part! { EphemeralContainer }

configuration! { EphemeralVolumeSource
    set volume_claim_template "volumeClaimTemplate" PersistentVolumeClaimTemplate;
}

part! { EphemeralVolumeSource }

configuration! { Event + metadata
    set involved_object "involvedObject" ObjectReference;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set source "source" EventSource;
    set first_timestamp "firstTimestamp" client_rs_machinery::Time;
    set last_timestamp "lastTimestamp" client_rs_machinery::Time;
    set count "count" i32;
    set type_ "type" client_rs_machinery::Str;
    set event_time "eventTime" client_rs_machinery::MicroTime;
    set series "series" EventSeries;
    set action "action" client_rs_machinery::Str;
    set related "related" ObjectReference;
    set reporting_component "reportingComponent" client_rs_machinery::Str;
    set reporting_instance "reportingInstance" client_rs_machinery::Str;
}

kind! { Event "v1" namespaced stateless client_rs_api::core::v1::Event }

configuration! { EventSeries
    set count "count" i32;
    set last_observed_time "lastObservedTime" client_rs_machinery::MicroTime;
}

part! { EventSeries }

configuration! { EventSource
    set component "component" client_rs_machinery::Str;
    set host "host" client_rs_machinery::Str;
}

part! { EventSource }

configuration! { EvictionResponder
    set name "name" client_rs_machinery::Str;
    set priority "priority" i32;
}

part! { EvictionResponder }

configuration! { ExecAction
    list command "command" client_rs_machinery::Str;
}

part! { ExecAction }

configuration! { FCVolumeSource
    list target_wwns "targetWWNs" client_rs_machinery::Str;
    set lun "lun" i32;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    list wwids "wwids" client_rs_machinery::Str;
}

part! { FCVolumeSource }

configuration! { FileKeySelector
    set volume_name "volumeName" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set key "key" client_rs_machinery::Str;
    set optional "optional" bool;
}

part! { FileKeySelector }

configuration! { FlexPersistentVolumeSource
    set driver "driver" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set secret_ref "secretRef" SecretReference;
    set read_only "readOnly" bool;
    map options "options" client_rs_machinery::Str;
}

part! { FlexPersistentVolumeSource }

configuration! { FlexVolumeSource
    set driver "driver" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set secret_ref "secretRef" LocalObjectReference;
    set read_only "readOnly" bool;
    map options "options" client_rs_machinery::Str;
}

part! { FlexVolumeSource }

configuration! { FlockerVolumeSource
    set dataset_name "datasetName" client_rs_machinery::Str;
    set dataset_uuid "datasetUUID" client_rs_machinery::Str;
}

part! { FlockerVolumeSource }

configuration! { GCEPersistentDiskVolumeSource
    set pd_name "pdName" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set partition "partition" i32;
    set read_only "readOnly" bool;
}

part! { GCEPersistentDiskVolumeSource }

configuration! { GRPCAction
    set port "port" i32;
    set service "service" client_rs_machinery::Str;
    set mode "mode" client_rs_machinery::Str;
}

part! { GRPCAction }

configuration! { GitRepoVolumeSource
    set repository "repository" client_rs_machinery::Str;
    set revision "revision" client_rs_machinery::Str;
    set directory "directory" client_rs_machinery::Str;
}

part! { GitRepoVolumeSource }

configuration! { GlusterfsPersistentVolumeSource
    set endpoints "endpoints" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set endpoints_namespace "endpointsNamespace" client_rs_machinery::Str;
}

part! { GlusterfsPersistentVolumeSource }

configuration! { GlusterfsVolumeSource
    set endpoints "endpoints" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { GlusterfsVolumeSource }

configuration! { HTTPGetAction
    set path "path" client_rs_machinery::Str;
    set port "port" client_rs_machinery::IntOrString;
    set host "host" client_rs_machinery::Str;
    set scheme "scheme" client_rs_machinery::Str;
    list http_headers "httpHeaders" HTTPHeader;
    set protocol "protocol" client_rs_machinery::Str;
}

part! { HTTPGetAction }

configuration! { HTTPHeader
    set name "name" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
}

part! { HTTPHeader }

configuration! { HostAlias
    set ip "ip" client_rs_machinery::Str;
    list hostnames "hostnames" client_rs_machinery::Str;
}

part! { HostAlias }

configuration! { HostIP
    set ip "ip" client_rs_machinery::Str;
}

part! { HostIP }

configuration! { HostPathVolumeSource
    set path "path" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
}

part! { HostPathVolumeSource }

configuration! { ISCSIPersistentVolumeSource
    set target_portal "targetPortal" client_rs_machinery::Str;
    set iqn "iqn" client_rs_machinery::Str;
    set lun "lun" i32;
    set iscsi_interface "iscsiInterface" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    list portals "portals" client_rs_machinery::Str;
    set chap_auth_discovery "chapAuthDiscovery" bool;
    set chap_auth_session "chapAuthSession" bool;
    set secret_ref "secretRef" SecretReference;
    set initiator_name "initiatorName" client_rs_machinery::Str;
}

part! { ISCSIPersistentVolumeSource }

configuration! { ISCSIVolumeSource
    set target_portal "targetPortal" client_rs_machinery::Str;
    set iqn "iqn" client_rs_machinery::Str;
    set lun "lun" i32;
    set iscsi_interface "iscsiInterface" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    list portals "portals" client_rs_machinery::Str;
    set chap_auth_discovery "chapAuthDiscovery" bool;
    set chap_auth_session "chapAuthSession" bool;
    set secret_ref "secretRef" LocalObjectReference;
    set initiator_name "initiatorName" client_rs_machinery::Str;
}

part! { ISCSIVolumeSource }

configuration! { ImageVolumeSource
    set reference "reference" client_rs_machinery::Str;
    set pull_policy "pullPolicy" client_rs_machinery::Str;
}

part! { ImageVolumeSource }

configuration! { ImageVolumeStatus
    set image_ref "imageRef" client_rs_machinery::Str;
}

part! { ImageVolumeStatus }

configuration! { KeyToPath
    set key "key" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set mode "mode" i32;
    set user "user" i64;
}

part! { KeyToPath }

configuration! { Lifecycle
    set post_start "postStart" LifecycleHandler;
    set pre_stop "preStop" LifecycleHandler;
    set stop_signal "stopSignal" client_rs_machinery::Str;
}

part! { Lifecycle }

configuration! { LifecycleHandler
    set exec "exec" ExecAction;
    set http_get "httpGet" HTTPGetAction;
    set tcp_socket "tcpSocket" TCPSocketAction;
    set sleep "sleep" SleepAction;
}

part! { LifecycleHandler }

configuration! { LimitRange + metadata
    set spec "spec" LimitRangeSpec;
}

kind! { LimitRange "v1" namespaced stateless client_rs_api::core::v1::LimitRange }

configuration! { LimitRangeItem
    set type_ "type" client_rs_machinery::Str;
    map max "max" client_rs_machinery::Quantity;
    map min "min" client_rs_machinery::Quantity;
    map default "default" client_rs_machinery::Quantity;
    map default_request "defaultRequest" client_rs_machinery::Quantity;
    map max_limit_request_ratio "maxLimitRequestRatio" client_rs_machinery::Quantity;
}

part! { LimitRangeItem }

configuration! { LimitRangeSpec
    list limits "limits" LimitRangeItem;
}

part! { LimitRangeSpec }

configuration! { LinuxContainerUser
    set uid "uid" i64;
    set gid "gid" i64;
    list supplemental_groups "supplementalGroups" i64;
}

part! { LinuxContainerUser }

configuration! { LoadBalancerIngress
    set ip "ip" client_rs_machinery::Str;
    set hostname "hostname" client_rs_machinery::Str;
    set ip_mode "ipMode" client_rs_machinery::Str;
    list ports "ports" PortStatus;
}

part! { LoadBalancerIngress }

configuration! { LoadBalancerStatus
    list ingress "ingress" LoadBalancerIngress;
}

part! { LoadBalancerStatus }

configuration! { LocalObjectReference
    set name "name" client_rs_machinery::Str;
}

part! { LocalObjectReference }

configuration! { LocalVolumeSource
    set path "path" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
}

part! { LocalVolumeSource }

configuration! { ModifyVolumeStatus
    set target_volume_attributes_class_name "targetVolumeAttributesClassName" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
}

part! { ModifyVolumeStatus }

configuration! { NFSVolumeSource
    set server "server" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { NFSVolumeSource }

configuration! { Namespace + metadata
    set spec "spec" NamespaceSpec;
    set status "status" NamespaceStatus;
}

kind! { Namespace "v1" cluster status client_rs_api::core::v1::Namespace }

configuration! { NamespaceCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { NamespaceCondition }

configuration! { NamespaceSpec
    list finalizers "finalizers" client_rs_machinery::Str;
}

part! { NamespaceSpec }

configuration! { NamespaceStatus
    set phase "phase" client_rs_machinery::Str;
    list conditions "conditions" NamespaceCondition;
}

part! { NamespaceStatus }

configuration! { Node + metadata
    set spec "spec" NodeSpec;
    set status "status" NodeStatus;
}

kind! { Node "v1" cluster status client_rs_api::core::v1::Node }

configuration! { NodeAddress
    set type_ "type" client_rs_machinery::Str;
    set address "address" client_rs_machinery::Str;
}

part! { NodeAddress }

configuration! { NodeAffinity
    set required_during_scheduling_ignored_during_execution "requiredDuringSchedulingIgnoredDuringExecution" NodeSelector;
    list preferred_during_scheduling_ignored_during_execution "preferredDuringSchedulingIgnoredDuringExecution" PreferredSchedulingTerm;
}

part! { NodeAffinity }

configuration! { NodeAllocatableMappedResources
    set name "name" client_rs_machinery::Str;
    set quantity "quantity" client_rs_machinery::Quantity;
}

part! { NodeAllocatableMappedResources }

configuration! { NodeAllocatableOverheadResources
    set name "name" client_rs_machinery::Str;
    set per_pod "perPod" client_rs_machinery::Quantity;
    set per_container "perContainer" client_rs_machinery::Quantity;
}

part! { NodeAllocatableOverheadResources }

configuration! { NodeAllocatableResourceClaimStatus
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
    list containers "containers" client_rs_machinery::Str;
    list mapping "mapping" NodeAllocatableMappedResources;
    list overhead "overhead" NodeAllocatableOverheadResources;
}

part! { NodeAllocatableResourceClaimStatus }

configuration! { NodeCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_heartbeat_time "lastHeartbeatTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { NodeCondition }

configuration! { NodeConfigSource
    set config_map "configMap" ConfigMapNodeConfigSource;
}

part! { NodeConfigSource }

configuration! { NodeConfigStatus
    set assigned "assigned" NodeConfigSource;
    set active "active" NodeConfigSource;
    set last_known_good "lastKnownGood" NodeConfigSource;
    set error "error" client_rs_machinery::Str;
}

part! { NodeConfigStatus }

configuration! { NodeDaemonEndpoints
    set kubelet_endpoint "kubeletEndpoint" DaemonEndpoint;
}

part! { NodeDaemonEndpoints }

configuration! { NodeFeatures
    set supplemental_groups_policy "supplementalGroupsPolicy" bool;
}

part! { NodeFeatures }

configuration! { NodePodPreemptionPolicy
    list disable_resize_preemption "disableResizePreemption" client_rs_machinery::Str;
}

part! { NodePodPreemptionPolicy }

configuration! { NodeRuntimeHandler
    set name "name" client_rs_machinery::Str;
    set features "features" NodeRuntimeHandlerFeatures;
}

part! { NodeRuntimeHandler }

configuration! { NodeRuntimeHandlerFeatures
    set recursive_read_only_mounts "recursiveReadOnlyMounts" bool;
    set user_namespaces "userNamespaces" bool;
}

part! { NodeRuntimeHandlerFeatures }

configuration! { NodeSelector
    list node_selector_terms "nodeSelectorTerms" NodeSelectorTerm;
}

part! { NodeSelector }

configuration! { NodeSelectorRequirement
    set key "key" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    list values "values" client_rs_machinery::Str;
}

part! { NodeSelectorRequirement }

configuration! { NodeSelectorTerm
    list match_expressions "matchExpressions" NodeSelectorRequirement;
    list match_fields "matchFields" NodeSelectorRequirement;
}

part! { NodeSelectorTerm }

configuration! { NodeSpec
    set pod_cidr "podCIDR" client_rs_machinery::Str;
    list pod_cidrs "podCIDRs" client_rs_machinery::Str;
    set provider_id "providerID" client_rs_machinery::Str;
    set unschedulable "unschedulable" bool;
    list taints "taints" Taint;
    set config_source "configSource" NodeConfigSource;
    set external_id "externalID" client_rs_machinery::Str;
    set pod_preemption_policy "podPreemptionPolicy" NodePodPreemptionPolicy;
}

part! { NodeSpec }

configuration! { NodeStatus
    map capacity "capacity" client_rs_machinery::Quantity;
    map allocatable "allocatable" client_rs_machinery::Quantity;
    set phase "phase" client_rs_machinery::Str;
    list conditions "conditions" NodeCondition;
    list addresses "addresses" NodeAddress;
    set daemon_endpoints "daemonEndpoints" NodeDaemonEndpoints;
    set node_info "nodeInfo" NodeSystemInfo;
    list images "images" ContainerImage;
    list volumes_in_use "volumesInUse" client_rs_machinery::Str;
    list volumes_attached "volumesAttached" AttachedVolume;
    set config "config" NodeConfigStatus;
    list runtime_handlers "runtimeHandlers" NodeRuntimeHandler;
    set features "features" NodeFeatures;
    list declared_features "declaredFeatures" client_rs_machinery::Str;
}

part! { NodeStatus }

configuration! { NodeSwapStatus
    set capacity "capacity" i64;
}

part! { NodeSwapStatus }

configuration! { NodeSystemInfo
    set machine_id "machineID" client_rs_machinery::Str;
    set system_uuid "systemUUID" client_rs_machinery::Str;
    set boot_id "bootID" client_rs_machinery::Str;
    set kernel_version "kernelVersion" client_rs_machinery::Str;
    set os_image "osImage" client_rs_machinery::Str;
    set container_runtime_version "containerRuntimeVersion" client_rs_machinery::Str;
    set kubelet_version "kubeletVersion" client_rs_machinery::Str;
    set kube_proxy_version "kubeProxyVersion" client_rs_machinery::Str;
    set operating_system "operatingSystem" client_rs_machinery::Str;
    set architecture "architecture" client_rs_machinery::Str;
    set swap "swap" NodeSwapStatus;
    set running_in_user_namespace "runningInUserNamespace" bool;
}

part! { NodeSystemInfo }

configuration! { ObjectFieldSelector
    set api_version "apiVersion" client_rs_machinery::Str;
    set field_path "fieldPath" client_rs_machinery::Str;
}

part! { ObjectFieldSelector }

configuration! { ObjectReference
    set kind "kind" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set uid "uid" client_rs_machinery::Str;
    set api_version "apiVersion" client_rs_machinery::Str;
    set resource_version "resourceVersion" client_rs_machinery::Str;
    set field_path "fieldPath" client_rs_machinery::Str;
}

part! { ObjectReference }

configuration! { PersistentVolume + metadata
    set spec "spec" PersistentVolumeSpec;
    set status "status" PersistentVolumeStatus;
}

kind! { PersistentVolume "v1" cluster status client_rs_api::core::v1::PersistentVolume }

configuration! { PersistentVolumeClaim + metadata
    set spec "spec" PersistentVolumeClaimSpec;
    set status "status" PersistentVolumeClaimStatus;
}

kind! { PersistentVolumeClaim "v1" namespaced status client_rs_api::core::v1::PersistentVolumeClaim }

configuration! { PersistentVolumeClaimCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_probe_time "lastProbeTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { PersistentVolumeClaimCondition }

configuration! { PersistentVolumeClaimSpec
    list access_modes "accessModes" client_rs_machinery::Str;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set resources "resources" VolumeResourceRequirements;
    set volume_name "volumeName" client_rs_machinery::Str;
    set storage_class_name "storageClassName" client_rs_machinery::Str;
    set volume_mode "volumeMode" client_rs_machinery::Str;
    set data_source "dataSource" TypedLocalObjectReference;
    set data_source_ref "dataSourceRef" TypedObjectReference;
    set volume_attributes_class_name "volumeAttributesClassName" client_rs_machinery::Str;
}

part! { PersistentVolumeClaimSpec }

configuration! { PersistentVolumeClaimStatus
    set phase "phase" client_rs_machinery::Str;
    list access_modes "accessModes" client_rs_machinery::Str;
    map capacity "capacity" client_rs_machinery::Quantity;
    list conditions "conditions" PersistentVolumeClaimCondition;
    map allocated_resources "allocatedResources" client_rs_machinery::Quantity;
    map allocated_resource_statuses "allocatedResourceStatuses" client_rs_machinery::Str;
    set current_volume_attributes_class_name "currentVolumeAttributesClassName" client_rs_machinery::Str;
    set modify_volume_status "modifyVolumeStatus" ModifyVolumeStatus;
    set health_status "healthStatus" VolumeHealthStatus;
}

part! { PersistentVolumeClaimStatus }

configuration! { PersistentVolumeClaimTemplate + metadata
    set spec "spec" PersistentVolumeClaimSpec;
}

part! { PersistentVolumeClaimTemplate }

configuration! { PersistentVolumeClaimVolumeSource
    set claim_name "claimName" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { PersistentVolumeClaimVolumeSource }

configuration! { PersistentVolumeSpec
    map capacity "capacity" client_rs_machinery::Quantity;
    set gce_persistent_disk "gcePersistentDisk" GCEPersistentDiskVolumeSource;
    set aws_elastic_block_store "awsElasticBlockStore" AWSElasticBlockStoreVolumeSource;
    set host_path "hostPath" HostPathVolumeSource;
    set glusterfs "glusterfs" GlusterfsPersistentVolumeSource;
    set nfs "nfs" NFSVolumeSource;
    set rbd "rbd" RBDPersistentVolumeSource;
    set iscsi "iscsi" ISCSIPersistentVolumeSource;
    set cinder "cinder" CinderPersistentVolumeSource;
    set cephfs "cephfs" CephFSPersistentVolumeSource;
    set fc "fc" FCVolumeSource;
    set flocker "flocker" FlockerVolumeSource;
    set flex_volume "flexVolume" FlexPersistentVolumeSource;
    set azure_file "azureFile" AzureFilePersistentVolumeSource;
    set vsphere_volume "vsphereVolume" VsphereVirtualDiskVolumeSource;
    set quobyte "quobyte" QuobyteVolumeSource;
    set azure_disk "azureDisk" AzureDiskVolumeSource;
    set photon_persistent_disk "photonPersistentDisk" PhotonPersistentDiskVolumeSource;
    set portworx_volume "portworxVolume" PortworxVolumeSource;
    set scale_io "scaleIO" ScaleIOPersistentVolumeSource;
    set local "local" LocalVolumeSource;
    set storageos "storageos" StorageOSPersistentVolumeSource;
    set csi "csi" CSIPersistentVolumeSource;
    list access_modes "accessModes" client_rs_machinery::Str;
    set claim_ref "claimRef" ObjectReference;
    set persistent_volume_reclaim_policy "persistentVolumeReclaimPolicy" client_rs_machinery::Str;
    set storage_class_name "storageClassName" client_rs_machinery::Str;
    list mount_options "mountOptions" client_rs_machinery::Str;
    set volume_mode "volumeMode" client_rs_machinery::Str;
    set node_affinity "nodeAffinity" VolumeNodeAffinity;
    set volume_attributes_class_name "volumeAttributesClassName" client_rs_machinery::Str;
}

part! { PersistentVolumeSpec }

configuration! { PersistentVolumeStatus
    set phase "phase" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set last_phase_transition_time "lastPhaseTransitionTime" client_rs_machinery::Time;
}

part! { PersistentVolumeStatus }

configuration! { PhotonPersistentDiskVolumeSource
    set pd_id "pdID" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
}

part! { PhotonPersistentDiskVolumeSource }

configuration! { Pod + metadata
    set spec "spec" PodSpec;
    set status "status" PodStatus;
}

kind! { Pod "v1" namespaced status client_rs_api::core::v1::Pod }

configuration! { PodAffinity
    list required_during_scheduling_ignored_during_execution "requiredDuringSchedulingIgnoredDuringExecution" PodAffinityTerm;
    list preferred_during_scheduling_ignored_during_execution "preferredDuringSchedulingIgnoredDuringExecution" WeightedPodAffinityTerm;
}

part! { PodAffinity }

configuration! { PodAffinityTerm
    set label_selector "labelSelector" crate::apply::meta::v1::LabelSelector;
    list namespaces "namespaces" client_rs_machinery::Str;
    set topology_key "topologyKey" client_rs_machinery::Str;
    set namespace_selector "namespaceSelector" crate::apply::meta::v1::LabelSelector;
    list match_label_keys "matchLabelKeys" client_rs_machinery::Str;
    list mismatch_label_keys "mismatchLabelKeys" client_rs_machinery::Str;
}

part! { PodAffinityTerm }

configuration! { PodAntiAffinity
    list required_during_scheduling_ignored_during_execution "requiredDuringSchedulingIgnoredDuringExecution" PodAffinityTerm;
    list preferred_during_scheduling_ignored_during_execution "preferredDuringSchedulingIgnoredDuringExecution" WeightedPodAffinityTerm;
}

part! { PodAntiAffinity }

configuration! { PodCertificateProjection
    set signer_name "signerName" client_rs_machinery::Str;
    set key_type "keyType" client_rs_machinery::Str;
    set max_expiration_seconds "maxExpirationSeconds" i32;
    set credential_bundle_path "credentialBundlePath" client_rs_machinery::Str;
    set key_path "keyPath" client_rs_machinery::Str;
    set certificate_chain_path "certificateChainPath" client_rs_machinery::Str;
    map user_annotations "userAnnotations" client_rs_machinery::Str;
    set user "user" i64;
}

part! { PodCertificateProjection }

configuration! { PodCondition
    set type_ "type" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
    set status "status" client_rs_machinery::Str;
    set last_probe_time "lastProbeTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { PodCondition }

configuration! { PodDNSConfig
    list nameservers "nameservers" client_rs_machinery::Str;
    list searches "searches" client_rs_machinery::Str;
    list options "options" PodDNSConfigOption;
}

part! { PodDNSConfig }

configuration! { PodDNSConfigOption
    set name "name" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
}

part! { PodDNSConfigOption }

configuration! { PodExtendedResourceClaimStatus
    list request_mappings "requestMappings" ContainerExtendedResourceRequest;
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
}

part! { PodExtendedResourceClaimStatus }

configuration! { PodIP
    set ip "ip" client_rs_machinery::Str;
}

part! { PodIP }

configuration! { PodOS
    set name "name" client_rs_machinery::Str;
}

part! { PodOS }

configuration! { PodReadinessGate
    set condition_type "conditionType" client_rs_machinery::Str;
}

part! { PodReadinessGate }

configuration! { PodResourceClaim
    set name "name" client_rs_machinery::Str;
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
    set resource_claim_template_name "resourceClaimTemplateName" client_rs_machinery::Str;
}

part! { PodResourceClaim }

configuration! { PodResourceClaimStatus
    set name "name" client_rs_machinery::Str;
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
}

part! { PodResourceClaimStatus }

configuration! { PodSchedulingGate
    set name "name" client_rs_machinery::Str;
}

part! { PodSchedulingGate }

configuration! { PodSchedulingGroup
    set pod_group_name "podGroupName" client_rs_machinery::Str;
}

part! { PodSchedulingGroup }

configuration! { PodSecurityContext
    set se_linux_options "seLinuxOptions" SELinuxOptions;
    set windows_options "windowsOptions" WindowsSecurityContextOptions;
    set run_as_user "runAsUser" i64;
    set run_as_group "runAsGroup" i64;
    set run_as_non_root "runAsNonRoot" bool;
    list supplemental_groups "supplementalGroups" i64;
    set supplemental_groups_policy "supplementalGroupsPolicy" client_rs_machinery::Str;
    set fs_group "fsGroup" i64;
    list sysctls "sysctls" Sysctl;
    set fs_group_change_policy "fsGroupChangePolicy" client_rs_machinery::Str;
    set seccomp_profile "seccompProfile" SeccompProfile;
    set app_armor_profile "appArmorProfile" AppArmorProfile;
    set se_linux_change_policy "seLinuxChangePolicy" client_rs_machinery::Str;
}

part! { PodSecurityContext }

configuration! { PodSpec
    list volumes "volumes" Volume;
    list init_containers "initContainers" Container;
    list containers "containers" Container;
    list ephemeral_containers "ephemeralContainers" EphemeralContainer;
    set restart_policy "restartPolicy" client_rs_machinery::Str;
    set termination_grace_period_seconds "terminationGracePeriodSeconds" i64;
    set active_deadline_seconds "activeDeadlineSeconds" i64;
    set dns_policy "dnsPolicy" client_rs_machinery::Str;
    map node_selector "nodeSelector" client_rs_machinery::Str;
    set service_account_name "serviceAccountName" client_rs_machinery::Str;
    set service_account "serviceAccount" client_rs_machinery::Str;
    set automount_service_account_token "automountServiceAccountToken" bool;
    set node_name "nodeName" client_rs_machinery::Str;
    set host_network "hostNetwork" bool;
    set host_pid "hostPID" bool;
    set host_ipc "hostIPC" bool;
    set share_process_namespace "shareProcessNamespace" bool;
    set security_context "securityContext" PodSecurityContext;
    list image_pull_secrets "imagePullSecrets" LocalObjectReference;
    set hostname "hostname" client_rs_machinery::Str;
    set subdomain "subdomain" client_rs_machinery::Str;
    set affinity "affinity" Affinity;
    set scheduler_name "schedulerName" client_rs_machinery::Str;
    list tolerations "tolerations" Toleration;
    list host_aliases "hostAliases" HostAlias;
    set priority_class_name "priorityClassName" client_rs_machinery::Str;
    set priority "priority" i32;
    set dns_config "dnsConfig" PodDNSConfig;
    list readiness_gates "readinessGates" PodReadinessGate;
    set runtime_class_name "runtimeClassName" client_rs_machinery::Str;
    set enable_service_links "enableServiceLinks" bool;
    set preemption_policy "preemptionPolicy" client_rs_machinery::Str;
    map overhead "overhead" client_rs_machinery::Quantity;
    list topology_spread_constraints "topologySpreadConstraints" TopologySpreadConstraint;
    set set_hostname_as_fqdn "setHostnameAsFQDN" bool;
    set os "os" PodOS;
    set host_users "hostUsers" bool;
    list scheduling_gates "schedulingGates" PodSchedulingGate;
    list resource_claims "resourceClaims" PodResourceClaim;
    set resources "resources" ResourceRequirements;
    set hostname_override "hostnameOverride" client_rs_machinery::Str;
    set scheduling_group "schedulingGroup" PodSchedulingGroup;
    list eviction_responders "evictionResponders" EvictionResponder;
}

part! { PodSpec }

configuration! { PodStatus
    set observed_generation "observedGeneration" i64;
    set phase "phase" client_rs_machinery::Str;
    list conditions "conditions" PodCondition;
    set message "message" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set nominated_node_name "nominatedNodeName" client_rs_machinery::Str;
    set host_ip "hostIP" client_rs_machinery::Str;
    list host_ips "hostIPs" HostIP;
    set pod_ip "podIP" client_rs_machinery::Str;
    list pod_ips "podIPs" PodIP;
    set start_time "startTime" client_rs_machinery::Time;
    list init_container_statuses "initContainerStatuses" ContainerStatus;
    list container_statuses "containerStatuses" ContainerStatus;
    set qos_class "qosClass" client_rs_machinery::Str;
    list ephemeral_container_statuses "ephemeralContainerStatuses" ContainerStatus;
    set resize "resize" client_rs_machinery::Str;
    list resource_claim_statuses "resourceClaimStatuses" PodResourceClaimStatus;
    set extended_resource_claim_status "extendedResourceClaimStatus" PodExtendedResourceClaimStatus;
    map allocated_resources "allocatedResources" client_rs_machinery::Quantity;
    set resources "resources" ResourceRequirements;
    list node_allocatable_resource_claim_statuses "nodeAllocatableResourceClaimStatuses" NodeAllocatableResourceClaimStatus;
    list volume_health "volumeHealth" PodVolumeHealth;
}

part! { PodStatus }

configuration! { PodTemplate + metadata
    set template "template" PodTemplateSpec;
}

kind! { PodTemplate "v1" namespaced stateless client_rs_api::core::v1::PodTemplate }

configuration! { PodTemplateSpec + metadata
    set spec "spec" PodSpec;
}

part! { PodTemplateSpec }

configuration! { PodVolumeHealth
    set name "name" client_rs_machinery::Str;
    list health_conditions "healthConditions" VolumeHealthCondition;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
}

part! { PodVolumeHealth }

configuration! { PortStatus
    set port "port" i32;
    set protocol "protocol" client_rs_machinery::Str;
    set error "error" client_rs_machinery::Str;
}

part! { PortStatus }

configuration! { PortworxVolumeSource
    set volume_id "volumeID" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { PortworxVolumeSource }

configuration! { PreferredSchedulingTerm
    set weight "weight" i32;
    set preference "preference" NodeSelectorTerm;
}

part! { PreferredSchedulingTerm }

configuration! { Probe
    set exec "exec" ExecAction;
    set http_get "httpGet" HTTPGetAction;
    set tcp_socket "tcpSocket" TCPSocketAction;
    set grpc "grpc" GRPCAction;
    set initial_delay_seconds "initialDelaySeconds" i32;
    set timeout_seconds "timeoutSeconds" i32;
    set period_seconds "periodSeconds" i32;
    set success_threshold "successThreshold" i32;
    set failure_threshold "failureThreshold" i32;
    set termination_grace_period_seconds "terminationGracePeriodSeconds" i64;
}

part! { Probe }

configuration! { ProjectedVolumeSource
    list sources "sources" VolumeProjection;
    set default_mode "defaultMode" i32;
    set default_user "defaultUser" i64;
}

part! { ProjectedVolumeSource }

configuration! { QuobyteVolumeSource
    set registry "registry" client_rs_machinery::Str;
    set volume "volume" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set user "user" client_rs_machinery::Str;
    set group "group" client_rs_machinery::Str;
    set tenant "tenant" client_rs_machinery::Str;
}

part! { QuobyteVolumeSource }

configuration! { RBDPersistentVolumeSource
    list monitors "monitors" client_rs_machinery::Str;
    set image "image" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set pool "pool" client_rs_machinery::Str;
    set user "user" client_rs_machinery::Str;
    set keyring "keyring" client_rs_machinery::Str;
    set secret_ref "secretRef" SecretReference;
    set read_only "readOnly" bool;
}

part! { RBDPersistentVolumeSource }

configuration! { RBDVolumeSource
    list monitors "monitors" client_rs_machinery::Str;
    set image "image" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set pool "pool" client_rs_machinery::Str;
    set user "user" client_rs_machinery::Str;
    set keyring "keyring" client_rs_machinery::Str;
    set secret_ref "secretRef" LocalObjectReference;
    set read_only "readOnly" bool;
}

part! { RBDVolumeSource }

configuration! { ReplicationController + metadata
    set spec "spec" ReplicationControllerSpec;
    set status "status" ReplicationControllerStatus;
}

kind! { ReplicationController "v1" namespaced status client_rs_api::core::v1::ReplicationController }

configuration! { ReplicationControllerCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { ReplicationControllerCondition }

configuration! { ReplicationControllerSpec
    set replicas "replicas" i32;
    set min_ready_seconds "minReadySeconds" i32;
    map selector "selector" client_rs_machinery::Str;
    set template "template" PodTemplateSpec;
}

part! { ReplicationControllerSpec }

configuration! { ReplicationControllerStatus
    set replicas "replicas" i32;
    set fully_labeled_replicas "fullyLabeledReplicas" i32;
    set ready_replicas "readyReplicas" i32;
    set available_replicas "availableReplicas" i32;
    set observed_generation "observedGeneration" i64;
    list conditions "conditions" ReplicationControllerCondition;
}

part! { ReplicationControllerStatus }

configuration! { ResourceClaim
    set name "name" client_rs_machinery::Str;
    set request "request" client_rs_machinery::Str;
}

part! { ResourceClaim }

configuration! { ResourceFieldSelector
    set container_name "containerName" client_rs_machinery::Str;
    set resource "resource" client_rs_machinery::Str;
    set divisor "divisor" client_rs_machinery::Quantity;
}

part! { ResourceFieldSelector }

configuration! { ResourceHealth
    set resource_id "resourceID" client_rs_machinery::Str;
    set health "health" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { ResourceHealth }

configuration! { ResourceQuota + metadata
    set spec "spec" ResourceQuotaSpec;
    set status "status" ResourceQuotaStatus;
}

kind! { ResourceQuota "v1" namespaced status client_rs_api::core::v1::ResourceQuota }

configuration! { ResourceQuotaSpec
    map hard "hard" client_rs_machinery::Quantity;
    list scopes "scopes" client_rs_machinery::Str;
    set scope_selector "scopeSelector" ScopeSelector;
}

part! { ResourceQuotaSpec }

configuration! { ResourceQuotaStatus
    map hard "hard" client_rs_machinery::Quantity;
    map used "used" client_rs_machinery::Quantity;
}

part! { ResourceQuotaStatus }

configuration! { ResourceRequirements
    map limits "limits" client_rs_machinery::Quantity;
    map requests "requests" client_rs_machinery::Quantity;
    list claims "claims" ResourceClaim;
}

part! { ResourceRequirements }

configuration! { ResourceStatus
    set name "name" client_rs_machinery::Str;
    list resources "resources" ResourceHealth;
}

part! { ResourceStatus }

configuration! { SELinuxOptions
    set user "user" client_rs_machinery::Str;
    set role "role" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    set level "level" client_rs_machinery::Str;
}

part! { SELinuxOptions }

configuration! { ScaleIOPersistentVolumeSource
    set gateway "gateway" client_rs_machinery::Str;
    set system "system" client_rs_machinery::Str;
    set secret_ref "secretRef" SecretReference;
    set ssl_enabled "sslEnabled" bool;
    set protection_domain "protectionDomain" client_rs_machinery::Str;
    set storage_pool "storagePool" client_rs_machinery::Str;
    set storage_mode "storageMode" client_rs_machinery::Str;
    set volume_name "volumeName" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { ScaleIOPersistentVolumeSource }

configuration! { ScaleIOVolumeSource
    set gateway "gateway" client_rs_machinery::Str;
    set system "system" client_rs_machinery::Str;
    set secret_ref "secretRef" LocalObjectReference;
    set ssl_enabled "sslEnabled" bool;
    set protection_domain "protectionDomain" client_rs_machinery::Str;
    set storage_pool "storagePool" client_rs_machinery::Str;
    set storage_mode "storageMode" client_rs_machinery::Str;
    set volume_name "volumeName" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
}

part! { ScaleIOVolumeSource }

configuration! { ScopeSelector
    list match_expressions "matchExpressions" ScopedResourceSelectorRequirement;
}

part! { ScopeSelector }

configuration! { ScopedResourceSelectorRequirement
    set scope_name "scopeName" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    list values "values" client_rs_machinery::Str;
}

part! { ScopedResourceSelectorRequirement }

configuration! { SeccompProfile
    set type_ "type" client_rs_machinery::Str;
    set localhost_profile "localhostProfile" client_rs_machinery::Str;
}

part! { SeccompProfile }

configuration! { Secret + metadata
    set immutable "immutable" bool;
    map data "data" client_rs_machinery::Blob;
    map string_data "stringData" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
}

kind! { Secret "v1" namespaced stateless client_rs_api::core::v1::Secret }

configuration! { SecretEnvSource
    set name "name" client_rs_machinery::Str;
    set optional "optional" bool;
}

part! { SecretEnvSource }

configuration! { SecretKeySelector
    set name "name" client_rs_machinery::Str;
    set key "key" client_rs_machinery::Str;
    set optional "optional" bool;
}

part! { SecretKeySelector }

configuration! { SecretProjection
    set name "name" client_rs_machinery::Str;
    list items "items" KeyToPath;
    set optional "optional" bool;
}

part! { SecretProjection }

configuration! { SecretReference
    set name "name" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
}

part! { SecretReference }

configuration! { SecretVolumeSource
    set secret_name "secretName" client_rs_machinery::Str;
    list items "items" KeyToPath;
    set default_mode "defaultMode" i32;
    set optional "optional" bool;
    set default_user "defaultUser" i64;
}

part! { SecretVolumeSource }

configuration! { SecurityContext
    set capabilities "capabilities" Capabilities;
    set privileged "privileged" bool;
    set se_linux_options "seLinuxOptions" SELinuxOptions;
    set windows_options "windowsOptions" WindowsSecurityContextOptions;
    set run_as_user "runAsUser" i64;
    set run_as_group "runAsGroup" i64;
    set run_as_non_root "runAsNonRoot" bool;
    set read_only_root_filesystem "readOnlyRootFilesystem" bool;
    set allow_privilege_escalation "allowPrivilegeEscalation" bool;
    set proc_mount "procMount" client_rs_machinery::Str;
    set seccomp_profile "seccompProfile" SeccompProfile;
    set app_armor_profile "appArmorProfile" AppArmorProfile;
}

part! { SecurityContext }

configuration! { Service + metadata
    set spec "spec" ServiceSpec;
    set status "status" ServiceStatus;
}

kind! { Service "v1" namespaced status client_rs_api::core::v1::Service }

configuration! { ServiceAccount + metadata
    list secrets "secrets" ObjectReference;
    list image_pull_secrets "imagePullSecrets" LocalObjectReference;
    set automount_service_account_token "automountServiceAccountToken" bool;
}

kind! { ServiceAccount "v1" namespaced stateless client_rs_api::core::v1::ServiceAccount }

configuration! { ServiceAccountTokenProjection
    set audience "audience" client_rs_machinery::Str;
    set expiration_seconds "expirationSeconds" i64;
    set path "path" client_rs_machinery::Str;
    set user "user" i64;
}

part! { ServiceAccountTokenProjection }

configuration! { ServicePort
    set name "name" client_rs_machinery::Str;
    set protocol "protocol" client_rs_machinery::Str;
    set app_protocol "appProtocol" client_rs_machinery::Str;
    set port "port" i32;
    set target_port "targetPort" client_rs_machinery::IntOrString;
    set node_port "nodePort" i32;
}

part! { ServicePort }

configuration! { ServiceSpec
    list ports "ports" ServicePort;
    map selector "selector" client_rs_machinery::Str;
    set cluster_ip "clusterIP" client_rs_machinery::Str;
    list cluster_ips "clusterIPs" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    list external_ips "externalIPs" client_rs_machinery::Str;
    set session_affinity "sessionAffinity" client_rs_machinery::Str;
    set load_balancer_ip "loadBalancerIP" client_rs_machinery::Str;
    list load_balancer_source_ranges "loadBalancerSourceRanges" client_rs_machinery::Str;
    set external_name "externalName" client_rs_machinery::Str;
    set external_traffic_policy "externalTrafficPolicy" client_rs_machinery::Str;
    set health_check_node_port "healthCheckNodePort" i32;
    set publish_not_ready_addresses "publishNotReadyAddresses" bool;
    set session_affinity_config "sessionAffinityConfig" SessionAffinityConfig;
    list ip_families "ipFamilies" client_rs_machinery::Str;
    set ip_family_policy "ipFamilyPolicy" client_rs_machinery::Str;
    set allocate_load_balancer_node_ports "allocateLoadBalancerNodePorts" bool;
    set load_balancer_class "loadBalancerClass" client_rs_machinery::Str;
    set internal_traffic_policy "internalTrafficPolicy" client_rs_machinery::Str;
    set traffic_distribution "trafficDistribution" client_rs_machinery::Str;
}

part! { ServiceSpec }

configuration! { ServiceStatus
    set load_balancer "loadBalancer" LoadBalancerStatus;
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { ServiceStatus }

configuration! { SessionAffinityConfig
    set client_ip "clientIP" ClientIPConfig;
}

part! { SessionAffinityConfig }

configuration! { SleepAction
    set seconds "seconds" i64;
}

part! { SleepAction }

configuration! { StorageOSPersistentVolumeSource
    set volume_name "volumeName" client_rs_machinery::Str;
    set volume_namespace "volumeNamespace" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set secret_ref "secretRef" ObjectReference;
}

part! { StorageOSPersistentVolumeSource }

configuration! { StorageOSVolumeSource
    set volume_name "volumeName" client_rs_machinery::Str;
    set volume_namespace "volumeNamespace" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set secret_ref "secretRef" LocalObjectReference;
}

part! { StorageOSVolumeSource }

configuration! { Sysctl
    set name "name" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
}

part! { Sysctl }

configuration! { TCPSocketAction
    set port "port" client_rs_machinery::IntOrString;
    set host "host" client_rs_machinery::Str;
}

part! { TCPSocketAction }

configuration! { Taint
    set key "key" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set effect "effect" client_rs_machinery::Str;
    set time_added "timeAdded" client_rs_machinery::Time;
}

part! { Taint }

configuration! { Toleration
    set key "key" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    set value "value" client_rs_machinery::Str;
    set effect "effect" client_rs_machinery::Str;
    set toleration_seconds "tolerationSeconds" i64;
}

part! { Toleration }

configuration! { TopologySelectorLabelRequirement
    set key "key" client_rs_machinery::Str;
    list values "values" client_rs_machinery::Str;
}

part! { TopologySelectorLabelRequirement }

configuration! { TopologySelectorTerm
    list match_label_expressions "matchLabelExpressions" TopologySelectorLabelRequirement;
}

part! { TopologySelectorTerm }

configuration! { TopologySpreadConstraint
    set max_skew "maxSkew" i32;
    set topology_key "topologyKey" client_rs_machinery::Str;
    set when_unsatisfiable "whenUnsatisfiable" client_rs_machinery::Str;
    set label_selector "labelSelector" crate::apply::meta::v1::LabelSelector;
    set min_domains "minDomains" i32;
    set node_affinity_policy "nodeAffinityPolicy" client_rs_machinery::Str;
    set node_taints_policy "nodeTaintsPolicy" client_rs_machinery::Str;
    list match_label_keys "matchLabelKeys" client_rs_machinery::Str;
}

part! { TopologySpreadConstraint }

configuration! { TypedLocalObjectReference
    set api_group "apiGroup" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
}

part! { TypedLocalObjectReference }

configuration! { TypedObjectReference
    set api_group "apiGroup" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
}

part! { TypedObjectReference }

configuration! { Volume
    set name "name" client_rs_machinery::Str;
    set host_path "hostPath" HostPathVolumeSource;
    set empty_dir "emptyDir" EmptyDirVolumeSource;
    set gce_persistent_disk "gcePersistentDisk" GCEPersistentDiskVolumeSource;
    set aws_elastic_block_store "awsElasticBlockStore" AWSElasticBlockStoreVolumeSource;
    set git_repo "gitRepo" GitRepoVolumeSource;
    set secret "secret" SecretVolumeSource;
    set nfs "nfs" NFSVolumeSource;
    set iscsi "iscsi" ISCSIVolumeSource;
    set glusterfs "glusterfs" GlusterfsVolumeSource;
    set persistent_volume_claim "persistentVolumeClaim" PersistentVolumeClaimVolumeSource;
    set rbd "rbd" RBDVolumeSource;
    set flex_volume "flexVolume" FlexVolumeSource;
    set cinder "cinder" CinderVolumeSource;
    set cephfs "cephfs" CephFSVolumeSource;
    set flocker "flocker" FlockerVolumeSource;
    set downward_api "downwardAPI" DownwardAPIVolumeSource;
    set fc "fc" FCVolumeSource;
    set azure_file "azureFile" AzureFileVolumeSource;
    set config_map "configMap" ConfigMapVolumeSource;
    set vsphere_volume "vsphereVolume" VsphereVirtualDiskVolumeSource;
    set quobyte "quobyte" QuobyteVolumeSource;
    set azure_disk "azureDisk" AzureDiskVolumeSource;
    set photon_persistent_disk "photonPersistentDisk" PhotonPersistentDiskVolumeSource;
    set projected "projected" ProjectedVolumeSource;
    set portworx_volume "portworxVolume" PortworxVolumeSource;
    set scale_io "scaleIO" ScaleIOVolumeSource;
    set storageos "storageos" StorageOSVolumeSource;
    set csi "csi" CSIVolumeSource;
    set ephemeral "ephemeral" EphemeralVolumeSource;
    set image "image" ImageVolumeSource;
}

part! { Volume }

configuration! { VolumeDevice
    set name "name" client_rs_machinery::Str;
    set device_path "devicePath" client_rs_machinery::Str;
}

part! { VolumeDevice }

configuration! { VolumeHealthCondition
    set status "status" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { VolumeHealthCondition }

configuration! { VolumeHealthStatus
    list health_conditions "healthConditions" VolumeHealthCondition;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
}

part! { VolumeHealthStatus }

configuration! { VolumeMount
    set name "name" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set recursive_read_only "recursiveReadOnly" client_rs_machinery::Str;
    set mount_path "mountPath" client_rs_machinery::Str;
    set sub_path "subPath" client_rs_machinery::Str;
    set mount_propagation "mountPropagation" client_rs_machinery::Str;
    set sub_path_expr "subPathExpr" client_rs_machinery::Str;
    list bind_mount_options "bindMountOptions" client_rs_machinery::Str;
}

part! { VolumeMount }

configuration! { VolumeMountStatus
    set name "name" client_rs_machinery::Str;
    set mount_path "mountPath" client_rs_machinery::Str;
    set read_only "readOnly" bool;
    set recursive_read_only "recursiveReadOnly" client_rs_machinery::Str;
    set volume_status "volumeStatus" VolumeStatus;
}

part! { VolumeMountStatus }

configuration! { VolumeNodeAffinity
    set required "required" NodeSelector;
}

part! { VolumeNodeAffinity }

configuration! { VolumeProjection
    set secret "secret" SecretProjection;
    set downward_api "downwardAPI" DownwardAPIProjection;
    set config_map "configMap" ConfigMapProjection;
    set service_account_token "serviceAccountToken" ServiceAccountTokenProjection;
    set cluster_trust_bundle "clusterTrustBundle" ClusterTrustBundleProjection;
    set pod_certificate "podCertificate" PodCertificateProjection;
}

part! { VolumeProjection }

configuration! { VolumeResourceRequirements
    map limits "limits" client_rs_machinery::Quantity;
    map requests "requests" client_rs_machinery::Quantity;
}

part! { VolumeResourceRequirements }

configuration! { VolumeStatus
    set image "image" ImageVolumeStatus;
}

part! { VolumeStatus }

configuration! { VsphereVirtualDiskVolumeSource
    set volume_path "volumePath" client_rs_machinery::Str;
    set fs_type "fsType" client_rs_machinery::Str;
    set storage_policy_name "storagePolicyName" client_rs_machinery::Str;
    set storage_policy_id "storagePolicyID" client_rs_machinery::Str;
}

part! { VsphereVirtualDiskVolumeSource }

configuration! { WeightedPodAffinityTerm
    set weight "weight" i32;
    set pod_affinity_term "podAffinityTerm" PodAffinityTerm;
}

part! { WeightedPodAffinityTerm }

configuration! { WindowsSecurityContextOptions
    set gmsa_credential_spec_name "gmsaCredentialSpecName" client_rs_machinery::Str;
    set gmsa_credential_spec "gmsaCredentialSpec" client_rs_machinery::Str;
    set run_as_user_name "runAsUserName" client_rs_machinery::Str;
    set host_process "hostProcess" bool;
}

part! { WindowsSecurityContextOptions }
