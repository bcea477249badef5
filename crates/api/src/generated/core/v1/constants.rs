// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `AppArmorProfileType`.
pub const APP_ARMOR_PROFILE_TYPE_LOCALHOST: &str = "Localhost";
/// A value of `AppArmorProfileType`.
pub const APP_ARMOR_PROFILE_TYPE_RUNTIME_DEFAULT: &str = "RuntimeDefault";
/// A value of `AppArmorProfileType`.
pub const APP_ARMOR_PROFILE_TYPE_UNCONFINED: &str = "Unconfined";
/// A value of `AzureDataDiskCachingMode`.
pub const AZURE_DATA_DISK_CACHING_NONE: &str = "None";
/// A value of `AzureDataDiskCachingMode`.
pub const AZURE_DATA_DISK_CACHING_READ_ONLY: &str = "ReadOnly";
/// A value of `AzureDataDiskCachingMode`.
pub const AZURE_DATA_DISK_CACHING_READ_WRITE: &str = "ReadWrite";
/// A value of `AzureDataDiskKind`.
pub const AZURE_DEDICATED_BLOB_DISK: &str = "Dedicated";
/// A value of `AzureDataDiskKind`.
pub const AZURE_MANAGED_DISK: &str = "Managed";
/// A value of `AzureDataDiskKind`.
pub const AZURE_SHARED_BLOB_DISK: &str = "Shared";
/// A value of `ClaimResourceStatus`.
pub const PERSISTENT_VOLUME_CLAIM_CONTROLLER_RESIZE_IN_PROGRESS: &str = "ControllerResizeInProgress";
/// A value of `ClaimResourceStatus`.
pub const PERSISTENT_VOLUME_CLAIM_CONTROLLER_RESIZE_INFEASIBLE: &str = "ControllerResizeInfeasible";
/// A value of `ClaimResourceStatus`.
pub const PERSISTENT_VOLUME_CLAIM_NODE_RESIZE_IN_PROGRESS: &str = "NodeResizeInProgress";
/// A value of `ClaimResourceStatus`.
pub const PERSISTENT_VOLUME_CLAIM_NODE_RESIZE_INFEASIBLE: &str = "NodeResizeInfeasible";
/// A value of `ClaimResourceStatus`.
pub const PERSISTENT_VOLUME_CLAIM_NODE_RESIZE_PENDING: &str = "NodeResizePending";
/// A value of `ComponentConditionType`.
pub const COMPONENT_HEALTHY: &str = "Healthy";
/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
/// A value of `ContainerRestartPolicy`.
pub const CONTAINER_RESTART_POLICY_ALWAYS: &str = "Always";
/// A value of `ContainerRestartPolicy`.
pub const CONTAINER_RESTART_POLICY_NEVER: &str = "Never";
/// A value of `ContainerRestartPolicy`.
pub const CONTAINER_RESTART_POLICY_ON_FAILURE: &str = "OnFailure";
/// A value of `ContainerRestartRuleAction`.
pub const CONTAINER_RESTART_RULE_ACTION_RESTART: &str = "Restart";
/// A value of `ContainerRestartRuleAction`.
pub const CONTAINER_RESTART_RULE_ACTION_RESTART_ALL_CONTAINERS: &str = "RestartAllContainers";
/// A value of `ContainerRestartRuleOnExitCodesOperator`.
pub const CONTAINER_RESTART_RULE_ON_EXIT_CODES_OP_IN: &str = "In";
/// A value of `ContainerRestartRuleOnExitCodesOperator`.
pub const CONTAINER_RESTART_RULE_ON_EXIT_CODES_OP_NOT_IN: &str = "NotIn";
/// A value of `DNSPolicy`.
pub const DNS_CLUSTER_FIRST: &str = "ClusterFirst";
/// A value of `DNSPolicy`.
pub const DNS_CLUSTER_FIRST_WITH_HOST_NET: &str = "ClusterFirstWithHostNet";
/// A value of `DNSPolicy`.
pub const DNS_DEFAULT: &str = "Default";
/// A value of `DNSPolicy`.
pub const DNS_NONE: &str = "None";
/// A value of `FinalizerName`.
pub const FINALIZER_KUBERNETES: &str = "kubernetes";
/// A value of `GRPCProbeMode`.
pub const GRPC_PROBE_MODE_PLAINTEXT: &str = "Plaintext";
/// A value of `GRPCProbeMode`.
pub const GRPC_PROBE_MODE_TLS: &str = "TLS";
/// A value of `HTTPProtocol`.
pub const HTTP_PROTOCOL_HTTP1: &str = "HTTP1";
/// A value of `HTTPProtocol`.
pub const HTTP_PROTOCOL_HTTP2: &str = "HTTP2";
/// A value of `HostPathType`.
pub const HOST_PATH_BLOCK_DEV: &str = "BlockDevice";
/// A value of `HostPathType`.
pub const HOST_PATH_CHAR_DEV: &str = "CharDevice";
/// A value of `HostPathType`.
pub const HOST_PATH_DIRECTORY: &str = "Directory";
/// A value of `HostPathType`.
pub const HOST_PATH_DIRECTORY_OR_CREATE: &str = "DirectoryOrCreate";
/// A value of `HostPathType`.
pub const HOST_PATH_FILE: &str = "File";
/// A value of `HostPathType`.
pub const HOST_PATH_FILE_OR_CREATE: &str = "FileOrCreate";
/// A value of `HostPathType`.
pub const HOST_PATH_SOCKET: &str = "Socket";
/// A value of `HostPathType`.
pub const HOST_PATH_UNSET: &str = "";
/// A value of `IPFamily`.
pub const IP_FAMILY_UNKNOWN: &str = "";
/// A value of `IPFamily`.
pub const I_PV4_PROTOCOL: &str = "IPv4";
/// A value of `IPFamily`.
pub const I_PV6_PROTOCOL: &str = "IPv6";
/// A value of `IPFamilyPolicy`.
pub const IP_FAMILY_POLICY_PREFER_DUAL_STACK: &str = "PreferDualStack";
/// A value of `IPFamilyPolicy`.
pub const IP_FAMILY_POLICY_REQUIRE_DUAL_STACK: &str = "RequireDualStack";
/// A value of `IPFamilyPolicy`.
pub const IP_FAMILY_POLICY_SINGLE_STACK: &str = "SingleStack";
/// A value of `LimitType`.
pub const LIMIT_TYPE_CONTAINER: &str = "Container";
/// A value of `LimitType`.
pub const LIMIT_TYPE_PERSISTENT_VOLUME_CLAIM: &str = "PersistentVolumeClaim";
/// A value of `LimitType`.
pub const LIMIT_TYPE_POD: &str = "Pod";
/// A value of `LoadBalancerIPMode`.
pub const LOAD_BALANCER_IP_MODE_PROXY: &str = "Proxy";
/// A value of `LoadBalancerIPMode`.
pub const LOAD_BALANCER_IP_MODE_VIP: &str = "VIP";
/// A value of `MountPropagationMode`.
pub const MOUNT_PROPAGATION_BIDIRECTIONAL: &str = "Bidirectional";
/// A value of `MountPropagationMode`.
pub const MOUNT_PROPAGATION_HOST_TO_CONTAINER: &str = "HostToContainer";
/// A value of `MountPropagationMode`.
pub const MOUNT_PROPAGATION_NONE: &str = "None";
/// A value of `NamespaceConditionType`.
pub const NAMESPACE_CONTENT_REMAINING: &str = "NamespaceContentRemaining";
/// A value of `NamespaceConditionType`.
pub const NAMESPACE_DELETION_CONTENT_FAILURE: &str = "NamespaceDeletionContentFailure";
/// A value of `NamespaceConditionType`.
pub const NAMESPACE_DELETION_DISCOVERY_FAILURE: &str = "NamespaceDeletionDiscoveryFailure";
/// A value of `NamespaceConditionType`.
pub const NAMESPACE_DELETION_GV_PARSING_FAILURE: &str = "NamespaceDeletionGroupVersionParsingFailure";
/// A value of `NamespaceConditionType`.
pub const NAMESPACE_FINALIZERS_REMAINING: &str = "NamespaceFinalizersRemaining";
/// A value of `NamespacePhase`.
pub const NAMESPACE_ACTIVE: &str = "Active";
/// A value of `NamespacePhase`.
pub const NAMESPACE_TERMINATING: &str = "Terminating";
/// A value of `NodeAddressType`.
pub const NODE_EXTERNAL_DNS: &str = "ExternalDNS";
/// A value of `NodeAddressType`.
pub const NODE_EXTERNAL_IP: &str = "ExternalIP";
/// A value of `NodeAddressType`.
pub const NODE_HOST_NAME: &str = "Hostname";
/// A value of `NodeAddressType`.
pub const NODE_INTERNAL_DNS: &str = "InternalDNS";
/// A value of `NodeAddressType`.
pub const NODE_INTERNAL_IP: &str = "InternalIP";
/// A value of `NodeConditionType`.
pub const NODE_DISK_PRESSURE: &str = "DiskPressure";
/// A value of `NodeConditionType`.
pub const NODE_DRAIN_IN_PROGRESS: &str = "DrainInProgress";
/// A value of `NodeConditionType`.
pub const NODE_DRAINED: &str = "Drained";
/// A value of `NodeConditionType`.
pub const NODE_GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS: &str = "GracefulNodeShutdownInProgress";
/// A value of `NodeConditionType`.
pub const NODE_MAINTENANCE_IN_PROGRESS: &str = "MaintenanceInProgress";
/// A value of `NodeConditionType`.
pub const NODE_MAINTENANCE_PLANNED: &str = "MaintenancePlanned";
/// A value of `NodeConditionType`.
pub const NODE_MEMORY_PRESSURE: &str = "MemoryPressure";
/// A value of `NodeConditionType`.
pub const NODE_NETWORK_UNAVAILABLE: &str = "NetworkUnavailable";
/// A value of `NodeConditionType`.
pub const NODE_PID_PRESSURE: &str = "PIDPressure";
/// A value of `NodeConditionType`.
pub const NODE_READY: &str = "Ready";
/// A value of `NodeInclusionPolicy`.
pub const NODE_INCLUSION_POLICY_HONOR: &str = "Honor";
/// A value of `NodeInclusionPolicy`.
pub const NODE_INCLUSION_POLICY_IGNORE: &str = "Ignore";
/// A value of `NodePhase`.
pub const NODE_PENDING: &str = "Pending";
/// A value of `NodePhase`.
pub const NODE_RUNNING: &str = "Running";
/// A value of `NodePhase`.
pub const NODE_TERMINATED: &str = "Terminated";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_DOES_NOT_EXIST: &str = "DoesNotExist";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_EXISTS: &str = "Exists";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_GT: &str = "Gt";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_IN: &str = "In";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_LT: &str = "Lt";
/// A value of `NodeSelectorOperator`.
pub const NODE_SELECTOR_OP_NOT_IN: &str = "NotIn";
/// A value of `OSName`.
pub const LINUX: &str = "linux";
/// A value of `OSName`.
pub const WINDOWS: &str = "windows";
/// A value of `PersistentVolumeAccessMode`.
pub const READ_ONLY_MANY: &str = "ReadOnlyMany";
/// A value of `PersistentVolumeAccessMode`.
pub const READ_WRITE_MANY: &str = "ReadWriteMany";
/// A value of `PersistentVolumeAccessMode`.
pub const READ_WRITE_ONCE: &str = "ReadWriteOnce";
/// A value of `PersistentVolumeAccessMode`.
pub const READ_WRITE_ONCE_POD: &str = "ReadWriteOncePod";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_CONTROLLER_RESIZE_ERROR: &str = "ControllerResizeError";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_FILE_SYSTEM_RESIZE_PENDING: &str = "FileSystemResizePending";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_NODE_RESIZE_ERROR: &str = "NodeResizeError";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_RESIZING: &str = "Resizing";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_UNUSED: &str = "Unused";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_VOLUME_MODIFY_VOLUME_ERROR: &str = "ModifyVolumeError";
/// A value of `PersistentVolumeClaimConditionType`.
pub const PERSISTENT_VOLUME_CLAIM_VOLUME_MODIFYING_VOLUME: &str = "ModifyingVolume";
/// A value of `PersistentVolumeClaimModifyVolumeStatus`.
pub const PERSISTENT_VOLUME_CLAIM_MODIFY_VOLUME_IN_PROGRESS: &str = "InProgress";
/// A value of `PersistentVolumeClaimModifyVolumeStatus`.
pub const PERSISTENT_VOLUME_CLAIM_MODIFY_VOLUME_INFEASIBLE: &str = "Infeasible";
/// A value of `PersistentVolumeClaimModifyVolumeStatus`.
pub const PERSISTENT_VOLUME_CLAIM_MODIFY_VOLUME_PENDING: &str = "Pending";
/// A value of `PersistentVolumeClaimPhase`.
pub const CLAIM_BOUND: &str = "Bound";
/// A value of `PersistentVolumeClaimPhase`.
pub const CLAIM_LOST: &str = "Lost";
/// A value of `PersistentVolumeClaimPhase`.
pub const CLAIM_PENDING: &str = "Pending";
/// A value of `PersistentVolumeMode`.
pub const PERSISTENT_VOLUME_BLOCK: &str = "Block";
/// A value of `PersistentVolumeMode`.
pub const PERSISTENT_VOLUME_FILESYSTEM: &str = "Filesystem";
/// A value of `PersistentVolumePhase`.
pub const VOLUME_AVAILABLE: &str = "Available";
/// A value of `PersistentVolumePhase`.
pub const VOLUME_BOUND: &str = "Bound";
/// A value of `PersistentVolumePhase`.
pub const VOLUME_FAILED: &str = "Failed";
/// A value of `PersistentVolumePhase`.
pub const VOLUME_PENDING: &str = "Pending";
/// A value of `PersistentVolumePhase`.
pub const VOLUME_RELEASED: &str = "Released";
/// A value of `PersistentVolumeReclaimPolicy`.
pub const PERSISTENT_VOLUME_RECLAIM_DELETE: &str = "Delete";
/// A value of `PersistentVolumeReclaimPolicy`.
pub const PERSISTENT_VOLUME_RECLAIM_RECYCLE: &str = "Recycle";
/// A value of `PersistentVolumeReclaimPolicy`.
pub const PERSISTENT_VOLUME_RECLAIM_RETAIN: &str = "Retain";
/// A value of `PodConditionType`.
pub const ALL_CONTAINERS_RESTARTING: &str = "AllContainersRestarting";
/// A value of `PodConditionType`.
pub const CONTAINERS_READY: &str = "ContainersReady";
/// A value of `PodConditionType`.
pub const DISRUPTION_TARGET: &str = "DisruptionTarget";
/// A value of `PodConditionType`.
pub const POD_INITIALIZED: &str = "Initialized";
/// A value of `PodConditionType`.
pub const POD_READY: &str = "Ready";
/// A value of `PodConditionType`.
pub const POD_READY_TO_START_CONTAINERS: &str = "PodReadyToStartContainers";
/// A value of `PodConditionType`.
pub const POD_RESIZE_IN_PROGRESS: &str = "PodResizeInProgress";
/// A value of `PodConditionType`.
pub const POD_RESIZE_PENDING: &str = "PodResizePending";
/// A value of `PodConditionType`.
pub const POD_SCHEDULED: &str = "PodScheduled";
/// A value of `PodFSGroupChangePolicy`.
pub const FS_GROUP_CHANGE_ALWAYS: &str = "Always";
/// A value of `PodFSGroupChangePolicy`.
pub const FS_GROUP_CHANGE_ON_ROOT_MISMATCH: &str = "OnRootMismatch";
/// A value of `PodPhase`.
pub const POD_FAILED: &str = "Failed";
/// A value of `PodPhase`.
pub const POD_PENDING: &str = "Pending";
/// A value of `PodPhase`.
pub const POD_RUNNING: &str = "Running";
/// A value of `PodPhase`.
pub const POD_SUCCEEDED: &str = "Succeeded";
/// A value of `PodPhase`.
pub const POD_UNKNOWN: &str = "Unknown";
/// A value of `PodQOSClass`.
pub const POD_QOS_BEST_EFFORT: &str = "BestEffort";
/// A value of `PodQOSClass`.
pub const POD_QOS_BURSTABLE: &str = "Burstable";
/// A value of `PodQOSClass`.
pub const POD_QOS_GUARANTEED: &str = "Guaranteed";
/// A value of `PodResizeStatus`.
pub const POD_RESIZE_STATUS_DEFERRED: &str = "Deferred";
/// A value of `PodResizeStatus`.
pub const POD_RESIZE_STATUS_IN_PROGRESS: &str = "InProgress";
/// A value of `PodResizeStatus`.
pub const POD_RESIZE_STATUS_INFEASIBLE: &str = "Infeasible";
/// A value of `PodSELinuxChangePolicy`.
pub const SE_LINUX_CHANGE_POLICY_MOUNT_OPTION: &str = "MountOption";
/// A value of `PodSELinuxChangePolicy`.
pub const SE_LINUX_CHANGE_POLICY_RECURSIVE: &str = "Recursive";
/// A value of `PreemptionPolicy`.
pub const PREEMPT_LOWER_PRIORITY: &str = "PreemptLowerPriority";
/// A value of `PreemptionPolicy`.
pub const PREEMPT_NEVER: &str = "Never";
/// A value of `ProcMountType`.
pub const DEFAULT_PROC_MOUNT: &str = "Default";
/// A value of `ProcMountType`.
pub const UNMASKED_PROC_MOUNT: &str = "Unmasked";
/// A value of `Protocol`.
pub const PROTOCOL_SCTP: &str = "SCTP";
/// A value of `Protocol`.
pub const PROTOCOL_TCP: &str = "TCP";
/// A value of `Protocol`.
pub const PROTOCOL_UDP: &str = "UDP";
/// A value of `PullPolicy`.
pub const PULL_ALWAYS: &str = "Always";
/// A value of `PullPolicy`.
pub const PULL_IF_NOT_PRESENT: &str = "IfNotPresent";
/// A value of `PullPolicy`.
pub const PULL_NEVER: &str = "Never";
/// A value of `RecursiveReadOnlyMode`.
pub const RECURSIVE_READ_ONLY_DISABLED: &str = "Disabled";
/// A value of `RecursiveReadOnlyMode`.
pub const RECURSIVE_READ_ONLY_ENABLED: &str = "Enabled";
/// A value of `RecursiveReadOnlyMode`.
pub const RECURSIVE_READ_ONLY_IF_POSSIBLE: &str = "IfPossible";
/// A value of `ReplicationControllerConditionType`.
pub const REPLICATION_CONTROLLER_REPLICA_FAILURE: &str = "ReplicaFailure";
/// A value of `ResourceHealthStatus`.
pub const RESOURCE_HEALTH_STATUS_HEALTHY: &str = "Healthy";
/// A value of `ResourceHealthStatus`.
pub const RESOURCE_HEALTH_STATUS_UNHEALTHY: &str = "Unhealthy";
/// A value of `ResourceHealthStatus`.
pub const RESOURCE_HEALTH_STATUS_UNKNOWN: &str = "Unknown";
/// A value of `ResourceName`.
pub const RESOURCE_CPU: &str = "cpu";
/// A value of `ResourceName`.
pub const RESOURCE_CONFIG_MAPS: &str = "configmaps";
/// A value of `ResourceName`.
pub const RESOURCE_EPHEMERAL_STORAGE: &str = "ephemeral-storage";
/// A value of `ResourceName`.
pub const RESOURCE_LIMITS_CPU: &str = "limits.cpu";
/// A value of `ResourceName`.
pub const RESOURCE_LIMITS_EPHEMERAL_STORAGE: &str = "limits.ephemeral-storage";
/// A value of `ResourceName`.
pub const RESOURCE_LIMITS_MEMORY: &str = "limits.memory";
/// A value of `ResourceName`.
pub const RESOURCE_MEMORY: &str = "memory";
/// A value of `ResourceName`.
pub const RESOURCE_PERSISTENT_VOLUME_CLAIMS: &str = "persistentvolumeclaims";
/// A value of `ResourceName`.
pub const RESOURCE_PODS: &str = "pods";
/// A value of `ResourceName`.
pub const RESOURCE_QUOTAS: &str = "resourcequotas";
/// A value of `ResourceName`.
pub const RESOURCE_REPLICATION_CONTROLLERS: &str = "replicationcontrollers";
/// A value of `ResourceName`.
pub const RESOURCE_REQUESTS_CPU: &str = "requests.cpu";
/// A value of `ResourceName`.
pub const RESOURCE_REQUESTS_EPHEMERAL_STORAGE: &str = "requests.ephemeral-storage";
/// A value of `ResourceName`.
pub const RESOURCE_REQUESTS_MEMORY: &str = "requests.memory";
/// A value of `ResourceName`.
pub const RESOURCE_REQUESTS_STORAGE: &str = "requests.storage";
/// A value of `ResourceName`.
pub const RESOURCE_SECRETS: &str = "secrets";
/// A value of `ResourceName`.
pub const RESOURCE_SERVICES: &str = "services";
/// A value of `ResourceName`.
pub const RESOURCE_SERVICES_LOAD_BALANCERS: &str = "services.loadbalancers";
/// A value of `ResourceName`.
pub const RESOURCE_SERVICES_NODE_PORTS: &str = "services.nodeports";
/// A value of `ResourceName`.
pub const RESOURCE_STORAGE: &str = "storage";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_BEST_EFFORT: &str = "BestEffort";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_CROSS_NAMESPACE_POD_AFFINITY: &str = "CrossNamespacePodAffinity";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_NOT_BEST_EFFORT: &str = "NotBestEffort";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_NOT_TERMINATING: &str = "NotTerminating";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_PRIORITY_CLASS: &str = "PriorityClass";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_TERMINATING: &str = "Terminating";
/// A value of `ResourceQuotaScope`.
pub const RESOURCE_QUOTA_SCOPE_VOLUME_ATTRIBUTES_CLASS: &str = "VolumeAttributesClass";
/// A value of `ResourceResizeRestartPolicy`.
pub const NOT_REQUIRED: &str = "NotRequired";
/// A value of `ResourceResizeRestartPolicy`.
pub const RESTART_CONTAINER: &str = "RestartContainer";
/// A value of `RestartPolicy`.
pub const RESTART_POLICY_ALWAYS: &str = "Always";
/// A value of `RestartPolicy`.
pub const RESTART_POLICY_NEVER: &str = "Never";
/// A value of `RestartPolicy`.
pub const RESTART_POLICY_ON_FAILURE: &str = "OnFailure";
/// A value of `ScopeSelectorOperator`.
pub const SCOPE_SELECTOR_OP_DOES_NOT_EXIST: &str = "DoesNotExist";
/// A value of `ScopeSelectorOperator`.
pub const SCOPE_SELECTOR_OP_EXISTS: &str = "Exists";
/// A value of `ScopeSelectorOperator`.
pub const SCOPE_SELECTOR_OP_IN: &str = "In";
/// A value of `ScopeSelectorOperator`.
pub const SCOPE_SELECTOR_OP_NOT_IN: &str = "NotIn";
/// A value of `SeccompProfileType`.
pub const SECCOMP_PROFILE_TYPE_LOCALHOST: &str = "Localhost";
/// A value of `SeccompProfileType`.
pub const SECCOMP_PROFILE_TYPE_RUNTIME_DEFAULT: &str = "RuntimeDefault";
/// A value of `SeccompProfileType`.
pub const SECCOMP_PROFILE_TYPE_UNCONFINED: &str = "Unconfined";
/// A value of `SecretType`.
pub const SECRET_TYPE_BASIC_AUTH: &str = "kubernetes.io/basic-auth";
/// A value of `SecretType`.
pub const SECRET_TYPE_BOOTSTRAP_TOKEN: &str = "bootstrap.kubernetes.io/token";
/// A value of `SecretType`.
pub const SECRET_TYPE_DOCKER_CONFIG_JSON: &str = "kubernetes.io/dockerconfigjson";
/// A value of `SecretType`.
pub const SECRET_TYPE_DOCKERCFG: &str = "kubernetes.io/dockercfg";
/// A value of `SecretType`.
pub const SECRET_TYPE_OPAQUE: &str = "Opaque";
/// A value of `SecretType`.
pub const SECRET_TYPE_SSH_AUTH: &str = "kubernetes.io/ssh-auth";
/// A value of `SecretType`.
pub const SECRET_TYPE_SERVICE_ACCOUNT_TOKEN: &str = "kubernetes.io/service-account-token";
/// A value of `SecretType`.
pub const SECRET_TYPE_TLS: &str = "kubernetes.io/tls";
/// A value of `ServiceAffinity`.
pub const SERVICE_AFFINITY_CLIENT_IP: &str = "ClientIP";
/// A value of `ServiceAffinity`.
pub const SERVICE_AFFINITY_NONE: &str = "None";
/// A value of `ServiceExternalTrafficPolicy`.
pub const SERVICE_EXTERNAL_TRAFFIC_POLICY_CLUSTER: &str = "Cluster";
/// A value of `ServiceExternalTrafficPolicy`.
pub const SERVICE_EXTERNAL_TRAFFIC_POLICY_LOCAL: &str = "Local";
/// A value of `ServiceExternalTrafficPolicy`.
pub const SERVICE_EXTERNAL_TRAFFIC_POLICY_TYPE_CLUSTER: &str = "Cluster";
/// A value of `ServiceExternalTrafficPolicy`.
pub const SERVICE_EXTERNAL_TRAFFIC_POLICY_TYPE_LOCAL: &str = "Local";
/// A value of `ServiceInternalTrafficPolicy`.
pub const SERVICE_INTERNAL_TRAFFIC_POLICY_CLUSTER: &str = "Cluster";
/// A value of `ServiceInternalTrafficPolicy`.
pub const SERVICE_INTERNAL_TRAFFIC_POLICY_LOCAL: &str = "Local";
/// A value of `ServiceType`.
pub const SERVICE_TYPE_CLUSTER_IP: &str = "ClusterIP";
/// A value of `ServiceType`.
pub const SERVICE_TYPE_EXTERNAL_NAME: &str = "ExternalName";
/// A value of `ServiceType`.
pub const SERVICE_TYPE_LOAD_BALANCER: &str = "LoadBalancer";
/// A value of `ServiceType`.
pub const SERVICE_TYPE_NODE_PORT: &str = "NodePort";
/// A value of `Signal`.
pub const SIGABRT: &str = "SIGABRT";
/// A value of `Signal`.
pub const SIGALRM: &str = "SIGALRM";
/// A value of `Signal`.
pub const SIGBUS: &str = "SIGBUS";
/// A value of `Signal`.
pub const SIGCHLD: &str = "SIGCHLD";
/// A value of `Signal`.
pub const SIGCLD: &str = "SIGCLD";
/// A value of `Signal`.
pub const SIGCONT: &str = "SIGCONT";
/// A value of `Signal`.
pub const SIGFPE: &str = "SIGFPE";
/// A value of `Signal`.
pub const SIGHUP: &str = "SIGHUP";
/// A value of `Signal`.
pub const SIGILL: &str = "SIGILL";
/// A value of `Signal`.
pub const SIGINT: &str = "SIGINT";
/// A value of `Signal`.
pub const SIGIO: &str = "SIGIO";
/// A value of `Signal`.
pub const SIGIOT: &str = "SIGIOT";
/// A value of `Signal`.
pub const SIGKILL: &str = "SIGKILL";
/// A value of `Signal`.
pub const SIGPIPE: &str = "SIGPIPE";
/// A value of `Signal`.
pub const SIGPOLL: &str = "SIGPOLL";
/// A value of `Signal`.
pub const SIGPROF: &str = "SIGPROF";
/// A value of `Signal`.
pub const SIGPWR: &str = "SIGPWR";
/// A value of `Signal`.
pub const SIGQUIT: &str = "SIGQUIT";
/// A value of `Signal`.
pub const SIGRTMAX: &str = "SIGRTMAX";
/// A value of `Signal`.
pub const SIGRTMAXMINUS1: &str = "SIGRTMAX-1";
/// A value of `Signal`.
pub const SIGRTMAXMINUS10: &str = "SIGRTMAX-10";
/// A value of `Signal`.
pub const SIGRTMAXMINUS11: &str = "SIGRTMAX-11";
/// A value of `Signal`.
pub const SIGRTMAXMINUS12: &str = "SIGRTMAX-12";
/// A value of `Signal`.
pub const SIGRTMAXMINUS13: &str = "SIGRTMAX-13";
/// A value of `Signal`.
pub const SIGRTMAXMINUS14: &str = "SIGRTMAX-14";
/// A value of `Signal`.
pub const SIGRTMAXMINUS2: &str = "SIGRTMAX-2";
/// A value of `Signal`.
pub const SIGRTMAXMINUS3: &str = "SIGRTMAX-3";
/// A value of `Signal`.
pub const SIGRTMAXMINUS4: &str = "SIGRTMAX-4";
/// A value of `Signal`.
pub const SIGRTMAXMINUS5: &str = "SIGRTMAX-5";
/// A value of `Signal`.
pub const SIGRTMAXMINUS6: &str = "SIGRTMAX-6";
/// A value of `Signal`.
pub const SIGRTMAXMINUS7: &str = "SIGRTMAX-7";
/// A value of `Signal`.
pub const SIGRTMAXMINUS8: &str = "SIGRTMAX-8";
/// A value of `Signal`.
pub const SIGRTMAXMINUS9: &str = "SIGRTMAX-9";
/// A value of `Signal`.
pub const SIGRTMIN: &str = "SIGRTMIN";
/// A value of `Signal`.
pub const SIGRTMINPLUS1: &str = "SIGRTMIN+1";
/// A value of `Signal`.
pub const SIGRTMINPLUS10: &str = "SIGRTMIN+10";
/// A value of `Signal`.
pub const SIGRTMINPLUS11: &str = "SIGRTMIN+11";
/// A value of `Signal`.
pub const SIGRTMINPLUS12: &str = "SIGRTMIN+12";
/// A value of `Signal`.
pub const SIGRTMINPLUS13: &str = "SIGRTMIN+13";
/// A value of `Signal`.
pub const SIGRTMINPLUS14: &str = "SIGRTMIN+14";
/// A value of `Signal`.
pub const SIGRTMINPLUS15: &str = "SIGRTMIN+15";
/// A value of `Signal`.
pub const SIGRTMINPLUS2: &str = "SIGRTMIN+2";
/// A value of `Signal`.
pub const SIGRTMINPLUS3: &str = "SIGRTMIN+3";
/// A value of `Signal`.
pub const SIGRTMINPLUS4: &str = "SIGRTMIN+4";
/// A value of `Signal`.
pub const SIGRTMINPLUS5: &str = "SIGRTMIN+5";
/// A value of `Signal`.
pub const SIGRTMINPLUS6: &str = "SIGRTMIN+6";
/// A value of `Signal`.
pub const SIGRTMINPLUS7: &str = "SIGRTMIN+7";
/// A value of `Signal`.
pub const SIGRTMINPLUS8: &str = "SIGRTMIN+8";
/// A value of `Signal`.
pub const SIGRTMINPLUS9: &str = "SIGRTMIN+9";
/// A value of `Signal`.
pub const SIGSEGV: &str = "SIGSEGV";
/// A value of `Signal`.
pub const SIGSTKFLT: &str = "SIGSTKFLT";
/// A value of `Signal`.
pub const SIGSTOP: &str = "SIGSTOP";
/// A value of `Signal`.
pub const SIGSYS: &str = "SIGSYS";
/// A value of `Signal`.
pub const SIGTERM: &str = "SIGTERM";
/// A value of `Signal`.
pub const SIGTRAP: &str = "SIGTRAP";
/// A value of `Signal`.
pub const SIGTSTP: &str = "SIGTSTP";
/// A value of `Signal`.
pub const SIGTTIN: &str = "SIGTTIN";
/// A value of `Signal`.
pub const SIGTTOU: &str = "SIGTTOU";
/// A value of `Signal`.
pub const SIGURG: &str = "SIGURG";
/// A value of `Signal`.
pub const SIGUSR1: &str = "SIGUSR1";
/// A value of `Signal`.
pub const SIGUSR2: &str = "SIGUSR2";
/// A value of `Signal`.
pub const SIGVTALRM: &str = "SIGVTALRM";
/// A value of `Signal`.
pub const SIGWINCH: &str = "SIGWINCH";
/// A value of `Signal`.
pub const SIGXCPU: &str = "SIGXCPU";
/// A value of `Signal`.
pub const SIGXFSZ: &str = "SIGXFSZ";
/// A value of `StorageMedium`.
pub const STORAGE_MEDIUM_DEFAULT: &str = "";
/// A value of `StorageMedium`.
pub const STORAGE_MEDIUM_HUGE_PAGES: &str = "HugePages";
/// A value of `StorageMedium`.
pub const STORAGE_MEDIUM_HUGE_PAGES_PREFIX: &str = "HugePages-";
/// A value of `StorageMedium`.
pub const STORAGE_MEDIUM_MEMORY: &str = "Memory";
/// A value of `SupplementalGroupsPolicy`.
pub const SUPPLEMENTAL_GROUPS_POLICY_MERGE: &str = "Merge";
/// A value of `SupplementalGroupsPolicy`.
pub const SUPPLEMENTAL_GROUPS_POLICY_STRICT: &str = "Strict";
/// A value of `TaintEffect`.
pub const TAINT_EFFECT_NO_EXECUTE: &str = "NoExecute";
/// A value of `TaintEffect`.
pub const TAINT_EFFECT_NO_SCHEDULE: &str = "NoSchedule";
/// A value of `TaintEffect`.
pub const TAINT_EFFECT_PREFER_NO_SCHEDULE: &str = "PreferNoSchedule";
/// A value of `TerminationMessagePolicy`.
pub const TERMINATION_MESSAGE_FALLBACK_TO_LOGS_ON_ERROR: &str = "FallbackToLogsOnError";
/// A value of `TerminationMessagePolicy`.
pub const TERMINATION_MESSAGE_READ_FILE: &str = "File";
/// A value of `TolerationOperator`.
pub const TOLERATION_OP_EQUAL: &str = "Equal";
/// A value of `TolerationOperator`.
pub const TOLERATION_OP_EXISTS: &str = "Exists";
/// A value of `TolerationOperator`.
pub const TOLERATION_OP_GT: &str = "Gt";
/// A value of `TolerationOperator`.
pub const TOLERATION_OP_LT: &str = "Lt";
/// A value of `URIScheme`.
pub const URI_SCHEME_HTTP: &str = "HTTP";
/// A value of `URIScheme`.
pub const URI_SCHEME_HTTPS: &str = "HTTPS";
/// A value of `UnsatisfiableConstraintAction`.
pub const DO_NOT_SCHEDULE: &str = "DoNotSchedule";
/// A value of `UnsatisfiableConstraintAction`.
pub const SCHEDULE_ANYWAY: &str = "ScheduleAnyway";
/// A value of `VolumeHealthStatusType`.
pub const VOLUME_HEALTH_DATA_LOSS: &str = "DataLoss";
/// A value of `VolumeHealthStatusType`.
pub const VOLUME_HEALTH_DEGRADED: &str = "Degraded";
/// A value of `VolumeHealthStatusType`.
pub const VOLUME_HEALTH_INACCESSIBLE: &str = "Inaccessible";
