// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Str, Time};

/// [`PodLogOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core) of `core/v1`. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct PodLogOptions {
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub container: Str,
    /// [`follow`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub follow: bool,
    /// [`previous`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub previous: bool,
    /// [`sinceSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub since_seconds: Option<i64>,
    /// [`sinceTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub since_time: Option<Time>,
    /// [`timestamps`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub timestamps: bool,
    /// [`tailLines`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub tail_lines: Option<i64>,
    /// [`limitBytes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub limit_bytes: Option<i64>,
    /// [`insecureSkipTLSVerifyBackend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional.
    pub insecure_skip_tls_verify_backend: bool,
    /// [`stream`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podlogoptions-v1-core): optional, since 1.32. Feature gate `PodLogsQuerySplitStreams`.
    pub stream: Option<Str>,
}

impl PodLogOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        container: Str::EMPTY,
        follow: false,
        previous: false,
        since_seconds: None,
        since_time: None,
        timestamps: false,
        tail_lines: None,
        limit_bytes: None,
        insecure_skip_tls_verify_backend: false,
        stream: None,
    };
}

client_rs_machinery::message!(PodLogOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodLogOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodLogOptions", everywhere: false }),
    fields: &[
        Field::new("container", Flags::OMIT_EMPTY),
        Field::new("follow", Flags::OMIT_EMPTY),
        Field::new("previous", Flags::OMIT_EMPTY),
        Field::new("sinceSeconds", Flags::OMIT_EMPTY),
        Field::new("sinceTime", Flags::OMIT_EMPTY),
        Field::new("timestamps", Flags::OMIT_EMPTY),
        Field::new("tailLines", Flags::OMIT_EMPTY),
        Field::new("limitBytes", Flags::OMIT_EMPTY),
        Field::new("insecureSkipTLSVerifyBackend", Flags::OMIT_EMPTY),
        Field::new("stream", Flags::OMIT_EMPTY),
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
    ],
};

impl Fields for PodLogOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.container),
            1 => FieldRef::value(&self.follow),
            2 => FieldRef::value(&self.previous),
            3 => FieldRef::value(&self.since_seconds),
            4 => FieldRef::value(&self.since_time),
            5 => FieldRef::value(&self.timestamps),
            6 => FieldRef::value(&self.tail_lines),
            7 => FieldRef::value(&self.limit_bytes),
            8 => FieldRef::value(&self.insecure_skip_tls_verify_backend),
            9 => FieldRef::value(&self.stream),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.container),
            1 => FieldMut::value(&mut self.follow),
            2 => FieldMut::value(&mut self.previous),
            3 => FieldMut::value(&mut self.since_seconds),
            4 => FieldMut::value(&mut self.since_time),
            5 => FieldMut::value(&mut self.timestamps),
            6 => FieldMut::value(&mut self.tail_lines),
            7 => FieldMut::value(&mut self.limit_bytes),
            8 => FieldMut::value(&mut self.insecure_skip_tls_verify_backend),
            9 => FieldMut::value(&mut self.stream),
            _ => FieldMut::NONE,
        }
    }
}
