// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkPolicy;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ListMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `NetworkPolicyList` of `extensions/v1beta1`. Since 1.3. Deprecated since 1.9. Not served since 1.16. Replaced by `NetworkPolicyList` of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicyList {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// `items`: optional. The objects of the list.
    pub items: List<NetworkPolicy>,
}

impl NetworkPolicyList {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: List::EMPTY };
}

client_rs_machinery::message!(NetworkPolicyList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicyList",
    type_meta: Some(TypeMeta {
        api_version: "extensions/v1beta1",
        kind: "NetworkPolicyList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<NetworkPolicy>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NetworkPolicyList {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.items),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.items),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object_list!(NetworkPolicyList, NetworkPolicy);
