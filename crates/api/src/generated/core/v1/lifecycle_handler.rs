// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ExecAction;
use super::HTTPGetAction;
use super::SleepAction;
use super::TCPSocketAction;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LifecycleHandler`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecyclehandler-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LifecycleHandler {
    /// [`exec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecyclehandler-v1-core): optional.
    pub exec: Option<Shared<ExecAction>>,
    /// [`httpGet`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecyclehandler-v1-core): optional.
    pub http_get: Option<Shared<HTTPGetAction>>,
    /// [`tcpSocket`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecyclehandler-v1-core): optional, deprecated.
    pub tcp_socket: Option<Shared<TCPSocketAction>>,
    /// [`sleep`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#lifecyclehandler-v1-core): optional, since 1.29.
    pub sleep: Option<Shared<SleepAction>>,
}

impl LifecycleHandler {
    /// Every field empty.
    pub const EMPTY: Self = Self { exec: None, http_get: None, tcp_socket: None, sleep: None };
}

client_rs_machinery::message!(LifecycleHandler, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LifecycleHandler",
    type_meta: None,
    fields: &[
        Field::new("exec", Flags::OMIT_EMPTY).of::<ExecAction>(),
        Field::new("httpGet", Flags::OMIT_EMPTY).of::<HTTPGetAction>(),
        Field::new("tcpSocket", Flags::OMIT_EMPTY).of::<TCPSocketAction>(),
        Field::new("sleep", Flags::OMIT_EMPTY).of::<SleepAction>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for LifecycleHandler {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.exec),
            1 => FieldRef::optional(&self.http_get),
            2 => FieldRef::optional(&self.tcp_socket),
            3 => FieldRef::optional(&self.sleep),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.exec),
            1 => FieldMut::optional(&mut self.http_get),
            2 => FieldMut::optional(&mut self.tcp_socket),
            3 => FieldMut::optional(&mut self.sleep),
            _ => FieldMut::NONE,
        }
    }
}
