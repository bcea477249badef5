//! `ReplicationController`.

use client_rs_machinery::{Json, Map};

use crate::kinds::rules::{DeleteRules, Dependents, Generation, KindRules, SelectableField, Subresource};
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::pod_defaults;

pub(super) const RULES: KindRules = KindRules {
    plural: "replicationcontrollers",
    generation: Generation::SPEC,
    delete: DeleteRules { dependents: Dependents::Orphan, ..DeleteRules::DEFAULT },
    fields: &[SelectableField::number("status.replicas", &["status", "replicas"])],
    own_labels: true,
    plain_selector: true,
    subresources: &[Subresource::SCALE],
    defaults,
    ..super::SHARED
};

fn defaults(object: &mut Map<Json>) {
    let labels = object.get("spec").and_then(|spec| spec.path(&["template", "metadata", "labels"])).cloned();
    let spec = within(object, "spec");
    default(spec, "replicas", 1);
    if let Some(labels) = labels {
        default(spec, "selector", labels.clone());
        default(within(object, "metadata"), "labels", labels);
    }
    pod_defaults::template(object, &["spec", "template"]);
}
