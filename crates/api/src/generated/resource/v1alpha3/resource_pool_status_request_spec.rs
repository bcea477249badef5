// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourcePoolStatusRequestSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequestspec-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct ResourcePoolStatusRequestSpec {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequestspec-v1alpha3-resource-k8s-io): required. A DNS subdomain.
    pub driver: Str,
    /// [`poolName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequestspec-v1alpha3-resource-k8s-io): optional. Format `k8s-resource-pool-name`.
    pub pool_name: Option<Str>,
    /// [`limit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequestspec-v1alpha3-resource-k8s-io): optional. Defaults to `100`. From 1 to 1000.
    pub limit: Option<i32>,
    /// [`defaultPartitionTypeAttribute`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequestspec-v1alpha3-resource-k8s-io): optional, since 1.37. Format `k8s-resource-fully-qualified-name`. Feature gate `DRAPartitionableDevicesType`.
    pub default_partition_type_attribute: Option<Str>,
}

impl ResourcePoolStatusRequestSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { driver: Str::EMPTY, pool_name: None, limit: None, default_partition_type_attribute: None };
}

client_rs_machinery::message!(ResourcePoolStatusRequestSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePoolStatusRequestSpec",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("poolName", Flags::OMIT_EMPTY),
        Field::new("limit", Flags::OMIT_EMPTY),
        Field::new("defaultPartitionTypeAttribute", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ResourcePoolStatusRequestSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.pool_name),
            2 => FieldRef::value(&self.limit),
            3 => FieldRef::value(&self.default_partition_type_attribute),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.pool_name),
            2 => FieldMut::value(&mut self.limit),
            3 => FieldMut::value(&mut self.default_partition_type_attribute),
            _ => FieldMut::NONE,
        }
    }
}
