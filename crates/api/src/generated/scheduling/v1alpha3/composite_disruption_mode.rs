// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AllCompositeDisruptionMode;
use super::SingleCompositeDisruptionMode;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CompositeDisruptionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositedisruptionmode-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct CompositeDisruptionMode {
    /// [`single`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositedisruptionmode-v1alpha3-scheduling-k8s-io): optional.
    pub single: Option<Shared<SingleCompositeDisruptionMode>>,
    /// [`all`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositedisruptionmode-v1alpha3-scheduling-k8s-io): optional.
    pub all: Option<Shared<AllCompositeDisruptionMode>>,
}

impl CompositeDisruptionMode {
    /// Every field empty.
    pub const EMPTY: Self = Self { single: None, all: None };
}

client_rs_machinery::message!(CompositeDisruptionMode, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CompositeDisruptionMode",
    type_meta: None,
    fields: &[
        Field::new("single", Flags::OMIT_EMPTY).of::<SingleCompositeDisruptionMode>(),
        Field::new("all", Flags::OMIT_EMPTY).of::<AllCompositeDisruptionMode>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CompositeDisruptionMode {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.single),
            1 => FieldRef::optional(&self.all),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.single),
            1 => FieldMut::optional(&mut self.all),
            _ => FieldMut::NONE,
        }
    }
}
