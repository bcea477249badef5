// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeNodeResources;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CSINodeDriver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodedriver-v1-storage-k8s-io) of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CSINodeDriver {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodedriver-v1-storage-k8s-io): required.
    pub name: Str,
    /// [`nodeID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodedriver-v1-storage-k8s-io): required.
    pub node_id: Str,
    /// [`topologyKeys`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodedriver-v1-storage-k8s-io): optional. Apply replaces the list.
    pub topology_keys: List<Str>,
    /// [`allocatable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csinodedriver-v1-storage-k8s-io): optional.
    pub allocatable: Option<Shared<VolumeNodeResources>>,
}

impl CSINodeDriver {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, node_id: Str::EMPTY, topology_keys: List::EMPTY, allocatable: None };
}

client_rs_machinery::message!(CSINodeDriver, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSINodeDriver",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("nodeID", Flags::NONE),
        Field::new("topologyKeys", Flags::NONE),
        Field::new("allocatable", Flags::OMIT_EMPTY).of::<VolumeNodeResources>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for CSINodeDriver {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.node_id),
            2 => FieldRef::value(&self.topology_keys),
            3 => FieldRef::optional(&self.allocatable),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.node_id),
            2 => FieldMut::value(&mut self.topology_keys),
            3 => FieldMut::optional(&mut self.allocatable),
            _ => FieldMut::NONE,
        }
    }
}
