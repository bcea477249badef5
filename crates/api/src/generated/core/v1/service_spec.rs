// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServicePort;
use super::SessionAffinityConfig;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Shared, Str};

/// [`ServiceSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceSpec {
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. Apply merges entries by `port`, `protocol`. Strategic merge patch merges entries by `port`.
    pub ports: List<ServicePort>,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. Apply replaces the whole value.
    pub selector: Map<Str>,
    /// [`clusterIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, immutable with exceptions.
    pub cluster_ip: Str,
    /// [`clusterIPs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, immutable with exceptions, since 1.20. Apply replaces the list.
    pub cluster_ips: List<Str>,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. One of `ClusterIP`, `ExternalName`, `LoadBalancer`, `NodePort`. Defaults to `ClusterIP`.
    pub type_: Str,
    /// [`externalIPs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. Apply replaces the list.
    pub external_ips: List<Str>,
    /// [`sessionAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. One of `ClientIP`, `None`. Defaults to `None`.
    pub session_affinity: Str,
    /// [`loadBalancerIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, deprecated.
    pub load_balancer_ip: Str,
    /// [`loadBalancerSourceRanges`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. Apply replaces the list.
    pub load_balancer_source_ranges: List<Str>,
    /// [`externalName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional.
    pub external_name: Str,
    /// [`externalTrafficPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional. One of `Cluster`, `Local`.
    pub external_traffic_policy: Str,
    /// [`healthCheckNodePort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, immutable once set.
    pub health_check_node_port: i32,
    /// [`publishNotReadyAddresses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional.
    pub publish_not_ready_addresses: bool,
    /// [`sessionAffinityConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional.
    pub session_affinity_config: Option<Shared<SessionAffinityConfig>>,
    /// [`ipFamilies`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.20. One of `""`, `IPv4`, `IPv6`. Apply replaces the list.
    pub ip_families: List<Str>,
    /// [`ipFamilyPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.20. One of `PreferDualStack`, `RequireDualStack`, `SingleStack`.
    pub ip_family_policy: Option<Str>,
    /// [`allocateLoadBalancerNodePorts`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.20. Defaults to `true`.
    pub allocate_load_balancer_node_ports: Option<bool>,
    /// [`loadBalancerClass`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.21.
    pub load_balancer_class: Option<Str>,
    /// [`internalTrafficPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.21. One of `Cluster`, `Local`.
    pub internal_traffic_policy: Option<Str>,
    /// [`trafficDistribution`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicespec-v1-core): optional, since 1.30.
    pub traffic_distribution: Option<Str>,
}

impl ServiceSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        ports: List::EMPTY,
        selector: Map::EMPTY,
        cluster_ip: Str::EMPTY,
        cluster_ips: List::EMPTY,
        type_: Str::EMPTY,
        external_ips: List::EMPTY,
        session_affinity: Str::EMPTY,
        load_balancer_ip: Str::EMPTY,
        load_balancer_source_ranges: List::EMPTY,
        external_name: Str::EMPTY,
        external_traffic_policy: Str::EMPTY,
        health_check_node_port: 0,
        publish_not_ready_addresses: false,
        session_affinity_config: None,
        ip_families: List::EMPTY,
        ip_family_policy: None,
        allocate_load_balancer_node_ports: None,
        load_balancer_class: None,
        internal_traffic_policy: None,
        traffic_distribution: None,
    };
}

client_rs_machinery::message!(ServiceSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceSpec",
    type_meta: None,
    fields: &[
        Field::new("ports", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)).of::<ServicePort>().merged_by("port"),
        Field::new("selector", Flags::OMIT_EMPTY),
        Field::new("clusterIP", Flags::OMIT_EMPTY),
        Field::new("clusterIPs", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("externalIPs", Flags::OMIT_EMPTY),
        Field::new("sessionAffinity", Flags::OMIT_EMPTY),
        Field::new("loadBalancerIP", Flags::OMIT_EMPTY),
        Field::new("loadBalancerSourceRanges", Flags::OMIT_EMPTY),
        Field::new("externalName", Flags::OMIT_EMPTY),
        Field::new("externalTrafficPolicy", Flags::OMIT_EMPTY),
        Field::new("healthCheckNodePort", Flags::OMIT_EMPTY),
        Field::new("publishNotReadyAddresses", Flags::OMIT_EMPTY),
        Field::new("sessionAffinityConfig", Flags::OMIT_EMPTY).of::<SessionAffinityConfig>(),
        Field::new("ipFamilies", Flags::OMIT_EMPTY),
        Field::new("ipFamilyPolicy", Flags::OMIT_EMPTY),
        Field::new("allocateLoadBalancerNodePorts", Flags::OMIT_EMPTY),
        Field::new("loadBalancerClass", Flags::OMIT_EMPTY),
        Field::new("internalTrafficPolicy", Flags::OMIT_EMPTY),
        Field::new("trafficDistribution", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(17, 15),
        Wire::field(18, 3),
        Wire::field(19, 14),
        Wire::field(20, 16),
        Wire::field(21, 17),
        Wire::field(22, 18),
        Wire::field(23, 19),
    ],
};

impl Fields for ServiceSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.ports),
            1 => FieldRef::value(&self.selector),
            2 => FieldRef::value(&self.cluster_ip),
            3 => FieldRef::value(&self.cluster_ips),
            4 => FieldRef::value(&self.type_),
            5 => FieldRef::value(&self.external_ips),
            6 => FieldRef::value(&self.session_affinity),
            7 => FieldRef::value(&self.load_balancer_ip),
            8 => FieldRef::value(&self.load_balancer_source_ranges),
            9 => FieldRef::value(&self.external_name),
            10 => FieldRef::value(&self.external_traffic_policy),
            11 => FieldRef::value(&self.health_check_node_port),
            12 => FieldRef::value(&self.publish_not_ready_addresses),
            13 => FieldRef::optional(&self.session_affinity_config),
            14 => FieldRef::value(&self.ip_families),
            15 => FieldRef::value(&self.ip_family_policy),
            16 => FieldRef::value(&self.allocate_load_balancer_node_ports),
            17 => FieldRef::value(&self.load_balancer_class),
            18 => FieldRef::value(&self.internal_traffic_policy),
            19 => FieldRef::value(&self.traffic_distribution),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.ports),
            1 => FieldMut::value(&mut self.selector),
            2 => FieldMut::value(&mut self.cluster_ip),
            3 => FieldMut::value(&mut self.cluster_ips),
            4 => FieldMut::value(&mut self.type_),
            5 => FieldMut::value(&mut self.external_ips),
            6 => FieldMut::value(&mut self.session_affinity),
            7 => FieldMut::value(&mut self.load_balancer_ip),
            8 => FieldMut::value(&mut self.load_balancer_source_ranges),
            9 => FieldMut::value(&mut self.external_name),
            10 => FieldMut::value(&mut self.external_traffic_policy),
            11 => FieldMut::value(&mut self.health_check_node_port),
            12 => FieldMut::value(&mut self.publish_not_ready_addresses),
            13 => FieldMut::optional(&mut self.session_affinity_config),
            14 => FieldMut::value(&mut self.ip_families),
            15 => FieldMut::value(&mut self.ip_family_policy),
            16 => FieldMut::value(&mut self.allocate_load_balancer_node_ports),
            17 => FieldMut::value(&mut self.load_balancer_class),
            18 => FieldMut::value(&mut self.internal_traffic_policy),
            19 => FieldMut::value(&mut self.traffic_distribution),
            _ => FieldMut::NONE,
        }
    }
}
