// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Str};

/// `ScaleStatus` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ScaleStatus {
    /// `replicas`: optional.
    pub replicas: i32,
    /// `selector`: optional.
    pub selector: Map<Str>,
    /// `targetSelector`: optional.
    pub target_selector: Str,
}

impl ScaleStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { replicas: 0, selector: Map::EMPTY, target_selector: Str::EMPTY };
}

client_rs_machinery::message!(ScaleStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScaleStatus",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY),
        Field::new("targetSelector", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
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
            2 => FieldRef::value(&self.target_selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::value(&mut self.selector),
            2 => FieldMut::value(&mut self.target_selector),
            _ => FieldMut::NONE,
        }
    }
}
