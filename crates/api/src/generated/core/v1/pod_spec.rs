// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Affinity;
use super::Container;
use super::EphemeralContainer;
use super::EvictionResponder;
use super::HostAlias;
use super::LocalObjectReference;
use super::PodDNSConfig;
use super::PodOS;
use super::PodReadinessGate;
use super::PodResourceClaim;
use super::PodSchedulingGate;
use super::PodSchedulingGroup;
use super::PodSecurityContext;
use super::ResourceRequirements;
use super::Toleration;
use super::TopologySpreadConstraint;
use super::Volume;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`PodSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSpec {
    /// [`volumes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply and strategic merge patch merge entries by `name`. Patch strategy `retainKeys`.
    pub volumes: List<Volume>,
    /// [`initContainers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, immutable with exceptions. Apply and strategic merge patch merge entries by `name`.
    pub init_containers: List<Container>,
    /// [`containers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): required, immutable with exceptions. Apply and strategic merge patch merge entries by `name`.
    pub containers: List<Container>,
    /// [`ephemeralContainers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply and strategic merge patch merge entries by `name`.
    pub ephemeral_containers: List<EphemeralContainer>,
    /// [`restartPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. One of `Always`, `Never`, `OnFailure`. Defaults to `Always`.
    pub restart_policy: Str,
    /// [`terminationGracePeriodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Defaults to `30`.
    pub termination_grace_period_seconds: Option<i64>,
    /// [`activeDeadlineSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub active_deadline_seconds: Option<i64>,
    /// [`dnsPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. One of `ClusterFirst`, `ClusterFirstWithHostNet`, `Default`, `None`. Defaults to `ClusterFirst`.
    pub dns_policy: Str,
    /// [`nodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply replaces the whole value.
    pub node_selector: Map<Str>,
    /// [`serviceAccountName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub service_account_name: Str,
    /// [`serviceAccount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, deprecated.
    pub service_account: Str,
    /// [`automountServiceAccountToken`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub automount_service_account_token: Option<bool>,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub node_name: Str,
    /// [`hostNetwork`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub host_network: bool,
    /// [`hostPID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub host_pid: bool,
    /// [`hostIPC`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub host_ipc: bool,
    /// [`shareProcessNamespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Defaults to `false`.
    pub share_process_namespace: Option<bool>,
    /// [`securityContext`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub security_context: Option<Shared<PodSecurityContext>>,
    /// [`imagePullSecrets`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply and strategic merge patch merge entries by `name`.
    pub image_pull_secrets: List<LocalObjectReference>,
    /// [`hostname`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub hostname: Str,
    /// [`subdomain`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub subdomain: Str,
    /// [`affinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub affinity: Option<Shared<Affinity>>,
    /// [`schedulerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub scheduler_name: Str,
    /// [`tolerations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply replaces the list.
    pub tolerations: List<Toleration>,
    /// [`hostAliases`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply and strategic merge patch merge entries by `ip`.
    pub host_aliases: List<HostAlias>,
    /// [`priorityClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub priority_class_name: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub priority: Option<i32>,
    /// [`dnsConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub dns_config: Option<Shared<PodDNSConfig>>,
    /// [`readinessGates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply replaces the list.
    pub readiness_gates: List<PodReadinessGate>,
    /// [`runtimeClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub runtime_class_name: Option<Str>,
    /// [`enableServiceLinks`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Defaults to `true`.
    pub enable_service_links: Option<bool>,
    /// [`preemptionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. One of `Never`, `PreemptLowerPriority`. Defaults to `PreemptLowerPriority`.
    pub preemption_policy: Option<Str>,
    /// [`overhead`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional.
    pub overhead: Map<Quantity>,
    /// [`topologySpreadConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional. Apply merges entries by `topologyKey`, `whenUnsatisfiable`. Strategic merge patch merges entries by `topologyKey`.
    pub topology_spread_constraints: List<TopologySpreadConstraint>,
    /// [`setHostnameAsFQDN`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.19. Defaults to `false`.
    pub set_hostname_as_fqdn: Option<bool>,
    /// [`os`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.23.
    pub os: Option<Shared<PodOS>>,
    /// [`hostUsers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.25. Defaults to `true`.
    pub host_users: Option<bool>,
    /// [`schedulingGates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.26. Apply and strategic merge patch merge entries by `name`.
    pub scheduling_gates: List<PodSchedulingGate>,
    /// [`resourceClaims`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, immutable in a pod, since 1.26. Apply and strategic merge patch merge entries by `name`. Patch strategy `retainKeys`. Feature gate `DynamicResourceAllocation`.
    pub resource_claims: List<PodResourceClaim>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.32. Feature gate `PodLevelResources`.
    pub resources: Option<Shared<ResourceRequirements>>,
    /// [`hostnameOverride`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.34. Feature gate `HostnameOverride`.
    pub hostname_override: Option<Str>,
    /// [`schedulingGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, immutable with exceptions, since 1.36. Feature gate `GenericWorkload`.
    pub scheduling_group: Option<Shared<PodSchedulingGroup>>,
    /// [`evictionResponders`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podspec-v1-core): optional, since 1.37. At most 10 entries. Apply and strategic merge patch merge entries by `name`. Feature gate `EvictionRequestAPI`.
    pub eviction_responders: List<EvictionResponder>,
}

impl PodSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        volumes: List::EMPTY,
        init_containers: List::EMPTY,
        containers: List::EMPTY,
        ephemeral_containers: List::EMPTY,
        restart_policy: Str::EMPTY,
        termination_grace_period_seconds: None,
        active_deadline_seconds: None,
        dns_policy: Str::EMPTY,
        node_selector: Map::EMPTY,
        service_account_name: Str::EMPTY,
        service_account: Str::EMPTY,
        automount_service_account_token: None,
        node_name: Str::EMPTY,
        host_network: false,
        host_pid: false,
        host_ipc: false,
        share_process_namespace: None,
        security_context: None,
        image_pull_secrets: List::EMPTY,
        hostname: Str::EMPTY,
        subdomain: Str::EMPTY,
        affinity: None,
        scheduler_name: Str::EMPTY,
        tolerations: List::EMPTY,
        host_aliases: List::EMPTY,
        priority_class_name: Str::EMPTY,
        priority: None,
        dns_config: None,
        readiness_gates: List::EMPTY,
        runtime_class_name: None,
        enable_service_links: None,
        preemption_policy: None,
        overhead: Map::EMPTY,
        topology_spread_constraints: List::EMPTY,
        set_hostname_as_fqdn: None,
        os: None,
        host_users: None,
        scheduling_gates: List::EMPTY,
        resource_claims: List::EMPTY,
        resources: None,
        hostname_override: None,
        scheduling_group: None,
        eviction_responders: List::EMPTY,
    };
}

client_rs_machinery::message!(PodSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodSpec",
    type_meta: None,
    fields: &[
        Field::new("volumes", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE).and(Flags::PATCH_RETAIN_KEYS))
            .of::<Volume>()
            .merged_by("name"),
        Field::new("initContainers", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Container>()
            .merged_by("name"),
        Field::new("containers", Flags::PATCH_MERGE).of::<Container>().merged_by("name"),
        Field::new("ephemeralContainers", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<EphemeralContainer>()
            .merged_by("name"),
        Field::new("restartPolicy", Flags::OMIT_EMPTY),
        Field::new("terminationGracePeriodSeconds", Flags::OMIT_EMPTY),
        Field::new("activeDeadlineSeconds", Flags::OMIT_EMPTY),
        Field::new("dnsPolicy", Flags::OMIT_EMPTY),
        Field::new("nodeSelector", Flags::OMIT_EMPTY),
        Field::new("serviceAccountName", Flags::OMIT_EMPTY),
        Field::new("serviceAccount", Flags::OMIT_EMPTY),
        Field::new("automountServiceAccountToken", Flags::OMIT_EMPTY),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("hostNetwork", Flags::OMIT_EMPTY),
        Field::new("hostPID", Flags::OMIT_EMPTY),
        Field::new("hostIPC", Flags::OMIT_EMPTY),
        Field::new("shareProcessNamespace", Flags::OMIT_EMPTY),
        Field::new("securityContext", Flags::OMIT_EMPTY).of::<PodSecurityContext>(),
        Field::new("imagePullSecrets", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<LocalObjectReference>()
            .merged_by("name"),
        Field::new("hostname", Flags::OMIT_EMPTY),
        Field::new("subdomain", Flags::OMIT_EMPTY),
        Field::new("affinity", Flags::OMIT_EMPTY).of::<Affinity>(),
        Field::new("schedulerName", Flags::OMIT_EMPTY),
        Field::new("tolerations", Flags::OMIT_EMPTY).of::<Toleration>(),
        Field::new("hostAliases", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<HostAlias>()
            .merged_by("ip"),
        Field::new("priorityClassName", Flags::OMIT_EMPTY),
        Field::new("priority", Flags::OMIT_EMPTY),
        Field::new("dnsConfig", Flags::OMIT_EMPTY).of::<PodDNSConfig>(),
        Field::new("readinessGates", Flags::OMIT_EMPTY).of::<PodReadinessGate>(),
        Field::new("runtimeClassName", Flags::OMIT_EMPTY),
        Field::new("enableServiceLinks", Flags::OMIT_EMPTY),
        Field::new("preemptionPolicy", Flags::OMIT_EMPTY),
        Field::new("overhead", Flags::OMIT_EMPTY),
        Field::new("topologySpreadConstraints", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<TopologySpreadConstraint>()
            .merged_by("topologyKey"),
        Field::new("setHostnameAsFQDN", Flags::OMIT_EMPTY),
        Field::new("os", Flags::OMIT_EMPTY).of::<PodOS>(),
        Field::new("hostUsers", Flags::OMIT_EMPTY),
        Field::new("schedulingGates", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<PodSchedulingGate>()
            .merged_by("name"),
        Field::new("resourceClaims", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE).and(Flags::PATCH_RETAIN_KEYS))
            .of::<PodResourceClaim>()
            .merged_by("name"),
        Field::new("resources", Flags::OMIT_EMPTY).of::<ResourceRequirements>(),
        Field::new("hostnameOverride", Flags::OMIT_EMPTY),
        Field::new("schedulingGroup", Flags::OMIT_EMPTY).of::<PodSchedulingGroup>(),
        Field::new("evictionResponders", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<EvictionResponder>()
            .merged_by("name"),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 4),
        Wire::field(4, 5),
        Wire::field(5, 6),
        Wire::field(6, 7),
        Wire::field(7, 8),
        Wire::field(8, 9),
        Wire::field(9, 10),
        Wire::field(10, 12),
        Wire::field(11, 13),
        Wire::field(12, 14),
        Wire::field(13, 15),
        Wire::field(14, 17),
        Wire::field(15, 18),
        Wire::field(16, 19),
        Wire::field(17, 20),
        Wire::field(18, 21),
        Wire::field(19, 22),
        Wire::field(20, 1),
        Wire::field(21, 11),
        Wire::field(22, 23),
        Wire::field(23, 24),
        Wire::field(24, 25),
        Wire::field(25, 26),
        Wire::field(26, 27),
        Wire::field(27, 16),
        Wire::field(28, 28),
        Wire::field(29, 29),
        Wire::field(30, 30),
        Wire::field(31, 31),
        Wire::field(32, 32),
        Wire::field(33, 33),
        Wire::field(34, 3),
        Wire::field(35, 34),
        Wire::field(36, 35),
        Wire::field(37, 36),
        Wire::field(38, 37),
        Wire::field(39, 38),
        Wire::field(40, 39),
        Wire::field(41, 40),
        Wire::field(43, 41),
        Wire::field(44, 42),
    ],
};

impl Fields for PodSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.volumes),
            1 => FieldRef::list(&self.init_containers),
            2 => FieldRef::list(&self.containers),
            3 => FieldRef::list(&self.ephemeral_containers),
            4 => FieldRef::value(&self.restart_policy),
            5 => FieldRef::value(&self.termination_grace_period_seconds),
            6 => FieldRef::value(&self.active_deadline_seconds),
            7 => FieldRef::value(&self.dns_policy),
            8 => FieldRef::value(&self.node_selector),
            9 => FieldRef::value(&self.service_account_name),
            10 => FieldRef::value(&self.service_account),
            11 => FieldRef::value(&self.automount_service_account_token),
            12 => FieldRef::value(&self.node_name),
            13 => FieldRef::value(&self.host_network),
            14 => FieldRef::value(&self.host_pid),
            15 => FieldRef::value(&self.host_ipc),
            16 => FieldRef::value(&self.share_process_namespace),
            17 => FieldRef::optional(&self.security_context),
            18 => FieldRef::list(&self.image_pull_secrets),
            19 => FieldRef::value(&self.hostname),
            20 => FieldRef::value(&self.subdomain),
            21 => FieldRef::optional(&self.affinity),
            22 => FieldRef::value(&self.scheduler_name),
            23 => FieldRef::list(&self.tolerations),
            24 => FieldRef::list(&self.host_aliases),
            25 => FieldRef::value(&self.priority_class_name),
            26 => FieldRef::value(&self.priority),
            27 => FieldRef::optional(&self.dns_config),
            28 => FieldRef::list(&self.readiness_gates),
            29 => FieldRef::value(&self.runtime_class_name),
            30 => FieldRef::value(&self.enable_service_links),
            31 => FieldRef::value(&self.preemption_policy),
            32 => FieldRef::value(&self.overhead),
            33 => FieldRef::list(&self.topology_spread_constraints),
            34 => FieldRef::value(&self.set_hostname_as_fqdn),
            35 => FieldRef::optional(&self.os),
            36 => FieldRef::value(&self.host_users),
            37 => FieldRef::list(&self.scheduling_gates),
            38 => FieldRef::list(&self.resource_claims),
            39 => FieldRef::optional(&self.resources),
            40 => FieldRef::value(&self.hostname_override),
            41 => FieldRef::optional(&self.scheduling_group),
            42 => FieldRef::list(&self.eviction_responders),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.volumes),
            1 => FieldMut::list(&mut self.init_containers),
            2 => FieldMut::list(&mut self.containers),
            3 => FieldMut::list(&mut self.ephemeral_containers),
            4 => FieldMut::value(&mut self.restart_policy),
            5 => FieldMut::value(&mut self.termination_grace_period_seconds),
            6 => FieldMut::value(&mut self.active_deadline_seconds),
            7 => FieldMut::value(&mut self.dns_policy),
            8 => FieldMut::value(&mut self.node_selector),
            9 => FieldMut::value(&mut self.service_account_name),
            10 => FieldMut::value(&mut self.service_account),
            11 => FieldMut::value(&mut self.automount_service_account_token),
            12 => FieldMut::value(&mut self.node_name),
            13 => FieldMut::value(&mut self.host_network),
            14 => FieldMut::value(&mut self.host_pid),
            15 => FieldMut::value(&mut self.host_ipc),
            16 => FieldMut::value(&mut self.share_process_namespace),
            17 => FieldMut::optional(&mut self.security_context),
            18 => FieldMut::list(&mut self.image_pull_secrets),
            19 => FieldMut::value(&mut self.hostname),
            20 => FieldMut::value(&mut self.subdomain),
            21 => FieldMut::optional(&mut self.affinity),
            22 => FieldMut::value(&mut self.scheduler_name),
            23 => FieldMut::list(&mut self.tolerations),
            24 => FieldMut::list(&mut self.host_aliases),
            25 => FieldMut::value(&mut self.priority_class_name),
            26 => FieldMut::value(&mut self.priority),
            27 => FieldMut::optional(&mut self.dns_config),
            28 => FieldMut::list(&mut self.readiness_gates),
            29 => FieldMut::value(&mut self.runtime_class_name),
            30 => FieldMut::value(&mut self.enable_service_links),
            31 => FieldMut::value(&mut self.preemption_policy),
            32 => FieldMut::value(&mut self.overhead),
            33 => FieldMut::list(&mut self.topology_spread_constraints),
            34 => FieldMut::value(&mut self.set_hostname_as_fqdn),
            35 => FieldMut::optional(&mut self.os),
            36 => FieldMut::value(&mut self.host_users),
            37 => FieldMut::list(&mut self.scheduling_gates),
            38 => FieldMut::list(&mut self.resource_claims),
            39 => FieldMut::optional(&mut self.resources),
            40 => FieldMut::value(&mut self.hostname_override),
            41 => FieldMut::optional(&mut self.scheduling_group),
            42 => FieldMut::list(&mut self.eviction_responders),
            _ => FieldMut::NONE,
        }
    }
}
