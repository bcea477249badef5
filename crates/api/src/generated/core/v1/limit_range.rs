// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LimitRangeSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`LimitRange`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrange-v1-core) of `core/v1`. Served as `limitranges`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct LimitRange {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrange-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitrange-v1-core): optional. The desired state.
    pub spec: LimitRangeSpec,
}

impl LimitRange {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: LimitRangeSpec::EMPTY };
}

client_rs_machinery::message!(LimitRange, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LimitRange",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "LimitRange", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<LimitRangeSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for LimitRange {
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

client_rs_machinery::object!(LimitRange, "v1", "LimitRange");

impl client_rs_machinery::Resource for LimitRange {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "LimitRange",
        plural: "limitranges",
        singular: "limitrange",
        namespaced: true,
        short_names: &["limits"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(LimitRange: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
