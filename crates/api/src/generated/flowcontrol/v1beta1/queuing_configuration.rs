// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `QueuingConfiguration` of `flowcontrol.apiserver.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct QueuingConfiguration {
    /// `queues`: optional. Defaults to `64`.
    pub queues: i32,
    /// `handSize`: optional. Defaults to `8`.
    pub hand_size: i32,
    /// `queueLengthLimit`: optional. Defaults to `50`.
    pub queue_length_limit: i32,
}

impl QueuingConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { queues: 0, hand_size: 0, queue_length_limit: 0 };
}

client_rs_machinery::message!(QueuingConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "QueuingConfiguration",
    type_meta: None,
    fields: &[
        Field::new("queues", Flags::NONE),
        Field::new("handSize", Flags::NONE),
        Field::new("queueLengthLimit", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for QueuingConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.queues),
            1 => FieldRef::value(&self.hand_size),
            2 => FieldRef::value(&self.queue_length_limit),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.queues),
            1 => FieldMut::value(&mut self.hand_size),
            2 => FieldMut::value(&mut self.queue_length_limit),
            _ => FieldMut::NONE,
        }
    }
}
