// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerState;
use super::ContainerUser;
use super::ResourceRequirements;
use super::ResourceStatus;
use super::VolumeMountStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`ContainerStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): required.
    pub name: Str,
    /// [`state`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional.
    pub state: ContainerState,
    /// [`lastState`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional.
    pub last_state: ContainerState,
    /// [`ready`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): required.
    pub ready: bool,
    /// [`restartCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): required.
    pub restart_count: i32,
    /// [`image`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): required.
    pub image: Str,
    /// [`imageID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): required.
    pub image_id: Str,
    /// [`containerID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional.
    pub container_id: Str,
    /// [`started`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional.
    pub started: Option<bool>,
    /// [`allocatedResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.27.
    pub allocated_resources: Map<Quantity>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.27. Feature gate `InPlacePodVerticalScaling`.
    pub resources: Option<Shared<ResourceRequirements>>,
    /// [`volumeMounts`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.30. Apply and strategic merge patch merge entries by `mountPath`.
    pub volume_mounts: List<VolumeMountStatus>,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.31. Feature gate `SupplementalGroupsPolicy`.
    pub user: Option<Shared<ContainerUser>>,
    /// [`allocatedResourcesStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.31. Apply and strategic merge patch merge entries by `name`. Feature gate `ResourceHealthStatus`.
    pub allocated_resources_status: List<ResourceStatus>,
    /// [`stopSignal`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core): optional, since 1.33. One of 65 values, `SIGABRT` to `SIGXFSZ`. Feature gate `ContainerStopSignals`.
    pub stop_signal: Option<Str>,
}

impl ContainerStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        state: ContainerState::EMPTY,
        last_state: ContainerState::EMPTY,
        ready: false,
        restart_count: 0,
        image: Str::EMPTY,
        image_id: Str::EMPTY,
        container_id: Str::EMPTY,
        started: None,
        allocated_resources: Map::EMPTY,
        resources: None,
        volume_mounts: List::EMPTY,
        user: None,
        allocated_resources_status: List::EMPTY,
        stop_signal: None,
    };
}

client_rs_machinery::message!(ContainerStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("state", Flags::OMIT_EMPTY).of::<ContainerState>(),
        Field::new("lastState", Flags::OMIT_EMPTY).of::<ContainerState>(),
        Field::new("ready", Flags::NONE),
        Field::new("restartCount", Flags::NONE),
        Field::new("image", Flags::NONE),
        Field::new("imageID", Flags::NONE),
        Field::new("containerID", Flags::OMIT_EMPTY),
        Field::new("started", Flags::OMIT_EMPTY),
        Field::new("allocatedResources", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY).of::<ResourceRequirements>(),
        Field::new("volumeMounts", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<VolumeMountStatus>()
            .merged_by("mountPath"),
        Field::new("user", Flags::OMIT_EMPTY).of::<ContainerUser>(),
        Field::new("allocatedResourcesStatus", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ResourceStatus>()
            .merged_by("name"),
        Field::new("stopSignal", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(15, 14),
    ],
};

impl Fields for ContainerStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.state),
            2 => FieldRef::message(&self.last_state),
            3 => FieldRef::value(&self.ready),
            4 => FieldRef::value(&self.restart_count),
            5 => FieldRef::value(&self.image),
            6 => FieldRef::value(&self.image_id),
            7 => FieldRef::value(&self.container_id),
            8 => FieldRef::value(&self.started),
            9 => FieldRef::value(&self.allocated_resources),
            10 => FieldRef::optional(&self.resources),
            11 => FieldRef::list(&self.volume_mounts),
            12 => FieldRef::optional(&self.user),
            13 => FieldRef::list(&self.allocated_resources_status),
            14 => FieldRef::value(&self.stop_signal),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.state),
            2 => FieldMut::message(&mut self.last_state),
            3 => FieldMut::value(&mut self.ready),
            4 => FieldMut::value(&mut self.restart_count),
            5 => FieldMut::value(&mut self.image),
            6 => FieldMut::value(&mut self.image_id),
            7 => FieldMut::value(&mut self.container_id),
            8 => FieldMut::value(&mut self.started),
            9 => FieldMut::value(&mut self.allocated_resources),
            10 => FieldMut::optional(&mut self.resources),
            11 => FieldMut::list(&mut self.volume_mounts),
            12 => FieldMut::optional(&mut self.user),
            13 => FieldMut::list(&mut self.allocated_resources_status),
            14 => FieldMut::value(&mut self.stop_signal),
            _ => FieldMut::NONE,
        }
    }
}
