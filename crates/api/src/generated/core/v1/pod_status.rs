// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerStatus;
use super::HostIP;
use super::NodeAllocatableResourceClaimStatus;
use super::PodCondition;
use super::PodExtendedResourceClaimStatus;
use super::PodIP;
use super::PodResourceClaimStatus;
use super::PodVolumeHealth;
use super::ResourceRequirements;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str, Time};

/// [`PodStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodStatus {
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.33.
    pub observed_generation: i64,
    /// [`phase`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. One of `Failed`, `Pending`, `Running`, `Succeeded`, `Unknown`.
    pub phase: Str,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<PodCondition>,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub message: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub reason: Str,
    /// [`nominatedNodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub nominated_node_name: Str,
    /// [`hostIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub host_ip: Str,
    /// [`hostIPs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.28. Apply replaces the list. Strategic merge patch merges entries by `ip`.
    pub host_ips: List<HostIP>,
    /// [`podIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub pod_ip: Str,
    /// [`podIPs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. Apply and strategic merge patch merge entries by `ip`.
    pub pod_ips: List<PodIP>,
    /// [`startTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional.
    pub start_time: Option<Time>,
    /// [`initContainerStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. Apply replaces the list.
    pub init_container_statuses: List<ContainerStatus>,
    /// [`containerStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. Apply replaces the list.
    pub container_statuses: List<ContainerStatus>,
    /// [`qosClass`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. One of `BestEffort`, `Burstable`, `Guaranteed`.
    pub qos_class: Str,
    /// [`ephemeralContainerStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional. Apply replaces the list.
    pub ephemeral_container_statuses: List<ContainerStatus>,
    /// [`resize`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.27. Known values: `Deferred`, `InProgress`, `Infeasible`. Feature gate `InPlacePodVerticalScaling`.
    pub resize: Str,
    /// [`resourceClaimStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.28. Apply and strategic merge patch merge entries by `name`. Patch strategy `retainKeys`. Feature gate `DynamicResourceAllocation`.
    pub resource_claim_statuses: List<PodResourceClaimStatus>,
    /// [`extendedResourceClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.34. Feature gate `DRAExtendedResource`.
    pub extended_resource_claim_status: Option<Shared<PodExtendedResourceClaimStatus>>,
    /// [`allocatedResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.35. Feature gate `InPlacePodLevelResourcesVerticalScaling`.
    pub allocated_resources: Map<Quantity>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.35. Feature gate `InPlacePodLevelResourcesVerticalScaling`.
    pub resources: Option<Shared<ResourceRequirements>>,
    /// [`nodeAllocatableResourceClaimStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.36. Apply and strategic merge patch merge entries by `resourceClaimName`. Feature gate `DRANodeAllocatableResources`.
    pub node_allocatable_resource_claim_statuses: List<NodeAllocatableResourceClaimStatus>,
    /// [`volumeHealth`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podstatus-v1-core): optional, since 1.37. Apply merges entries by `name`. Feature gate `CSIVolumeHealth`.
    pub volume_health: List<PodVolumeHealth>,
}

impl PodStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: 0,
        phase: Str::EMPTY,
        conditions: List::EMPTY,
        message: Str::EMPTY,
        reason: Str::EMPTY,
        nominated_node_name: Str::EMPTY,
        host_ip: Str::EMPTY,
        host_ips: List::EMPTY,
        pod_ip: Str::EMPTY,
        pod_ips: List::EMPTY,
        start_time: None,
        init_container_statuses: List::EMPTY,
        container_statuses: List::EMPTY,
        qos_class: Str::EMPTY,
        ephemeral_container_statuses: List::EMPTY,
        resize: Str::EMPTY,
        resource_claim_statuses: List::EMPTY,
        extended_resource_claim_status: None,
        allocated_resources: Map::EMPTY,
        resources: None,
        node_allocatable_resource_claim_statuses: List::EMPTY,
        volume_health: List::EMPTY,
    };
}

client_rs_machinery::message!(PodStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<PodCondition>()
            .merged_by("type"),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("nominatedNodeName", Flags::OMIT_EMPTY),
        Field::new("hostIP", Flags::OMIT_EMPTY),
        Field::new("hostIPs", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)).of::<HostIP>().merged_by("ip"),
        Field::new("podIP", Flags::OMIT_EMPTY),
        Field::new("podIPs", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)).of::<PodIP>().merged_by("ip"),
        Field::new("startTime", Flags::OMIT_EMPTY),
        Field::new("initContainerStatuses", Flags::OMIT_EMPTY).of::<ContainerStatus>(),
        Field::new("containerStatuses", Flags::OMIT_EMPTY).of::<ContainerStatus>(),
        Field::new("qosClass", Flags::OMIT_EMPTY),
        Field::new("ephemeralContainerStatuses", Flags::OMIT_EMPTY).of::<ContainerStatus>(),
        Field::new("resize", Flags::OMIT_EMPTY),
        Field::new(
            "resourceClaimStatuses",
            Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE).and(Flags::PATCH_RETAIN_KEYS),
        )
        .of::<PodResourceClaimStatus>()
        .merged_by("name"),
        Field::new("extendedResourceClaimStatus", Flags::OMIT_EMPTY).of::<PodExtendedResourceClaimStatus>(),
        Field::new("allocatedResources", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY).of::<ResourceRequirements>(),
        Field::new("nodeAllocatableResourceClaimStatuses", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NodeAllocatableResourceClaimStatus>()
            .merged_by("resourceClaimName"),
        Field::new("volumeHealth", Flags::OMIT_EMPTY).of::<PodVolumeHealth>(),
    ],
    wire: &[
        Wire::field(1, 1),
        Wire::field(2, 2),
        Wire::field(3, 3),
        Wire::field(4, 4),
        Wire::field(5, 6),
        Wire::field(6, 8),
        Wire::field(7, 10),
        Wire::field(8, 12),
        Wire::field(9, 13),
        Wire::field(10, 11),
        Wire::field(11, 5),
        Wire::field(12, 9),
        Wire::field(13, 14),
        Wire::field(14, 15),
        Wire::field(15, 16),
        Wire::field(16, 7),
        Wire::field(17, 0),
        Wire::field(18, 17),
        Wire::field(19, 18),
        Wire::field(20, 19),
        Wire::field(21, 20),
        Wire::field(22, 21),
    ],
};

impl Fields for PodStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::value(&self.phase),
            2 => FieldRef::list(&self.conditions),
            3 => FieldRef::value(&self.message),
            4 => FieldRef::value(&self.reason),
            5 => FieldRef::value(&self.nominated_node_name),
            6 => FieldRef::value(&self.host_ip),
            7 => FieldRef::list(&self.host_ips),
            8 => FieldRef::value(&self.pod_ip),
            9 => FieldRef::list(&self.pod_ips),
            10 => FieldRef::value(&self.start_time),
            11 => FieldRef::list(&self.init_container_statuses),
            12 => FieldRef::list(&self.container_statuses),
            13 => FieldRef::value(&self.qos_class),
            14 => FieldRef::list(&self.ephemeral_container_statuses),
            15 => FieldRef::value(&self.resize),
            16 => FieldRef::list(&self.resource_claim_statuses),
            17 => FieldRef::optional(&self.extended_resource_claim_status),
            18 => FieldRef::value(&self.allocated_resources),
            19 => FieldRef::optional(&self.resources),
            20 => FieldRef::list(&self.node_allocatable_resource_claim_statuses),
            21 => FieldRef::list(&self.volume_health),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::value(&mut self.phase),
            2 => FieldMut::list(&mut self.conditions),
            3 => FieldMut::value(&mut self.message),
            4 => FieldMut::value(&mut self.reason),
            5 => FieldMut::value(&mut self.nominated_node_name),
            6 => FieldMut::value(&mut self.host_ip),
            7 => FieldMut::list(&mut self.host_ips),
            8 => FieldMut::value(&mut self.pod_ip),
            9 => FieldMut::list(&mut self.pod_ips),
            10 => FieldMut::value(&mut self.start_time),
            11 => FieldMut::list(&mut self.init_container_statuses),
            12 => FieldMut::list(&mut self.container_statuses),
            13 => FieldMut::value(&mut self.qos_class),
            14 => FieldMut::list(&mut self.ephemeral_container_statuses),
            15 => FieldMut::value(&mut self.resize),
            16 => FieldMut::list(&mut self.resource_claim_statuses),
            17 => FieldMut::optional(&mut self.extended_resource_claim_status),
            18 => FieldMut::value(&mut self.allocated_resources),
            19 => FieldMut::optional(&mut self.resources),
            20 => FieldMut::list(&mut self.node_allocatable_resource_claim_statuses),
            21 => FieldMut::list(&mut self.volume_health),
            _ => FieldMut::NONE,
        }
    }
}
