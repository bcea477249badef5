//! The history of stateful sets and daemon sets: a `ControllerRevision` for each template.

use std::sync::Arc;

use client_rs_api::apps::v1::ControllerRevision;
use client_rs_api::core::v1::PodTemplateSpec;
use client_rs_cache::Lister;
use client_rs_controller::Result;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::{controller_reference, controls};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, Object, RawExtension, Str, Unstructured, json};

use crate::claim::claim;
use crate::hash::hash;
use crate::kind::CONTROLLER_REVISION;
use crate::plan::Plan;

/// The label of a pod with its revision.
pub(crate) const POD_REVISION: &str = "controller-revision-hash";

/// The revisions of an owner, and those that it may adopt.
pub(crate) fn near(all: &Lister<Unstructured>, owner: &dyn Object) -> Result<Vec<Arc<ControllerRevision>>> {
    let all = all.namespace(owner.namespace()).list(&Selector::everything())?;
    let near = |one: &&Arc<Unstructured>| controls(owner, &***one) || one.controller().is_none();
    let typed: std::result::Result<_, _> =
        all.iter().filter(near).map(|one| one.to_message().map(Arc::new)).collect();
    Ok(typed?)
}

/// The revisions of an owner.
pub(crate) struct History<'a> {
    pub(crate) owner: &'a dyn Object,
    pub(crate) template: &'a PodTemplateSpec,
    /// The label of a revision that has its hash.
    pub(crate) hash_label: &'static str,
    pub(crate) collisions: Option<i32>,
}

impl History<'_> {
    /// The owner's revisions, the oldest first.
    pub(crate) fn claim(
        &self,
        selector: &Selector,
        near: Vec<Arc<ControllerRevision>>,
        plan: &mut Plan,
    ) -> Result<Vec<Arc<ControllerRevision>>> {
        let mut own = claim(self.owner, selector, &CONTROLLER_REVISION, near, |_| true, plan)?;
        own.sort_by_key(|one| (one.revision, one.metadata.creation_timestamp, one.metadata.name.clone()));
        Ok(own)
    }

    /// The revision of the current template. One of before gets the highest number; a new one is created.
    pub(crate) fn current(
        &self,
        known: &[Arc<ControllerRevision>],
        plan: &mut Plan,
    ) -> Result<Arc<ControllerRevision>> {
        let last = known.last().map_or(0, |last| last.revision);
        let equal = known.iter().rfind(|one| template_of(one).as_ref() == Some(self.template));
        if let Some(equal) = equal {
            if equal.revision == last {
                return Ok(Arc::clone(equal));
            }
            let mut renumbered = ControllerRevision::clone(equal);
            renumbered.revision = last + 1;
            plan.update(&CONTROLLER_REVISION, &renumbered)?;
            return Ok(Arc::new(renumbered));
        }
        let mut data = Json::from_message(self.template)?;
        if let Json::Map(template) = &mut data {
            template.insert("$patch", "replace".into());
        }
        let data = json!({"spec": {"template": data}}).to_string();
        let hash = hash(data.as_bytes(), self.collisions);
        let mut labels = self.template.metadata.labels.clone();
        labels.insert(self.hash_label, hash.as_str().into());
        let made = ControllerRevision {
            metadata: ObjectMeta {
                name: format!("{}-{hash}", self.owner.name()).into(),
                namespace: self.owner.namespace().into(),
                labels,
                owner_references: [controller_reference(self.owner)?].into(),
                ..ObjectMeta::EMPTY
            },
            data: RawExtension::from_json(data.as_bytes())?,
            revision: last + 1,
        };
        plan.create(&CONTROLLER_REVISION, &made, None)?;
        Ok(Arc::new(made))
    }

    /// Deletes the oldest revisions that are not live, and keeps as many as the limit allows.
    pub(crate) fn forget(
        known: &[Arc<ControllerRevision>],
        is_live: impl Fn(&ControllerRevision) -> bool,
        keep: Option<i32>,
        plan: &mut Plan,
    ) {
        let keep = usize::try_from(keep.unwrap_or(10)).unwrap_or(0);
        let dead: Vec<_> = known.iter().filter(|one| !is_live(one)).collect();
        let many = dead.len().saturating_sub(keep);
        dead.into_iter().take(many).for_each(|one| plan.delete(&CONTROLLER_REVISION, &**one, None));
    }
}

/// The template that a revision has.
pub(crate) fn template_of(revision: &ControllerRevision) -> Option<PodTemplateSpec> {
    let data = Json::parse(revision.data.as_bytes()).ok()?;
    let mut template = data["spec"]["template"].clone();
    if let Json::Map(template) = &mut template {
        template.remove("$patch");
    }
    PodTemplateSpec::from_json(template.to_string().as_bytes()).ok()
}

/// The revision that a pod has.
pub(crate) fn of_pod(pod: &dyn Object) -> Str {
    pod.label(POD_REVISION).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use client_rs_api::apps::v1::StatefulSet;

    use super::*;
    use crate::model::Model;

    #[test]
    fn a_template_that_returns_gets_the_highest_number() {
        let mut set = StatefulSet::EMPTY;
        set.metadata.name = "db".into();
        set.metadata.namespace = "shop".into();
        set.metadata.uid = "uid-db".into();
        let template = |image: &str| {
            let text = format!(
                r#"{{"metadata":{{"labels":{{"app":"db"}}}},"spec":{{"containers":[{{"name":"c","image":"{image}"}}]}}}}"#
            );
            PodTemplateSpec::from_json(text.as_bytes()).unwrap()
        };
        let mut model = Model::default();
        let mut numbers = Vec::new();
        for image in ["a:1", "a:2", "a:1", "a:1"] {
            let template = template(image);
            let history = History {
                owner: &set,
                template: &template,
                hash_label: "controller.kubernetes.io/hash",
                collisions: None,
            };
            let mut plan = Plan::default();
            let known = history.claim(
                &Selector::parse("app=db").unwrap(),
                model.all(&CONTROLLER_REVISION),
                &mut plan,
            );
            let current = history.current(&known.unwrap(), &mut plan).unwrap();
            assert_eq!(template_of(&current).as_ref(), Some(&template));
            numbers.push((current.revision, plan.steps.len()));
            model.apply(plan);
        }
        assert_eq!(numbers, [(1, 1), (2, 1), (3, 1), (3, 0)]);
        let known = model.all(&CONTROLLER_REVISION);
        let mut plan = Plan::default();
        History::forget(&known, |one| one.revision == 3, Some(0), &mut plan);
        assert_eq!(plan.deleted(&CONTROLLER_REVISION).len(), 1);
    }
}
