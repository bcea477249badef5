// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ScaleStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scalestatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ScaleStatus {
    /// [`replicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scalestatus-v1-autoscaling): required.
    pub replicas: i32,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scalestatus-v1-autoscaling): optional.
    pub selector: Str,
}

impl ScaleStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { replicas: 0, selector: Str::EMPTY };
}

client_rs_machinery::message!(ScaleStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScaleStatus",
    type_meta: None,
    fields: &[Field::new("replicas", Flags::NONE), Field::new("selector", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ScaleStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            1 => FieldRef::value(&self.selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::value(&mut self.selector),
            _ => FieldMut::NONE,
        }
    }
}
