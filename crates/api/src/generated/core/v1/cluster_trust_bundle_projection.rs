// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`ClusterTrustBundleProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ClusterTrustBundleProjection {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): optional.
    pub name: Option<Str>,
    /// [`signerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): optional.
    pub signer_name: Option<Str>,
    /// [`labelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): optional.
    pub label_selector: Option<Shared<LabelSelector>>,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): optional.
    pub optional: Option<bool>,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): required.
    pub path: Str,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clustertrustbundleprojection-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub user: Option<i64>,
}

impl ClusterTrustBundleProjection {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: None,
        signer_name: None,
        label_selector: None,
        optional: None,
        path: Str::EMPTY,
        user: None,
    };
}

client_rs_machinery::message!(ClusterTrustBundleProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClusterTrustBundleProjection",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("signerName", Flags::OMIT_EMPTY),
        Field::new("labelSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("optional", Flags::OMIT_EMPTY),
        Field::new("path", Flags::NONE),
        Field::new("user", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 3),
        Wire::field(6, 5),
    ],
};

impl Fields for ClusterTrustBundleProjection {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.signer_name),
            2 => FieldRef::optional(&self.label_selector),
            3 => FieldRef::value(&self.optional),
            4 => FieldRef::value(&self.path),
            5 => FieldRef::value(&self.user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.signer_name),
            2 => FieldMut::optional(&mut self.label_selector),
            3 => FieldMut::value(&mut self.optional),
            4 => FieldMut::value(&mut self.path),
            5 => FieldMut::value(&mut self.user),
            _ => FieldMut::NONE,
        }
    }
}
