//! Descriptions of a few Kubernetes types, as far as the tests need them: they have fields but no content.

use client_rs_machinery::StaticDefault;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Message};

const MERGE: Flags = Flags::PATCH_MERGE;
const RETAIN: Flags = Flags::PATCH_RETAIN_KEYS;

/// The description of a `v1.Pod`.
pub(crate) static POD: &Descriptor = Pod::DESCRIPTOR;
/// The description of a `v1.Service`.
pub(crate) static SERVICE: &Descriptor = Service::DESCRIPTOR;
/// The description of an `apps/v1.Deployment`.
pub(crate) static DEPLOYMENT: &Descriptor = Deployment::DESCRIPTOR;
/// The description of a `policy/v1.PodDisruptionBudget`.
pub(crate) static BUDGET: &Descriptor = PodDisruptionBudget::DESCRIPTOR;

/// The description of a type whose lists hold itself.
pub(crate) static TREE: &Descriptor = Tree::DESCRIPTOR;

const fn plain(name: &'static str) -> Field {
    Field::new(name, Flags::NONE)
}

const fn merged(name: &'static str) -> Field {
    Field::new(name, MERGE)
}

macro_rules! shapes {
    ($($name:ident: [$($field:expr),* $(,)?];)*) => {$(
        #[derive(Clone, Debug, Default, PartialEq)]
        struct $name;

        impl Message for $name {
            const DESCRIPTOR: &'static Descriptor =
                &Descriptor { name: stringify!($name), type_meta: None, fields: &[$($field),*], wire: &[] };
        }

        impl Fields for $name {
            fn descriptor(&self) -> &'static Descriptor {
                Self::DESCRIPTOR
            }

            fn field(&self, _: usize) -> FieldRef<'_> {
                FieldRef::NONE
            }

            fn field_mut(&mut self, _: usize) -> FieldMut<'_> {
                FieldMut::NONE
            }
        }

        impl StaticDefault for $name {
            fn static_default() -> &'static Self {
                &Self
            }
        }
    )*};
}

shapes! {
    Pod: [plain("metadata").of::<ObjectMeta>(), plain("spec").of::<PodSpec>()];
    Service: [plain("metadata").of::<ObjectMeta>(), plain("spec").of::<ServiceSpec>()];
    Deployment: [plain("metadata").of::<ObjectMeta>(), plain("spec").of::<DeploymentSpec>()];
    PodDisruptionBudget: [plain("metadata").of::<ObjectMeta>(), plain("spec").of::<BudgetSpec>()];

    Tree: [plain("name"), merged("children").of::<Tree>().merged_by("name"), plain("child").of::<Tree>()];

    ObjectMeta: [
        plain("name"),
        plain("labels"),
        plain("annotations"),
        merged("ownerReferences").of::<OwnerReference>().merged_by("uid"),
        merged("finalizers"),
    ];
    OwnerReference: [plain("uid"), plain("name")];
    PodSpec: [
        Field::new("volumes", MERGE.and(RETAIN)).of::<Volume>().merged_by("name"),
        merged("initContainers").of::<Container>().merged_by("name"),
        merged("containers").of::<Container>().merged_by("name"),
        plain("nodeSelector"),
        plain("nodeName"),
        merged("imagePullSecrets").of::<Named>().merged_by("name"),
        plain("tolerations").of::<Named>(),
        merged("hostAliases").of::<HostAlias>().merged_by("ip"),
    ];
    Volume: [plain("name"), Field::new("volumeSource", Flags::INLINE).of::<VolumeSource>()];
    VolumeSource: [plain("emptyDir"), plain("configMap").of::<ConfigMapSource>()];
    ConfigMapSource: [plain("name"), plain("items")];
    Container: [
        plain("name"),
        plain("image"),
        plain("command"),
        merged("ports").of::<Port>().merged_by("containerPort"),
        merged("env").of::<EnvVar>().merged_by("name"),
        plain("resources").of::<Resources>(),
        merged("volumeMounts").of::<Named>().merged_by("mountPath"),
    ];
    Port: [plain("name"), plain("containerPort"), plain("port")];
    EnvVar: [plain("name"), plain("value"), plain("valueFrom").of::<EnvVarSource>()];
    EnvVarSource: [plain("fieldRef")];
    Resources: [plain("limits"), plain("requests")];
    Named: [plain("name")];
    HostAlias: [plain("ip"), plain("hostnames")];
    ServiceSpec: [merged("ports").of::<Port>().merged_by("port"), plain("selector"), plain("externalIPs")];
    DeploymentSpec: [
        plain("replicas"),
        plain("selector").of::<LabelSelector>(),
        plain("template").of::<Pod>(),
        Field::new("strategy", RETAIN).of::<Strategy>(),
    ];
    Strategy: [plain("type"), plain("rollingUpdate")];
    LabelSelector: [plain("matchLabels"), plain("matchExpressions")];
    BudgetSpec: [plain("minAvailable"), Field::new("selector", Flags::PATCH_REPLACE).of::<LabelSelector>()];
}
