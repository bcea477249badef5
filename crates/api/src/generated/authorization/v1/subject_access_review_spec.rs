// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourceAttributes;
use super::ResourceAttributes;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Shared, Str, StringList};

/// [`SubjectAccessReviewSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct SubjectAccessReviewSpec {
    /// [`resourceAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional.
    pub resource_attributes: Option<Shared<ResourceAttributes>>,
    /// [`nonResourceAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional.
    pub non_resource_attributes: Option<Shared<NonResourceAttributes>>,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional.
    pub user: Str,
    /// [`groups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional. Apply replaces the list.
    pub groups: List<Str>,
    /// [`extra`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional.
    pub extra: Map<StringList>,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1-authorization-k8s-io): optional.
    pub uid: Str,
}

impl SubjectAccessReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource_attributes: None,
        non_resource_attributes: None,
        user: Str::EMPTY,
        groups: List::EMPTY,
        extra: Map::EMPTY,
        uid: Str::EMPTY,
    };
}

client_rs_machinery::message!(SubjectAccessReviewSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SubjectAccessReviewSpec",
    type_meta: None,
    fields: &[
        Field::new("resourceAttributes", Flags::OMIT_EMPTY).of::<ResourceAttributes>(),
        Field::new("nonResourceAttributes", Flags::OMIT_EMPTY).of::<NonResourceAttributes>(),
        Field::new("user", Flags::OMIT_EMPTY),
        Field::new("groups", Flags::OMIT_EMPTY),
        Field::new("extra", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for SubjectAccessReviewSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.resource_attributes),
            1 => FieldRef::optional(&self.non_resource_attributes),
            2 => FieldRef::value(&self.user),
            3 => FieldRef::value(&self.groups),
            4 => FieldRef::value(&self.extra),
            5 => FieldRef::value(&self.uid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.resource_attributes),
            1 => FieldMut::optional(&mut self.non_resource_attributes),
            2 => FieldMut::value(&mut self.user),
            3 => FieldMut::value(&mut self.groups),
            4 => FieldMut::value(&mut self.extra),
            5 => FieldMut::value(&mut self.uid),
            _ => FieldMut::NONE,
        }
    }
}
