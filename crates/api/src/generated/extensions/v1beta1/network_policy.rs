// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkPolicySpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `NetworkPolicy` of `extensions/v1beta1`. Since 1.3. Deprecated since 1.9. Not served since 1.16. Replaced by `NetworkPolicy` of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicy {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: Shared<NetworkPolicySpec>,
}

impl NetworkPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(NetworkPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicy",
    type_meta: Some(TypeMeta { api_version: "extensions/v1beta1", kind: "NetworkPolicy", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<NetworkPolicySpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NetworkPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(NetworkPolicy, "extensions/v1beta1", "NetworkPolicy");

impl client_rs_machinery::Resource for NetworkPolicy {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "extensions",
        version: "v1beta1",
        kind: "NetworkPolicy",
        plural: "networkpolicies",
        singular: "networkpolicy",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(NetworkPolicy: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
