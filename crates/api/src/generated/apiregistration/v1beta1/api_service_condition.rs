// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// `APIServiceCondition` of `apiregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct APIServiceCondition {
    /// `type`: optional. Known value: `Available`.
    pub type_: Str,
    /// `status`: optional. Known values: `False`, `True`, `Unknown`.
    pub status: Str,
    /// `lastTransitionTime`: optional.
    pub last_transition_time: Option<Time>,
    /// `reason`: optional.
    pub reason: Str,
    /// `message`: optional.
    pub message: Str,
}

impl APIServiceCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(APIServiceCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIServiceCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::always(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for APIServiceCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.last_transition_time),
            3 => FieldRef::value(&self.reason),
            4 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.last_transition_time),
            3 => FieldMut::value(&mut self.reason),
            4 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
