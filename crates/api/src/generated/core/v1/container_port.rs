// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerPort {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core): optional.
    pub name: Str,
    /// [`hostPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core): optional.
    pub host_port: i32,
    /// [`containerPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core): required.
    pub container_port: i32,
    /// [`protocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core): optional. One of `SCTP`, `TCP`, `UDP`. Defaults to `TCP`.
    pub protocol: Str,
    /// [`hostIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerport-v1-core): optional.
    pub host_ip: Str,
}

impl ContainerPort {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, host_port: 0, container_port: 0, protocol: Str::EMPTY, host_ip: Str::EMPTY };
}

client_rs_machinery::message!(ContainerPort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerPort",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("hostPort", Flags::OMIT_EMPTY),
        Field::new("containerPort", Flags::NONE),
        Field::new("protocol", Flags::OMIT_EMPTY),
        Field::new("hostIP", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ContainerPort {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.host_port),
            2 => FieldRef::value(&self.container_port),
            3 => FieldRef::value(&self.protocol),
            4 => FieldRef::value(&self.host_ip),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.host_port),
            2 => FieldMut::value(&mut self.container_port),
            3 => FieldMut::value(&mut self.protocol),
            4 => FieldMut::value(&mut self.host_ip),
            _ => FieldMut::NONE,
        }
    }
}
