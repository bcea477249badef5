// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`Taint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#taint-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Taint {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#taint-v1-core): required.
    pub key: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#taint-v1-core): optional.
    pub value: Str,
    /// [`effect`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#taint-v1-core): required. One of `NoExecute`, `NoSchedule`, `PreferNoSchedule`.
    pub effect: Str,
    /// [`timeAdded`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#taint-v1-core): optional.
    pub time_added: Option<Time>,
}

impl Taint {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, value: Str::EMPTY, effect: Str::EMPTY, time_added: None };
}

client_rs_machinery::message!(Taint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Taint",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::NONE),
        Field::new("value", Flags::OMIT_EMPTY),
        Field::new("effect", Flags::NONE),
        Field::new("timeAdded", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Taint {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.value),
            2 => FieldRef::value(&self.effect),
            3 => FieldRef::value(&self.time_added),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.value),
            2 => FieldMut::value(&mut self.effect),
            3 => FieldMut::value(&mut self.time_added),
            _ => FieldMut::NONE,
        }
    }
}
