// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Toleration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Toleration {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core): optional. Format `k8s-label-key`.
    pub key: Str,
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core): optional. One of `Equal`, `Exists`, `Gt`, `Lt`. Defaults to `Equal`.
    pub operator: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core): optional.
    pub value: Str,
    /// [`effect`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core): optional. One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`.
    pub effect: Str,
    /// [`tolerationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#toleration-v1-core): optional.
    pub toleration_seconds: Option<i64>,
}

impl Toleration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        key: Str::EMPTY,
        operator: Str::EMPTY,
        value: Str::EMPTY,
        effect: Str::EMPTY,
        toleration_seconds: None,
    };
}

client_rs_machinery::message!(Toleration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Toleration",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::OMIT_EMPTY),
        Field::new("operator", Flags::OMIT_EMPTY),
        Field::new("value", Flags::OMIT_EMPTY),
        Field::new("effect", Flags::OMIT_EMPTY),
        Field::new("tolerationSeconds", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for Toleration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.operator),
            2 => FieldRef::value(&self.value),
            3 => FieldRef::value(&self.effect),
            4 => FieldRef::value(&self.toleration_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.operator),
            2 => FieldMut::value(&mut self.value),
            3 => FieldMut::value(&mut self.effect),
            4 => FieldMut::value(&mut self.toleration_seconds),
            _ => FieldMut::NONE,
        }
    }
}
