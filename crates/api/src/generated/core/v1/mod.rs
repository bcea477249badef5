// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/core/v1`.

#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod affinity;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod app_armor_profile;
#[cfg(feature = "core-node")]
mod attached_volume;
#[cfg(feature = "core")]
mod avoid_pods;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod aws_elastic_block_store_volume_source;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod azure_disk_volume_source;
#[cfg(feature = "core-persistent-volume")]
mod azure_file_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod azure_file_volume_source;
#[cfg(feature = "core-pod")]
mod binding;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod capabilities;
#[cfg(feature = "core-persistent-volume")]
mod ceph_fs_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod ceph_fs_volume_source;
#[cfg(feature = "core-persistent-volume")]
mod cinder_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod cinder_volume_source;
#[cfg(feature = "core-service")]
mod client_ip_config;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod cluster_trust_bundle_projection;
#[cfg(feature = "core-component-status")]
mod component_condition;
#[cfg(feature = "core-component-status")]
mod component_status;
#[cfg(feature = "core-component-status")]
mod component_status_list;
#[cfg(feature = "core-config-map")]
mod config_map;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod config_map_env_source;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
mod config_map_key_selector;
#[cfg(feature = "core-config-map")]
mod config_map_list;
#[cfg(feature = "core-node")]
mod config_map_node_config_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod config_map_projection;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod config_map_volume_source;
mod constants;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod container;
#[cfg(feature = "core-pod")]
mod container_extended_resource_request;
#[cfg(feature = "core-node")]
mod container_image;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod container_port;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod container_resize_policy;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod container_restart_rule;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod container_restart_rule_on_exit_codes;
#[cfg(feature = "core-pod")]
mod container_state;
#[cfg(feature = "core-pod")]
mod container_state_running;
#[cfg(feature = "core-pod")]
mod container_state_terminated;
#[cfg(feature = "core-pod")]
mod container_state_waiting;
#[cfg(feature = "core-pod")]
mod container_status;
#[cfg(feature = "core-pod")]
mod container_user;
#[cfg(feature = "core-persistent-volume")]
mod csi_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod csi_volume_source;
#[cfg(feature = "core-node")]
mod daemon_endpoint;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod downward_api_projection;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod downward_api_volume_file;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod downward_api_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod empty_dir_volume_source;
#[cfg(feature = "core-endpoints")]
mod endpoint_address;
#[cfg(feature = "core-endpoints")]
mod endpoint_port;
#[cfg(feature = "core-endpoints")]
mod endpoint_subset;
#[cfg(feature = "core-endpoints")]
mod endpoints;
#[cfg(feature = "core-endpoints")]
mod endpoints_list;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod env_from_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod env_var;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod env_var_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod ephemeral_container;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod ephemeral_container_common;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod ephemeral_volume_source;
#[cfg(feature = "core-event")]
mod event;
#[cfg(feature = "core-event")]
mod event_list;
#[cfg(feature = "core-event")]
mod event_series;
#[cfg(feature = "core-event")]
mod event_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod eviction_responder;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod exec_action;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod fc_volume_source;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
mod file_key_selector;
#[cfg(feature = "core-persistent-volume")]
mod flex_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod flex_volume_source;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod flocker_volume_source;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod gce_persistent_disk_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod git_repo_volume_source;
#[cfg(feature = "core-persistent-volume")]
mod glusterfs_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod glusterfs_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod grpc_action;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod host_alias;
#[cfg(feature = "core-pod")]
mod host_ip;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod host_path_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod http_get_action;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod http_header;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod image_volume_source;
#[cfg(feature = "core-pod")]
mod image_volume_status;
#[cfg(feature = "core-persistent-volume")]
mod iscsi_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod iscsi_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod key_to_path;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod lifecycle;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod lifecycle_handler;
#[cfg(feature = "core-limit-range")]
mod limit_range;
#[cfg(feature = "core-limit-range")]
mod limit_range_item;
#[cfg(feature = "core-limit-range")]
mod limit_range_list;
#[cfg(feature = "core-limit-range")]
mod limit_range_spec;
#[cfg(feature = "core-pod")]
mod linux_container_user;
#[cfg(feature = "core")]
mod list;
#[cfg(feature = "core-service")]
mod load_balancer_ingress;
#[cfg(feature = "core-service")]
mod load_balancer_status;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller",
    feature = "core-service-account"
))]
mod local_object_reference;
#[cfg(feature = "core-persistent-volume")]
mod local_volume_source;
#[cfg(feature = "core-persistent-volume-claim")]
mod modify_volume_status;
#[cfg(feature = "core-namespace")]
mod namespace;
#[cfg(feature = "core-namespace")]
mod namespace_condition;
#[cfg(feature = "core-namespace")]
mod namespace_list;
#[cfg(feature = "core-namespace")]
mod namespace_spec;
#[cfg(feature = "core-namespace")]
mod namespace_status;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod nfs_volume_source;
#[cfg(feature = "core-node")]
mod node;
#[cfg(feature = "core-node")]
mod node_address;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod node_affinity;
#[cfg(feature = "core-pod")]
mod node_allocatable_mapped_resources;
#[cfg(feature = "core-pod")]
mod node_allocatable_overhead_resources;
#[cfg(feature = "core-pod")]
mod node_allocatable_resource_claim_status;
#[cfg(feature = "core-node")]
mod node_condition;
#[cfg(feature = "core-node")]
mod node_config_source;
#[cfg(feature = "core-node")]
mod node_config_status;
#[cfg(feature = "core-node")]
mod node_daemon_endpoints;
#[cfg(feature = "core-node")]
mod node_features;
#[cfg(feature = "core-node")]
mod node_list;
#[cfg(feature = "core-node")]
mod node_pod_preemption_policy;
#[cfg(feature = "core-node")]
mod node_proxy_options;
#[cfg(feature = "core-node")]
mod node_runtime_handler;
#[cfg(feature = "core-node")]
mod node_runtime_handler_features;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod node_selector;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod node_selector_requirement;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod node_selector_term;
#[cfg(feature = "core-node")]
mod node_spec;
#[cfg(feature = "core-node")]
mod node_status;
#[cfg(feature = "core-node")]
mod node_swap_status;
#[cfg(feature = "core-node")]
mod node_system_info;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod object_field_selector;
#[cfg(any(
    feature = "core-endpoints",
    feature = "core-event",
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-references",
    feature = "core-service-account"
))]
mod object_reference;
#[cfg(feature = "core-persistent-volume")]
mod persistent_volume;
#[cfg(feature = "core-persistent-volume-claim")]
mod persistent_volume_claim;
#[cfg(feature = "core-persistent-volume-claim")]
mod persistent_volume_claim_condition;
#[cfg(feature = "core-persistent-volume-claim")]
mod persistent_volume_claim_list;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod persistent_volume_claim_spec;
#[cfg(feature = "core-persistent-volume-claim")]
mod persistent_volume_claim_status;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod persistent_volume_claim_template;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod persistent_volume_claim_volume_source;
#[cfg(feature = "core-persistent-volume")]
mod persistent_volume_list;
#[cfg(feature = "core-persistent-volume")]
mod persistent_volume_source;
#[cfg(feature = "core-persistent-volume")]
mod persistent_volume_spec;
#[cfg(feature = "core-persistent-volume")]
mod persistent_volume_status;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod photon_persistent_disk_volume_source;
#[cfg(feature = "core-pod")]
mod pod;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_affinity;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_affinity_term;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_anti_affinity;
#[cfg(feature = "core-pod")]
mod pod_attach_options;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_certificate_projection;
#[cfg(feature = "core-pod")]
mod pod_condition;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_dns_config;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_dns_config_option;
#[cfg(feature = "core-pod")]
mod pod_exec_options;
#[cfg(feature = "core-pod")]
mod pod_extended_resource_claim_status;
#[cfg(feature = "core-pod")]
mod pod_ip;
#[cfg(feature = "core-pod")]
mod pod_list;
#[cfg(feature = "core-pod")]
mod pod_log_options;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_os;
#[cfg(feature = "core-pod")]
mod pod_port_forward_options;
#[cfg(feature = "core-pod")]
mod pod_proxy_options;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_readiness_gate;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_resource_claim;
#[cfg(feature = "core-pod")]
mod pod_resource_claim_status;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_scheduling_gate;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_scheduling_group;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_security_context;
#[cfg(feature = "core")]
mod pod_signature;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_spec;
#[cfg(feature = "core-pod")]
mod pod_status;
#[cfg(feature = "core-pod-template")]
mod pod_template;
#[cfg(feature = "core-pod-template")]
mod pod_template_list;
#[cfg(any(feature = "core-pod-template", feature = "core-replication-controller"))]
mod pod_template_spec;
#[cfg(feature = "core-pod")]
mod pod_volume_health;
#[cfg(feature = "core-service")]
mod port_status;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod portworx_volume_source;
#[cfg(feature = "core")]
mod preconditions;
#[cfg(feature = "core")]
mod prefer_avoid_pods_entry;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod preferred_scheduling_term;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod probe;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod probe_handler;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod projected_volume_source;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod quobyte_volume_source;
#[cfg(feature = "core")]
mod range_allocation;
#[cfg(feature = "core-persistent-volume")]
mod rbd_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod rbd_volume_source;
#[cfg(feature = "core-replication-controller")]
mod replication_controller;
#[cfg(feature = "core-replication-controller")]
mod replication_controller_condition;
#[cfg(feature = "core-replication-controller")]
mod replication_controller_list;
#[cfg(feature = "core-replication-controller")]
mod replication_controller_spec;
#[cfg(feature = "core-replication-controller")]
mod replication_controller_status;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod resource_claim;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod resource_field_selector;
#[cfg(feature = "core-pod")]
mod resource_health;
#[cfg(feature = "core-resource-quota")]
mod resource_quota;
#[cfg(feature = "core-resource-quota")]
mod resource_quota_list;
#[cfg(feature = "core-resource-quota")]
mod resource_quota_spec;
#[cfg(feature = "core-resource-quota")]
mod resource_quota_status;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod resource_requirements;
#[cfg(feature = "core-pod")]
mod resource_status;
#[cfg(feature = "core-persistent-volume")]
mod scale_io_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod scale_io_volume_source;
#[cfg(feature = "core-resource-quota")]
mod scope_selector;
#[cfg(feature = "core-resource-quota")]
mod scoped_resource_selector_requirement;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod se_linux_options;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod seccomp_profile;
#[cfg(feature = "core-secret")]
mod secret;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod secret_env_source;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
mod secret_key_selector;
#[cfg(feature = "core-secret")]
mod secret_list;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod secret_projection;
#[cfg(any(feature = "core-persistent-volume", feature = "core-references"))]
mod secret_reference;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod secret_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod security_context;
#[cfg(feature = "core")]
mod serialized_reference;
#[cfg(feature = "core-service")]
mod service;
#[cfg(feature = "core-service-account")]
mod service_account;
#[cfg(feature = "core-service-account")]
mod service_account_list;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod service_account_token_projection;
#[cfg(feature = "core-service")]
mod service_list;
#[cfg(feature = "core-service")]
mod service_port;
#[cfg(feature = "core-service")]
mod service_proxy_options;
#[cfg(feature = "core-service")]
mod service_spec;
#[cfg(feature = "core-service")]
mod service_status;
#[cfg(feature = "core-service")]
mod session_affinity_config;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod sleep_action;
#[cfg(feature = "core-persistent-volume")]
mod storage_os_persistent_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod storage_os_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod sysctl;
#[cfg(feature = "core-node")]
mod taint;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod tcp_socket_action;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod toleration;
#[cfg(feature = "core")]
mod topology_selector_label_requirement;
#[cfg(feature = "core")]
mod topology_selector_term;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod topology_spread_constraint;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
mod typed_local_object_reference;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
mod typed_object_reference;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod volume;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod volume_device;
#[cfg(any(feature = "core-persistent-volume-claim", feature = "core-pod"))]
mod volume_health_condition;
#[cfg(feature = "core-persistent-volume-claim")]
mod volume_health_status;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod volume_mount;
#[cfg(feature = "core-pod")]
mod volume_mount_status;
#[cfg(feature = "core-persistent-volume")]
mod volume_node_affinity;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod volume_projection;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod volume_resource_requirements;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod volume_source;
#[cfg(feature = "core-pod")]
mod volume_status;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
mod vsphere_virtual_disk_volume_source;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod weighted_pod_affinity_term;
#[cfg(any(feature = "core-pod", feature = "core-pod-template", feature = "core-replication-controller"))]
mod windows_security_context_options;

#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use affinity::Affinity;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use app_armor_profile::AppArmorProfile;
#[cfg(feature = "core-node")]
pub use attached_volume::AttachedVolume;
#[cfg(feature = "core")]
pub use avoid_pods::AvoidPods;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use aws_elastic_block_store_volume_source::AWSElasticBlockStoreVolumeSource;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use azure_disk_volume_source::AzureDiskVolumeSource;
#[cfg(feature = "core-persistent-volume")]
pub use azure_file_persistent_volume_source::AzureFilePersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use azure_file_volume_source::AzureFileVolumeSource;
#[cfg(feature = "core-pod")]
pub use binding::Binding;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use capabilities::Capabilities;
#[cfg(feature = "core-persistent-volume")]
pub use ceph_fs_persistent_volume_source::CephFSPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use ceph_fs_volume_source::CephFSVolumeSource;
#[cfg(feature = "core-persistent-volume")]
pub use cinder_persistent_volume_source::CinderPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use cinder_volume_source::CinderVolumeSource;
#[cfg(feature = "core-service")]
pub use client_ip_config::ClientIPConfig;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use cluster_trust_bundle_projection::ClusterTrustBundleProjection;
#[cfg(feature = "core-component-status")]
pub use component_condition::ComponentCondition;
#[cfg(feature = "core-component-status")]
pub use component_status::ComponentStatus;
#[cfg(feature = "core-component-status")]
pub use component_status_list::ComponentStatusList;
#[cfg(feature = "core-config-map")]
pub use config_map::ConfigMap;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use config_map_env_source::ConfigMapEnvSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
pub use config_map_key_selector::ConfigMapKeySelector;
#[cfg(feature = "core-config-map")]
pub use config_map_list::ConfigMapList;
#[cfg(feature = "core-node")]
pub use config_map_node_config_source::ConfigMapNodeConfigSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use config_map_projection::ConfigMapProjection;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use config_map_volume_source::ConfigMapVolumeSource;
pub use constants::*;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use container::Container;
#[cfg(feature = "core-pod")]
pub use container_extended_resource_request::ContainerExtendedResourceRequest;
#[cfg(feature = "core-node")]
pub use container_image::ContainerImage;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use container_port::ContainerPort;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use container_resize_policy::ContainerResizePolicy;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use container_restart_rule::ContainerRestartRule;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use container_restart_rule_on_exit_codes::ContainerRestartRuleOnExitCodes;
#[cfg(feature = "core-pod")]
pub use container_state::ContainerState;
#[cfg(feature = "core-pod")]
pub use container_state_running::ContainerStateRunning;
#[cfg(feature = "core-pod")]
pub use container_state_terminated::ContainerStateTerminated;
#[cfg(feature = "core-pod")]
pub use container_state_waiting::ContainerStateWaiting;
#[cfg(feature = "core-pod")]
pub use container_status::ContainerStatus;
#[cfg(feature = "core-pod")]
pub use container_user::ContainerUser;
#[cfg(feature = "core-persistent-volume")]
pub use csi_persistent_volume_source::CSIPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use csi_volume_source::CSIVolumeSource;
#[cfg(feature = "core-node")]
pub use daemon_endpoint::DaemonEndpoint;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use downward_api_projection::DownwardAPIProjection;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use downward_api_volume_file::DownwardAPIVolumeFile;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use downward_api_volume_source::DownwardAPIVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use empty_dir_volume_source::EmptyDirVolumeSource;
#[cfg(feature = "core-endpoints")]
pub use endpoint_address::EndpointAddress;
#[cfg(feature = "core-endpoints")]
pub use endpoint_port::EndpointPort;
#[cfg(feature = "core-endpoints")]
pub use endpoint_subset::EndpointSubset;
#[cfg(feature = "core-endpoints")]
pub use endpoints::Endpoints;
#[cfg(feature = "core-endpoints")]
pub use endpoints_list::EndpointsList;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use env_from_source::EnvFromSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use env_var::EnvVar;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use env_var_source::EnvVarSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use ephemeral_container::EphemeralContainer;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use ephemeral_container_common::EphemeralContainerCommon;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use ephemeral_volume_source::EphemeralVolumeSource;
#[cfg(feature = "core-event")]
pub use event::Event;
#[cfg(feature = "core-event")]
pub use event_list::EventList;
#[cfg(feature = "core-event")]
pub use event_series::EventSeries;
#[cfg(feature = "core-event")]
pub use event_source::EventSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use eviction_responder::EvictionResponder;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use exec_action::ExecAction;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use fc_volume_source::FCVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
pub use file_key_selector::FileKeySelector;
#[cfg(feature = "core-persistent-volume")]
pub use flex_persistent_volume_source::FlexPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use flex_volume_source::FlexVolumeSource;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use flocker_volume_source::FlockerVolumeSource;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use gce_persistent_disk_volume_source::GCEPersistentDiskVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use git_repo_volume_source::GitRepoVolumeSource;
#[cfg(feature = "core-persistent-volume")]
pub use glusterfs_persistent_volume_source::GlusterfsPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use glusterfs_volume_source::GlusterfsVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use grpc_action::GRPCAction;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use host_alias::HostAlias;
#[cfg(feature = "core-pod")]
pub use host_ip::HostIP;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use host_path_volume_source::HostPathVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use http_get_action::HTTPGetAction;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use http_header::HTTPHeader;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use image_volume_source::ImageVolumeSource;
#[cfg(feature = "core-pod")]
pub use image_volume_status::ImageVolumeStatus;
#[cfg(feature = "core-persistent-volume")]
pub use iscsi_persistent_volume_source::ISCSIPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use iscsi_volume_source::ISCSIVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use key_to_path::KeyToPath;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use lifecycle::Lifecycle;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use lifecycle_handler::LifecycleHandler;
#[cfg(feature = "core-limit-range")]
pub use limit_range::LimitRange;
#[cfg(feature = "core-limit-range")]
pub use limit_range_item::LimitRangeItem;
#[cfg(feature = "core-limit-range")]
pub use limit_range_list::LimitRangeList;
#[cfg(feature = "core-limit-range")]
pub use limit_range_spec::LimitRangeSpec;
#[cfg(feature = "core-pod")]
pub use linux_container_user::LinuxContainerUser;
#[cfg(feature = "core")]
pub use list::List;
#[cfg(feature = "core-service")]
pub use load_balancer_ingress::LoadBalancerIngress;
#[cfg(feature = "core-service")]
pub use load_balancer_status::LoadBalancerStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller",
    feature = "core-service-account"
))]
pub use local_object_reference::LocalObjectReference;
#[cfg(feature = "core-persistent-volume")]
pub use local_volume_source::LocalVolumeSource;
#[cfg(feature = "core-persistent-volume-claim")]
pub use modify_volume_status::ModifyVolumeStatus;
#[cfg(feature = "core-namespace")]
pub use namespace::Namespace;
#[cfg(feature = "core-namespace")]
pub use namespace_condition::NamespaceCondition;
#[cfg(feature = "core-namespace")]
pub use namespace_list::NamespaceList;
#[cfg(feature = "core-namespace")]
pub use namespace_spec::NamespaceSpec;
#[cfg(feature = "core-namespace")]
pub use namespace_status::NamespaceStatus;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use nfs_volume_source::NFSVolumeSource;
#[cfg(feature = "core-node")]
pub use node::Node;
#[cfg(feature = "core-node")]
pub use node_address::NodeAddress;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use node_affinity::NodeAffinity;
#[cfg(feature = "core-pod")]
pub use node_allocatable_mapped_resources::NodeAllocatableMappedResources;
#[cfg(feature = "core-pod")]
pub use node_allocatable_overhead_resources::NodeAllocatableOverheadResources;
#[cfg(feature = "core-pod")]
pub use node_allocatable_resource_claim_status::NodeAllocatableResourceClaimStatus;
#[cfg(feature = "core-node")]
pub use node_condition::NodeCondition;
#[cfg(feature = "core-node")]
pub use node_config_source::NodeConfigSource;
#[cfg(feature = "core-node")]
pub use node_config_status::NodeConfigStatus;
#[cfg(feature = "core-node")]
pub use node_daemon_endpoints::NodeDaemonEndpoints;
#[cfg(feature = "core-node")]
pub use node_features::NodeFeatures;
#[cfg(feature = "core-node")]
pub use node_list::NodeList;
#[cfg(feature = "core-node")]
pub use node_pod_preemption_policy::NodePodPreemptionPolicy;
#[cfg(feature = "core-node")]
pub use node_proxy_options::NodeProxyOptions;
#[cfg(feature = "core-node")]
pub use node_runtime_handler::NodeRuntimeHandler;
#[cfg(feature = "core-node")]
pub use node_runtime_handler_features::NodeRuntimeHandlerFeatures;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use node_selector::NodeSelector;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use node_selector_requirement::NodeSelectorRequirement;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use node_selector_term::NodeSelectorTerm;
#[cfg(feature = "core-node")]
pub use node_spec::NodeSpec;
#[cfg(feature = "core-node")]
pub use node_status::NodeStatus;
#[cfg(feature = "core-node")]
pub use node_swap_status::NodeSwapStatus;
#[cfg(feature = "core-node")]
pub use node_system_info::NodeSystemInfo;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use object_field_selector::ObjectFieldSelector;
#[cfg(any(
    feature = "core-endpoints",
    feature = "core-event",
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-references",
    feature = "core-service-account"
))]
pub use object_reference::ObjectReference;
#[cfg(feature = "core-persistent-volume")]
pub use persistent_volume::PersistentVolume;
#[cfg(feature = "core-persistent-volume-claim")]
pub use persistent_volume_claim::PersistentVolumeClaim;
#[cfg(feature = "core-persistent-volume-claim")]
pub use persistent_volume_claim_condition::PersistentVolumeClaimCondition;
#[cfg(feature = "core-persistent-volume-claim")]
pub use persistent_volume_claim_list::PersistentVolumeClaimList;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use persistent_volume_claim_spec::PersistentVolumeClaimSpec;
#[cfg(feature = "core-persistent-volume-claim")]
pub use persistent_volume_claim_status::PersistentVolumeClaimStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use persistent_volume_claim_template::PersistentVolumeClaimTemplate;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use persistent_volume_claim_volume_source::PersistentVolumeClaimVolumeSource;
#[cfg(feature = "core-persistent-volume")]
pub use persistent_volume_list::PersistentVolumeList;
#[cfg(feature = "core-persistent-volume")]
pub use persistent_volume_source::PersistentVolumeSource;
#[cfg(feature = "core-persistent-volume")]
pub use persistent_volume_spec::PersistentVolumeSpec;
#[cfg(feature = "core-persistent-volume")]
pub use persistent_volume_status::PersistentVolumeStatus;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use photon_persistent_disk_volume_source::PhotonPersistentDiskVolumeSource;
#[cfg(feature = "core-pod")]
pub use pod::Pod;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_affinity::PodAffinity;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_affinity_term::PodAffinityTerm;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_anti_affinity::PodAntiAffinity;
#[cfg(feature = "core-pod")]
pub use pod_attach_options::PodAttachOptions;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_certificate_projection::PodCertificateProjection;
#[cfg(feature = "core-pod")]
pub use pod_condition::PodCondition;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_dns_config::PodDNSConfig;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_dns_config_option::PodDNSConfigOption;
#[cfg(feature = "core-pod")]
pub use pod_exec_options::PodExecOptions;
#[cfg(feature = "core-pod")]
pub use pod_extended_resource_claim_status::PodExtendedResourceClaimStatus;
#[cfg(feature = "core-pod")]
pub use pod_ip::PodIP;
#[cfg(feature = "core-pod")]
pub use pod_list::PodList;
#[cfg(feature = "core-pod")]
pub use pod_log_options::PodLogOptions;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_os::PodOS;
#[cfg(feature = "core-pod")]
pub use pod_port_forward_options::PodPortForwardOptions;
#[cfg(feature = "core-pod")]
pub use pod_proxy_options::PodProxyOptions;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_readiness_gate::PodReadinessGate;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_resource_claim::PodResourceClaim;
#[cfg(feature = "core-pod")]
pub use pod_resource_claim_status::PodResourceClaimStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_scheduling_gate::PodSchedulingGate;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_scheduling_group::PodSchedulingGroup;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_security_context::PodSecurityContext;
#[cfg(feature = "core")]
pub use pod_signature::PodSignature;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use pod_spec::PodSpec;
#[cfg(feature = "core-pod")]
pub use pod_status::PodStatus;
#[cfg(feature = "core-pod-template")]
pub use pod_template::PodTemplate;
#[cfg(feature = "core-pod-template")]
pub use pod_template_list::PodTemplateList;
#[cfg(any(feature = "core-pod-template", feature = "core-replication-controller"))]
pub use pod_template_spec::PodTemplateSpec;
#[cfg(feature = "core-pod")]
pub use pod_volume_health::PodVolumeHealth;
#[cfg(feature = "core-service")]
pub use port_status::PortStatus;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use portworx_volume_source::PortworxVolumeSource;
#[cfg(feature = "core")]
pub use preconditions::Preconditions;
#[cfg(feature = "core")]
pub use prefer_avoid_pods_entry::PreferAvoidPodsEntry;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use preferred_scheduling_term::PreferredSchedulingTerm;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use probe::Probe;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use probe_handler::ProbeHandler;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use projected_volume_source::ProjectedVolumeSource;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use quobyte_volume_source::QuobyteVolumeSource;
#[cfg(feature = "core")]
pub use range_allocation::RangeAllocation;
#[cfg(feature = "core-persistent-volume")]
pub use rbd_persistent_volume_source::RBDPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use rbd_volume_source::RBDVolumeSource;
#[cfg(feature = "core-replication-controller")]
pub use replication_controller::ReplicationController;
#[cfg(feature = "core-replication-controller")]
pub use replication_controller_condition::ReplicationControllerCondition;
#[cfg(feature = "core-replication-controller")]
pub use replication_controller_list::ReplicationControllerList;
#[cfg(feature = "core-replication-controller")]
pub use replication_controller_spec::ReplicationControllerSpec;
#[cfg(feature = "core-replication-controller")]
pub use replication_controller_status::ReplicationControllerStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use resource_claim::ResourceClaim;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use resource_field_selector::ResourceFieldSelector;
#[cfg(feature = "core-pod")]
pub use resource_health::ResourceHealth;
#[cfg(feature = "core-resource-quota")]
pub use resource_quota::ResourceQuota;
#[cfg(feature = "core-resource-quota")]
pub use resource_quota_list::ResourceQuotaList;
#[cfg(feature = "core-resource-quota")]
pub use resource_quota_spec::ResourceQuotaSpec;
#[cfg(feature = "core-resource-quota")]
pub use resource_quota_status::ResourceQuotaStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use resource_requirements::ResourceRequirements;
#[cfg(feature = "core-pod")]
pub use resource_status::ResourceStatus;
#[cfg(feature = "core-persistent-volume")]
pub use scale_io_persistent_volume_source::ScaleIOPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use scale_io_volume_source::ScaleIOVolumeSource;
#[cfg(feature = "core-resource-quota")]
pub use scope_selector::ScopeSelector;
#[cfg(feature = "core-resource-quota")]
pub use scoped_resource_selector_requirement::ScopedResourceSelectorRequirement;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use se_linux_options::SELinuxOptions;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use seccomp_profile::SeccompProfile;
#[cfg(feature = "core-secret")]
pub use secret::Secret;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use secret_env_source::SecretEnvSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
pub use secret_key_selector::SecretKeySelector;
#[cfg(feature = "core-secret")]
pub use secret_list::SecretList;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use secret_projection::SecretProjection;
#[cfg(any(feature = "core-persistent-volume", feature = "core-references"))]
pub use secret_reference::SecretReference;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use secret_volume_source::SecretVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use security_context::SecurityContext;
#[cfg(feature = "core")]
pub use serialized_reference::SerializedReference;
#[cfg(feature = "core-service")]
pub use service::Service;
#[cfg(feature = "core-service-account")]
pub use service_account::ServiceAccount;
#[cfg(feature = "core-service-account")]
pub use service_account_list::ServiceAccountList;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use service_account_token_projection::ServiceAccountTokenProjection;
#[cfg(feature = "core-service")]
pub use service_list::ServiceList;
#[cfg(feature = "core-service")]
pub use service_port::ServicePort;
#[cfg(feature = "core-service")]
pub use service_proxy_options::ServiceProxyOptions;
#[cfg(feature = "core-service")]
pub use service_spec::ServiceSpec;
#[cfg(feature = "core-service")]
pub use service_status::ServiceStatus;
#[cfg(feature = "core-service")]
pub use session_affinity_config::SessionAffinityConfig;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use sleep_action::SleepAction;
#[cfg(feature = "core-persistent-volume")]
pub use storage_os_persistent_volume_source::StorageOSPersistentVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use storage_os_volume_source::StorageOSVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use sysctl::Sysctl;
#[cfg(feature = "core-node")]
pub use taint::Taint;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use tcp_socket_action::TCPSocketAction;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use toleration::Toleration;
#[cfg(feature = "core")]
pub use topology_selector_label_requirement::TopologySelectorLabelRequirement;
#[cfg(feature = "core")]
pub use topology_selector_term::TopologySelectorTerm;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use topology_spread_constraint::TopologySpreadConstraint;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
pub use typed_local_object_reference::TypedLocalObjectReference;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-references",
    feature = "core-replication-controller"
))]
pub use typed_object_reference::TypedObjectReference;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume::Volume;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume_device::VolumeDevice;
#[cfg(any(feature = "core-persistent-volume-claim", feature = "core-pod"))]
pub use volume_health_condition::VolumeHealthCondition;
#[cfg(feature = "core-persistent-volume-claim")]
pub use volume_health_status::VolumeHealthStatus;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume_mount::VolumeMount;
#[cfg(feature = "core-pod")]
pub use volume_mount_status::VolumeMountStatus;
#[cfg(feature = "core-persistent-volume")]
pub use volume_node_affinity::VolumeNodeAffinity;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume_projection::VolumeProjection;
#[cfg(any(
    feature = "core-persistent-volume-claim",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume_resource_requirements::VolumeResourceRequirements;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use volume_source::VolumeSource;
#[cfg(feature = "core-pod")]
pub use volume_status::VolumeStatus;
#[cfg(any(
    feature = "core-persistent-volume",
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use vsphere_virtual_disk_volume_source::VsphereVirtualDiskVolumeSource;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use weighted_pod_affinity_term::WeightedPodAffinityTerm;
#[cfg(any(
    feature = "core-pod",
    feature = "core-pod-template",
    feature = "core-replication-controller"
))]
pub use windows_security_context_options::WindowsSecurityContextOptions;
