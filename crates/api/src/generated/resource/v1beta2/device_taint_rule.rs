// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceTaintRuleSpec;
use super::DeviceTaintRuleStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`DeviceTaintRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrule-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`. Served as `devicetaintrules`, cluster-scoped. Since 1.36.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintRule {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrule-v1beta2-resource-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrule-v1beta2-resource-k8s-io): required. The desired state.
    pub spec: DeviceTaintRuleSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrule-v1beta2-resource-k8s-io): optional. The observed state.
    pub status: DeviceTaintRuleStatus,
}

impl DeviceTaintRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: DeviceTaintRuleSpec::EMPTY,
        status: DeviceTaintRuleStatus::EMPTY,
    };
}

client_rs_machinery::message!(DeviceTaintRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceTaintRule",
    type_meta: Some(TypeMeta {
        api_version: "resource.k8s.io/v1beta2",
        kind: "DeviceTaintRule",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<DeviceTaintRuleSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<DeviceTaintRuleStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeviceTaintRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(DeviceTaintRule, "resource.k8s.io/v1beta2", "DeviceTaintRule");

impl client_rs_machinery::Resource for DeviceTaintRule {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "resource.k8s.io",
        version: "v1beta2",
        kind: "DeviceTaintRule",
        plural: "devicetaintrules",
        singular: "devicetaintrule",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "resource.k8s.io",
            version: "v1beta2",
            kind: "DeviceTaintRule",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(DeviceTaintRule: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
