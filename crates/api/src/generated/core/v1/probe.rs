// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ExecAction;
use super::GRPCAction;
use super::HTTPGetAction;
use super::TCPSocketAction;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Probe`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Probe {
    /// [`exec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional.
    pub exec: Option<Shared<ExecAction>>,
    /// [`httpGet`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional.
    pub http_get: Option<Shared<HTTPGetAction>>,
    /// [`tcpSocket`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional.
    pub tcp_socket: Option<Shared<TCPSocketAction>>,
    /// [`grpc`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional.
    pub grpc: Option<Shared<GRPCAction>>,
    /// [`initialDelaySeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional.
    pub initial_delay_seconds: i32,
    /// [`timeoutSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional. Defaults to `1`.
    pub timeout_seconds: i32,
    /// [`periodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional. Defaults to `10`.
    pub period_seconds: i32,
    /// [`successThreshold`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional. Defaults to `1`.
    pub success_threshold: i32,
    /// [`failureThreshold`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional. Defaults to `3`.
    pub failure_threshold: i32,
    /// [`terminationGracePeriodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#probe-v1-core): optional, since 1.21.
    pub termination_grace_period_seconds: Option<i64>,
}

impl Probe {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        exec: None,
        http_get: None,
        tcp_socket: None,
        grpc: None,
        initial_delay_seconds: 0,
        timeout_seconds: 0,
        period_seconds: 0,
        success_threshold: 0,
        failure_threshold: 0,
        termination_grace_period_seconds: None,
    };
}

client_rs_machinery::message!(Probe, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Probe",
    type_meta: None,
    fields: &[
        Field::new("exec", Flags::OMIT_EMPTY).of::<ExecAction>(),
        Field::new("httpGet", Flags::OMIT_EMPTY).of::<HTTPGetAction>(),
        Field::new("tcpSocket", Flags::OMIT_EMPTY).of::<TCPSocketAction>(),
        Field::new("grpc", Flags::OMIT_EMPTY).of::<GRPCAction>(),
        Field::new("initialDelaySeconds", Flags::OMIT_EMPTY),
        Field::new("timeoutSeconds", Flags::OMIT_EMPTY),
        Field::new("periodSeconds", Flags::OMIT_EMPTY),
        Field::new("successThreshold", Flags::OMIT_EMPTY),
        Field::new("failureThreshold", Flags::OMIT_EMPTY),
        Field::new("terminationGracePeriodSeconds", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::inline(1, &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)]),
        Wire::field(2, 4),
        Wire::field(3, 5),
        Wire::field(4, 6),
        Wire::field(5, 7),
        Wire::field(6, 8),
        Wire::field(7, 9),
    ],
};

impl Fields for Probe {
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
            3 => FieldRef::optional(&self.grpc),
            4 => FieldRef::value(&self.initial_delay_seconds),
            5 => FieldRef::value(&self.timeout_seconds),
            6 => FieldRef::value(&self.period_seconds),
            7 => FieldRef::value(&self.success_threshold),
            8 => FieldRef::value(&self.failure_threshold),
            9 => FieldRef::value(&self.termination_grace_period_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.exec),
            1 => FieldMut::optional(&mut self.http_get),
            2 => FieldMut::optional(&mut self.tcp_socket),
            3 => FieldMut::optional(&mut self.grpc),
            4 => FieldMut::value(&mut self.initial_delay_seconds),
            5 => FieldMut::value(&mut self.timeout_seconds),
            6 => FieldMut::value(&mut self.period_seconds),
            7 => FieldMut::value(&mut self.success_threshold),
            8 => FieldMut::value(&mut self.failure_threshold),
            9 => FieldMut::value(&mut self.termination_grace_period_seconds),
            _ => FieldMut::NONE,
        }
    }
}
