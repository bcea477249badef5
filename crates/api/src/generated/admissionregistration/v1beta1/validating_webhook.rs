// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MatchCondition;
use super::WebhookClientConfig;
use crate::admissionregistration::v1::RuleWithOperations;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`ValidatingWebhook`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingWebhook {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub name: Str,
    /// [`clientConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub client_config: WebhookClientConfig,
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub rules: List<RuleWithOperations>,
    /// [`failurePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional. Known values: `Fail`, `Ignore`. Defaults to `Ignore`.
    pub failure_policy: Option<Str>,
    /// [`matchPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional. Known values: `Equivalent`, `Exact`. Defaults to `Exact`.
    pub match_policy: Option<Str>,
    /// [`namespaceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub namespace_selector: Option<Shared<LabelSelector>>,
    /// [`objectSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub object_selector: Option<Shared<LabelSelector>>,
    /// [`sideEffects`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional. Known values: `None`, `NoneOnDryRun`, `Some`, `Unknown`. Defaults to `Unknown`.
    pub side_effects: Option<Str>,
    /// [`timeoutSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional. Defaults to `30`.
    pub timeout_seconds: Option<i32>,
    /// [`admissionReviewVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional.
    pub admission_review_versions: List<Str>,
    /// [`matchConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhook-v1beta1-admissionregistration-k8s-io): optional, since 1.27. Strategic merge patch merges entries by `name`.
    pub match_conditions: List<MatchCondition>,
}

impl ValidatingWebhook {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        client_config: WebhookClientConfig::EMPTY,
        rules: List::EMPTY,
        failure_policy: None,
        match_policy: None,
        namespace_selector: None,
        object_selector: None,
        side_effects: None,
        timeout_seconds: None,
        admission_review_versions: List::EMPTY,
        match_conditions: List::EMPTY,
    };
}

client_rs_machinery::message!(ValidatingWebhook, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingWebhook",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("clientConfig", Flags::NONE).of::<WebhookClientConfig>(),
        Field::new("rules", Flags::OMIT_EMPTY).of::<RuleWithOperations>(),
        Field::new("failurePolicy", Flags::OMIT_EMPTY),
        Field::new("matchPolicy", Flags::OMIT_EMPTY),
        Field::new("namespaceSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("objectSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("sideEffects", Flags::OMIT_EMPTY),
        Field::new("timeoutSeconds", Flags::OMIT_EMPTY),
        Field::new("admissionReviewVersions", Flags::OMIT_EMPTY),
        Field::new("matchConditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<MatchCondition>()
            .merged_by("name"),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 5),
        Wire::field(6, 7),
        Wire::field(7, 8),
        Wire::field(8, 9),
        Wire::field(9, 4),
        Wire::field(10, 6),
        Wire::field(11, 10),
    ],
};

impl Fields for ValidatingWebhook {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.client_config),
            2 => FieldRef::list(&self.rules),
            3 => FieldRef::value(&self.failure_policy),
            4 => FieldRef::value(&self.match_policy),
            5 => FieldRef::optional(&self.namespace_selector),
            6 => FieldRef::optional(&self.object_selector),
            7 => FieldRef::value(&self.side_effects),
            8 => FieldRef::value(&self.timeout_seconds),
            9 => FieldRef::value(&self.admission_review_versions),
            10 => FieldRef::list(&self.match_conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.client_config),
            2 => FieldMut::list(&mut self.rules),
            3 => FieldMut::value(&mut self.failure_policy),
            4 => FieldMut::value(&mut self.match_policy),
            5 => FieldMut::optional(&mut self.namespace_selector),
            6 => FieldMut::optional(&mut self.object_selector),
            7 => FieldMut::value(&mut self.side_effects),
            8 => FieldMut::value(&mut self.timeout_seconds),
            9 => FieldMut::value(&mut self.admission_review_versions),
            10 => FieldMut::list(&mut self.match_conditions),
            _ => FieldMut::NONE,
        }
    }
}
