// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Requester;
use super::ResponderStatus;
use super::TargetResponder;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io): optional. At most 100 entries. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io): optional. At least 1. Updates can't clear it.
    pub observed_generation: Option<i64>,
    /// [`requesters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io): optional. At most 100 entries. Apply and strategic merge patch merge entries by `name`.
    pub requesters: List<Requester>,
    /// [`targetResponders`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io): optional. At most 11 entries. Apply and strategic merge patch merge entries by `name`.
    pub target_responders: List<TargetResponder>,
    /// [`responders`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionstatus-v1alpha1-lifecycle-k8s-io): optional. At most 11 entries. Apply and strategic merge patch merge entries by `name`.
    pub responders: List<ResponderStatus>,
}

impl EvictionStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        conditions: List::EMPTY,
        observed_generation: None,
        requesters: List::EMPTY,
        target_responders: List::EMPTY,
        responders: List::EMPTY,
    };
}

client_rs_machinery::message!(EvictionStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("requesters", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Requester>()
            .merged_by("name"),
        Field::new("targetResponders", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<TargetResponder>()
            .merged_by("name"),
        Field::new("responders", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ResponderStatus>()
            .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for EvictionStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.observed_generation),
            2 => FieldRef::list(&self.requesters),
            3 => FieldRef::list(&self.target_responders),
            4 => FieldRef::list(&self.responders),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.observed_generation),
            2 => FieldMut::list(&mut self.requesters),
            3 => FieldMut::list(&mut self.target_responders),
            4 => FieldMut::list(&mut self.responders),
            _ => FieldMut::NONE,
        }
    }
}
