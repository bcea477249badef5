// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerState;
use super::ContainerUser;
use super::ResourceRequirements;
use super::ResourceStatus;
use super::VolumeMountStatus;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [ContainerStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStatus {
    pub name: Str,
    pub state: ContainerState,
    pub last_state: ContainerState,
    pub ready: bool,
    pub restart_count: i32,
    pub image: Str,
    pub image_id: Str,
    pub container_id: Str,
    pub started: Option<bool>,
    pub allocated_resources: Map<Quantity>,
    pub resources: Option<Shared<ResourceRequirements>>,
    pub volume_mounts: List<VolumeMountStatus>,
    pub user: Option<Shared<ContainerUser>>,
    pub allocated_resources_status: List<ResourceStatus>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.state,
            2 => &self.last_state,
            3 => &self.ready,
            4 => &self.restart_count,
            5 => &self.image,
            6 => &self.image_id,
            7 => &self.container_id,
            8 => &self.started,
            9 => &self.allocated_resources,
            10 => &self.resources,
            11 => &self.volume_mounts,
            12 => &self.user,
            13 => &self.allocated_resources_status,
            14 => &self.stop_signal,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.state,
            2 => &mut self.last_state,
            3 => &mut self.ready,
            4 => &mut self.restart_count,
            5 => &mut self.image,
            6 => &mut self.image_id,
            7 => &mut self.container_id,
            8 => &mut self.started,
            9 => &mut self.allocated_resources,
            10 => &mut self.resources,
            11 => &mut self.volume_mounts,
            12 => &mut self.user,
            13 => &mut self.allocated_resources_status,
            14 => &mut self.stop_signal,
            _ => return None,
        })
    }
}
