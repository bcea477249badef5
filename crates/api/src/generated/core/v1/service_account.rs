// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LocalObjectReference;
use super::ObjectReference;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ServiceAccount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccount-v1-core) of `core/v1`. Served as `serviceaccounts`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct ServiceAccount {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccount-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`secrets`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccount-v1-core): optional. Apply and strategic merge patch merge entries by `name`.
    pub secrets: List<ObjectReference>,
    /// [`imagePullSecrets`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccount-v1-core): optional. Apply replaces the list.
    pub image_pull_secrets: List<LocalObjectReference>,
    /// [`automountServiceAccountToken`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceaccount-v1-core): optional.
    pub automount_service_account_token: Option<bool>,
}

impl ServiceAccount {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        secrets: List::EMPTY,
        image_pull_secrets: List::EMPTY,
        automount_service_account_token: None,
    };
}

client_rs_machinery::message!(ServiceAccount, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceAccount",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ServiceAccount", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("secrets", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ObjectReference>()
            .merged_by("name"),
        Field::new("imagePullSecrets", Flags::OMIT_EMPTY).of::<LocalObjectReference>(),
        Field::new("automountServiceAccountToken", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ServiceAccount {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.secrets),
            2 => FieldRef::list(&self.image_pull_secrets),
            3 => FieldRef::value(&self.automount_service_account_token),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.secrets),
            2 => FieldMut::list(&mut self.image_pull_secrets),
            3 => FieldMut::value(&mut self.automount_service_account_token),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ServiceAccount, "v1", "ServiceAccount");

impl client_rs_machinery::Resource for ServiceAccount {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "ServiceAccount",
        plural: "serviceaccounts",
        singular: "serviceaccount",
        namespaced: true,
        short_names: &["sa"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "token",
            group: "authentication.k8s.io",
            version: "v1",
            kind: "TokenRequest",
            verbs: &["create"],
        }],
    };
}

client_rs_machinery::verbs!(ServiceAccount: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);

#[cfg(feature = "authentication")]
impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Token> for ServiceAccount {
    type Payload = crate::authentication::v1::TokenRequest;
    type Answer = crate::authentication::v1::TokenRequest;
}
