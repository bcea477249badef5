// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, Shared, Str};

/// [`APIServiceSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io) of `apiregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIServiceSpec {
    /// [`service`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): optional.
    pub service: Option<Shared<ServiceReference>>,
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): optional.
    pub group: Str,
    /// [`version`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): optional.
    pub version: Str,
    /// [`insecureSkipTLSVerify`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): optional.
    pub insecure_skip_tls_verify: bool,
    /// [`caBundle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): optional. Apply replaces the list.
    pub ca_bundle: Blob,
    /// [`groupPriorityMinimum`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): required.
    pub group_priority_minimum: i32,
    /// [`versionPriority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservicespec-v1-apiregistration-k8s-io): required.
    pub version_priority: i32,
}

impl APIServiceSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        service: None,
        group: Str::EMPTY,
        version: Str::EMPTY,
        insecure_skip_tls_verify: false,
        ca_bundle: Blob::EMPTY,
        group_priority_minimum: 0,
        version_priority: 0,
    };
}

client_rs_machinery::message!(APIServiceSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIServiceSpec",
    type_meta: None,
    fields: &[
        Field::new("service", Flags::OMIT_EMPTY).of::<ServiceReference>(),
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("version", Flags::OMIT_EMPTY),
        Field::new("insecureSkipTLSVerify", Flags::OMIT_EMPTY),
        Field::new("caBundle", Flags::OMIT_EMPTY),
        Field::new("groupPriorityMinimum", Flags::NONE),
        Field::new("versionPriority", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(7, 5),
        Wire::field(8, 6),
    ],
};

impl Fields for APIServiceSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.service),
            1 => FieldRef::value(&self.group),
            2 => FieldRef::value(&self.version),
            3 => FieldRef::value(&self.insecure_skip_tls_verify),
            4 => FieldRef::value(&self.ca_bundle),
            5 => FieldRef::value(&self.group_priority_minimum),
            6 => FieldRef::value(&self.version_priority),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.service),
            1 => FieldMut::value(&mut self.group),
            2 => FieldMut::value(&mut self.version),
            3 => FieldMut::value(&mut self.insecure_skip_tls_verify),
            4 => FieldMut::value(&mut self.ca_bundle),
            5 => FieldMut::value(&mut self.group_priority_minimum),
            6 => FieldMut::value(&mut self.version_priority),
            _ => FieldMut::NONE,
        }
    }
}
