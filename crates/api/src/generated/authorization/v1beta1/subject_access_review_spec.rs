// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourceAttributes;
use super::ResourceAttributes;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Shared, Str, StringList};

/// [SubjectAccessReviewSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreviewspec-v1beta1-authorization-k8s-io) of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SubjectAccessReviewSpec {
    pub resource_attributes: Option<Shared<ResourceAttributes>>,
    pub non_resource_attributes: Option<Shared<NonResourceAttributes>>,
    pub user: Str,
    pub group: List<Str>,
    pub extra: Map<StringList>,
    pub uid: Str,
}

impl SubjectAccessReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource_attributes: None,
        non_resource_attributes: None,
        user: Str::EMPTY,
        group: List::EMPTY,
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
        Field::new("group", Flags::OMIT_EMPTY),
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.resource_attributes,
            1 => &self.non_resource_attributes,
            2 => &self.user,
            3 => &self.group,
            4 => &self.extra,
            5 => &self.uid,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.resource_attributes,
            1 => &mut self.non_resource_attributes,
            2 => &mut self.user,
            3 => &mut self.group,
            4 => &mut self.extra,
            5 => &mut self.uid,
            _ => return None,
        })
    }
}
