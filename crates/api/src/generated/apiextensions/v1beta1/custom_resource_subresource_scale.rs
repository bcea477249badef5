// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `CustomResourceSubresourceScale` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceSubresourceScale {
    /// `specReplicasPath`: optional.
    pub spec_replicas_path: Str,
    /// `statusReplicasPath`: optional.
    pub status_replicas_path: Str,
    /// `labelSelectorPath`: optional.
    pub label_selector_path: Option<Str>,
}

impl CustomResourceSubresourceScale {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { spec_replicas_path: Str::EMPTY, status_replicas_path: Str::EMPTY, label_selector_path: None };
}

client_rs_machinery::message!(CustomResourceSubresourceScale, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceSubresourceScale",
    type_meta: None,
    fields: &[
        Field::new("specReplicasPath", Flags::NONE),
        Field::new("statusReplicasPath", Flags::NONE),
        Field::new("labelSelectorPath", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CustomResourceSubresourceScale {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.spec_replicas_path),
            1 => FieldRef::value(&self.status_replicas_path),
            2 => FieldRef::value(&self.label_selector_path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.spec_replicas_path),
            1 => FieldMut::value(&mut self.status_replicas_path),
            2 => FieldMut::value(&mut self.label_selector_path),
            _ => FieldMut::NONE,
        }
    }
}
