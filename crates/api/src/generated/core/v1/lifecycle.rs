// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LifecycleHandler;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`Lifecycle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecycle-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Lifecycle {
    /// [`postStart`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecycle-v1-core): optional.
    pub post_start: Option<Shared<LifecycleHandler>>,
    /// [`preStop`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecycle-v1-core): optional.
    pub pre_stop: Option<Shared<LifecycleHandler>>,
    /// [`stopSignal`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecycle-v1-core): optional, since 1.33. One of 65 values, `SIGABRT` to `SIGXFSZ`.
    pub stop_signal: Option<Str>,
}

impl Lifecycle {
    /// Every field empty.
    pub const EMPTY: Self = Self { post_start: None, pre_stop: None, stop_signal: None };
}

client_rs_machinery::message!(Lifecycle, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Lifecycle",
    type_meta: None,
    fields: &[
        Field::new("postStart", Flags::OMIT_EMPTY).of::<LifecycleHandler>(),
        Field::new("preStop", Flags::OMIT_EMPTY).of::<LifecycleHandler>(),
        Field::new("stopSignal", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Lifecycle {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.post_start),
            1 => FieldRef::optional(&self.pre_stop),
            2 => FieldRef::value(&self.stop_signal),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.post_start),
            1 => FieldMut::optional(&mut self.pre_stop),
            2 => FieldMut::value(&mut self.stop_signal),
            _ => FieldMut::NONE,
        }
    }
}
