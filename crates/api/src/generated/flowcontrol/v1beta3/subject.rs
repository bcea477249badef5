// Made by `cargo xtask codegen` from schema: change those, not this.
use super::GroupSubject;
use super::ServiceAccountSubject;
use super::UserSubject;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `Subject` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct Subject {
    /// `kind`: required. Known values: `Group`, `ServiceAccount`, `User`.
    pub kind: Str,
    /// `user`: optional.
    pub user: Option<Shared<UserSubject>>,
    /// `group`: optional.
    pub group: Option<Shared<GroupSubject>>,
    /// `serviceAccount`: optional.
    pub service_account: Option<Shared<ServiceAccountSubject>>,
}

impl Subject {
    /// Every field empty.
    pub const EMPTY: Self = Self { kind: Str::EMPTY, user: None, group: None, service_account: None };
}

client_rs_machinery::message!(Subject, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Subject",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::NONE),
        Field::new("user", Flags::OMIT_EMPTY).of::<UserSubject>(),
        Field::new("group", Flags::OMIT_EMPTY).of::<GroupSubject>(),
        Field::new("serviceAccount", Flags::OMIT_EMPTY).of::<ServiceAccountSubject>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Subject {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.kind),
            1 => FieldRef::optional(&self.user),
            2 => FieldRef::optional(&self.group),
            3 => FieldRef::optional(&self.service_account),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.kind),
            1 => FieldMut::optional(&mut self.user),
            2 => FieldMut::optional(&mut self.group),
            3 => FieldMut::optional(&mut self.service_account),
            _ => FieldMut::NONE,
        }
    }
}
