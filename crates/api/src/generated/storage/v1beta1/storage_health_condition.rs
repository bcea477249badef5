// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// `StorageHealthCondition` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StorageHealthCondition {
    /// `status`: required. One of `StorageDegraded`, `StorageUnreachable`.
    pub status: Str,
    /// `reason`: required.
    pub reason: Str,
    /// `message`: optional.
    pub message: Str,
    /// `accessMode`: optional. One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`.
    pub access_mode: Option<Str>,
    /// `volumeMode`: optional. One of `Block`, `Filesystem`.
    pub volume_mode: Option<Str>,
    /// `lastTransitionTime`: optional.
    pub last_transition_time: Option<Time>,
}

impl StorageHealthCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        status: Str::EMPTY,
        reason: Str::EMPTY,
        message: Str::EMPTY,
        access_mode: None,
        volume_mode: None,
        last_transition_time: None,
    };
}

client_rs_machinery::message!(StorageHealthCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageHealthCondition",
    type_meta: None,
    fields: &[
        Field::new("status", Flags::NONE),
        Field::new("reason", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("accessMode", Flags::OMIT_EMPTY),
        Field::new("volumeMode", Flags::OMIT_EMPTY),
        Field::new("lastTransitionTime", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::always(6, 5),
    ],
};

impl Fields for StorageHealthCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.status),
            1 => FieldRef::value(&self.reason),
            2 => FieldRef::value(&self.message),
            3 => FieldRef::value(&self.access_mode),
            4 => FieldRef::value(&self.volume_mode),
            5 => FieldRef::value(&self.last_transition_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.status),
            1 => FieldMut::value(&mut self.reason),
            2 => FieldMut::value(&mut self.message),
            3 => FieldMut::value(&mut self.access_mode),
            4 => FieldMut::value(&mut self.volume_mode),
            5 => FieldMut::value(&mut self.last_transition_time),
            _ => FieldMut::NONE,
        }
    }
}
