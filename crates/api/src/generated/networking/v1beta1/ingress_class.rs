// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressClassSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `IngressClass` of `networking.k8s.io/v1beta1`. Since 1.18. Deprecated since 1.19. Replaced by `IngressClassList` of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressClass {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: IngressClassSpec,
}

impl IngressClass {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: IngressClassSpec::EMPTY };
}

client_rs_machinery::message!(IngressClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressClass",
    type_meta: Some(TypeMeta {
        api_version: "networking.k8s.io/v1beta1",
        kind: "IngressClass",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<IngressClassSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(IngressClass, "networking.k8s.io/v1beta1", "IngressClass");

impl client_rs_machinery::Resource for IngressClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "networking.k8s.io",
        version: "v1beta1",
        kind: "IngressClass",
        plural: "ingressclasses",
        singular: "ingressclass",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(IngressClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
