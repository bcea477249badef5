// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Binding`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#binding-v1-core) of `core/v1`. Served as `bindings`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Binding {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#binding-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#binding-v1-core): required.
    pub target: Shared<ObjectReference>,
}

impl Binding {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, target: Shared::DEFAULT };
}

client_rs_machinery::message!(Binding, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Binding",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Binding", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("target", Flags::NONE).of::<ObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Binding {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.target),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.target),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Binding, "v1", "Binding");

impl client_rs_machinery::Resource for Binding {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Binding",
        plural: "bindings",
        singular: "binding",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Binding: Create);
