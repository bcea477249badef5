// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ModifyVolumeStatus;
use super::PersistentVolumeClaimCondition;
use super::VolumeHealthStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`PersistentVolumeClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeClaimStatus {
    /// [`phase`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional. One of `Bound`, `Lost`, `Pending`.
    pub phase: Str,
    /// [`accessModes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional. One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. Apply replaces the list.
    pub access_modes: List<Str>,
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional.
    pub capacity: Map<Quantity>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<PersistentVolumeClaimCondition>,
    /// [`allocatedResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional, since 1.23.
    pub allocated_resources: Map<Quantity>,
    /// [`allocatedResourceStatuses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional, since 1.28. One of `ControllerResizeInProgress`, `ControllerResizeInfeasible`, `NodeResizeInProgress`, `NodeResizeInfeasible`, `NodeResizePending`.
    pub allocated_resource_statuses: Map<Str>,
    /// [`currentVolumeAttributesClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional, since 1.29. Feature gate `VolumeAttributesClass`.
    pub current_volume_attributes_class_name: Option<Str>,
    /// [`modifyVolumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional, since 1.29. Feature gate `VolumeAttributesClass`.
    pub modify_volume_status: Option<Shared<ModifyVolumeStatus>>,
    /// [`healthStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimstatus-v1-core): optional, since 1.37. Feature gate `CSIVolumeHealth`.
    pub health_status: Option<Shared<VolumeHealthStatus>>,
}

impl PersistentVolumeClaimStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        phase: Str::EMPTY,
        access_modes: List::EMPTY,
        capacity: Map::EMPTY,
        conditions: List::EMPTY,
        allocated_resources: Map::EMPTY,
        allocated_resource_statuses: Map::EMPTY,
        current_volume_attributes_class_name: None,
        modify_volume_status: None,
        health_status: None,
    };
}

client_rs_machinery::message!(PersistentVolumeClaimStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeClaimStatus",
    type_meta: None,
    fields: &[
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("accessModes", Flags::OMIT_EMPTY),
        Field::new("capacity", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<PersistentVolumeClaimCondition>()
            .merged_by("type"),
        Field::new("allocatedResources", Flags::OMIT_EMPTY),
        Field::new("allocatedResourceStatuses", Flags::OMIT_EMPTY),
        Field::new("currentVolumeAttributesClassName", Flags::OMIT_EMPTY),
        Field::new("modifyVolumeStatus", Flags::OMIT_EMPTY).of::<ModifyVolumeStatus>(),
        Field::new("healthStatus", Flags::OMIT_EMPTY).of::<VolumeHealthStatus>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(7, 5),
        Wire::field(8, 6),
        Wire::field(9, 7),
        Wire::field(10, 8),
    ],
};

impl Fields for PersistentVolumeClaimStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.phase),
            1 => FieldRef::value(&self.access_modes),
            2 => FieldRef::value(&self.capacity),
            3 => FieldRef::list(&self.conditions),
            4 => FieldRef::value(&self.allocated_resources),
            5 => FieldRef::value(&self.allocated_resource_statuses),
            6 => FieldRef::value(&self.current_volume_attributes_class_name),
            7 => FieldRef::optional(&self.modify_volume_status),
            8 => FieldRef::optional(&self.health_status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.phase),
            1 => FieldMut::value(&mut self.access_modes),
            2 => FieldMut::value(&mut self.capacity),
            3 => FieldMut::list(&mut self.conditions),
            4 => FieldMut::value(&mut self.allocated_resources),
            5 => FieldMut::value(&mut self.allocated_resource_statuses),
            6 => FieldMut::value(&mut self.current_volume_attributes_class_name),
            7 => FieldMut::optional(&mut self.modify_volume_status),
            8 => FieldMut::optional(&mut self.health_status),
            _ => FieldMut::NONE,
        }
    }
}
