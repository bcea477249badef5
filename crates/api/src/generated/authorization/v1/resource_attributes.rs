// Made by `cargo xtask codegen` from schema: change those, not this.
use super::FieldSelectorAttributes;
use super::LabelSelectorAttributes;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`ResourceAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceAttributes {
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub namespace: Str,
    /// [`verb`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub verb: Str,
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub group: Str,
    /// [`version`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub version: Str,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub resource: Str,
    /// [`subresource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub subresource: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional.
    pub name: Str,
    /// [`fieldSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional, since 1.31.
    pub field_selector: Option<Shared<FieldSelectorAttributes>>,
    /// [`labelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceattributes-v1-authorization-k8s-io): optional, since 1.31.
    pub label_selector: Option<Shared<LabelSelectorAttributes>>,
}

impl ResourceAttributes {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        namespace: Str::EMPTY,
        verb: Str::EMPTY,
        group: Str::EMPTY,
        version: Str::EMPTY,
        resource: Str::EMPTY,
        subresource: Str::EMPTY,
        name: Str::EMPTY,
        field_selector: None,
        label_selector: None,
    };
}

client_rs_machinery::message!(ResourceAttributes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceAttributes",
    type_meta: None,
    fields: &[
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("verb", Flags::OMIT_EMPTY),
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("version", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::OMIT_EMPTY),
        Field::new("subresource", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("fieldSelector", Flags::OMIT_EMPTY).of::<FieldSelectorAttributes>(),
        Field::new("labelSelector", Flags::OMIT_EMPTY).of::<LabelSelectorAttributes>(),
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
    ],
};

impl Fields for ResourceAttributes {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.namespace),
            1 => FieldRef::value(&self.verb),
            2 => FieldRef::value(&self.group),
            3 => FieldRef::value(&self.version),
            4 => FieldRef::value(&self.resource),
            5 => FieldRef::value(&self.subresource),
            6 => FieldRef::value(&self.name),
            7 => FieldRef::optional(&self.field_selector),
            8 => FieldRef::optional(&self.label_selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.namespace),
            1 => FieldMut::value(&mut self.verb),
            2 => FieldMut::value(&mut self.group),
            3 => FieldMut::value(&mut self.version),
            4 => FieldMut::value(&mut self.resource),
            5 => FieldMut::value(&mut self.subresource),
            6 => FieldMut::value(&mut self.name),
            7 => FieldMut::optional(&mut self.field_selector),
            8 => FieldMut::optional(&mut self.label_selector),
            _ => FieldMut::NONE,
        }
    }
}
